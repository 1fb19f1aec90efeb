/// Static equilibria of CervicalSegment: the nine load cases of Kecskeméthy 2000, by the project's Newton
/// with exact stiffness, side by side with KINSOL and finite differences on the same equations, with KINSOL
/// on a plain formulation of the same model, and with what the paper's commercial code did: integrating the
/// dynamics until C5 rests.

#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cstring>
#include <functional>
#include <memory>

#include "benchmarks/measuring.h"
#include "models/cervical_segment_runs.h"
#include "models/plain_segment.h"
#include "solvers/equilibrium.h"

using namespace spondyl;
using namespace spondyl::testing;
using benchmarks::format;

namespace {

/// KINSOL with its own difference quotients and line search, memory kept between solves.
class Kinsol {
 public:
  using Residual = std::function<void(const double* x, double* r)>;
  Kinsol(int n, Residual residual) : residual_(std::move(residual)) {
    SUNContext_Create(nullptr, &context_);
    x_ = N_VNew_Serial(n, context_);
    scale_x_ = N_VNew_Serial(n, context_);
    scale_f_ = N_VNew_Serial(n, context_);
    for (int k = 0; k < n; ++k) {
      NV_Ith_S(scale_x_, k) = k < 3 ? 1e3 : 10;
      NV_Ith_S(scale_f_, k) = k < 3 ? 1 : 50;
    }
    kinsol_ = KINCreate(context_);
    KINInit(kinsol_, &Kinsol::evaluate, x_);
    KINSetUserData(kinsol_, this);
    KINSetErrFile(kinsol_, nullptr);  // a failure shows in the table
    KINSetFuncNormTol(kinsol_, 1e-7);
    KINSetScaledStepTol(kinsol_, 1e-13);
    KINSetMaxSetupCalls(kinsol_, 1);
    KINSetNumMaxIters(kinsol_, 500);
    matrix_ = SUNDenseMatrix(n, n, context_);
    linear_ = SUNLinSol_Dense(x_, matrix_, context_);
    KINSetLinearSolver(kinsol_, linear_, matrix_);
  }
  ~Kinsol() {
    KINFree(&kinsol_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
    for (N_Vector v : {x_, scale_x_, scale_f_}) N_VDestroy(v);
    SUNContext_Free(&context_);
  }
  int solve(const std::vector<double>& start) {
    std::copy(start.begin(), start.end(), N_VGetArrayPointer(x_));
    return KINSol(kinsol_, x_, KIN_LINESEARCH, scale_x_, scale_f_);
  }
  const double* x() const { return N_VGetArrayPointer(x_); }
  long residuals() const {
    long f, from_jacobian;
    KINGetNumFuncEvals(kinsol_, &f);
    KINGetNumLinFuncEvals(kinsol_, &from_jacobian);
    return f + from_jacobian;
  }
  long iterations() const {
    long i;
    KINGetNumNonlinSolvIters(kinsol_, &i);
    return i;
  }

 private:
  static int evaluate(N_Vector x, N_Vector r, void* self) {
    static_cast<Kinsol*>(self)->residual_(N_VGetArrayPointer(x), N_VGetArrayPointer(r));
    return 0;
  }
  Residual residual_;
  SUNContext context_ = nullptr;
  void* kinsol_ = nullptr;
  N_Vector x_, scale_x_, scale_f_;
  SUNMatrix matrix_;
  SUNLinearSolver linear_;
};

}  // namespace

int main(int argc, char** argv) {
  int rounds = 40;
  for (int i = 1; i + 1 < argc; ++i)
    if (!std::strcmp(argv[i], "--rounds")) rounds = std::atoi(argv[i + 1]);
  std::printf(
      "Nine static equilibria of CervicalSegment, each from the unloaded posture\n%s, %s, best of %d\n",
      benchmarks::processor().c_str(), benchmarks::compiler().c_str(), rounds);

  // one model a case, so that only the solving is timed
  std::vector<std::unique_ptr<Segment>> segments;
  for (const LoadCase& c : load_cases)
    segments.push_back(std::make_unique<Segment>(std::initializer_list<Segment::Setting>{
        {"start_in_equilibrium", 0}, {load_names[c.direction], c.load}}));
  const PlainSegment plain;
  constexpr int n = 7;
  const std::vector<double> posture{0, 0, 0, 0, 0, 0, 1}, zero(n);

  benchmarks::Table table("one equilibrium",
                          {"case", "spondyl, us", "iterations", "KINSOL, us", "iterations", "residuals",
                           "KINSOL plain, us", "to rest by IDA, us", "KINSOL / spondyl", "IDA / spondyl"});
  double sums[4] = {};
  for (std::size_t k = 0; k < load_cases.size(); ++k) {
    Segment& s = *segments[k];
    Model& model = s.model();
    Solution solution;
    EquilibriumReport report;
    const double own = benchmarks::time_per_call(
        [&](int) {
          solution = s.state().solution;
          report = find_equilibrium(model, solution);
        },
        200, rounds);

    Kinsol same(n, [&](const double* x, double* r) {
      model.residual(Point(0, x, zero.data(), zero.data(), nullptr, nullptr), r);
    });
    int flag = 0;
    const double kinsol = benchmarks::time_per_call([&](int) { flag = same.solve(posture); }, 20, rounds);
    double apart = 0;
    for (int i = 0; i < 3; ++i) apart = std::max(apart, std::abs(same.x()[i] - solution.x[i]));

    PlainSegment::V6 load = PlainSegment::V6::Zero();
    load[load_cases[k].direction] = load_cases[k].load;
    Kinsol other(6, [&](const double* x, double* r) {
      const PlainSegment::V6 f = plain.imbalance(Eigen::Map<const PlainSegment::V6>(x), load);
      std::copy_n(f.data(), 6, r);
    });
    const double kinsol_plain =
        benchmarks::time_per_call([&](int) { other.solve(std::vector<double>(6)); }, 20, rounds);

    // the dynamics until all is at rest to about a micrometre
    benchmarks::Best dynamic;
    for (int round = 0; round < 3; ++round) {
      Segment moving({{"start_in_equilibrium", 0},
                      {"solver", SolverNumber::ida},
                      {load_names[load_cases[k].direction], load_cases[k].load}});
      dynamic.see(benchmarks::time_of([&] { moving.advance(0.5); }));
    }
    table.row({load_cases[k].name, format("%.2f", 1e6 * own), format("%d", report.iterations),
               flag < 0 ? "failed" : format("%.1f", 1e6 * kinsol), format("%ld", same.iterations()),
               format("%ld", same.residuals()), format("%.1f", 1e6 * kinsol_plain),
               format("%.0f", 1e6 * dynamic.value()), format("%.1f", kinsol / own),
               format("%.0f", dynamic.value() / own)});
    if (flag >= 0 && apart > 1e-7) std::printf("%s: KINSOL is %.1e m apart\n", load_cases[k].name, apart);
    sums[0] += own, sums[1] += kinsol, sums[2] += kinsol_plain, sums[3] += dynamic.value();
  }
  table.gap();
  table.row({"all nine", format("%.1f", 1e6 * sums[0]), "", format("%.0f", 1e6 * sums[1]), "", "",
             format("%.0f", 1e6 * sums[2]), format("%.0f", 1e6 * sums[3]), format("%.1f", sums[1] / sums[0]),
             format("%.0f", sums[3] / sums[0])});
  table.print();

  // what it is made of
  Segment& s = *segments[0];
  std::vector<double> r(n), j(3 * n * n);
  const Point p(0, posture.data(), zero.data(), zero.data(), nullptr, nullptr);
  benchmarks::Table parts("pieces", {"", "ns"});
  parts.row({"residual",
             format("%.0f", 1e9 * benchmarks::time_per_call([&](int) { s.model().residual(p, r.data()); }))});
  parts.row(
      {"Jacobian", format("%.0f", 1e9 * benchmarks::time_per_call([&](int) {
                                    s.model().jacobian(p, {j.data(), j.data() + n * n, j.data() + 2 * n * n});
                                  }))});
  parts.print();
}
