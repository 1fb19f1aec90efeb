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

TEST_CASE("different event functions with the same root fire together, whatever their scale and sense") {
  for (const std::string name : {"radau", "ida"}) {
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
  for (const std::string name : {"radau", "ida"})
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
  for (const std::string name : {"radau", "ida"})
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
