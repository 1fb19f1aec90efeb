#include "problems.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unsupported/Eigen/MatrixFunctions>

namespace spondyl::problems {

bool held_to_tolerance(const Sizes& n, int k) {
  const int index = n.algebraic > 0 ? n.index : 1;
  if (k < n.positions) return true;
  if (k < 2 * n.positions) return index < 3;
  return k < 2 * n.positions + n.differential || index == 1;
}

double correct_digits(const Case& c, const std::vector<double>& x, bool held) {
  const std::unique_ptr<Dae> dae = c.make();
  const Sizes n = dae->sizes();
  std::vector<double> nominal(n.states());
  dae->nominal(nominal.data());
  double worst = 0;
  for (int k = 0; k < n.states(); ++k)
    if (held_to_tolerance(n, k) == held) {
      const double error = std::abs(x[k] - c.end[k]) / (nominal[k] + std::abs(c.end[k]));
      worst = std::isfinite(error) ? std::max(worst, error) : std::numeric_limits<double>::infinity();
    }
  return -std::log10(std::max(worst, std::numeric_limits<double>::epsilon()));
}

std::vector<double> LinearSystem::at(double t) {
  Eigen::Matrix4d m;
  Eigen::Vector4d x;
  for (int i = 0; i < n; ++i) {
    x[i] = start[i];
    for (int k = 0; k < n; ++k) m(i, k) = A[i][k] * t;
  }
  const Eigen::Matrix4d exponential = m.exp();
  x = exponential * x;
  return {x.data(), x.data() + n};
}

namespace {

template <class Equations>
std::function<std::unique_ptr<Dae>()> maker(Equations equations = {}) {
  return [equations] { return std::make_unique<Problem<Equations>>(equations); };
}

template <int Index>
Case pendulum() {
  const PendulumMotion start = PendulumMotion::at(0);
  constexpr double t_end = 3.3;
  return {"pendulum, index " + std::to_string(Index),
          "closed form, elliptic functions",
          maker<Pendulum<Index>>(),
          start.state(),
          start.state_rate(),
          t_end,
          PendulumMotion::at(t_end).state()};
}

Case slider_crank() {
  // the angle at the end and its rate, from SliderCrankAngle with two solvers (accuracy_test.cpp)
  constexpr double angle = 23.6528226079352, rate = 28.0846209911410;
  Case c{"slider crank, index 3", "own, in the crank angle", maker<SliderCrank>(), {}, {}, 0.7, {}};
  std::vector<double> ignored;
  const auto acceleration = [](double q, double v) {
    double zero = 0, one = 1, without, with;
    const SliderCrankAngle f;
    f(0.0, &q, &v, &zero, &zero, &zero, &without);
    f(0.0, &q, &v, &one, &zero, &zero, &with);
    return -without / (with - without);
  };
  const double q0 = SliderCrank::start_angle, v0 = SliderCrank::start_rate;
  SliderCrankAngle::expand(q0, v0, acceleration(q0, v0), c.x, c.xdot);
  SliderCrankAngle::expand(angle, rate, acceleration(angle, rate), c.end, ignored);
  return c;
}

}  // namespace

std::vector<Case> all_cases() {
  const std::string test_set = "Test Set for IVP Solvers (Bari)";
  std::vector<Case> cases;
  const std::vector<double> robertson_end{0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050};
  cases.push_back({"Robertson", test_set, maker<Robertson>(), {1, 0, 0}, {}, 1e11, robertson_end});
  cases.push_back({"Robertson, DAE", test_set, maker<RobertsonDae>(), {1, 0, 0}, {}, 1e11, robertson_end});
  cases.push_back(
      {"HIRES",
       test_set,
       maker<Hires>(),
       {1, 0, 0, 0, 0, 0, 0, 0.0057},
       {},
       321.8122,
       {0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
        0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2}});
  cases.push_back({"Van der Pol, mu 1000",
                   test_set,
                   maker<VanDerPolSlow>(),
                   {2, 0},
                   {},
                   2000,
                   {1.706167732170469, -0.8928097010248125e-3}});
  cases.push_back({"Van der Pol, eps 1e-6",
                   test_set,
                   maker<VanDerPol>({1e-6}),
                   {2, 0},
                   {},
                   2,
                   {1.706167732170469, -0.8928097010248125}});
  cases.push_back({"Van der Pol, mu 1e6",
                   "own",
                   maker<VanDerPol>({1e-12}),
                   {2, 0},
                   {},
                   2,
                   {1.70554621753, -0.89347636255}});
  cases.push_back({"linear system",
                   "matrix exponential",
                   maker<LinearSystem>(),
                   std::vector<double>(LinearSystem::start, LinearSystem::start + LinearSystem::n),
                   {},
                   2.7,
                   LinearSystem::at(2.7)});
  cases.push_back({"driven oscillators",
                   "manufactured",
                   maker<ManufacturedOscillators>(),
                   ManufacturedOscillators::at(0),
                   {},
                   6.3,
                   ManufacturedOscillators::at(6.3)});
  const double kepler_end = 1.3 * Kepler::period();
  cases.push_back({"Kepler",
                   "Kepler's equation",
                   maker<Kepler>(),
                   Kepler::at(0),
                   {},
                   kepler_end,
                   Kepler::at(kepler_end)});
  cases.push_back(pendulum<1>());
  cases.push_back(pendulum<2>());
  cases.push_back(pendulum<3>());
  cases.push_back(slider_crank());
  cases.push_back(
      {"car axis, index 3",
       test_set,
       maker<CarAxis>(),
       {0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0, 0, 0},
       {-0.5, 0, -0.5, 0, 0, -1, 0, -1, 0, 0},
       3,
       {0.493455784275402809122e-1, 0.496989460230171153861, 1.04174252488542151681, 0.373911027265361256927,
        -0.770583684040972357970e-1, 0.744686658723778553466e-2, 0.175568157537232222276e-1,
        0.770341043779251976443, -0.473688659084893324729e-2, -0.110468033125734368808e-2}});
  cases.push_back(
      {"Andrews, index 3",
       test_set,
       maker<Andrews>(),
       {-0.0617138900142764496358948458001,
        0,
        0.455279819163070380255912382449,
        0.222668390165885884674473185609,
        0.487364979543842550225598953530,
        -0.222668390165885884674473185609,
        1.23054744454982119249735015568,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        98.5668703962410896057654982170,
        -6.12268834425566265503114393122,
        0,
        0,
        0,
        0},
       {0, 0, 0, 0, 0, 0, 0, 14222.4439199541138705911625887, -10666.8329399655854029433719415, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0},
       0.03,
       {0.1581077119629904e2,  -0.1575637105984298e2, 0.4082224013073101e-1, -0.5347301163226948,
        0.5244099658805304,    0.5347301163226948,    0.1048080741042263e1,  0.1139920302151208e4,
        -0.1424379294994111e4, 0.1103291221937134e2,  0.1929337464421385e2,  0.5735699284790808,
        -0.1929337464421385e2, 0.3231791658026955,    0.1991753333731910e3,  -0.2975531228015052e2,
        0.2306654119098399e2,  0.3145271365475927e2,  0.2264249232082739e2,  0.1161740700019673e2}});
  return cases;
}

}  // namespace spondyl::problems
