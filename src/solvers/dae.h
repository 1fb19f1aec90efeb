#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/structure.h"

/// What a solver sees of a model, and what a caller sees of a solver.
///
/// The equations are F(t, x, x') = 0 with the second-order structure of mechanics kept visible:
///
///     q' = v,   v' = a,   F(t, q, v, a, z, z') = 0,   w' = W(t, q, v, a, z)
///
///   q  positions, v velocities, a accelerations
///   z  everything else: first-order states, then algebraic unknowns (Lagrange multipliers: index 1, 2 or 3)
///   w  quadratures: integrals that nothing else depends on (work, dissipated energy)
///
/// The state vector is x = (q, v, z, w) in one piece, and x' = (v, a, z', W). A first-order DAE simply has no
/// q.
namespace spondyl {

struct Sizes {
  int positions = 0;
  int differential = 0;  ///< components of z whose derivative occurs in F
  int algebraic = 0;     ///< components of z, after those, whose derivative does not
  int quadratures = 0;
  int events = 0;
  int index = 1;  ///< differentiation index of the algebraic part: 1, 2 or 3 (position constraints)

  int others() const { return differential + algebraic; }
  int unknowns() const { return positions + others(); }  ///< rows of F
  int states() const { return 2 * positions + others() + quadratures; }
};

/// One instant: t with pointers into x and x'.
struct Point {
  double t;
  /// F need not be smooth in time (Dae::next_corner). Asked for is the piece that holds at this instant,
  /// continued to t: t itself, unless a solver looks ahead beyond the end of its step.
  double piece;
  const double *q, *v, *z;
  const double *a, *zdot;

  Point(double time, const Sizes& n, const double* x, const double* xdot)
      : t(time),
        piece(time),
        q(x),
        v(x + n.positions),
        z(x + 2 * n.positions),
        a(xdot + n.positions),
        zdot(xdot + 2 * n.positions) {}
  Point(double time, const double* q_, const double* v_, const double* a_, const double* z_,
        const double* zdot_)
      : t(time), piece(time), q(q_), v(v_), z(z_), a(a_), zdot(zdot_) {}
};

/// The exact derivatives of F, row-major, n = Sizes::unknowns() rows.
/// Columns belong to (q, z), to (v, z') and to (a); the last has n columns too, those of z unused.
///
/// The owner of the three arrays zeroes them once, before they are written for the first time. A model
/// without a structure then writes every entry each time; a model with one writes (and zeroes, see
/// clear_coupled) the entries of coupled blocks and never touches the others, which nobody needs to read.
struct Jacobian {
  double* of_position;      ///< ∂F/∂(q, z), n × n
  double* of_velocity;      ///< ∂F/∂(v, z'), n × n
  double* of_acceleration;  ///< ∂F/∂a, n × n, columns from Sizes::positions on are zero
};

/// The solution between the beginning and the end of the step just made.
class DenseOutput {
 public:
  virtual ~DenseOutput() = default;
  /// x and x' at t; quadratures are not interpolated and left untouched.
  virtual void evaluate(double t, double* x, double* xdot) const = 0;
};

/// A step that has passed the error test.
struct Step {
  double begin, end;
  const DenseOutput& dense;
  std::span<const int> fired;  ///< numbers of the events at which the step was ended, empty if none
};

/// What the model asks of the solver after it has seen an accepted step.
enum class After {
  go_on,
  restart,  ///< something jumped (contact law, mode): history is worthless
  stop,     ///< return to the caller now
  restart_and_stop,
};

class Dae {
 public:
  virtual ~Dae() = default;
  virtual Sizes sizes() const = 0;
  virtual void residual(const Point& p, double* r) const = 0;
  virtual void jacobian(const Point& p, const Jacobian& j) const = 0;
  /// Which derivatives can differ from zero, in any of the three matrices. Must not change once a solver has
  /// started. Default: all of them.
  virtual Structure structure() const { return {}; }
  virtual void quadratures(const Point&, double* /*rate*/) const {}
  /// Functions whose change of sign ends a step.
  virtual void events(const Point&, double* /*g*/) const {}
  /// The first instant after t at which F is not smooth in time, if known: steps end there.
  virtual double next_corner(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  /// Magnitudes of q, v, z, that scale the absolute tolerance. Default: 1.
  virtual void nominal(double* x) const {
    const Sizes n = sizes();
    for (int i = 0; i < n.states(); ++i) x[i] = 1;
  }
  /// Puts q and v of a step just made back on invariants that F does not hold by itself (position and
  /// velocity constraints of an index-1 form), by changes of the size of the error. IDA cannot use it.
  virtual void project(double* /*x*/) const {}
  /// The only place where what depends on history may change. May also change x and x' of `x_end`
  /// (an impact) and then returns restart; changes of the size of the error need no restart.
  virtual After accept(const Step&, double* /*x_end*/, double* /*xdot_end*/) { return After::go_on; }
  /// Name of unknown i for messages.
  virtual std::string unknown_name(int i) const;
};

struct Statistics {
  std::int64_t steps = 0, rejections = 0, newton_iterations = 0, residuals = 0, jacobians = 0,
               factorisations = 0, events = 0;
  bool operator==(const Statistics&) const = default;
};

/// Everything that changes while a solver advances. Copying it saves it; history belongs to the solver that
/// made it.
struct Solution {
  double t = 0;
  std::vector<double> x, xdot;
  std::vector<double> history;
  Statistics statistics;

  void resize(const Sizes& n) {
    x.assign(n.states(), 0);
    xdot.assign(n.states(), 0);
  }
  Point point(const Sizes& n) const { return {t, n, x.data(), xdot.data()}; }
};

struct Tolerance {
  double relative = 1e-6, absolute = 1e-6;
  double max_step = std::numeric_limits<double>::infinity();
};

enum class Outcome {
  reached,  ///< t_end
  stopped,  ///< accept() asked for it
  failed,   ///< see reason; the solution is the last accepted one
};

enum class Reason {
  none,
  newton_did_not_converge,
  step_below_minimum,
  residual_not_finite,
  singular_matrix,
  too_many_steps,
  solver_error,
};
std::string_view to_string(Reason);

struct Report {
  Outcome outcome = Outcome::reached;
  Reason reason = Reason::none;
  double t = 0;    ///< where the solution is
  int worst = -1;  ///< unknown with the largest share of the trouble, or -1

  std::string message(const Dae&) const;
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string_view name() const = 0;

  /// Prepares history for a solution whose t and x are set, and matrices for the structure of the model.
  /// x' is made consistent in the first step.
  virtual void start(const Dae&, Solution&) = 0;
  /// Advances to exactly t_end > t, or to where the report says.
  virtual Report advance(Dae&, Solution&, double t_end) = 0;
  /// To be called when an input of F has jumped, or x was changed from outside.
  virtual void restart(Solution&) const = 0;
  /// To be called when a Solution other than the one advanced last comes in (restored from a copy).
  virtual void forget() = 0;
};

std::unique_ptr<Solver> make_radau(const Sizes&, const Tolerance&);
/// `highest_order`: of its k, 1 … 7; the result is of order k + 1.
std::unique_ptr<Solver> make_mebdf(const Sizes&, const Tolerance&, int highest_order = 7);
std::unique_ptr<Solver> make_ida(const Sizes&, const Tolerance&);

}  // namespace spondyl
