#include "math/dual.h"

#include <catch2/catch.hpp>
#include <functional>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

namespace {

// f once for numbers and once for duals: value and both partial derivatives, at random points of both signs
template <class F>
void check_derivatives(const F& f, double low_x, double high_x, double low_y, double high_y) {
  Random random(4711);
  for (int i = 0; i < 50; ++i) {
    const double x = random(low_x, high_x), y = random(low_y, high_y);
    const Dual<2> d = f(Dual<2>::variable(x, 0), Dual<2>::variable(y, 1));
    INFO("x = " << x << ", y = " << y);
    CHECK(d.v == Approx(f(x, y)).epsilon(1e-15));
    const double by_x = derivative([&](double t) { return f(t, y); }, x);
    const double by_y = derivative([&](double t) { return f(x, t); }, y);
    CHECK(std::abs(d.d[0] - by_x) < 2e-10 * (1 + std::abs(by_x)));
    CHECK(std::abs(d.d[1] - by_y) < 2e-10 * (1 + std::abs(by_y)));
  }
}

// first derivative of a function of one variable through the chain with y, so that both slots carry something
template <class F>
void check_function(const F& f, double low, double high) {
  check_derivatives([&](const auto& x, const auto& y) { return f(x + 0.3 * y) * y; }, low, high, 0.2, 0.9);
}

}  // namespace

TEST_CASE("dual operators between two duals agree with differences") {
  check_derivatives([](const auto& x, const auto& y) { return x + y; }, -3, 3, -2, 2);
  check_derivatives([](const auto& x, const auto& y) { return x - y; }, -3, 3, -2, 2);
  check_derivatives([](const auto& x, const auto& y) { return x * y; }, -3, 3, -2, 2);
  check_derivatives([](const auto& x, const auto& y) { return x / y; }, -3, 3, 0.4, 2);
  check_derivatives([](const auto& x, const auto& y) { return x / y; }, -3, 3, -2, -0.4);
  check_derivatives([](const auto& x, const auto& y) { return -x * y; }, -3, 3, -2, 2);
}

TEST_CASE("dual operators with plain numbers agree with differences") {
  check_derivatives([](const auto& x, const auto& y) { return (x + 2.7) * y; }, -3, 3, -2, 2);
  check_derivatives([](const auto& x, const auto& y) { return (2.7 + x) * y; }, -3, 3, -2, 2);
  check_derivatives([](const auto& x, const auto& y) { return (x - 2.7) * y; }, -3, 3, -2, 2);
  check_derivatives([](const auto& x, const auto& y) { return (2.7 - x) * y; }, -3, 3, -2, 2);
  check_derivatives([](const auto& x, const auto& y) { return x * 2.7 * y; }, -3, 3, -2, 2);
  check_derivatives([](const auto& x, const auto& y) { return 2.7 * x * y; }, -3, 3, -2, 2);
  check_derivatives([](const auto& x, const auto& y) { return (x * y) / 2.7; }, -3, 3, -2, 2);
  check_derivatives([](const auto& x, const auto& y) { return 2.7 / (x * y); }, 0.4, 3, -2, -0.4);
}

TEST_CASE("dual compound assignments agree with differences") {
  check_derivatives(
      [](auto x, const auto& y) {
        x += y;
        x *= x;
        x -= y * y * y;
        return x;
      },
      -3, 3, -2, 2);
}

TEST_CASE("dual functions agree with differences") {
  check_function([](const auto& x) { return sqrt(x); }, 0.3, 5);
  check_function([](const auto& x) { return exp(x); }, -3, 2);
  check_function([](const auto& x) { return expm1(x); }, -3, 2);
  check_function([](const auto& x) { return atan2(x * x - 1.5, 0.7 * x); }, -3, -0.1);
  check_function([](const auto& x) { return abs(x); }, 0.1, 5);
  check_function([](const auto& x) { return abs(x); }, -5, -0.5);
  check_function([](const auto& x) { return sin_cos(x).sin; }, -9, 9);
  check_function([](const auto& x) { return sin_cos(x).cos; }, -9, 9);
}

TEST_CASE("dual comparisons look at the value alone") {
  const auto a = Dual<2>::variable(-0.4, 0), b = Dual<2>::variable(1.3, 1);
  CHECK(a < b);
  CHECK(a <= b);
  CHECK(b > a);
  CHECK(b >= a);
  CHECK_FALSE(b < a);
  CHECK_FALSE(a > b);
  const Dual<2> same(-0.4);
  CHECK(a <= same);
  CHECK(a >= same);
  CHECK_FALSE(a < same);
  CHECK(value(a) == -0.4);
}

TEST_CASE("dual numbers of dual numbers give second derivatives") {
  using D = Dual<2, Dual<1>>;
  // f = √(x) eʸ/(1 + y²) + |x - 3| sin(x y), and ∂/∂t of its gradient along (x', y') = (0.7, -1.2)
  const auto f = [](const auto& x, const auto& y) {
    return sqrt(x) * exp(y) / (1.0 + y * y) + abs(x - 3.0) * sin_cos(x * y).sin - expm1(x * y);
  };
  const auto gradient = [&](double x, double y) {
    return f(Dual<2>::variable(x, 0), Dual<2>::variable(y, 1)).d;
  };
  const double x0 = 1.7, y0 = 0.4, step = 1e-4;
  Dual<1> x(x0), y(y0);
  x.d[0] = 0.7, y.d[0] = -1.2;
  const D result = f(D::variable(x, 0), D::variable(y, 1));
  for (int k = 0; k < 2; ++k) {
    CHECK(result.d[k].v == Approx(gradient(x0, y0)[k]).epsilon(1e-14));
    const auto along = [&](double s) { return gradient(x0 + 0.7 * s, y0 - 1.2 * s)[k]; };
    CHECK(result.d[k].d[0] == Approx(spondyl::testing::derivative(along, 0, step)).epsilon(1e-9));
  }
  CHECK(value(result) == Approx(f(x0, y0)));
}
