/// The cost of the whiplash at different communication steps, with every solver that the model offers. See
/// README.md.

#include <memory>

#include "measuring.h"
#include "whiplash.h"

namespace {

using namespace benchmarks;

/// The whole run at one communication step, one solver, one tolerance.
class Way {
 public:
  Way(int parts, bool built_in, int solver, double tolerance)
      : parts_(parts),
        built_in_(built_in),
        simulation_(std::make_unique<Whiplash>(tolerance, built_in, solver)),
        start_(simulation_->state()) {}

  /// Head angles at the communication points.
  std::vector<double> run() {
    const Handle sled = cervical_spine_type().variables().find("sled_acceleration_x");
    std::vector<double> angle(parts_);
    Simulation& s = *simulation_;
    s.restore(start_);
    time_.see(time_of([&] {
      for (int i = 0; i < parts_; ++i) {
        if (!built_in_) s.set(sled, pulse(run_end * i / parts_));
        require_reached(s.advance(run_end * (i + 1) / parts_));
        angle[i] = s.state().solution.x[head];
      }
    }));
    return angle;
  }
  double seconds() const { return time_.value(); }
  const Statistics& statistics() const { return simulation_->state().solution.statistics; }

 private:
  int parts_;
  bool built_in_;
  std::unique_ptr<Whiplash> simulation_;
  State start_;
  Best time_;
};

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double off = 0;
  for (std::size_t i = 0; i < a.size(); ++i) off = std::max(off, std::abs(a[i] - b[i]));
  return off;
}

struct Entry {
  int parts;
  bool built_in;
  std::string solver;
  double tolerance;
  Way way;
  double error = 0, hold = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const Options options = Options::parse(argc, argv);
  try {
    const VariableTable& variables = cervical_spine_type().variables();
    const std::vector<std::string>& solvers = variables[variables.find("solver")].items;
    std::vector<Entry> entries;
    for (const int parts : {1, 30, 300, 3000})
      for (const bool built_in : {true, false}) {
        if (parts == 1 && !built_in) continue;
        const std::vector<double> exact = Way(parts, built_in, 1, 1e-12).run();
        const double hold = distance(exact, Way(parts, true, 1, 1e-12).run());
        for (std::size_t k = 0; k < solvers.size(); ++k)
          for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
            Entry e{parts, built_in, solvers[k], tolerance, Way(parts, built_in, int(k) + 1, tolerance)};
            e.error = distance(exact, e.way.run());
            e.hold = hold;
            entries.push_back(std::move(e));
          }
      }
    for (int round = 0; round < options.rounds; ++round)
      for (Entry& e : entries) e.way.run();

    std::printf("%s, %s\n", processor().c_str(), compiler().c_str());
    Table table("Communication step and solver, complete model",
                {"pulse", "communication ms", "solver", "tolerance", "time ms", "us/comm. step", "steps",
                 "residuals", "Jacobians", "LU", "angle error rad", "held input off by rad"});
    for (const Entry& e : entries) {
      const Statistics& s = e.way.statistics();
      table.row({e.built_in ? "built in" : "input, held",
                 e.parts == 1 ? "one go" : format("%g", 1e3 * run_end / e.parts), e.solver,
                 format("%.0e", e.tolerance), format("%.4f", 1e3 * e.way.seconds()),
                 format("%.2f", 1e6 * e.way.seconds() / e.parts), std::to_string(s.steps),
                 std::to_string(s.residuals), std::to_string(s.jacobians), std::to_string(s.factorisations),
                 format("%.2e", e.error), e.built_in ? "" : format("%.1e", e.hold)});
    }
    table.print();
    std::printf(
        "Error: greatest at the communication points, against Radau at 1e-12 with the same pulse. Off: what "
        "holding the input\nchanges, whatever the solver.\n");
    if (!options.csv.empty()) {
      std::ofstream out(options.csv);
      table.append_csv(out);
      if (!out.flush()) fail("cannot write " + options.csv);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "communication_benchmark: %s\n", e.what());
    return 1;
  }
}
