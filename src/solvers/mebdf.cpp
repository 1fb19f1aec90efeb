/// Modified extended backward differentiation formulae of Cash, k = 1 … 7, for F(t, q, v, a, z, z') = 0:
/// the method of MEBDFV (section 2.3 and Eq. 11-21 of Fritzkowski & Walczak 2014; Cash & Considine 1992).
///
/// A step from t to t + h has three stages, all of the form x = ψ + g x', g = h β0, with ψ known:
///
///   1. BDF of order k at t + h                                          (Eq. 11)  x*
///   2. the same once more, from x* on, at t + 2h: the look ahead       (Eq. 12)
///   3. extended BDF of order k + 1 at t + h with the x' of 1 and 2      (Eq. 13)  the result
///
/// As in Radau the unknowns are u = (a, z'); v = ψ_v + g a, q = ψ_q + g v, z = ψ_z + g z' follow, so that one
/// real matrix of the size of F, E(g) = F_a + g F_v + g² F_q (columns of z: F_z' + g F_z), serves all three.
///
/// History: backward differences of q, v, z, w and u on an even grid of spacing h (Eq. 14). When h changes,
/// the polynomial through them is put on the new grid. A step that is cut short (event, communication point)
/// by more than half moves the old grid along instead, so that the next long step does not extrapolate from
/// points that lie close together.
///
/// The look ahead reads F at t + 2h, perhaps beyond a corner of a pulse or the end of the call. It asks for
/// the piece of F to which the middle of the step belongs (Point::piece), continued smoothly; inputs are
/// those that hold now. So nothing beyond the end of the step has an influence on it.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "solvers/consistent_start.h"
#include "solvers/dae.h"
#include "solvers/events.h"
#include "solvers/mebdf_coefficients.h"
#include "solvers/newton_matrix.h"
#include "solvers/stepping.h"

namespace spondyl {
namespace {

using mebdf::max_order;

constexpr int columns = max_order + 3;  ///< differences ∇^0 … ∇^(k+2)

// Policies.
constexpr int max_newton_iterations = 5;
constexpr double safety = 0.9, largest_growth = 2, largest_cut = 0.2;
constexpr double first_growth = 8;       ///< while the order is 1
constexpr double keep_step_below = 1.2;  ///< a wish to grow less than this keeps step and factorisation
constexpr double bias_lower = 1.3, bias_same = 1.2, bias_higher = 1.4;  ///< against changes of order
constexpr int jacobian_age = 50;                                        ///< steps
constexpr double slow_rate = 0.3;    ///< Newton contraction that asks for a fresh Jacobian
constexpr double same_grid = 1e-9;   ///< steps of equal communication intervals differ by rounding
constexpr double short_share = 0.5;  ///< a step cut from outside below this share moves the grid
constexpr double small_jump = 0.1;  ///< of the tolerance: a jump of x' that changes a step by less is ignored
constexpr int failures_to_restart = 4;

/// The part of the history that is not an array. All doubles, so that a history is one array.
struct Memory {
  double order;
  double grid;              ///< spacing of the differences, 0 = there are none yet
  double next_step;         ///< proposed size, 0 = not chosen yet
  double even_steps;        ///< accepted steps since the size changed
  double order_steps;       ///< accepted steps since the order changed
  double known;             ///< differences that come from the solution; 0 at the start, when ∇^1 is h x'
  double last_error;        ///< of the step before, 0 = not known
  double consistent;        ///< x' satisfies F = 0
  double inputs_changed;    ///< since x' was made consistent
  double look_ahead_valid;  ///< stage 2 of the last step predicts stage 1 of the next
  double jacobian_valid, jacobian_fresh, jacobian_steps;
  double factored_g;     ///< g for which the present Jacobian was factorised, 0 = none
  double newton_factor;  ///< θ/(1-θ) of the last convergent iteration
};
constexpr int memory_size = sizeof(Memory) / sizeof(double);

/// ∇^0 … of the Newton polynomials: value at s grid spacings behind the last point is Σ basis_j ∇^j.
/// basis_j(s) = s (s+1) … (s+j-1)/j!, and ∇^i basis_j = basis_(j-i).
struct NewtonBasis {
  std::array<double, columns> value;
  explicit NewtonBasis(double s) {
    value[0] = 1;
    for (int j = 1; j < columns; ++j) value[j] = value[j - 1] * (s + j - 1) / j;
  }
  double operator[](int j) const { return value[j]; }
};

template <int N>
class Mebdf final : public Solver, private DenseOutput {
 public:
  Mebdf(const Sizes& sizes, const Tolerance& tolerance, int highest_order)
      : sizes_(sizes),
        n_(sizes.unknowns()),
        nq_(sizes.positions),
        nz_(N > 0 ? 0 : sizes.others()),
        nx_(2 * sizes.positions + sizes.others()),
        nw_(sizes.quadratures),
        rows_(nx_ + nw_ + sizes.unknowns()),
        relative_(std::max(share_of_tolerance(sizes) * tolerance.relative, 20 * eps)),
        max_step_(tolerance.max_step),
        newton_share_(std::max(10 * eps / relative_, has_position_constraints(sizes) ? 0.01 : 0.05)),
        max_order_(highest_order),
        matrix_(sizes),
        consistent_(sizes),
        events_(sizes),
        scale_(sizes, relative_, relative_ * tolerance.absolute / tolerance.relative) {
    for (auto* v : {&first_, &second_, &third_, &psi_, &predicted_}) v->assign(rows_, 0);
    for (auto* v : {&work_, &updated_}) v->assign(columns * rows_, 0);
    for (auto* v : {&change_, &residual_}) v->assign(n_(), 0);
    difference_.assign(nx_, 0);
    jump_.assign(sizes.states(), 0);
    for (auto* v : {&first_rate_, &second_rate_, &third_rate_}) v->assign(nw_, 0);
  }

  std::string_view name() const override { return "mebdf"; }

  void start(const Dae& dae, Solution& s) override {
    if constexpr (N == 0) {
      const Structure structure = dae.structure();
      matrix_ = NewtonMatrix<N>(sizes_, structure);
      consistent_ = ConsistentStart(sizes_, structure);
    }
    s.history.assign(memory_size + columns * rows_ + n_() + 3 * n_() * n_() + sizes_.events, 0);
    Memory m{};
    m.newton_factor = 1;
    save(s, m);
    scale_.start(dae);
    events_.initialise(dae, s.point(sizes_), signs(s));
    forget();
  }

  void restart(Solution& s) const override {
    Memory m = load(s);
    m.consistent = 0;
    m.inputs_changed = 1;
    save(s, m);
  }

  void forget() override { factorisation_valid_ = false; }

  Report advance(Dae& dae, Solution& s, double t_end) override {
    Memory m = load(s);
    const Report report = run(dae, s, m, t_end);
    save(s, m);
    return report;
  }

 private:
  /// The error of a step against the tolerance of the solution, so that errors that add up stay below it
  /// (measured on the problem library). With position constraints the multipliers count with h² and the
  /// velocities with h only, so the rest must be tighter.
  static double share_of_tolerance(const Sizes& n) { return has_position_constraints(n) ? 0.001 : 0.2; }

  // -- the loop

  Report run(Dae& dae, Solution& s, Memory& m, double t_end) {
    double corner = dae.next_corner(s.t);
    const std::int64_t first = s.statistics.steps + s.statistics.rejections;
    const double rounding = same_instant * (t_end - s.t);
    Newton trouble = Newton::converged;
    int failures = 0;
    if (!m.consistent) make_consistent(dae, s, m);

    while (s.t < t_end) {
      const double t_min = shortest_step(s.t);
      if (s.statistics.steps + s.statistics.rejections - first > max_steps_per_call)
        return {Outcome::failed, Reason::too_many_steps, s.t, worst_};

      const double target = std::min(corner, t_end), room = target - s.t;
      if (room <= std::max(t_min, rounding)) {  // corner and communication point differ by rounding
        s.t = target;
        if (s.t >= corner) start_over(s, m);
        corner = dae.next_corner(s.t);
        continue;
      }
      if (m.grid <= 0) begin(dae, s, m, t_end);
      double h = std::min(m.next_step, max_step_);
      if (h < t_min) {
        start_over(s, m);
        m.next_step = m.jacobian_valid = 0;  // chosen anew when the caller tries again
        return {Outcome::failed, reason_of(trouble), s.t, worst_};
      }
      // the last steps before the target are even, so that equal communication intervals keep their grid
      const double count = std::ceil(room / h * (1 - same_grid));
      if (count <= 8) h = room / count;
      const bool reaches = count <= 1;

      // three stages
      if (!m.jacobian_valid) evaluate_jacobian(dae, s, m);
      scale_.set(s, h);
      Newton newton = attempt(dae, s, m, h);
      if (newton != Newton::converged) {
        m.look_ahead_valid = 0;
        if (newton == Newton::not_finite || m.jacobian_fresh) {
          trouble = newton;
          m.next_step = 0.5 * h;  // as MEBDFV does
          m.even_steps = 0;
          ++s.statistics.rejections;
          if (++failures >= failures_to_restart && m.order > 1) start_over(s, m, m.next_step);
        }
        if (!m.jacobian_fresh) evaluate_jacobian(dae, s, m);
        continue;
      }

      // error test
      const int k = static_cast<int>(m.order);
      const double error = std::max(difference_norm(third_.data(), first_.data()), 1e-10);
      if (!(error <= 1)) {
        trouble = Newton::converged;
        m.next_step = h * std::clamp(0.8 * std::pow(error, -1.0 / (k + 1)), largest_cut, 0.8);
        m.even_steps = 0;
        ++s.statistics.rejections;
        if (++failures >= failures_to_restart && m.order > 1) start_over(s, m, m.next_step);
        continue;
      }

      // a step beyond an event is made again so that it ends there
      double t_new = reaches ? target : s.t + h;
      const double tested = h;
      std::span<const int> fired;
      if (sizes_.events > 0) {
        const double root = events_.first_root(dae, *this, s.t, t_new, signs(s));
        if (root < EventFinder::none) {
          newton = end_on_event(dae, s, m, root, h);
          if (newton != Newton::converged) {
            trouble = newton;
            m.next_step = 0.5 * h;
            ++s.statistics.rejections;
            continue;
          }
          t_new = s.t + h;
          fired = events_.fire(dae, *this, t_new, h, signs(s));
          s.statistics.events += static_cast<std::int64_t>(fired.size());
        }
      }

      // accept
      failures = 0;
      trouble = Newton::converged;
      commit(dae, s, m, t_new, h);
      if (h == tested && m.even_steps > 0) choose_next(s, m, h, error);
      const After after = dae.accept(Step{begin_t_, s.t, *this, fired}, s.x.data(), s.xdot.data());
      if (after == After::restart || after == After::restart_and_stop) {
        m.consistent = 0;
        start_over(s, m);
        if (changed_since_commit(s)) events_.turn_back(fired, signs(s));
      }
      if (s.t >= corner) {
        start_over(s, m);
        corner = dae.next_corner(s.t);
      }
      if (after == After::stop || after == After::restart_and_stop)
        return {s.t >= t_end ? Outcome::reached : Outcome::stopped, Reason::none, s.t, -1};
      if (!m.consistent && s.t < t_end) make_consistent(dae, s, m);
    }
    return {Outcome::reached, Reason::none, s.t, -1};
  }

  // -- phases

  /// History of a first step at order 1: x and x'.
  void begin(const Dae& dae, Solution& s, Memory& m, double t_end) {
    if (nw_ > 0) dae.quadratures(s.point(sizes_), s.xdot.data() + nx_);
    if (m.next_step <= 0) m.next_step = scale_.first_step(s, t_end, 0.001, max_step_);
    double* const d = differences(s);
    const double h = m.next_step;
    std::fill_n(d, columns * rows_, 0.0);
    for (int i = 0; i < nx_ + nw_; ++i) {
      d[i] = s.x[i];
      d[rows_ + i] = h * s.xdot[i];
    }
    double* const u = d + nx_ + nw_;
    for (int i = 0; i < n_(); ++i) u[i] = s.xdot[nq_() + i];
    m.order = 1;
    m.grid = h;
    m.known = 0;
    m.even_steps = m.order_steps = m.last_error = m.look_ahead_valid = 0;
  }

  /// All three stages for a step of size h; on success also the differences at its end.
  Newton attempt(Dae& dae, Solution& s, Memory& m, double h) {
    const int k = static_cast<int>(m.order);
    const mebdf::Coefficients& c = mebdf::table[k];
    const double g = h * c.beta0;
    begin_t_ = s.t, step_ = h, order_ = k;
    const double* const d = on_grid(s, m, h);
    if (const Newton newton = factor(s, m, g); newton != Newton::converged) return newton;

    // stage 1; the polynomial of degree k defines ∇^(k+1), one degree more is the better guess
    combine(
        d, k + 1, [](int) { return 1.0; }, predicted_.data());
    double* const u1 = first_.data() + nx_ + nw_;
    if (m.look_ahead_valid && d == differences(s)) {
      std::copy_n(look_ahead(s), n_(), u1);
    } else {
      for (int i = 0; i < n_(); ++i) u1[i] = predicted_[nx_ + nw_ + i] + d[(k + 1) * rows_ + nx_ + nw_ + i];
    }
    combine(
        d, k, [&](int j) { return c.past[j]; }, psi_.data());
    if (const Newton newton = solve_stage(dae, s, m, s.t + h, g, first_, first_rate_);
        newton != Newton::converged)
      return newton;

    // stage 2: ∇^j x* = Σ_(m ≥ j) ∇^m + e, e = x* - predicted
    ahead(d, k);
    double* const u2 = second_.data() + nx_ + nw_;
    for (int i = 0; i < n_(); ++i) {
      double sum = 0;
      for (int j = 0; j <= k; ++j) sum += updated_[j * rows_ + nx_ + nw_ + i];
      u2[i] = sum;
    }
    combine(
        updated_.data(), k, [&](int j) { return c.past[j]; }, psi_.data());
    if (const Newton newton = solve_stage(dae, s, m, s.t + 2 * h, g, second_, second_rate_);
        newton != Newton::converged)
      return newton;

    // stage 3
    combine(
        d, k, [&](int j) { return c.past_bar[j]; }, psi_.data());
    const double b1 = h * c.beta_bar1, b0 = h * (c.beta_bar0 - c.beta0);
    for (int i = 0; i < nx_ + nw_; ++i)
      psi_[i] += b1 * rate(second_, second_rate_, i) + b0 * rate(first_, first_rate_, i);
    std::copy_n(u1, n_(), third_.data() + nx_ + nw_);
    if (const Newton newton = solve_stage(dae, s, m, s.t + h, g, third_, third_rate_);
        newton != Newton::converged)
      return newton;

    // differences at the end
    for (int i = 0; i < rows_; ++i) {
      const double e = third_[i] - predicted_[i];
      updated_[(k + 2) * rows_ + i] = e - d[(k + 1) * rows_ + i];
      double above = updated_[(k + 1) * rows_ + i] = e;
      for (int j = k; j >= 0; --j) above = updated_[j * rows_ + i] = above + d[j * rows_ + i];
      if (m.known == 0) {  // through x, x' at the beginning and x at the end; of u only the ends are known
        updated_[2 * rows_ + i] = i < nx_ + nw_ ? 2 * e : 0;
        updated_[3 * rows_ + i] = 0;
      }
    }
    return Newton::converged;
  }

  /// target := Σ_(j < count) weight(j) ∇^j
  template <class Weight>
  void combine(const double* d, int count, Weight weight, double* target) const {
    std::fill_n(target, rows_, 0.0);
    for (int j = 0; j < count; ++j) {
      const double w = weight(j);
      for (int i = 0; i < rows_; ++i) target[i] += w * d[j * rows_ + i];
    }
  }

  /// updated_ := differences at the end of stage 1.
  void ahead(const double* d, int k) {
    for (int i = 0; i < rows_; ++i) {
      double above = first_[i] - predicted_[i];
      for (int j = k; j >= 0; --j) above = updated_[j * rows_ + i] = above + d[j * rows_ + i];
    }
  }

  /// x' of a stage, row by row of (q, v, z, w).
  double rate(const std::vector<double>& stage, const std::vector<double>& w_rate, int i) const {
    const int nq = nq_();
    return i < nq ? stage[nq + i] : i < nx_ ? stage[nx_ + nw_ + i - nq] : w_rate[i - nx_];
  }

  /// Newton for F = 0 with x = ψ + g x', from the u in the stage. Ends with the stage's x and the rates of
  /// the quadratures.
  Newton solve_stage(Dae& dae, Solution& s, Memory& m, double t, double g, std::vector<double>& stage,
                     std::vector<double>& w_rate) {
    const int n = n_(), nq = nq_();
    double *const q = stage.data(), *const v = q + nq, *const z = v + nq, *const u = q + nx_ + nw_;
    for (int i = 0; i < nq; ++i) {
      v[i] = psi_[nq + i] + g * u[i];
      q[i] = psi_[i] + g * v[i];
    }
    for (int i = 0; i < nz(); ++i) z[i] = psi_[2 * nq + i] + g * u[nq + i];
    Point p(t, q, v, u, z, u + nq);
    p.piece = begin_t_ + 0.5 * step_;

    double factor = std::pow(std::max(m.newton_factor, eps), 0.8), last_norm = 0;
    for (int iteration = 1; iteration <= max_newton_iterations; ++iteration) {
      dae.residual(p, residual_.data());
      ++s.statistics.residuals;
      ++s.statistics.newton_iterations;
      double check = 0;
      for (int i = 0; i < n; ++i) {
        check += residual_[i] * 0;
        change_[i] = -residual_[i];
      }
      if (check != 0) {
        for (int i = n - 1; i >= 0; --i)
          if (!std::isfinite(residual_[i])) worst_ = i;
        return Newton::not_finite;
      }
      matrix_.solve(change_.data());
      double sum = 0, largest = -1;
      for (int i = 0; i < nq; ++i) {
        const double dv = g * change_[i], dq = g * dv;
        u[i] += change_[i];
        v[i] += dv;
        q[i] += dq;
        const double share =
            (dq * scale_[i]) * (dq * scale_[i]) + (dv * scale_[nq + i]) * (dv * scale_[nq + i]);
        sum += share;
        if (share > largest) largest = share, worst_ = i;
      }
      for (int i = 0; i < nz(); ++i) {
        const double dz = g * change_[nq + i];
        u[nq + i] += change_[nq + i];
        z[i] += dz;
        const double share = (dz * scale_[2 * nq + i]) * (dz * scale_[2 * nq + i]);
        sum += share;
        if (share > largest) largest = share, worst_ = nq + i;
      }
      const double norm = std::sqrt(sum / nx_);
      if (!std::isfinite(norm)) return Newton::not_finite;
      const bool negligible = norm <= 1e-3 * newton_share_;
      if (iteration > 1 && !negligible) {
        const double contraction = norm / last_norm;
        if (contraction >= 0.9) return Newton::failed;
        factor = contraction / (1 - contraction);
        if (contraction > slow_rate) m.jacobian_valid = 0;
      }
      last_norm = std::max(norm, eps);
      if (negligible || factor * norm <= newton_share_) {
        m.newton_factor = factor;
        if (nw_ > 0) {
          dae.quadratures(p, w_rate.data());
          for (int i = 0; i < nw_; ++i) stage[nx_ + i] = psi_[nx_ + i] + g * w_rate[i];
        }
        return Newton::converged;
      }
    }
    return Newton::failed;
  }

  Newton factor(Solution& s, Memory& m, double g) {
    if (!(std::abs(m.factored_g - g) <= same_grid * g)) {
      m.factored_g = g;
      factorisation_valid_ = false;
      ++s.statistics.factorisations;
    }
    if (factorisation_valid_) return Newton::converged;
    g = m.factored_g;
    const Weights of_z{g, 1, 0};
    matrix_.assemble({{g * g, g, 1}, of_z, of_z}, jacobian(s));
    factorisation_valid_ = matrix_.factor();
    return factorisation_valid_ ? Newton::converged : Newton::singular;
  }

  /// Shortens the step until its end is on the root.
  Newton end_on_event(Dae& dae, Solution& s, Memory& m, double root, double& h) {
    m.look_ahead_valid = 0;
    for (int refinement = 0; refinement < max_event_refinements; ++refinement) {
      const double shorter = std::max(root - s.t, shortest_step(s.t));
      const double moved = std::abs(shorter - h);
      if (refinement > 0 && (moved <= 1e-12 * h || moved <= 4 * eps * std::abs(s.t))) break;
      h = shorter;
      if (const Newton newton = attempt(dae, s, m, h); newton != Newton::converged) return newton;
      const double beyond = events_.first_root(dae, *this, s.t, s.t + h * (1 + 1e-3), signs(s));
      if (!(beyond < EventFinder::none)) break;
      root = beyond;
    }
    return Newton::converged;
  }

  void commit(const Dae& dae, Solution& s, Memory& m, double t_new, double h) {
    const int n = n_(), nq = nq_(), k = static_cast<int>(m.order);
    double* const d = differences(s);
    if (std::abs(h - m.grid) <= same_grid * m.grid || h > short_share * std::min(m.grid, m.next_step)) {
      if (std::abs(h - m.grid) > same_grid * m.grid) {
        m.grid = h;
        m.even_steps = m.last_error = 0;
      }
      std::copy_n(updated_.data(), (k + 3) * rows_, d);
      m.even_steps += 1;
      m.order_steps += 1;
      m.known = m.known == 0 ? 2 : std::min(m.known + 1, double(columns));
      m.look_ahead_valid = 1;
      std::copy_n(second_.data() + nx_ + nw_, n, look_ahead(s));
    } else {
      move_grid(d, h / m.grid, top_known(m));
      m.even_steps = m.look_ahead_valid = 0;
    }
    s.t = t_new;
    std::copy_n(third_.data(), nx_ + nw_, s.x.data());
    dae.project(s.x.data());
    for (int i = 0; i < 2 * nq; ++i) {  // the whole polynomial is moved
      d[i] += s.x[i] - third_[i];
      third_[i] = s.x[i];
    }
    std::copy_n(third_.data() + nq, nq, s.xdot.data());
    std::copy_n(third_.data() + nx_ + nw_, n, s.xdot.data() + nq);
    std::copy_n(third_rate_.data(), nw_, s.xdot.data() + nx_);
    m.jacobian_fresh = 0;
    m.jacobian_steps += 1;
    if (m.jacobian_steps > jacobian_age) m.jacobian_valid = 0;
    ++s.statistics.steps;
  }

  /// The highest difference to be carried to another grid.
  static int top_known(const Memory& m) {
    return std::min(static_cast<int>(m.order) + 2, std::max(1, static_cast<int>(m.known)));
  }

  /// The differences on the same grid moved by the share s of its spacing, then through the new point.
  void move_grid(double* d, double share, int top) {
    const NewtonBasis b(share);
    for (int i = 0; i < rows_; ++i) {
      double moved[columns];
      for (int l = 0; l <= top; ++l) {
        moved[l] = 0;
        for (int j = l; j <= top; ++j) moved[l] += b[j - l] * d[j * rows_ + i];
      }
      const double e = third_[i] - moved[0];
      for (int l = 0; l <= top; ++l) d[l * rows_ + i] = moved[l] + e;
    }
  }

  /// Order and size of the next step: whichever of k - 1, k, k + 1 promises the largest step.
  void choose_next(const Solution& s, Memory& m, double h, double error) {
    const int k = static_cast<int>(m.order);
    const auto factor_for = [](double e, int order, double bias) {
      return 1 / (bias * std::pow(std::max(e, 1e-10), 1.0 / (order + 1)));
    };
    // an error that grows from step to step will go on growing
    const double growth = m.last_error > 0 ? std::clamp(error / m.last_error, 1.0, 4.0) : 1.0;
    m.last_error = error;
    const double most = std::min(k == 1 ? first_growth : largest_growth, max_step_ / h);
    double best = std::min(factor_for(error, k, bias_same), most);
    int order = k;
    if (m.order_steps > k) {
      if (k > 1) {
        const double lower = factor_for(difference_norm(s, k) * mebdf::table[k - 1].error, k - 1, bias_lower);
        if (std::min(lower, most) > best) best = std::min(lower, most), order = k - 1;
      }
      if (k < max_order_ && m.even_steps > 1) {
        // the differences do not know how far stiff components are damped; the error of order k does
        const double measured = difference_norm(s, k + 1) * mebdf::table[k].error;
        const double damped = std::clamp(error / std::max(measured, 1e-10), 0.1, 1.0);
        const double higher =
            factor_for(damped * difference_norm(s, k + 2) * mebdf::table[k + 1].error, k + 1, bias_higher);
        if (std::min(higher, most) > best) best = std::min(higher, most), order = k + 1;
      }
    }
    // growing waits for even steps, shrinking does not
    const double cut = growth * error > 1 ? safety * factor_for(growth * error, k, 1) : 1;
    if (order == k && m.even_steps <= k) best = std::min(best, 1.0);
    if (best < keep_step_below) best = order == k ? cut : 1;
    if (order != k) {
      m.order = order;
      m.order_steps = m.last_error = 0;
    }
    if (best != 1) m.even_steps = m.last_error = 0;
    const double wish = h * best;
    if (wish >= h && h < m.next_step && order == k)
      m.next_step = std::max(wish, m.next_step);  // was cut short from outside
    else
      m.next_step = wish;
  }

  /// History is worthless: begin anew at order 1 with a step that its error allows.
  void start_over(const Solution& s, Memory& m, double step = 0) {
    if (step > 0) {
      m.next_step = step;
    } else if (m.grid > 0) {
      scale_.set(s, m.grid);
      const double error = std::max(difference_norm(s, 2) * mebdf::table[1].error, 1e-6);
      m.next_step = std::min(m.next_step, m.grid * std::min(1.0, 0.5 / std::sqrt(error)));
    }
    m.grid = m.even_steps = m.order_steps = m.last_error = m.look_ahead_valid = 0;
    m.order = 1;
  }

  bool changed_since_commit(const Solution& s) const {
    return !std::equal(third_.begin(), third_.begin() + nx_, s.x.begin());
  }

  // -- pieces

  /// x' for the present inputs. If they have changed it so little that a step would hardly notice, the
  /// history is kept, otherwise begun anew.
  void make_consistent(Dae& dae, Solution& s, Memory& m) {
    std::copy(s.xdot.begin(), s.xdot.end(), jump_.begin());
    consistent_.solve(dae, s.t, s.x.data(), s.xdot.data(), s.statistics);
    m.consistent = 1;
    if (m.inputs_changed && m.grid > 0) {
      scale_.set(s, m.grid);
      const double jump = m.grid * difference_norm(s.xdot.data(), jump_.data());
      const bool told = sizes_.algebraic == 0 || sizes_.index == 1;  // else x' does not tell
      if (!told || !(jump <= small_jump)) start_over(s, m);
    }
    m.inputs_changed = 0;
  }

  void evaluate_jacobian(Dae& dae, Solution& s, Memory& m) {
    Point p = s.point(sizes_);
    dae.jacobian(p, jacobian(s));
    ++s.statistics.jacobians;
    m.jacobian_valid = m.jacobian_fresh = 1;
    m.jacobian_steps = 0;
    m.factored_g = 0;
  }

  double difference_norm(const double* a, const double* b) {
    for (int i = 0; i < nx_; ++i) difference_[i] = a[i] - b[i];
    return scale_.norm(difference_.data(), worst_);
  }
  /// Of ∇^j at the end of the last step.
  double difference_norm(const Solution& s, int j) const { return scale_.norm(differences(s) + j * rows_); }

  /// The differences on a grid of spacing h: those of the history, or a copy put on the other grid.
  const double* on_grid(Solution& s, const Memory& m, double h) {
    const double* const d = differences(s);
    if (std::abs(h - m.grid) <= same_grid * m.grid) return d;
    const int k = static_cast<int>(m.order), top = top_known(m);
    const double ratio = h / m.grid;
    // ∇^l on the new grid = Σ_i (-1)^i C(l, i) p(-i ratio), p = Σ_j basis_j ∇^j
    double weight[columns][columns] = {};
    for (int i = 0; i <= top; ++i) {
      const NewtonBasis b(-i * ratio);
      for (int l = i; l <= top; ++l) {
        double binomial = i % 2 == 0 ? 1 : -1;
        for (int f = 0; f < i; ++f) binomial = binomial * (l - f) / (f + 1);
        for (int j = l; j <= top; ++j) weight[l][j] += binomial * b[j];
      }
    }
    for (int l = 0; l <= k + 2; ++l) {
      double* const to = work_.data() + l * rows_;
      std::fill_n(to, rows_, 0.0);
      for (int j = l; j <= top; ++j)
        for (int i = 0; i < rows_; ++i) to[i] += weight[l][j] * d[j * rows_ + i];
    }
    return work_.data();
  }

  void evaluate(double t, double* x, double* xdot) const override {
    const int nq = nq_();
    const NewtonBasis b((t - (begin_t_ + step_)) / step_);
    const auto at = [&](int row, int degree) {
      double sum = 0;
      for (int j = degree; j >= 0; --j) sum += b[j] * updated_[j * rows_ + row];
      return sum;
    };
    for (int i = 0; i < nx_; ++i) x[i] = at(i, order_ + 1);
    for (int i = 0; i < nq; ++i) xdot[i] = x[nq + i];
    for (int i = 0; i < n_(); ++i) xdot[nq + i] = at(nx_ + nw_ + i, order_);
  }

  // -- history: Memory, the differences, the u of the look ahead, the Jacobian, the signs of the events

  static Memory load(const Solution& s) {
    Memory m;
    std::memcpy(&m, s.history.data(), sizeof m);
    return m;
  }
  static void save(Solution& s, const Memory& m) { std::memcpy(s.history.data(), &m, sizeof m); }
  double* differences(const Solution& s) const { return const_cast<double*>(s.history.data()) + memory_size; }
  double* look_ahead(const Solution& s) const { return differences(s) + columns * rows_; }
  Jacobian jacobian(const Solution& s) const {
    const int n = n_();
    double* const first = look_ahead(s) + n;
    return {first, first + n * n, first + 2 * n * n};
  }
  double* signs(Solution& s) const { return look_ahead(s) + n_() + 3 * n_() * n_(); }

  int nz() const { return N > 0 ? 0 : nz_; }

  const Sizes sizes_;
  const Extent<N> n_, nq_;
  const int nz_, nx_, nw_, rows_;
  const double relative_, max_step_;
  /// What Newton may leave, in units of the error test. With position constraints what it leaves in
  /// velocities counts with h only but moves the positions in every step that follows.
  const double newton_share_;
  const int max_order_;

  // scratch: nothing here outlives a step but the factorisation, which the history can reproduce
  NewtonMatrix<N> matrix_;
  bool factorisation_valid_ = false;
  ConsistentStart consistent_;
  EventFinder events_;
  std::vector<double> first_, second_, third_;  ///< stages: rows (q, v, z), w, u
  std::vector<double> first_rate_, second_rate_, third_rate_;
  std::vector<double> psi_, predicted_, work_, updated_, change_, residual_, difference_, jump_;
  ErrorScale scale_;
  double begin_t_ = 0, step_ = 0;
  int order_ = 1, worst_ = -1;  ///< order of the last attempt
};

}  // namespace

std::unique_ptr<Solver> make_mebdf(const Sizes& n, const Tolerance& tolerance, int highest_order) {
  if (n.positions == 8 && n.others() == 0) return std::make_unique<Mebdf<8>>(n, tolerance, highest_order);
  return std::make_unique<Mebdf<0>>(n, tolerance, highest_order);
}

}  // namespace spondyl
