#include <catch2/catch.hpp>
#include <cmath>

#include "solvers/runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::problems;

namespace {

/// A smooth problem with event functions of time, which must fire once at each of their roots.
class Clock : public Problem<ManufacturedOscillators> {
 public:
  using Function = std::function<double(double)>;
  explicit Clock(std::vector<Function> functions) : functions_(std::move(functions)) {
    n_.events = static_cast<int>(functions_.size());
    fired.resize(functions_.size());
  }
  void events(const Point& p, double* g) const override {
    for (std::size_t k = 0; k < functions_.size(); ++k) g[k] = functions_[k](p.t);
  }
  After accept(const Step& step, double*, double*) override {
    for (const int k : step.fired) fired[k].push_back(step.end);
    if (!step.fired.empty()) ++stops;
    return restart_at_events && !step.fired.empty() ? After::restart : After::go_on;
  }
  std::vector<std::vector<double>> fired;
  int stops = 0;
  bool restart_at_events = false;

 private:
  std::vector<Function> functions_;
};

void check_times(const std::vector<double>& found, const std::vector<double>& expected, double allowed) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) CHECK(std::abs(found[k] - expected[k]) < allowed);
}

}  // namespace

TEST_CASE("a quadrature goes on across impacts") {
  // the integral of the velocity is the height, whatever the impacts do to the velocity
  const double height = 1.37;
  for (const ListedSolver& listed : all_solvers) {
    INFO(listed.name);
    BouncingBalls ball(1);
    const auto solver = listed.make(ball.sizes(), {1e-8, 1e-8});
    Solution s = started(*solver, ball, {height, 0});
    REQUIRE(solver->advance(ball, s, BouncingBalls::impact_time(height, 8) + 0.01).outcome ==
            Outcome::reached);
    CHECK(s.statistics.events >= 9);
    CHECK(s.x[2] == Approx(s.x[0] - height).margin(1e-6));
  }
}

TEST_CASE("the first impact is located to 1e-12 of the step") {
  BouncingBalls ball(1);
  const auto solver = make_radau(ball.sizes(), {1e-3, 1e-3});
  Solution s = started(*solver, ball, {0.83, 0});
  REQUIRE(solver->advance(ball, s, 0.6).outcome == Outcome::reached);
  REQUIRE(ball.impacts.size() == 1);
  CHECK(std::abs(ball.impacts[0].t - std::sqrt(2 * 0.83 / 9.81)) < 5e-13);
}

TEST_CASE("two balls that land at the same instant both bounce, and stay alike to the bit") {
  for (const std::string name : {"radau", "mebdf", "ida"}) {
    INFO(name);
    BouncingBalls balls(3);
    const auto solver = make_solver(name, balls.sizes(), {1e-7, 1e-7});
    // the third lands in between
    Solution s = started(*solver, balls, {0.9, 0.61, 0.9, 0, 0, 0});
    REQUIRE(solver->advance(balls, s, 1.6).outcome == Outcome::reached);
    int count[3] = {};
    for (const auto& impact : balls.impacts) ++count[impact.ball];
    const auto expected = [](double height) {
      int k = 0;
      while (BouncingBalls::impact_time(height, k) < 1.6) ++k;
      return k;
    };
    CHECK(count[0] == expected(0.9));
    CHECK(count[1] == expected(0.61));
    CHECK(count[2] == expected(0.9));
    CHECK(s.x[0] == s.x[2]);
    CHECK(s.x[3] == s.x[5]);
  }
}

TEST_CASE("different event functions with the same root fire together, whatever their scale and sense") {
  for (const std::string name : {"radau", "mebdf", "ida"}) {
    INFO(name);
    const double root = 1.2345678;
    Clock clock({[=](double t) { return t - root; }, [=](double t) { return 3e5 * (root - t); },
                 [=](double t) { return 1e-7 * std::sinh(t - root); }, [](double t) { return t + 5; }});
    const Solution s = solve(name, clock, oscillators_at(0), 3, {1e-6, 1e-6});
    REQUIRE(s.t == 3);
    for (const int k : {0, 1, 2}) check_times(clock.fired[k], {root}, 1e-9);
    CHECK(clock.fired[3].empty());
    CHECK(clock.stops == 1);
  }
}

TEST_CASE("events that are close but apart fire one after the other, and none is lost") {
  for (const std::string name : {"radau", "mebdf", "ida"})
    for (const bool restart : {false, true}) {
      INFO(name << (restart ? " with restarts" : ""));
      Clock clock({[](double t) { return 2.5 * (t - 1.1); }, [](double t) { return t - 1.1 - 1e-6; },
                   [](double t) { return 1.1 - 3e-5 - t; }});
      clock.restart_at_events = restart;
      const Solution s = solve(name, clock, oscillators_at(0), 3, {1e-6, 1e-6});
      REQUIRE(s.t == 3);
      check_times(clock.fired[0], {1.1}, 1e-9);
      check_times(clock.fired[1], {1.1 + 1e-6}, 1e-9);
      check_times(clock.fired[2], {1.1 - 3e-5}, 1e-9);
    }
}

TEST_CASE("a function with many roots fires once at each, also when it starts at exactly zero") {
  for (const std::string name : {"radau", "mebdf", "ida"})
    for (const bool restart : {false, true}) {
      INFO(name << (restart ? " with restarts" : ""));
      Clock clock(
          {[](double t) { return std::sin(7.3 * t); }, [](double t) { return std::cos(4.1 * t) - 0.3; }});
      clock.restart_at_events = restart;
      const Solution s = solve(name, clock, oscillators_at(0), 5, {1e-5, 1e-5, 0.1});
      REQUIRE(s.t == 5);
      std::vector<double> sine, cosine;
      for (int k = 1; k * std::numbers::pi / 7.3 < 5; ++k) sine.push_back(k * std::numbers::pi / 7.3);
      const double phase = std::acos(0.3);
      for (int k = 0; k < 20; ++k)
        for (const double angle : {2 * std::numbers::pi * k + phase, 2 * std::numbers::pi * (k + 1) - phase})
          if (angle / 4.1 < 5) cosine.push_back(angle / 4.1);
      check_times(clock.fired[0], sine, 1e-9);
      check_times(clock.fired[1], cosine, 1e-9);
    }
}

TEST_CASE("a root at the end of the interval belongs to exactly one of the two calls") {
  for (const std::string name : {"radau", "mebdf", "ida"}) {
    INFO(name);
    Clock clock({[](double t) { return t - 0.75; }, [](double t) { return 1.25 - t; }});
    const auto solver = make_solver(name, clock.sizes(), {1e-6, 1e-6});
    Solution s = started(*solver, clock, oscillators_at(0));
    for (const double t : {0.25, 0.75, 1.0, 1.25, 1.5}) {
      REQUIRE(solver->advance(clock, s, t).outcome == Outcome::reached);
      REQUIRE(s.t == t);
    }
    check_times(clock.fired[0], {0.75}, 1e-9);
    check_times(clock.fired[1], {1.25}, 1e-9);
  }
}

TEST_CASE("events before t = 0 fire like those after it") {
  for (const std::string name : {"radau", "mebdf", "ida"}) {
    INFO(name);
    Clock clock({[](double t) { return t + 1.3; }, [](double t) { return -0.4 - t; },
                 [](double t) { return t - 0.2; }});
    const auto solver = make_solver(name, clock.sizes(), {1e-6, 1e-6});
    Solution s = started(*solver, clock, oscillators_at(-2), -2);
    REQUIRE(solver->advance(clock, s, 1).outcome == Outcome::reached);
    check_times(clock.fired[0], {-1.3}, 1e-9);
    check_times(clock.fired[1], {-0.4}, 1e-9);
    check_times(clock.fired[2], {0.2}, 1e-9);
  }
}
