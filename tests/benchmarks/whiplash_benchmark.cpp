/// Speed of the whiplash (CervicalSpine, data set reconciled, triangular pulse of 8.5 g in 105 ms, 0..0.3 s)
/// against hand-written models on SUNDIALS. See README.md.

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <span>

#include "measuring.h"
#include "peer/neck.h"
#include "solver_list.h"
#include "solvers/lu.h"
#include "whiplash.h"

namespace {

using namespace spondyl;
using namespace benchmarks;

constexpr double target_error = 1e-6;

/// The motion on the grid.
struct Motion {
  std::vector<double> q = std::vector<double>((grid + 1) * n), v = q, a = q;
};

/// The equations and nothing else: no integrals, no events, nothing to do after a step.
class Bare : public Dae {
 public:
  explicit Bare(const Dae& model) : model_(model) {}
  Sizes sizes() const override { return {.positions = n}; }
  void residual(const Point& p, double* r) const override { model_.residual(p, r); }
  void jacobian(const Point& p, const Jacobian& j) const override { model_.jacobian(p, j); }
  double next_corner(double t) const override { return model_.next_corner(t); }
  void nominal(double* x) const override {
    std::vector<double> all(model_.sizes().states());
    model_.nominal(all.data());
    std::copy_n(all.begin(), 2 * n, x);
  }

 private:
  const Dae& model_;
};

/// Any model, with the motion on the grid written down from the solver's dense output.
class Recorder final : public Dae {
 public:
  Recorder(Dae& model, const Solution& start, Motion& to) : model_(model), to_(to) {
    ConsistentPoint at(model.sizes(), start);
    at.copy(0, to);
  }
  Sizes sizes() const override { return model_.sizes(); }
  void residual(const Point& p, double* r) const override { model_.residual(p, r); }
  void jacobian(const Point& p, const Jacobian& j) const override { model_.jacobian(p, j); }
  void quadratures(const Point& p, double* rate) const override { model_.quadratures(p, rate); }
  void events(const Point& p, double* g) const override { model_.events(p, g); }
  double next_corner(double t) const override { return model_.next_corner(t); }
  void nominal(double* x) const override { model_.nominal(x); }
  After accept(const Step& step, double* x, double* xdot) override {
    ConsistentPoint at(model_.sizes());
    for (; next_ <= grid && run_end * next_ / grid <= step.end + 1e-12; ++next_) {
      step.dense.evaluate(std::min(run_end * next_ / grid, step.end), at.x.data(), at.xdot.data());
      at.copy(next_, to_);
    }
    return model_.accept(step, x, xdot);
  }

 private:
  struct ConsistentPoint {
    std::vector<double> x, xdot;
    explicit ConsistentPoint(const Sizes& s) : x(s.states()), xdot(s.states()) {}
    ConsistentPoint(const Sizes&, const Solution& s) : x(s.x), xdot(s.xdot) {}
    void copy(int k, Motion& to) const {
      std::copy_n(x.begin(), n, to.q.begin() + k * n);
      std::copy_n(x.begin() + n, n, to.v.begin() + k * n);
      std::copy_n(xdot.begin() + n, n, to.a.begin() + k * n);
    }
  };
  Dae& model_;
  Motion& to_;
  int next_ = 1;
};

// -- the engines --------------------------------------------------------------------------------------------

/// One way to compute the run, at one tolerance.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Puts back to the start, what is not to be timed.
  virtual void rewind() {}
  virtual void run() = 0;
  virtual peer_counts counts() const = 0;
  virtual Motion motion() = 0;
};

peer_counts counts_of(const Statistics& s) {
  return {long(s.steps), long(s.residuals), long(s.jacobians), long(s.factorisations)};
}

class Peer final : public Engine {
 public:
  explicit Peer(peer* p) : peer_(p, &peer_free) {}
  void run() override {
    if (peer_run(peer_.get(), 0, nullptr, nullptr, nullptr)) fail("a peer's run failed");
  }
  peer_counts counts() const override { return peer_statistics(peer_.get()); }
  Motion motion() override {
    Motion m;
    const long steps = counts().steps;
    if (peer_run(peer_.get(), grid, m.q.data(), m.v.data(), m.a.data())) fail("a peer's run failed");
    if (steps != 0 && steps != counts().steps) fail("output changes a peer's steps");
    return m;
  }

 private:
  std::unique_ptr<peer, void (*)(peer*)> peer_;
};

using MakeSolver = std::unique_ptr<Solver> (*)(const Sizes&, const Tolerance&);

class BareSolver final : public Engine {
 public:
  BareSolver(MakeSolver make, double tolerance) : simulation_(tolerance), bare_(simulation_.model()) {
    const Solution& s = simulation_.state().solution;
    start_.x.assign(s.x.begin(), s.x.begin() + 2 * n);
    start_.xdot.assign(s.xdot.begin(), s.xdot.begin() + 2 * n);
    solution_ = start_;
    solver_ = make(bare_.sizes(), {tolerance, tolerance});
  }
  void rewind() override {
    solution_.t = 0;
    solution_.x = start_.x;
    solution_.xdot = start_.xdot;
    solution_.statistics = {};
  }
  void run() override { run(bare_); }
  peer_counts counts() const override { return counts_of(solution_.statistics); }
  Motion motion() override {
    Motion m;
    Recorder recorder(bare_, start_, m);
    rewind();
    run(recorder);
    return m;
  }

 private:
  void run(Dae& dae) {
    solver_->start(dae, solution_);
    require_reached(solver_->advance(dae, solution_, run_end));
  }

  Whiplash simulation_;
  Bare bare_;
  std::unique_ptr<Solver> solver_;
  Solution start_, solution_;
};

class Complete final : public Engine {
 public:
  explicit Complete(double tolerance) : simulation_(tolerance), start_(simulation_.state()) {}
  void rewind() override { simulation_.restore(start_); }
  void run() override { require_reached(simulation_.advance(run_end)); }
  peer_counts counts() const override { return counts_of(simulation_.state().solution.statistics); }
  Motion motion() override {
    // what a Simulation does, with a recorder before the model
    const ModelType& type = cervical_spine_type();
    State state;
    state.values = start_.values;
    const std::unique_ptr<Model> model = type.build(state);
    model->start();
    const std::unique_ptr<Solver> solver = type.make_solver(model->sizes(), state.values);
    solver->start(*model, state.solution);
    Motion m;
    Recorder recorder(*model, state.solution, m);
    require_reached(solver->advance(recorder, state.solution, run_end));
    return m;
  }

 private:
  Whiplash simulation_;
  State start_;
};

// -- 1: do both sides solve the same equations?
// ---------------------------------------------------------------

void check_peer(const neck& k, Model& model) {
  std::mt19937 random(1);
  const auto uniform = [&](double size) {
    return std::uniform_real_distribution<double>(-size, size)(random);
  };
  const auto compare = [](std::span<const double> ours, std::span<const double> theirs, const char* what) {
    double size = 0, difference = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      size = std::max(size, std::abs(ours[i]));
      difference = std::max(difference, std::abs(ours[i] - theirs[i]));
    }
    if (!(difference <= 1e-9 * size)) fail(std::string("the peer's ") + what + " is not the model's");
  };
  for (int trial = 0; trial < 100; ++trial) {
    Vector q, v, a, ours, theirs;
    for (int i = 0; i < n; ++i) q[i] = uniform(0.6), v[i] = uniform(20), a[i] = uniform(3000);
    const double t = 0.075 + uniform(0.07);
    const Point p(t, q.data(), v.data(), a.data(), nullptr, nullptr);
    model.residual(p, ours.data());
    neck_residual(&k, t, q.data(), v.data(), a.data(), theirs.data());
    compare(ours, theirs, "residual");

    std::array<double, n * n> ours_of[3], theirs_of[3], row_major;
    model.jacobian(p, {ours_of[0].data(), ours_of[1].data(), ours_of[2].data()});
    neck_jacobian(&k, t, q.data(), v.data(), a.data(), theirs_of[0].data(), theirs_of[1].data(),
                  theirs_of[2].data());
    for (int part = 0; part < 3; ++part) {
      for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c) row_major[r * n + c] = theirs_of[part][c * n + r];
      compare(ours_of[part], row_major, "Jacobian");
    }

    // the peer's acceleration leaves no residual, against the size of the terms
    Vector rest{}, zero{};
    neck_acceleration(&k, t, q.data(), v.data(), a.data());
    model.residual(p, rest.data());
    model.residual(Point(t, q.data(), v.data(), zero.data(), nullptr, nullptr), ours.data());
    for (int i = 0; i < n; ++i) rest[i] += ours[i];
    compare(ours, rest, "acceleration");
  }
}

// -- 2: work and precision
// ------------------------------------------------------------------------------------

struct Errors {
  double angle, acceleration, acceleration_of_state;
};

/// Errors of the head, greatest on the grid; of the acceleration, relative to its peak.
Errors errors(const neck& k, const Motion& m, const Motion& reference) {
  Errors e{};
  double peak = 0;
  for (int g = 0; g <= grid; ++g) {
    const double t = run_end * g / grid;
    const double *const q = &m.q[g * n], *const v = &m.v[g * n], *const a = &m.a[g * n];
    Vector consistent;
    neck_acceleration(&k, t, q, v, consistent.data());
    const double exact =
        neck_head_acceleration(&k, t, &reference.q[g * n], &reference.v[g * n], &reference.a[g * n]);
    peak = std::max(peak, std::abs(exact));
    e.angle = std::max(e.angle, std::abs(q[head] - reference.q[g * n + head]));
    e.acceleration = std::max(e.acceleration, std::abs(neck_head_acceleration(&k, t, q, v, a) - exact));
    e.acceleration_of_state = std::max(
        e.acceleration_of_state, std::abs(neck_head_acceleration(&k, t, q, v, consistent.data()) - exact));
  }
  e.acceleration /= peak;
  e.acceleration_of_state /= peak;
  return e;
}

/// Radau at 1e-12 with a step ending on every grid point, accelerations from the equations.
Motion reference_motion(const neck& k) {
  Motion m;
  Whiplash s(1e-12);
  for (int g = 0; g <= grid; ++g) {
    const double t = run_end * g / grid;
    if (g > 0) require_reached(s.advance(t));
    std::copy_n(s.state().solution.x.data(), n, &m.q[g * n]);
    std::copy_n(s.state().solution.x.data() + n, n, &m.v[g * n]);
    neck_acceleration(&k, t, &m.q[g * n], &m.v[g * n], &m.a[g * n]);
  }
  // the two sides must mean the same by the head's acceleration
  const int last = grid * n;
  const double theirs = neck_head_acceleration(&k, run_end, &m.q[last], &m.v[last], &m.a[last]);
  const double ours = s.get("head_acceleration_x");
  if (!(std::abs(ours - theirs) < 1e-6 * std::abs(ours))) fail("the head's accelerations differ");
  return m;
}

struct Measurement {
  double tolerance;
  std::unique_ptr<Engine> engine;
  Best time;
  Errors error;
};

struct Contestant {
  std::string name;
  std::function<std::unique_ptr<Engine>(double tolerance)> make;
  std::vector<Measurement> at;
};

/// Time at which the error becomes smaller than `error` for good, interpolated in logarithms.
double time_at(const Contestant& c, double error) {
  for (std::size_t i = c.at.size() - 1; i > 0; --i) {
    const Measurement &loose = c.at[i - 1], &tight = c.at[i];
    if (loose.error.angle >= error && tight.error.angle < error) {
      const double share =
          std::log(loose.error.angle / error) / std::log(loose.error.angle / tight.error.angle);
      return loose.time.value() * std::pow(tight.time.value() / loose.time.value(), share);
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void work_and_precision(const neck& k, const Vector& q0, int rounds, std::vector<Table>& tables) {
  const Motion reference = reference_motion(k);
  const auto ida = [&](int restart) {
    return [&, restart](double tol) {
      return std::make_unique<Peer>(peer_ida(&k, q0.data(), run_end, tol, restart));
    };
  };
  const auto cvode = [&](int restart) {
    return [&, restart](double tol) {
      return std::make_unique<Peer>(peer_cvode(&k, q0.data(), run_end, tol, restart));
    };
  };
  std::vector<Contestant> contestants;
  for (const testing::ListedSolver& listed : testing::all_solvers)
    contestants.push_back(
        {"spondyl " + listed.name + ", equations",
         [make = listed.make](double tol) { return std::make_unique<BareSolver>(make, tol); },
         {}});
  contestants.push_back(
      {"spondyl radau, complete", [](double tol) { return std::make_unique<Complete>(tol); }, {}});
  const std::size_t ida_by_hand = contestants.size(), cvode_by_hand = ida_by_hand + 1;
  contestants.push_back({"IDA by hand", ida(1), {}});
  contestants.push_back({"CVODE by hand", cvode(1), {}});
  contestants.push_back({"IDA by hand, no restart", ida(0), {}});
  contestants.push_back({"CVODE by hand, no restart", cvode(0), {}});

  for (Contestant& c : contestants)
    for (int digits = 3; digits <= 10; ++digits) {
      const double tolerance = std::pow(10.0, -digits);
      c.at.push_back({tolerance, c.make(tolerance), {}, {}});
    }

  // all in turn, several times, so that a disturbance hits everyone; each warms up where it is measured
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < contestants[0].at.size(); ++i)
      for (Contestant& c : contestants)
        for (int repetition = 0; repetition < 3; ++repetition) {
          c.at[i].engine->rewind();
          c.at[i].time.see(time_of([&] { c.at[i].engine->run(); }));
        }

  Table table("Work and precision, 0..0.3 s in one go",
              {"engine", "tolerance", "time ms", "steps", "residuals", "Jacobians", "LU", "us/step",
               "angle error rad", "acc. error", "of state"});
  for (Contestant& c : contestants) {
    for (Measurement& m : c.at) {
      const peer_counts counts = m.engine->counts();
      m.error = errors(k, m.engine->motion(), reference);
      table.row({c.name, format("%.0e", m.tolerance), format("%.4f", 1e3 * m.time.value()),
                 format("%ld", counts.steps), format("%ld", counts.residuals),
                 format("%ld", counts.jacobians), format("%ld", counts.factorisations),
                 format("%.2f", 1e6 * m.time.value() / counts.steps), format("%.2e", m.error.angle),
                 format("%.1e", m.error.acceleration), format("%.1e", m.error.acceleration_of_state)});
    }
    table.gap();
  }
  tables.push_back(table);
  table.print();
  std::printf(
      "Errors: greatest on a grid of 1 ms against Radau at 1e-12 (CVODE at 1e-12 differs by %.1e rad); the "
      "head's forward\nacceleration relative to its peak, as the engine interpolates it and from the "
      "equations "
      "at its interpolated (q, v).\nThe engines by hand know the corners of the pulse and stop there; "
      "without "
      "suffix they also begin anew there.\n",
      errors(k, Peer(peer_cvode(&k, q0.data(), run_end, 1e-12, 1)).motion(), reference).angle);

  Table summary(
      "Time in ms at an error of the head angle of 1e-4 ... 1e-8 rad",
      {"engine", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "IDA / it", "CVODE / it", "best peer / it"});
  const double ida_time = time_at(contestants[ida_by_hand], target_error),
               cvode_time = time_at(contestants[cvode_by_hand], target_error);
  double best_time = ida_time;
  for (std::size_t i = ida_by_hand; i < contestants.size(); ++i)
    best_time = std::min(best_time, time_at(contestants[i], target_error));
  for (const Contestant& c : contestants) {
    const double own = time_at(c, target_error);
    std::vector<std::string> cells{c.name};
    for (const double e : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
      const Measurement& loosest = c.at.front();
      cells.push_back(loosest.error.angle < e ? format("< %.4f", 1e3 * loosest.time.value())
                                              : format("%.4f", 1e3 * time_at(c, e)));
    }
    for (const double other : {ida_time, cvode_time, best_time}) cells.push_back(format("%.2f", other / own));
    summary.row(cells);
  }
  tables.push_back(summary);
  summary.print();
  std::printf(
      "Interpolated in logarithms. Ratios at 1e-6 rad: to IDA and CVODE by hand beginning anew at the "
      "corners, "
      "and to the\nfastest of the four by hand. <: more accurate already at the loosest tolerance.\n");
}

// -- 3: single evaluations
// ------------------------------------------------------------------------------------

/// Jacobian put together and factorised as the Radau solver does it.
class RadauMatrices {
 public:
  void jacobian(const Dae& dae, const Point& p) {
    dae.jacobian(p, {of_[0].data(), of_[1].data(), of_[2].data()});
  }
  void factor(double h) {
    const double g = 0.2748888295956774 * h, gr = 0.1625555852021613 * h, gi = 0.1849493244071408 * h;
    for (int i = 0; i < n * n; ++i) {
      const double fq = of_[0][i], fv = of_[1][i], fa = of_[2][i];
      real_(i / n, i % n) = fa + g * fv + g * g * fq;
      complex_.real(i / n, i % n) = fa + gr * fv + (gr * gr - gi * gi) * fq;
      complex_.imag(i / n, i % n) = gi * fv + 2 * gr * gi * fq;
    }
    if (!real_.factor() || !complex_.factor()) fail("singular matrix");
  }
  void solve(double* r, double* re, double* im) const {
    real_.solve(r);
    complex_.solve(re, im);
  }

 private:
  std::array<double, n * n> of_[3];
  RealLu<n> real_{n};
  ComplexLu<n> complex_{n};
};

void single_evaluations(const neck& k, const Vector& q0, std::vector<Table>& tables) {
  Whiplash simulation(1e-6);
  const Dae& model = simulation.model();
  constexpr int states = 64;
  std::vector<Vector> q(states, q0), v(states), a(states);
  std::mt19937 random(1);
  for (int s = 0; s < states; ++s)
    for (int i = 0; i < n; ++i) {
      q[s][i] += std::uniform_real_distribution<double>(-0.2, 0.2)(random);
      v[s][i] = std::uniform_real_distribution<double>(-10, 10)(random);
      a[s][i] = std::uniform_real_distribution<double>(-1000, 1000)(random);
    }
  const auto t = [](int s) { return 0.1 * s / states; };
  const auto point = [&](int s) {
    return Point(t(s), q[s].data(), v[s].data(), a[s].data(), nullptr, nullptr);
  };

  Table table("One evaluation, ns", {"engine", "residual", "Jacobian", "+ LU", "all", "solve", "matrices"});
  const auto add = [&](const char* name, double residual, double jacobian, double with_lu, double solve,
                       const char* matrices) {
    table.row({name, format("%.0f", 1e9 * residual), format("%.0f", 1e9 * jacobian),
               format("%.0f", 1e9 * (with_lu - jacobian)), format("%.0f", 1e9 * (residual + with_lu)),
               solve > 0 ? format("%.0f", 1e9 * solve) : "", matrices});
  };
  {
    RadauMatrices matrices;
    Vector r{}, re{}, im{};
    const double residual = time_per_call([&](int i) { model.residual(point(i % states), r.data()); });
    const double jacobian = time_per_call([&](int i) { matrices.jacobian(model, point(i % states)); });
    const double all = time_per_call([&](int i) {
      matrices.jacobian(model, point(i % states));
      matrices.factor(2e-3);
    });
    const double solve = time_per_call([&](int i) {
      r[i % n] = re[i % n] = im[i % n] = 1;
      matrices.solve(r.data(), re.data(), im.data());
    });
    add("spondyl Radau", residual, jacobian, all, solve, "8 x 8 real and 8 x 8 complex");
  }
  const auto by_hand = [&](const char* name, peer* p, const char* matrices) {
    const double residual = time_per_call([&](int i) {
      const int s = i % states;
      peer_residual(p, t(s), q[s].data(), v[s].data(), a[s].data());
    });
    const double jacobian = time_per_call([&](int i) {
      const int s = i % states;
      peer_jacobian(p, t(s), q[s].data(), v[s].data(), a[s].data());
    });
    const double all = time_per_call([&](int i) {
      const int s = i % states;
      peer_jacobian(p, t(s), q[s].data(), v[s].data(), a[s].data());
      peer_factor(p, 1e-3);
    });
    add(name, residual, jacobian, all, 0, matrices);
    peer_free(p);
  };
  by_hand("IDA by hand", peer_ida(&k, q0.data(), run_end, 1e-6, 1), "16 x 16 real");
  by_hand("CVODE by hand", peer_cvode(&k, q0.data(), run_end, 1e-6, 1), "16 x 16 real, 8 x 8 Cholesky");
  tables.push_back(table);
  table.print();
  std::printf(
      "residual: of CVODE the right-hand side with its Cholesky factorisation. solve: both systems of one "
      "Newton "
      "iteration,\nthat is of three residuals.\n");
}

// -- 4: for the peers in programs of their own
// ----------------------------------------------------------------

/// Bodies, start and reference as text: one record a line, its kind first.
void write_case(const std::string& file, const neck& k, const Vector& q0) {
  std::ofstream out(file);
  out.precision(17);
  out << "gravity " << k.gravity << "\npulse " << pulse_peak << ' ' << pulse_duration << "\nend " << run_end
      << '\n';
  const std::array<neck_body, n> bodies = peer_bodies();
  for (int i = 0; i < n; ++i) {
    const neck_body& b = bodies[i];
    out << "body " << b.mass << ' ' << b.inertia << ' ' << b.pivot[0] << ' ' << b.pivot[1] << ' '
        << b.centre[0] << ' ' << b.centre[1] << ' ' << b.joint_stiffness << ' ' << b.joint_damping << ' '
        << b.joint_rest << ' ' << q0[i] << '\n';
    for (int e = 0; e < NECK_LIGAMENTS; ++e)
      out << "ligament " << i << ' ' << b.anchor_lower[e][0] << ' ' << b.anchor_lower[e][1] << ' '
          << b.anchor_upper[e][0] << ' ' << b.anchor_upper[e][1] << ' ' << b.stiffness[e] << ' '
          << b.damping[e] << ' ' << b.rest_length[e] << '\n';
  }
  const Motion reference = reference_motion(k);
  for (int g = 0; g <= grid; ++g) out << "head_angle " << reference.q[g * n + head] << '\n';
  if (!out.flush()) fail("cannot write " + file);
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 40;
  std::string csv, profile, case_file;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--rounds" && i + 1 < argc) {
      rounds = std::max(1, std::atoi(argv[++i]));
    } else if (argument == "--csv" && i + 1 < argc) {
      csv = argv[++i];
    } else if (argument == "--case" && i + 1 < argc) {
      case_file = argv[++i];
    } else if (argument == "--profile" && i + 1 < argc) {
      profile = argv[++i];
    } else {
      std::fprintf(stderr,
                   "usage: %s [--rounds <number>] [--csv <file>] [--case <file>] "
                   "[--profile equations|complete]\n",
                   argv[0]);
      return 2;
    }
  }
  try {
    if (!profile.empty()) {  // nothing but Radau at 1e-6, for a profiler
      std::unique_ptr<Engine> engine;
      if (profile == "complete")
        engine = std::make_unique<Complete>(1e-6);
      else
        engine = std::make_unique<BareSolver>(&make_radau, 1e-6);
      for (int i = 0; i < 100 * rounds; ++i) {
        engine->rewind();
        engine->run();
      }
      return 0;
    }
    std::printf("%s, %s\n", processor().c_str(), compiler().c_str());
    Whiplash simulation(1e-6);
    Vector q0;
    std::copy_n(simulation.state().solution.x.begin(), n, q0.begin());
    neck k;
    neck_prepare(&k, peer_bodies().data(), simulation.state().values[simulation.variables().find("gravity")],
                 pulse_peak, pulse_duration);
    check_peer(k, simulation.model());
    if (!case_file.empty()) write_case(case_file, k, q0);

    std::vector<Table> tables;
    work_and_precision(k, q0, rounds, tables);
    single_evaluations(k, q0, tables);
    if (!csv.empty()) {
      std::ofstream out(csv);
      for (const Table& table : tables) table.append_csv(out);
      if (!out.flush()) fail("cannot write " + csv);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "whiplash_benchmark: %s\n", e.what());
    return 1;
  }
}
