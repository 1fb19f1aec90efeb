/// Radau IIA, three stages, order 5, for F(t, q, v, a, z, z') = 0.
///
/// The method and its error estimate: Hairer & Wanner, Solving Ordinary Differential Equations II, IV.8. What
/// is different here follows from the second-order structure. The unknowns are the stage values u = (a, z')
/// of the highest derivatives; the stage values of v, q and z follow by quadrature,
///
///     v_i = v_n + h Σ_j A_ij a_j,   q_i = q_n + h Σ_j A_ij v_j,   z_i = z_n + h Σ_j A_ij z'_j,
///
/// so that q' = v holds exactly and a Newton matrix has the size of F, not of x. With A = T Λ T⁻¹ the 3n × 3n
/// system falls apart into one real and one complex system of size n with the matrix
///
///     E(g) = F_a + g F_v + g² F_q   (columns of q),   F_z' + g F_z   (columns of z),   g = h λ.
///
/// The step is a loop of named phases: predict, iterate, estimate the error, look for events, accept.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "solvers/consistent_start.h"
#include "solvers/dae.h"
#include "solvers/events.h"
#include "solvers/newton_matrix.h"
#include "solvers/stepping.h"

namespace spondyl {
namespace {

constexpr double sqrt6 = 2.449489742783178098197;
constexpr double c[3] = {(4 - sqrt6) / 10, (4 + sqrt6) / 10, 1};
constexpr double A[3][3] = {{(88 - 7 * sqrt6) / 360, (296 - 169 * sqrt6) / 1800, (-2 + 3 * sqrt6) / 225},
                            {(296 + 169 * sqrt6) / 1800, (88 + 7 * sqrt6) / 360, (-2 - 3 * sqrt6) / 225},
                            {(16 - sqrt6) / 36, (16 + sqrt6) / 36, 1.0 / 9}};

// A = T Λ T⁻¹: one real eigenvalue, one complex pair. Columns of T: the real eigenvector, then real and
// imaginary part of the complex one, scaled to end in 1.
constexpr double lambda = 0.2748888295956773677478;
constexpr double mu_re = 0.1625555852021613161261, mu_im = 0.1849493244071407842751;
constexpr double T[3][3] = {{0.094438762488975241487, -0.14125529502095420843, -0.030029194105147424492},
                            {0.25021312296533331138, 0.204129352293799932, 0.3829421127572619378},
                            {1, 1, 0}};
constexpr double T_inverse[3][3] = {
    {4.1787185915519047273, 0.32768282076106238708, 0.52337644549944954804},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}};

// Embedded formula of order 3 with the weight λ on x'_n: e = h (λ x'_n + Σ d_i x'_i), d = λ DDᵀ A (H&W
// IV.8.19).
constexpr double DD[3] = {-(13 + 7 * sqrt6) / 3, (-13 + 7 * sqrt6) / 3, -1.0 / 3};
constexpr double error_weight(int j) {
  return lambda * (DD[0] * A[0][j] + DD[1] * A[1][j] + DD[2] * A[2][j]);
}
constexpr double d[3] = {error_weight(0), error_weight(1), error_weight(2)};

/// Lagrange polynomial through the three abscissae that is 1 at c_i, and its first and second integral from
/// 0.
struct Basis {
  double value, integral, double_integral;
};
Basis basis(int i, double s) {
  const double p = c[(i + 1) % 3], r = c[(i + 2) % 3];
  const double k = 1 / ((c[i] - p) * (c[i] - r));
  const double k0 = k * p * r, k1 = -k * (p + r);
  return {k0 + s * (k1 + s * k), s * (k0 + s * (k1 / 2 + s * k / 3)),
          s * s * (k0 / 2 + s * (k1 / 6 + s * k / 12))};
}

// Policies, with the figures of RADAU5 where it has them.
constexpr int max_newton_iterations = 7;
constexpr double safety = 0.9, largest_growth = 8, largest_cut = 0.2;
constexpr double keep_step_below =
    1.2;                            ///< a wish to grow less than this keeps the step and its factorisation
constexpr double good_rate = 0.02;  ///< Newton contraction below which the Jacobian stays for the next step
constexpr double same_step = 1e-6;  ///< equal communication steps differ by rounding: same factorisation
constexpr double small_move = 0.1;  ///< of a step's end: the factorisation is still good enough
constexpr double negligible_move = 1e-4;  ///< of a step's end: Newton would change nothing that counts
constexpr int max_unmeasured = 3;         ///< steps in a row that may take Newton's contraction on trust

/// The part of the history that is not an array. All doubles, so that a history is one array.
struct Memory {
  double next_step;              ///< proposed size, 0 = not chosen yet
  double polynomial_step;        ///< size of the step whose stages are kept, 0 = none
  double last_error, last_step;  ///< of the step before, for the predictive controller
  double newton_factor;          ///< θ/(1-θ) of the last convergent iteration
  double unmeasured;             ///< steps since θ was measured (a single iteration tells nothing about it)
  double jacobian_valid;
  double jacobian_fresh;  ///< evaluated at the present point
  double factored_step;   ///< size for which the present Jacobian was factorised, 0 = none
  double consistent;      ///< x' satisfies F = 0
};
constexpr int memory_size = sizeof(Memory) / sizeof(double);

template <int N>
class Radau final : public Solver, private DenseOutput {
 public:
  Radau(const Sizes& sizes, const Tolerance& tolerance)
      : sizes_(sizes),
        n_(sizes.unknowns()),
        nq_(sizes.positions),
        nz_(N > 0 ? 0 : sizes.others()),
        relative_(tolerance_of_estimate(sizes, tolerance.relative)),
        max_step_(tolerance.max_step),
        newton_tolerance_(
            std::max(10 * eps / relative_, std::min(0.03, newton_share(sizes) * std::sqrt(relative_)))),
        real_(sizes),
        complex_(sizes),
        consistent_(sizes),
        events_(sizes),
        scale_(sizes, relative_, relative_ * tolerance.absolute / tolerance.relative) {
    const int n = n_(), nx = sizes.states();
    for (auto* stages : {&u_, &change_, &residual_})
      for (auto& stage : *stages) stage.assign(n, 0);
    for (auto* stages : {&q_, &v_, &dv_})
      for (auto& stage : *stages) stage.assign(nq_(), 0);
    for (auto& stage : z_) stage.assign(nz(), 0);
    for (auto* v : {&error_, &x_begin_}) v->assign(nx, 0);
    for (auto& rate : quadrature_rate_) rate.assign(sizes.quadratures, 0);
  }

  std::string_view name() const override { return "radau"; }

  void start(const Dae& dae, Solution& s) override {
    s.history.assign(history_size(), 0);
    Memory m{};
    m.newton_factor = 1;
    save(s, m);
    scale_.start(dae);
    events_.initialise(dae, s.point(sizes_), signs(s));
    if (N == 0) {
      const Structure structure = dae.structure();
      real_ = NewtonMatrix<N>(sizes_, structure);
      complex_ = ComplexNewtonMatrix<N>(sizes_, structure);
      consistent_ = ConsistentStart(sizes_, structure);
    }
    forget();
  }

  void restart(Solution& s) const override {
    Memory m = load(s);
    m.polynomial_step = m.consistent = m.jacobian_fresh = 0;
    save(s, m);
  }

  std::size_t history_size() const {
    const int n = n_();
    return memory_size + 3 * n + 3 * n * n + sizes_.events;
  }

  void forget() override { factorisation_valid_ = false; }

  Report advance(Dae& dae, Solution& s, double t_end) override {
    Memory m = load(s);
    const Report report = run(dae, s, m, t_end);
    save(s, m);
    return report;
  }

 private:
  /// The estimate is of order 3, the solution of order 5: as in RADAU5 the estimate is held against a looser
  /// tolerance, such that the error of the solution stays below the tolerance over long runs too. With index
  /// 3 the estimate says less: positions come out with the error h⁵ of the whole run, the estimate is h⁴, so
  /// that 4/5 keeps them in proportion to the tolerance.
  static double tolerance_of_estimate(const Sizes& n, double tolerance) {
    return has_position_constraints(n) ? 0.1 * std::pow(tolerance, 4.0 / 5)
                                       : 0.04 * std::pow(tolerance, 2.0 / 3);
  }

  /// What Newton may leave, against the square root of the tolerance of the estimate. With index 3 what it
  /// leaves in velocities counts with h only (ErrorScale) but moves the positions in every step that follows.
  static double newton_share(const Sizes& n) { return has_position_constraints(n) ? 0.03 : 0.3; }

  // -- the loop

  Report run(Dae& dae, Solution& s, Memory& m, double t_end) {
    double corner = dae.next_corner(s.t);
    const std::int64_t first = s.statistics.steps + s.statistics.rejections;
    const double rounding = same_instant * (t_end - s.t);
    Newton trouble = Newton::converged;
    bool after_rejection = false;
    if (!m.consistent) make_consistent(dae, s, m);
    if (m.next_step <= 0) m.next_step = scale_.first_step(s, t_end, 0.01, max_step_);

    while (s.t < t_end) {
      const double t_min = shortest_step(s.t);
      if (s.statistics.steps + s.statistics.rejections - first > max_steps_per_call)
        return {Outcome::failed, Reason::too_many_steps, s.t, worst_};

      // end exactly on the next corner or communication point, without a splinter before it
      const double target = std::min(corner, t_end), room = target - s.t;
      if (room <= std::max(t_min, rounding)) {  // corner and communication point differ by rounding
        s.t = target;
        corner = dae.next_corner(s.t);
        continue;
      }
      double h = std::min(m.next_step, max_step_);
      if (h < t_min) {
        m.next_step = m.polynomial_step = m.jacobian_valid = 0;  // chosen anew when the caller tries again
        return {Outcome::failed, reason_of(trouble), s.t, worst_};
      }
      const bool limited = 1.05 * h >= room;
      if (limited)
        h = room;
      else if (1.9 * h > room)
        h = 0.5 * room;

      // Newton
      if (!m.jacobian_valid) evaluate_jacobian(dae, s, m);
      scale_.set(s, h);
      std::copy(s.x.begin(), s.x.end(), x_begin_.begin());
      begin_t_ = s.t, step_ = h;
      predict(s, m, h);
      Newton newton = factor(s, m, h);
      if (newton == Newton::converged) newton = iterate(dae, s, m, h);
      if (newton != Newton::converged) {
        if (newton == Newton::not_finite || m.jacobian_fresh) {
          trouble = newton;
          m.next_step = 0.5 * h;
          m.polynomial_step = 0;
          after_rejection = true;
          ++s.statistics.rejections;
        }
        if (!m.jacobian_fresh) evaluate_jacobian(dae, s, m);
        continue;
      }

      // error test
      const double error = estimate_error(s, m, h, after_rejection || m.last_step == 0);
      const double work =
          safety * (1 + 2.0 * max_newton_iterations) / (iterations_ + 2.0 * max_newton_iterations);
      double factor_of_change = std::clamp(work / std::sqrt(std::sqrt(error)), largest_cut, largest_growth);
      if (!(error < 1)) {
        trouble = Newton::converged;
        m.next_step = h * (m.last_step == 0 ? std::min(0.1, factor_of_change) : factor_of_change);
        after_rejection = true;
        ++s.statistics.rejections;
        if (!m.jacobian_fresh) evaluate_jacobian(dae, s, m);
        continue;
      }

      // a step beyond an event is made again so that it ends there
      double t_new = limited ? target : s.t + h;
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

      // accept: predictive step size control (Gustafsson 1994); a step that was cut short by an event says
      // nothing about the next one, so the proposal that was tested stands
      if (h < tested) {
        m.next_step = std::min(m.next_step, tested * factor_of_change);
      } else {
        if (m.last_step > 0) {
          const double predicted =
              safety * (h / m.last_step) * std::sqrt(std::sqrt(m.last_error / (error * error)));
          factor_of_change = std::min(factor_of_change, std::clamp(predicted, largest_cut, largest_growth));
        }
        m.last_step = h;
        m.last_error = std::max(1e-2, error);
        double wish = h * factor_of_change;
        if (after_rejection) wish = std::min(wish, h);
        if (wish >= h) {
          if (h < m.next_step)
            wish = std::max(wish, m.next_step);  // was cut short from outside
          else if (rate_ <= good_rate && wish < keep_step_below * h)
            wish = h;
        }
        m.next_step = wish;
      }
      commit(dae, s, m, t_new, h);
      trouble = Newton::converged;
      after_rejection = false;

      const After after = dae.accept(Step{begin_t_, s.t, *this, fired}, s.x.data(), s.xdot.data());
      if (after == After::restart || after == After::restart_and_stop) {
        m.polynomial_step = m.consistent = 0;
        if (changed_since_commit(s)) events_.turn_back(fired, signs(s));
      }
      if (after == After::stop || after == After::restart_and_stop)
        return {s.t >= t_end ? Outcome::reached : Outcome::stopped, Reason::none, s.t, -1};
      if (!m.consistent && s.t < t_end) make_consistent(dae, s, m);
      if (s.t >= corner) corner = dae.next_corner(s.t);
    }
    return {Outcome::reached, Reason::none, s.t, -1};
  }

  // -- phases

  /// First guess of the stages: the polynomial of the step before, or a constant.
  void predict(const Solution& s, const Memory& m, double h) {
    const int n = n_();
    const double* const old = s.history.data() + memory_size;
    for (int i = 0; i < 3; ++i) {
      if (m.polynomial_step > 0) {
        const double theta = 1 + c[i] * h / m.polynomial_step;
        const double b0 = basis(0, theta).value, b1 = basis(1, theta).value, b2 = basis(2, theta).value;
        for (int k = 0; k < n; ++k) u_[i][k] = b0 * old[k] + b1 * old[n + k] + b2 * old[2 * n + k];
      } else {
        std::copy_n(&s.xdot[nq_()], nq_(), u_[i].data());
        std::copy_n(s.xdot.data() + 2 * nq_(), nz(), u_[i].data() + nq_());
      }
    }
    integrate_stages(s, h);
  }

  void integrate_stages(const Solution& s, double h) {
    const int nq = nq_();
    const double *const q0 = s.x.data(), *const v0 = q0 + nq, *const z0 = v0 + nq;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < nq; ++k)
        v_[i][k] = v0[k] + h * (A[i][0] * u_[0][k] + A[i][1] * u_[1][k] + A[i][2] * u_[2][k]);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < nq; ++k)
        q_[i][k] = q0[k] + h * (A[i][0] * v_[0][k] + A[i][1] * v_[1][k] + A[i][2] * v_[2][k]);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < nz(); ++k)
        z_[i][k] = z0[k] + h * (A[i][0] * u_[0][nq + k] + A[i][1] * u_[1][nq + k] + A[i][2] * u_[2][nq + k]);
  }

  Point stage(const Solution& s, int i, double h) const {
    return {s.t + c[i] * h, q_[i].data(), v_[i].data(), u_[i].data(), z_[i].data(), u_[i].data() + nq_()};
  }

  static ColumnWeights weights(const Weights& positions, const Weights& others) {
    return {positions, others, others};
  }

  /// E(g) for the real and the complex eigenvalue, factorised.
  Newton factor(Solution& s, Memory& m, double h) {
    if (!(std::abs(m.factored_step - h) <= same_step * h)) {
      m.factored_step = h;
      factorisation_valid_ = false;
      ++s.statistics.factorisations;
    }
    if (factorisation_valid_) return Newton::converged;
    const Jacobian j = jacobian(s);
    const double g = m.factored_step * lambda, gr = m.factored_step * mu_re, gi = m.factored_step * mu_im;
    real_.assemble(weights({g * g, g, 1}, {g, 1, 0}), j);
    complex_.assemble(weights({gr * gr - gi * gi, gr, 1}, {gr, 1, 0}),
                      weights({2 * gr * gi, gi, 0}, {gi, 0, 0}), j);
    factorisation_valid_ = real_.factor() && complex_.factor();
    return factorisation_valid_ ? Newton::converged : Newton::singular;
  }

  /// Simplified Newton iteration for the three stages together.
  Newton iterate(Dae& dae, Solution& s, Memory& m, double h) {
    const int n = n_(), nq = nq_();
    double factor = std::pow(std::max(m.newton_factor, eps), 0.8), last_norm = 0, last_ratio = 0;
    rate_ = 0;
    for (iterations_ = 1; iterations_ <= max_newton_iterations; ++iterations_) {
      // residuals, in the coordinates in which the system falls apart
      for (int i = 0; i < 3; ++i) dae.residual(stage(s, i, h), residual_[i].data());
      s.statistics.residuals += 3;
      ++s.statistics.newton_iterations;
      double check = 0;
      for (int k = 0; k < n; ++k) {
        const double r0 = residual_[0][k], r1 = residual_[1][k], r2 = residual_[2][k];
        check += r0 * 0 + r1 * 0 + r2 * 0;
        change_[0][k] = -(T_inverse[0][0] * r0 + T_inverse[0][1] * r1 + T_inverse[0][2] * r2);
        change_[1][k] = -(T_inverse[1][0] * r0 + T_inverse[1][1] * r1 + T_inverse[1][2] * r2);
        change_[2][k] = T_inverse[2][0] * r0 + T_inverse[2][1] * r1 + T_inverse[2][2] * r2;
      }
      if (check != 0) {
        find_worst_residual();
        return Newton::not_finite;
      }
      real_.solve(change_[0].data());
      complex_.solve(change_[1].data(), change_[2].data());

      // back to the stages, and on to velocities and positions
      for (int k = 0; k < n; ++k) {
        const double w0 = change_[0][k], w1 = change_[1][k], w2 = -change_[2][k];
        change_[0][k] = T[0][0] * w0 + T[0][1] * w1 + T[0][2] * w2;
        change_[1][k] = T[1][0] * w0 + T[1][1] * w1 + T[1][2] * w2;
        change_[2][k] = w0 + w1;
      }
      const double norm = apply_change(h, nq);
      if (!std::isfinite(norm)) return Newton::not_finite;

      // convergence (H&W IV.8.10); a change of rounding size tells nothing about the rate
      const bool negligible = norm <= 1e-3 * newton_tolerance_;
      if (iterations_ > 1 && !negligible) {
        const double ratio = norm / last_norm;
        rate_ = iterations_ == 2 ? ratio : std::sqrt(ratio * last_ratio);
        last_ratio = ratio;
        if (rate_ >= 0.99) return Newton::failed;
        factor = rate_ / (1 - rate_);
        const double remaining = factor * norm * std::pow(rate_, max_newton_iterations - 1 - iterations_);
        if (iterations_ < max_newton_iterations && remaining > newton_tolerance_) return Newton::failed;
      }
      last_norm = std::max(norm, eps);
      const bool blind = iterations_ == 1 && m.unmeasured >= max_unmeasured;
      if (negligible || (factor * norm <= newton_tolerance_ && !blind)) {
        m.newton_factor = factor;
        m.unmeasured = iterations_ == 1 ? m.unmeasured + 1 : 0;
        return Newton::converged;
      }
    }
    return Newton::failed;
  }

  /// u += change with what follows for v, q, z. Returns the norm of the change of (q, v, z) against the
  /// tolerance.
  double apply_change(double h, int nq) {
    const double *const sq = scale_.data(), *const sv = sq + nq, *const sz = sv + nq;
    double sum = 0, largest = -1;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < nq; ++k) {
        u_[i][k] += change_[i][k];
        dv_[i][k] = h * (A[i][0] * change_[0][k] + A[i][1] * change_[1][k] + A[i][2] * change_[2][k]);
      }
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < nq; ++k) {
        const double dv = dv_[i][k];
        const double dq = h * (A[i][0] * dv_[0][k] + A[i][1] * dv_[1][k] + A[i][2] * dv_[2][k]);
        v_[i][k] += dv;
        q_[i][k] += dq;
        const double share = (dq * sq[k]) * (dq * sq[k]) + (dv * sv[k]) * (dv * sv[k]);
        sum += share;
        if constexpr (N == 0)
          if (share > largest) largest = share, worst_ = k;
      }
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < nz(); ++k) {
        const double dz =
            h * (A[i][0] * change_[0][nq + k] + A[i][1] * change_[1][nq + k] + A[i][2] * change_[2][nq + k]);
        u_[i][nq + k] += change_[i][nq + k];
        z_[i][k] += dz;
        const double share = (dz * sz[k]) * (dz * sz[k]);
        sum += share;
        if (share > largest) largest = share, worst_ = nq + k;
      }
    return std::sqrt(sum / (3 * (2 * nq + nz())));
  }

  /// The embedded formula, filtered by (I - hλJ)⁻¹ so that it stays bounded in stiff directions (H&W
  /// IV.8.20): with e0 = h (λ x'_n + Σ d_i x'_i) and g = hλ, the filtered e solves
  ///
  ///     E(g) (e_q, g e_z) = (F_a + g F_v) e0_q + g F_a e0_v + g F_z' e0_z,   e_v = (e_q - e0_q)/g.
  ///
  /// After a rejection, or in the first step, the filter is applied once more.
  double estimate_error(Solution& s, const Memory&, double h, bool twice) {
    const int nq = nq_();
    const Jacobian j = jacobian(s);
    const double g = h * lambda;
    double *const eq = error_.data(), *const ev = eq + nq, *const ez = ev + nq;
    double *const right = change_[0].data(), *const of_a = change_[1].data(), *const of_v = change_[2].data();
    for (int k = 0; k < nq; ++k) {
      eq[k] = h * (lambda * s.x[nq + k] + d[0] * v_[0][k] + d[1] * v_[1][k] + d[2] * v_[2][k]);
      ev[k] = h * (lambda * s.xdot[nq + k] + d[0] * u_[0][k] + d[1] * u_[1][k] + d[2] * u_[2][k]);
    }
    for (int k = 0; k < nz(); ++k)
      ez[k] = h * (lambda * s.xdot[2 * nq + k] + d[0] * u_[0][nq + k] + d[1] * u_[1][nq + k] +
                   d[2] * u_[2][nq + k]);

    double norm = 0;
    for (int pass = 0; pass < 2; ++pass) {
      for (int k = 0; k < nq; ++k) {
        of_a[k] = eq[k] + g * ev[k];
        of_v[k] = eq[k];
      }
      for (int k = 0; k < nz(); ++k) of_v[nq + k] = ez[k];
      real_.multiply(j, of_a, g, of_v, right);
      real_.solve(right);
      for (int k = 0; k < nq; ++k) {
        ev[k] = (right[k] - eq[k]) / g;
        eq[k] = right[k];
      }
      for (int k = 0; k < nz(); ++k) ez[k] = right[nq + k] / g;
      norm = scale_.norm(error_.data(), worst_);
      if (norm < 1 || !twice) break;
    }
    return std::max(norm, 1e-10);
  }

  /// Shortens the step until its end is on the root, to 1e-12 of the step.
  Newton end_on_event(Dae& dae, Solution& s, Memory& m, double root, double& h) {
    for (int refinement = 0; refinement < max_event_refinements; ++refinement) {
      // a root at the very beginning (a communication point or a corner was on it) still needs a step
      const double shorter = std::max(root - s.t, shortest_step(s.t));
      const double moved = std::abs(shorter - h);
      shorten(s, h, shorter);
      h = shorter;
      // the polynomial fulfils F at its stages, next to them but for moved/h of its error: left as it is, it
      // keeps the root that was found on it
      if (moved <= negligible_move * h) break;
      if (moved > small_move * h)
        if (const Newton newton = factor(s, m, h); newton != Newton::converged) return newton;
      if (const Newton newton = iterate(dae, s, m, h); newton != Newton::converged) return newton;
      step_ = h;
      // the polynomial of the new step, a little beyond its end, tells where the root has moved
      const double beyond = events_.first_root(dae, *this, s.t, s.t + h * (1 + 1e-3), signs(s));
      if (!(beyond < EventFinder::none)) break;
      root = beyond;
    }
    step_ = h;
    return Newton::converged;
  }

  /// The stages of a step of another size, on the polynomial of the present one.
  void shorten(const Solution& s, double present, double h) {
    std::array<std::vector<double>, 3>& old = residual_;
    for (int i = 0; i < 3; ++i) std::copy(u_[i].begin(), u_[i].end(), old[i].begin());
    for (int i = 0; i < 3; ++i) {
      const double theta = c[i] * h / present;
      const double b0 = basis(0, theta).value, b1 = basis(1, theta).value, b2 = basis(2, theta).value;
      for (int k = 0; k < n_(); ++k) u_[i][k] = b0 * old[0][k] + b1 * old[1][k] + b2 * old[2][k];
    }
    integrate_stages(s, h);
  }

  void commit(Dae& dae, Solution& s, Memory& m, double t_new, double h) {
    const int n = n_(), nq = nq_();
    // quadratures by the method's own weights
    if (const int nw = sizes_.quadratures; nw > 0) {
      for (int i = 0; i < 3; ++i) dae.quadratures(stage(s, i, h), quadrature_rate_[i].data());
      double *const w = s.x.data() + 2 * nq + nz(), *const rate = s.xdot.data() + 2 * nq + nz();
      for (int k = 0; k < nw; ++k) {
        w[k] += h * (A[2][0] * quadrature_rate_[0][k] + A[2][1] * quadrature_rate_[1][k] +
                     A[2][2] * quadrature_rate_[2][k]);
        rate[k] = quadrature_rate_[2][k];
      }
    }
    // the last stage is the new point
    s.t = t_new;
    std::copy_n(q_[2].data(), nq, s.x.data());
    std::copy_n(v_[2].data(), nq, s.x.data() + nq);
    std::copy_n(z_[2].data(), nz(), s.x.data() + 2 * nq);
    dae.project(s.x.data());
    std::copy_n(s.x.data(), nq, q_[2].data());
    std::copy_n(s.x.data() + nq, nq, v_[2].data());
    std::copy_n(v_[2].data(), nq, s.xdot.data());
    std::copy_n(u_[2].data(), nq, s.xdot.data() + nq);
    std::copy_n(u_[2].data() + nq, nz(), s.xdot.data() + 2 * nq);
    double* const kept = s.history.data() + memory_size;
    for (int i = 0; i < 3; ++i) std::copy_n(u_[i].data(), n, kept + i * n);
    m.polynomial_step = h;
    m.jacobian_fresh = 0;
    if (rate_ > good_rate) m.jacobian_valid = 0;
    ++s.statistics.steps;
  }

  bool changed_since_commit(const Solution& s) const {
    const int nq = nq_();
    return !std::equal(q_[2].begin(), q_[2].end(), s.x.begin()) ||
           !std::equal(v_[2].begin(), v_[2].end(), s.x.begin() + nq) ||
           !std::equal(z_[2].begin(), z_[2].end(), s.x.begin() + 2 * nq);
  }

  // -- pieces

  void make_consistent(Dae& dae, Solution& s, Memory& m) {
    consistent_.solve(dae, s.t, s.x.data(), s.xdot.data(), s.statistics);
    m.consistent = 1;
  }

  void evaluate_jacobian(Dae& dae, Solution& s, Memory& m) {
    dae.jacobian(s.point(sizes_), jacobian(s));
    ++s.statistics.jacobians;
    m.jacobian_valid = m.jacobian_fresh = 1;
    m.factored_step = 0;
  }

  void find_worst_residual() {
    for (int k = n_() - 1; k >= 0; --k)
      for (const auto& stage : residual_)
        if (!std::isfinite(stage[k])) worst_ = k;
  }

  void evaluate(double t, double* x, double* xdot) const override {
    const int nq = nq_();
    const double h = step_, theta = (t - begin_t_) / h;
    const double *const q0 = x_begin_.data(), *const v0 = q0 + nq, *const z0 = v0 + nq;
    Basis b[3];
    for (int i = 0; i < 3; ++i) b[i] = basis(i, theta);
    for (int k = 0; k < nq; ++k) {
      const double u0 = u_[0][k], u1 = u_[1][k], u2 = u_[2][k];
      x[k] = q0[k] + theta * h * v0[k] +
             h * h * (b[0].double_integral * u0 + b[1].double_integral * u1 + b[2].double_integral * u2);
      x[nq + k] = xdot[k] = v0[k] + h * (b[0].integral * u0 + b[1].integral * u1 + b[2].integral * u2);
      xdot[nq + k] = b[0].value * u0 + b[1].value * u1 + b[2].value * u2;
    }
    for (int k = 0; k < nz(); ++k) {
      const double u0 = u_[0][nq + k], u1 = u_[1][nq + k], u2 = u_[2][nq + k];
      x[2 * nq + k] = z0[k] + h * (b[0].integral * u0 + b[1].integral * u1 + b[2].integral * u2);
      xdot[2 * nq + k] = b[0].value * u0 + b[1].value * u1 + b[2].value * u2;
    }
  }

  // -- history: Memory, three stages of u, the Jacobian, the signs of the events

  static Memory load(const Solution& s) {
    Memory m;
    std::memcpy(&m, s.history.data(), sizeof m);
    return m;
  }
  static void save(Solution& s, const Memory& m) { std::memcpy(s.history.data(), &m, sizeof m); }
  Jacobian jacobian(const Solution& s) const {
    const int n = n_();
    double* const first = const_cast<double*>(s.history.data()) + memory_size + 3 * n;
    return {first, first + n * n, first + 2 * n * n};
  }
  double* signs(Solution& s) const { return s.history.data() + memory_size + 3 * n_() + 3 * n_() * n_(); }

  int nz() const { return N > 0 ? 0 : nz_; }

  const Sizes sizes_;
  const Extent<N> n_, nq_;
  const int nz_;
  const double relative_, max_step_, newton_tolerance_;

  // scratch: nothing here outlives a step but the factorisation, which the history can reproduce
  NewtonMatrix<N> real_;
  ComplexNewtonMatrix<N> complex_;
  bool factorisation_valid_ = false;
  ConsistentStart consistent_;
  EventFinder events_;
  std::array<std::vector<double>, 3> u_, change_, residual_, q_, v_, dv_, z_, quadrature_rate_;
  std::vector<double> error_, x_begin_;
  ErrorScale scale_;
  double begin_t_ = 0, step_ = 0, rate_ = 0;
  int iterations_ = 0, worst_ = -1;
};

}  // namespace

std::unique_ptr<Solver> make_radau(const Sizes& n, const Tolerance& tolerance) {
  if (n.positions == 8 && n.others() == 0) return std::make_unique<Radau<8>>(n, tolerance);
  return std::make_unique<Radau<0>>(n, tolerance);
}

}  // namespace spondyl
