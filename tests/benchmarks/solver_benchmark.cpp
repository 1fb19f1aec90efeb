/// Work and precision of every solver on every problem of the library. See README.md.

#include <cmath>
#include <cstring>

#include "measuring.h"
#include "problems.h"
#include "solver_list.h"

namespace {

using namespace spondyl;
using namespace benchmarks;

constexpr double long_run = 0.05;  ///< seconds; a run that takes longer is measured once

struct Run {
  const problems::Case* problem;
  const testing::ListedSolver* listed;
  double tolerance;
  std::unique_ptr<Dae> dae;
  std::unique_ptr<Solver> solver;
  Solution solution;
  Best time;
  bool reached = true;

  void measure() {
    if (!reached || (time.value() > long_run && std::isfinite(time.value()))) return;
    solution.t = 0;
    solution.x = problem->x;
    solution.xdot.assign(solution.x.size(), 0);
    if (!problem->xdot.empty()) solution.xdot = problem->xdot;
    solution.statistics = {};
    time.see(time_of([&] {
      solver->start(*dae, solution);
      reached = solver->advance(*dae, solution, problem->t_end).outcome == Outcome::reached;
    }));
  }
};

void write(const std::vector<Run>& runs, const std::string& file) {
  std::ofstream out(file);
  out << "problem,solver,tolerance,error,seconds,steps,rejections,residuals,jacobians,factorisations\n";
  for (const Run& r : runs) {
    if (!r.reached) continue;
    const Statistics& s = r.solution.statistics;
    const double error = std::pow(10, -problems::correct_digits(*r.problem, r.solution.x));
    out << '"' << r.problem->name << "\"," << r.listed->name << ','
        << format("%.0e,%.3e,%.4e,", r.tolerance, error, r.time.value()) << s.steps << ',' << s.rejections
        << ',' << s.residuals << ',' << s.jacobians << ',' << s.factorisations << '\n';
  }
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

void print(const std::vector<Run>& runs) {
  Table table("Every solver on every problem that it claims, from start to end in one go",
              {"problem", "solver", "tolerance", "digits", "time ms", "steps", "rejected", "residuals",
               "Jacobians", "LU"});
  for (const Run& r : runs) {
    const Statistics& s = r.solution.statistics;
    const auto count = [](std::int64_t n) { return std::to_string(n); };
    if (r.reached)
      table.row({r.problem->name, r.listed->name, format("%.0e", r.tolerance),
                 format("%.2f", problems::correct_digits(*r.problem, r.solution.x)),
                 format("%.4f", 1e3 * r.time.value()), count(s.steps), count(s.rejections),
                 count(s.residuals), count(s.jacobians), count(s.factorisations)});
    else
      table.row({r.problem->name, r.listed->name, format("%.0e", r.tolerance),
                 format("failed at t = %g", r.solution.t)});
  }
  table.print();
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = Options::parse(argc, argv);
  try {
    const std::vector<problems::Case> cases = problems::all_cases();
    std::vector<Run> runs;
    for (const problems::Case& c : cases)
      for (const testing::ListedSolver& listed : testing::all_solvers)
        for (int digits = 3; digits <= 10; ++digits) {
          const double tolerance = std::pow(10.0, -digits);
          Run r{&c, &listed, tolerance, c.make(), {}, {}, {}};
          if (!listed.claims(r.dae->sizes())) continue;
          r.solver = listed.make(r.dae->sizes(), {tolerance, tolerance});
          runs.push_back(std::move(r));
        }
    // all in turn, several times, so that a disturbance hits everyone
    for (int round = 0; round < options.rounds; ++round)
      for (Run& r : runs) r.measure();
    std::printf("%s, %s\n", processor().c_str(), compiler().c_str());
    print(runs);
    if (!options.csv.empty()) write(runs, options.csv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "solver_benchmark: %s\n", e.what());
    return 1;
  }
}
