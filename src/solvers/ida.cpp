/// SUNDIALS IDA (variable-order BDF) behind the same interface: the independent check, and an option.
///
/// IDA sees the first-order system G(t, x, x') = 0 with x = (q, v, z, w):
///
///     q' - v = 0,   F(t, q, v, v', z, z') = 0,   w' - W = 0
///
/// and gets the exact matrix ∂G/∂x + c ∂G/∂x'. Its memory cannot be copied, so the history of a solution is
/// empty: a solution that comes from a copy restarts IDA from (t, x, x').

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>

#include "solvers/consistent_start.h"
#include "solvers/dae.h"
#include "solvers/events.h"

namespace spondyl {
namespace {

constexpr long max_steps_per_call = 10'000'000;
constexpr int max_stalled_steps = 20;
constexpr double share_of_a_step = 0.01, smallest_tolerance = 1e-13;

class Ida final : public Solver, private DenseOutput {
 public:
  Ida(const Sizes& sizes, const Tolerance& tolerance)
      : n_(sizes), tolerance_(tightened(tolerance)), consistent_(sizes), events_(sizes) {
    SUNContext_Create(nullptr, &context_);
    const int nx = n_.states(), n = n_.unknowns();
    for (N_Vector* v : {&x_, &xdot_, &absolute_, &id_, &dense_}) *v = N_VNew_Serial(nx, context_);
    matrix_ = SUNDenseMatrix(nx, nx, context_);
    linear_ = SUNLinSol_Dense(x_, matrix_, context_);
    jacobian_.resize(3 * n * n);
    nominal_.resize(nx);
    ida_ = IDACreate(context_);
    IDAInit(ida_, &Ida::residual, 0, x_, xdot_);
    IDASetUserData(ida_, this);
    IDASetErrHandlerFn(
        ida_, [](int, const char*, const char*, char*, void*) {}, nullptr);
    IDASetLinearSolver(ida_, linear_, matrix_);
    IDASetJacFn(ida_, &Ida::jacobian);
    IDASetMaxNumSteps(ida_, -1);
    if (std::isfinite(tolerance_.max_step)) IDASetMaxStep(ida_, tolerance_.max_step);
  }
  ~Ida() override {
    IDAFree(&ida_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
    for (N_Vector v : {x_, xdot_, absolute_, id_, dense_}) N_VDestroy(v);
    SUNContext_Free(&context_);
  }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;

  std::string_view name() const override { return "ida"; }

  void start(const Dae& dae, Solution& s) override {
    s.history.assign(history_size(), 0);
    dae.nominal(nominal_.data());
    events_.initialise(dae, s.point(n_), signs(s));
    consistent_ = ConsistentStart(n_, dae.structure());
    restart(s);
  }
  /// history[0]: to be restarted; then the signs of the events
  void restart(Solution& s) const override { s.history[0] = 1; }
  std::size_t history_size() const { return 1 + static_cast<std::size_t>(n_.events); }
  void forget() override { current_ = false; }

  Report advance(Dae& dae, Solution& s, double t_end) override {
    dae_ = &dae;
    if (s.history[0] != 0 || !current_) begin(dae, s);
    double corner = dae.next_corner(s.t);
    // closer than this, corner and communication point differ by rounding
    const double rounding =
        std::max(16 * std::numeric_limits<double>::epsilon() * std::abs(t_end), 1e-10 * (t_end - s.t));
    int stalled = 0;  // steps in a row that did not move the clock, which IDA takes without a complaint
    for (long step = 0; step < max_steps_per_call; ++step) {
      const double target = std::min(corner, t_end), before = s.t;
      if (target - s.t <= rounding) {
        // corner and communication point differ by rounding
        s.t = target;
        if (s.t >= t_end) return {Outcome::reached, Reason::none, s.t, -1};
        corner = dae.next_corner(s.t);
        continue;
      }
      IDASetStopTime(ida_, target);
      if (stalled == 0) not_finite_ = false;
      sunrealtype reached = s.t;
      const int flag = IDASolve(ida_, target, &reached, x_, xdot_, IDA_ONE_STEP);
      collect(s);
      if (flag < 0) {
        current_ = false;
        return {Outcome::failed, reason(flag), s.t, -1};
      }
      stalled = reached - before <= 16 * std::numeric_limits<double>::epsilon() * std::abs(before)
                    ? stalled + 1
                    : 0;
      if (stalled > max_stalled_steps) {
        current_ = false;
        return {Outcome::failed, not_finite_ ? Reason::residual_not_finite : Reason::step_below_minimum, s.t,
                -1};
      }
      // events: the interpolant is as good as the method, so the state on it is the state at the root
      const double root = events_.first_root(dae, *this, before, reached, signs(s));
      std::span<const int> fired;
      const bool event = root < EventFinder::none;
      if (event) {
        fired = events_.fire(dae, *this, root, reached - before, signs(s));
        s.statistics.events += static_cast<std::int64_t>(fired.size());
        interpolate(root, N_VGetArrayPointer(x_), N_VGetArrayPointer(xdot_));
        reached = root;
      }
      s.t = std::abs(reached - target) <= 1e-15 * std::abs(target) ? target : reached;
      std::copy_n(N_VGetArrayPointer(x_), n_.states(), s.x.data());
      std::copy_n(N_VGetArrayPointer(xdot_), n_.states(), s.xdot.data());
      const After after = dae.accept({before, s.t, *this, fired}, s.x.data(), s.xdot.data());
      if (after == After::restart || after == After::restart_and_stop || event) s.history[0] = 1;
      if (!std::equal(s.x.begin(), s.x.end(), N_VGetArrayPointer(x_))) events_.turn_back(fired, signs(s));
      if (s.t >= t_end) return {Outcome::reached, Reason::none, s.t, -1};
      if (after == After::stop || after == After::restart_and_stop)
        return {Outcome::stopped, Reason::none, s.t, -1};
      if (s.t >= corner) {
        corner = dae.next_corner(s.t);
        s.history[0] = 1;
      }
      if (s.history[0] != 0) begin(dae, s);
    }
    return {Outcome::failed, Reason::too_many_steps, s.t, -1};
  }

 private:
  /// IDA holds the error of each step to its tolerance, and the errors of a run add up to 10 to 100 times as
  /// much: so that the tolerance is one of the solution, as with the other solvers, IDA gets a tighter one,
  /// down to what rounding allows.
  static Tolerance tightened(Tolerance tolerance) {
    const double share = std::clamp(smallest_tolerance / tolerance.relative, share_of_a_step, 1.0);
    tolerance.relative *= share;
    tolerance.absolute *= share;
    return tolerance;
  }

  void begin(Dae& dae, Solution& s) {
    consistent_.solve(dae, s.t, s.x.data(), s.xdot.data(), s.statistics);
    const int nx = n_.states();
    double* const rate = s.xdot.data() + nx - n_.quadratures;
    dae.quadratures(s.point(n_), rate);
    std::copy(s.x.begin(), s.x.end(), N_VGetArrayPointer(x_));
    std::copy(s.xdot.begin(), s.xdot.end(), N_VGetArrayPointer(xdot_));
    for (int k = 0; k < nx; ++k) {
      NV_Ith_S(absolute_, k) = tolerance_.absolute * nominal_[k];
      NV_Ith_S(id_, k) =
          k < 2 * n_.positions + n_.differential || k >= 2 * n_.positions + n_.others() ? 1 : 0;
    }
    IDAReInit(ida_, s.t, x_, xdot_);
    IDASVtolerances(ida_, tolerance_.relative, absolute_);
    IDASetId(ida_, id_);
    IDASetSuppressAlg(ida_, n_.algebraic > 0);
    counted_ = {};
    s.history[0] = 0;
    current_ = true;
  }

  /// Adds what IDA has counted since the last call.
  void collect(Solution& s) {
    long steps, residuals, setups, error_fails, iterations, nonlinear_fails, jacobians, from_linear;
    IDAGetNumSteps(ida_, &steps);
    IDAGetNumResEvals(ida_, &residuals);
    IDAGetNumLinSolvSetups(ida_, &setups);
    IDAGetNumErrTestFails(ida_, &error_fails);
    IDAGetNumNonlinSolvIters(ida_, &iterations);
    IDAGetNumNonlinSolvConvFails(ida_, &nonlinear_fails);
    IDAGetNumJacEvals(ida_, &jacobians);
    IDAGetNumLinResEvals(ida_, &from_linear);
    const Statistics now{
        steps, error_fails + nonlinear_fails, iterations, residuals + from_linear, jacobians, setups, 0};
    s.statistics.steps += now.steps - counted_.steps;
    s.statistics.rejections += now.rejections - counted_.rejections;
    s.statistics.newton_iterations += now.newton_iterations - counted_.newton_iterations;
    s.statistics.residuals += now.residuals - counted_.residuals;
    s.statistics.jacobians += now.jacobians - counted_.jacobians;
    s.statistics.factorisations += now.factorisations - counted_.factorisations;
    counted_ = now;
  }

  Reason reason(int flag) const {
    switch (flag) {
      case IDA_CONV_FAIL:
        return Reason::newton_did_not_converge;
      case IDA_ERR_FAIL:
        return Reason::step_below_minimum;
      case IDA_LSETUP_FAIL:
        return Reason::singular_matrix;
      case IDA_REP_RES_ERR:
      case IDA_FIRST_RES_FAIL:
        return not_finite_ ? Reason::residual_not_finite : Reason::newton_did_not_converge;
      default:
        return Reason::solver_error;
    }
  }

  static int residual(sunrealtype t, N_Vector x, N_Vector xdot, N_Vector r, void* user) {
    Ida& self = *static_cast<Ida*>(user);
    const Sizes& n = self.n_;
    const int nq = n.positions, nx = n.states(), nw = n.quadratures;
    const double *const px = N_VGetArrayPointer(x), *const pd = N_VGetArrayPointer(xdot);
    double* const pr = N_VGetArrayPointer(r);
    const Point p(t, n, px, pd);
    for (int k = 0; k < nq; ++k) pr[k] = pd[k] - px[nq + k];
    self.dae_->residual(p, pr + nq);
    self.dae_->quadratures(p, pr + nx - nw);
    for (int k = nx - nw; k < nx; ++k) pr[k] = pd[k] - pr[k];
    for (int k = 0; k < nx; ++k)
      if (!std::isfinite(pr[k])) {
        self.not_finite_ = true;
        return 1;
      }
    return 0;
  }

  /// Quadratures do not act back: their rows keep only the diagonal, which Newton corrects in one more
  /// iteration.
  static int jacobian(sunrealtype t, sunrealtype c, N_Vector x, N_Vector xdot, N_Vector, SUNMatrix j,
                      void* user, N_Vector, N_Vector, N_Vector) {
    Ida& self = *static_cast<Ida*>(user);
    const Sizes& n = self.n_;
    const int nq = n.positions, nz = n.others(), nf = n.unknowns(), nx = n.states();
    double* const f = self.jacobian_.data();
    const Jacobian exact{f, f + nf * nf, f + 2 * nf * nf};
    self.dae_->jacobian(Point(t, n, N_VGetArrayPointer(x), N_VGetArrayPointer(xdot)), exact);
    SUNMatZero(j);
    for (int k = 0; k < nq; ++k) {
      SM_ELEMENT_D(j, k, k) = c;
      SM_ELEMENT_D(j, k, nq + k) = -1;
    }
    for (int i = 0; i < nf; ++i) {
      for (int k = 0; k < nq; ++k) {
        SM_ELEMENT_D(j, nq + i, k) = exact.of_position[i * nf + k];
        SM_ELEMENT_D(j, nq + i, nq + k) =
            exact.of_velocity[i * nf + k] + c * exact.of_acceleration[i * nf + k];
      }
      for (int k = nq; k < nq + nz; ++k)
        SM_ELEMENT_D(j, nq + i, nq + k) = exact.of_position[i * nf + k] + c * exact.of_velocity[i * nf + k];
    }
    for (int k = nx - n.quadratures; k < nx; ++k) SM_ELEMENT_D(j, k, k) = c;
    return 0;
  }

  void interpolate(double t, double* x, double* xdot) const {
    const int nx = n_.states();
    IDAGetDky(ida_, t, 0, dense_);
    std::copy_n(N_VGetArrayPointer(dense_), nx, x);
    IDAGetDky(ida_, t, 1, dense_);
    std::copy_n(N_VGetArrayPointer(dense_), nx, xdot);
  }
  void evaluate(double t, double* x, double* xdot) const override {
    interpolate(t, x, xdot);
    std::copy_n(x + n_.positions, n_.positions, xdot);  // q' = v exactly
  }

  double* signs(Solution& s) const { return s.history.data() + 1; }

  const Sizes n_;
  const Tolerance tolerance_;
  ConsistentStart consistent_;
  EventFinder events_;
  Dae* dae_ = nullptr;
  SUNContext context_ = nullptr;
  void* ida_ = nullptr;
  N_Vector x_ = nullptr, xdot_ = nullptr, absolute_ = nullptr, id_ = nullptr, dense_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  std::vector<double> jacobian_, nominal_;
  Statistics counted_;
  bool current_ = false, not_finite_ = false;
};

}  // namespace

std::unique_ptr<Solver> make_ida(const Sizes& n, const Tolerance& tolerance) {
  return std::make_unique<Ida>(n, tolerance);
}

}  // namespace spondyl
