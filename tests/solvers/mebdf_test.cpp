/// What is particular to MEBDF: its coefficients, its orders, its look ahead, and when it keeps its history.

#include <catch2/catch.hpp>

#include "solvers/mebdf_coefficients.h"
#include "solvers/runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::problems;

namespace {

using mebdf::Rational;

Rational power(int base, int exponent) {
  Rational result(1);
  for (int e = 0; e < exponent; ++e) result = result * Rational(base);
  return result;
}

/// What both formulae leave of the monomial s^p, with t_i at s = `at`: an origin other than the one that the
/// coefficients were solved with.
template <int K>
void check_exactness() {
  constexpr mebdf::Exact<K> c = mebdf::exact<K>();
  for (const int at : {0, 1, 5})
    for (int p = 0; p <= K + 2; ++p) {
      const auto slope = [&](int s) { return p == 0 ? Rational(0) : Rational(p) * power(s, p - 1); };
      Rational bdf = power(at, p) - c.beta0 * slope(at);
      Rational extended = power(at, p) - c.beta_bar0 * slope(at) - c.beta_bar1 * slope(at + 1);
      for (int j = 1; j <= K; ++j) {
        bdf = bdf + c.alpha[j - 1] * power(at - j, p);
        extended = extended + c.alpha_bar[j - 1] * power(at - j, p);
      }
      INFO("k = " << K << ", p = " << p << ", t_i at " << at);
      if (p <= K) CHECK(bdf == Rational(0));
      if (p == K + 1) CHECK_FALSE(bdf == Rational(0));
      if (p <= K + 1) CHECK(extended == Rational(0));
      if (p == K + 2) CHECK_FALSE(extended == Rational(0));
    }
}

/// The worst error of even steps of size h at one k. Their history comes from a tight run limited to k.
double error_at_order(int k, double h) {
  Recorded<ProtheroRobinson> problem(ProtheroRobinson{-2});
  const auto careful = make_mebdf(problem.sizes(), {1e-13, 1e-13, 0.5 * h}, k);
  Solution s = started(*careful, problem, {1.0});
  REQUIRE(careful->advance(problem, s, 1.0).outcome == Outcome::reached);
  double worst = 0;
  problem.on_step = [&](const Step& step, const double* x, const double*) {
    if (step.end > 4) worst = std::max(worst, std::abs(x[0] - std::cos(step.end)));
  };
  const auto even = make_mebdf(problem.sizes(), {1.0, 1.0, h}, k);
  REQUIRE(even->advance(problem, s, 12.0).outcome == Outcome::reached);
  return worst;
}

/// y'' = force(t) - y with a corner after which the force is one of several.
struct Forced : Problem<ManufacturedOscillators> {
  explicit Forced(double later) : later_(later) { n_ = {.positions = 1}; }
  static constexpr double corner = 0.7;
  void residual(const Point& p, double* r) const override {
    const double force =
        p.piece < corner ? std::sin(9 * p.t) : later_ * (p.t - corner) + std::sin(9 * corner);
    r[0] = p.a[0] + p.q[0] + 0.3 * p.v[0] - force;
  }
  void jacobian(const Point&, const Jacobian& j) const override {
    j.of_position[0] = 1;
    j.of_velocity[0] = 0.3;
    j.of_acceleration[0] = 1;
  }
  double next_corner(double t) const override {
    return t < corner ? corner : std::numeric_limits<double>::infinity();
  }

 private:
  double later_;
};

/// y'' = u - 4 y with an input u that the caller changes.
struct WithInput : Problem<ManufacturedOscillators> {
  WithInput() { n_ = {.positions = 1}; }
  void residual(const Point& p, double* r) const override { r[0] = p.a[0] + 4 * p.q[0] - input; }
  void jacobian(const Point&, const Jacobian& j) const override {
    j.of_position[0] = 4;
    j.of_velocity[0] = 0;
    j.of_acceleration[0] = 1;
  }
  double input = 0;
};

/// Steps for 0.1 s with an input that moves by `change` every millisecond, after a run without changes.
std::int64_t steps_with_changes(double change) {
  WithInput problem;
  const auto solver = make_mebdf(problem.sizes(), {1e-6, 1e-6});
  Solution s = started(*solver, problem, {1.0, 0.0});
  REQUIRE(solver->advance(problem, s, 1.0).outcome == Outcome::reached);
  const std::int64_t before = s.statistics.steps;
  for (int k = 1; k <= 100; ++k) {
    if (change != 0) {
      problem.input += change;
      solver->restart(s);
    }
    REQUIRE(solver->advance(problem, s, 1.0 + 1e-3 * k).outcome == Outcome::reached);
  }
  return s.statistics.steps - before;
}

}  // namespace

TEST_CASE("the coefficients of MEBDF are exact for polynomials of their order and not of the next") {
  check_exactness<1>();
  check_exactness<2>();
  check_exactness<3>();
  check_exactness<4>();
  check_exactness<5>();
  check_exactness<6>();
  check_exactness<7>();
}

TEST_CASE("the coefficients for backward differences are those for past values") {
  // any past: x_{i-j}, and its differences at i - 1
  double past[mebdf::max_order], difference[mebdf::max_order];
  for (int j = 0; j < mebdf::max_order; ++j) past[j] = difference[j] = std::sin(1.0 + 2 * j * j);
  for (int l = 1; l < mebdf::max_order; ++l)
    for (int j = mebdf::max_order - 1; j >= l; --j) difference[j] = difference[j - 1] - difference[j];
  constexpr auto c = mebdf::exact<mebdf::max_order>();
  double plain = 0, bar = 0, plain_d = 0, bar_d = 0;
  for (int j = 0; j < mebdf::max_order; ++j) {
    plain -= double(c.alpha[j]) * past[j];
    bar -= double(c.alpha_bar[j]) * past[j];
    plain_d += mebdf::table[mebdf::max_order].past[j] * difference[j];
    bar_d += mebdf::table[mebdf::max_order].past_bar[j] * difference[j];
  }
  CHECK(plain_d == Approx(plain).epsilon(1e-12));
  CHECK(bar_d == Approx(bar).epsilon(1e-12));
}

TEST_CASE("MEBDF with k has order k + 1, for every k") {
  for (int k = 1; k <= mebdf::max_order; ++k) {
    const double h = k < 5 ? 0.05 : 0.2;
    const double coarse = error_at_order(k, h), fine = error_at_order(k, h / 2);
    INFO("k = " << k << ": errors " << coarse << " and " << fine);
    CHECK(std::log2(coarse / fine) == Approx(k + 1).margin(0.35));
  }
}

TEST_CASE("MEBDF sees nothing of what is behind a corner before it is there") {
  std::vector<Solution> ends;
  for (const double later : {0.0, 1e3, std::numeric_limits<double>::quiet_NaN()}) {
    Forced problem(later);
    const auto solver = make_mebdf(problem.sizes(), {1e-7, 1e-7});
    Solution s = started(*solver, problem, {0.2, 0.1});
    for (const double t : {0.3, 0.65, Forced::corner}) {
      REQUIRE(solver->advance(problem, s, t).outcome == Outcome::reached);
      REQUIRE(s.t == t);
    }
    ends.push_back(s);
  }
  CHECK(same_bits(ends[0], ends[1]));
  CHECK(same_bits(ends[0], ends[2]));
  // and what comes then is there: y against a run of Radau
  for (const std::string name : {"radau", "mebdf"}) {
    Forced problem(50);
    const Solution s = solve(name, problem, {0.2, 0.1}, 1.3, {1e-9, 1e-9});
    ends.push_back(s);
  }
  CHECK(ends[4].x[0] == Approx(ends[3].x[0]).epsilon(1e-7));
}

TEST_CASE("MEBDF keeps its history when inputs change little and begins anew when they jump") {
  const std::int64_t none = steps_with_changes(0), little = steps_with_changes(1e-8),
                     jumps = steps_with_changes(1.0);
  CHECK(none <= 102);
  CHECK(little <= none + 2);
  CHECK(jumps > 3 * none);
  // the jump does not cost accuracy: y against the closed form of each millisecond
  WithInput problem;
  const auto solver = make_mebdf(problem.sizes(), {1e-8, 1e-8});
  Solution s = started(*solver, problem, {1.0, 0.0});
  double y = 1, v = 0;
  for (int k = 1; k <= 100; ++k) {
    problem.input += k % 3 == 0 ? 1.0 : 1e-9;
    solver->restart(s);
    REQUIRE(solver->advance(problem, s, 0.05 * k).outcome == Outcome::reached);
    const double rest = problem.input / 4, c = std::cos(0.1), sn = std::sin(0.1), from = y - rest;
    y = rest + from * c + 0.5 * v * sn;
    v = -2 * from * sn + v * c;
  }
  CHECK(std::abs(s.x[0] - y) < 1e-6);
  CHECK(std::abs(s.x[1] - v) < 1e-6);
}

TEST_CASE("MEBDF needs fewer steps than IDA for equal digits on smooth stiff problems") {
  for (const Case& c : all_cases()) {
    if (c.name != "HIRES" && c.name != "Robertson" && c.name != "Van der Pol, mu 1000") continue;
    const auto steps_for = [&](const std::string& name, double digits) {
      for (double tolerance = 1e-2;; tolerance *= 0.5) {
        const auto dae = c.make();
        const Solution s = solve(name, *dae, c.x, c.t_end, {tolerance, tolerance});
        if (s.t == c.t_end && correct_digits(c, s.x) >= digits) return s.statistics.steps;
      }
    };
    INFO(c.name);
    CHECK(steps_for("mebdf", 6) < steps_for("ida", 6));
  }
}
