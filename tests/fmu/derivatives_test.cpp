#include <algorithm>
#include <cmath>
#include <set>

#include "fmu/driver.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

/// Everything that derivatives are provided for but time, which cannot be set.
const std::vector<Handle>& knowns() {
  static const std::vector<Handle> all = [] {
    std::vector<Handle> found;
    for (Handle h = 0; h < table().size(); ++h) {
      const Variable& v = table()[h];
      if (v.type == Type::float64 && v.causality != Causality::output && v.variability != Variability::fixed)
        found.push_back(h);
    }
    return found;
  }();
  return all;
}

const std::vector<Handle>& outputs() {
  static const std::vector<Handle> all = table().of(Causality::output);
  return all;
}

/// Outputs that samples or counts were put into. They do not follow anything between the samples, and their
/// derivatives are zero.
bool is_remembered(Handle output) {
  static const std::set<std::string> names{"HIC15",
                                           "HIC36",
                                           "head_a3ms",
                                           "NIC",
                                           "NIC_max",
                                           "Nij",
                                           "Nkm",
                                           "LNL",
                                           "BrIC",
                                           "energy_error",
                                           "solver_steps",
                                           "solver_rejections",
                                           "solver_newton_iterations",
                                           "solver_factorisations"};
  return names.contains(table()[output].name);
}

/// matrix[k][o]: derivative of output o with respect to known k.
using Matrix = std::vector<std::vector<double>>;

std::vector<double> directional(Fmu& fmu, const std::vector<fmi3ValueReference>& to,
                                const std::vector<double>& seed) {
  const auto& of = output_references();
  std::vector<double> result(of.size());
  REQUIRE(fmi3GetDirectionalDerivative(fmu, of.data(), of.size(), to.data(), to.size(), seed.data(),
                                       seed.size(), result.data(), result.size()) == fmi3OK);
  return result;
}

Matrix directional_matrix(Fmu& fmu) {
  Matrix m;
  for (const Handle k : knowns()) m.push_back(directional(fmu, {fmu::reference(k)}, {1}));
  return m;
}

/// Row by row from adjoint seeds.
Matrix adjoint_matrix(Fmu& fmu) {
  std::vector<fmi3ValueReference> to;
  for (const Handle k : knowns()) to.push_back(fmu::reference(k));
  const auto& of = output_references();
  Matrix m(to.size(), std::vector<double>(of.size()));
  std::vector<double> row(to.size());
  for (std::size_t o = 0; o < of.size(); ++o) {
    const double seed = 1;
    REQUIRE(fmi3GetAdjointDerivative(fmu, &of[o], 1, to.data(), to.size(), &seed, 1, row.data(),
                                     row.size()) == fmi3OK);
    for (std::size_t k = 0; k < row.size(); ++k) m[k][o] = row[k];
  }
  return m;
}

/// Size of a change of the variable for which differences are neither rounding nor curvature.
double difference_step(Handle known) {
  const Variable& v = table()[known];
  return v.unit == "m" ? 1e-6 : v.unit == "1" ? 1e-4 : 1e-3 * v.nominal;
}

/// Central differences with one Richardson extrapolation, in a mode in which outputs follow what is set.
Matrix difference_matrix(Fmu& fmu) {
  fmi3FMUState state = nullptr;
  REQUIRE(fmi3GetFMUState(fmu, &state) == fmi3OK);
  Matrix m;
  for (const Handle k : knowns()) {
    const fmi3ValueReference r = fmu::reference(k);
    const double x = fmu.get(r);
    const auto at = [&](double value) {
      REQUIRE(fmi3SetFMUState(fmu, state) == fmi3OK);
      REQUIRE(fmi3SetFloat64(fmu, &r, 1, &value, 1) == fmi3OK);
      return fmu.numbers();
    };
    const double h = difference_step(k);
    const std::vector<double> up = at(x + h), down = at(x - h), half_up = at(x + h / 2),
                              half_down = at(x - h / 2);
    std::vector<double> row;
    for (std::size_t o = 0; o < up.size(); ++o) {
      const double coarse = (up[o] - down[o]) / (2 * h), fine = (half_up[o] - half_down[o]) / h;
      row.push_back((4 * fine - coarse) / 3);
    }
    m.push_back(row);
  }
  REQUIRE(fmi3SetFMUState(fmu, state) == fmi3OK);
  REQUIRE(fmi3FreeFMUState(fmu, &state) == fmi3OK);
  return m;
}

/// The largest difference, in units of what the output's nominal size and the known's difference step make
/// visible.
void check_equal(const Matrix& a, const Matrix& b, double relative) {
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t o = 0; o < a[k].size(); ++o) {
      if (is_remembered(outputs()[o])) {
        REQUIRE(a[k][o] == 0);
        continue;
      }
      const Variable &known = table()[knowns()[k]], &output = table()[outputs()[o]];
      const double visible = 1e-8 * output.nominal / difference_step(knowns()[k]);
      INFO(output.name << " by " << known.name << ": " << a[k][o] << " and " << b[k][o]);
      REQUIRE(std::abs(a[k][o] - b[k][o]) <=
              relative * std::max(std::abs(a[k][o]), std::abs(b[k][o])) + visible);
    }
}

/// Zero, not nearly, where the description declares no dependency. Returns how many entries are not zero.
int check_structure(const Matrix& m) {
  int filled = 0;
  for (std::size_t k = 0; k < m.size(); ++k)
    for (std::size_t o = 0; o < m[k].size(); ++o) {
      const std::vector<Handle>& on = table()[outputs()[o]].dependencies;
      const bool declared = std::find(on.begin(), on.end(), knowns()[k]) != on.end();
      INFO(table()[outputs()[o]].name << " by " << table()[knowns()[k]].name);
      if (!declared) REQUIRE(m[k][o] == 0);
      if (m[k][o] != 0) ++filled;
    }
  return filled;
}

int declared_dependencies() {
  int count = 0;
  for (const Handle o : outputs())
    for (const Handle on : table()[o].dependencies)
      if (std::find(knowns().begin(), knowns().end(), on) != knowns().end()) ++count;
  return count;
}

/// Adjoint and directional are sums in another order.
void check_transpose(const Matrix& directional, const Matrix& adjoint) {
  for (std::size_t k = 0; k < directional.size(); ++k)
    for (std::size_t o = 0; o < directional[k].size(); ++o) {
      INFO(table()[outputs()[o]].name << " by " << table()[knowns()[k]].name);
      REQUIRE(adjoint[k][o] == Approx(directional[k][o]).epsilon(1e-13).margin(0));
    }
}

/// The head between a plane behind it and one above it, both pressed in and slipping.
std::vector<Fmu::Setting> two_contacts() {
  return {{"pulse_shape", 2},
          {"ligaments_two_sided", 0},
          {"plane1_active", 1},
          {"plane1_x", -0.5},
          {"plane1_nx", 0.9},
          {"plane1_nz", 0.2},
          {"plane1_vz", 0.1},
          {"plane2_active", 1},
          {"plane2_nx", 0.1},
          {"plane2_nz", -1.2},
          {"plane2_vx", 0.2},
          {"plane1_friction_factor", 0.7},
          {"plane2_stiffness_factor", 0.5}};
}

/// Moves a plane from afar a little into the head, wherever that is.
void press(Fmu& fmu, const char* coordinate, double from, double step, const char* force) {
  for (int k = 0; k < 300; ++k) {
    fmu.set(coordinate, from + k * step);
    if (std::abs(fmu.get(force)) > 20) return;
  }
  FAIL(coordinate << " does not reach the head");
}
void press_from_both_sides(Fmu& fmu) {
  press(fmu, "plane1_x", fmu.get("head_position_x") - 0.4, 0.002, "plane1_force_x");
  press(fmu, "plane2_z", fmu.get("head_position_z") + 0.4, -0.002, "plane2_force_z");
}

}  // namespace

TEST_CASE("Derivatives in Step Mode and Event Mode are those of differences, over all dependencies") {
  Fmu fmu({.event_mode = true});
  fmu.start(two_contacts());
  fmu.set("plane2_z", 1);
  for (const int ms : {20, 70}) {  // free, and in contact with both planes
    const bool touching = ms == 70;
    const int from = touching ? 20 : 0;
    fmu.go(from, ms);
    REQUIRE(fmi3EnterEventMode(fmu) == fmi3OK);
    if (touching) press_from_both_sides(fmu);
    REQUIRE((std::abs(fmu.get("plane1_force_x")) > 1) == touching);
    REQUIRE((std::abs(fmu.get("plane2_force_z")) > 1) == touching);
    const Matrix in_event_mode = directional_matrix(fmu);
    const Matrix differences = difference_matrix(fmu);
    check_equal(in_event_mode, differences, 1e-6);
    const int filled = check_structure(in_event_mode);
    check_structure(differences);
    // a plane that is not touched is not felt
    CHECK((touching ? filled == declared_dependencies() : filled > 500));
    check_transpose(in_event_mode, adjoint_matrix(fmu));

    REQUIRE(fmi3EnterStepMode(fmu) == fmi3OK);
    const Matrix in_step_mode = directional_matrix(fmu);
    check_equal(in_step_mode, differences, 1e-6);
    check_structure(in_step_mode);
    check_transpose(in_step_mode, adjoint_matrix(fmu));
  }
}

TEST_CASE("Derivatives in Initialization Mode follow the equilibrium") {
  for (const double in_equilibrium : {1, 0})
    for (const double two_sided : {1, 0}) {
      Fmu fmu;
      fmu.set_all({{"start_in_equilibrium", in_equilibrium},
                   {"ligaments_two_sided", two_sided},
                   {"head_force_x", 3},
                   {"C4_moment_y", 0.2},
                   {"sled_acceleration_x", 1}});
      fmu.enter_initialization();
      const Matrix exact = directional_matrix(fmu), differences = difference_matrix(fmu);
      check_equal(exact, differences, 1e-5);
      check_transpose(exact, adjoint_matrix(fmu));
      if (in_equilibrium == 0) {
        check_structure(exact);
      } else {
        CHECK(std::abs(fmu.get("head_angular_acceleration")) < 1e-9);
        // a push at the head tilts it
        CHECK(directional(fmu, {vr("head_force_x")}, {1})[0] != 0);
      }
      // asking has changed nothing
      Fmu undisturbed;
      undisturbed.start({{"start_in_equilibrium", in_equilibrium},
                         {"ligaments_two_sided", two_sided},
                         {"head_force_x", 3},
                         {"C4_moment_y", 0.2},
                         {"sled_acceleration_x", 1}});
      REQUIRE(fmi3ExitInitializationMode(fmu) == fmi3OK);
      fmu.go(0, 10);
      undisturbed.go(0, 10);
      CHECK(fmu.bits() == undisturbed.bits());
    }
}

TEST_CASE("A direction is the sum of its parts, and time acts through the built-in pulse") {
  Fmu fmu;
  fmu.start({{"pulse_shape", 2}, {"pulse_peak", 80}, {"pulse_duration", 0.1}});
  fmu.go(0, 20);
  const std::vector<double> a = directional(fmu, {vr("head_force_x")}, {1}),
                            b = directional(fmu, {vr("sled_acceleration_x")}, {1}),
                            t = directional(fmu, {fmu::time_reference}, {1}),
                            sum = directional(fmu,
                                              {vr("head_force_x"), vr("sled_acceleration_x"),
                                               fmu::time_reference, vr("head_force_x")},
                                              {2, -3, 0.5, 1});
  constexpr double slope = 2 * 80 / 0.1;  // of the triangle while it rises
  for (std::size_t o = 0; o < a.size(); ++o) {
    INFO(table()[outputs()[o]].name);
    CHECK(t[o] == Approx(slope * b[o]).epsilon(1e-12).margin(1e-9));
    CHECK(sum[o] == Approx(3 * a[o] - 3 * b[o] + 0.5 * t[o]).epsilon(1e-11).margin(1e-9));
  }
}

TEST_CASE("Derivatives after termination are those before it") {
  Fmu fmu;
  fmu.start(contact_settings());
  fmu.go(0, 70);
  const Matrix before = directional_matrix(fmu);
  REQUIRE(fmi3Terminate(fmu) == fmi3OK);
  CHECK(directional_matrix(fmu) == before);
}

TEST_CASE("Asking for derivatives changes neither the run nor the outputs") {
  Fmu asked, undisturbed;
  const auto ask = [](Fmu& fmu) {
    std::vector<fmi3ValueReference> to{fmu::time_reference};
    for (const Handle k : knowns()) to.push_back(fmu::reference(k));
    directional(fmu, to, std::vector<double>(to.size(), 1));
    const fmi3ValueReference acceleration = vr("head_acceleration_x");
    const double seed = 1;
    std::vector<double> row(to.size());
    REQUIRE(fmi3GetAdjointDerivative(fmu, &acceleration, 1, to.data(), to.size(), &seed, 1, row.data(),
                                     row.size()) == fmi3OK);
    const auto& of = output_references();
    const std::vector<fmi3Int32> orders(of.size(), 1);
    std::vector<double> rates(of.size());
    REQUIRE(fmi3GetOutputDerivatives(fmu, of.data(), of.size(), orders.data(), rates.data(), rates.size()) ==
            fmi3OK);
  };
  for (Fmu* fmu : {&asked, &undisturbed}) fmu->start(contact_settings());
  for (int k = 0; k < 80; ++k) {
    for (Fmu* fmu : {&asked, &undisturbed})
      if (k % 7 == 0) fmu->set("head_force_x", k % 2 == 0 ? 20 : -20);
    if (k % 9 == 0 || k % 7 == 0) {
      ask(asked);  // also with inputs that wait for a step
      REQUIRE(asked.bits() == undisturbed.bits());
    }
    for (Fmu* fmu : {&asked, &undisturbed}) fmu->go(k, k + 1);
    REQUIRE(asked.bits() == undisturbed.bits());
  }
}

TEST_CASE("A declared dependency list is what fmi3GetVariableDependencies gives") {
  Fmu fmu;
  for (const Handle h : outputs()) {
    size_t n = 0;
    REQUIRE(fmi3GetNumberOfVariableDependencies(fmu, fmu::reference(h), &n) == fmi3OK);
    std::vector<size_t> of(n, 99), on_element(n, 99);
    std::vector<fmi3ValueReference> on(n);
    std::vector<fmi3DependencyKind> kinds(n);
    REQUIRE(fmi3GetVariableDependencies(fmu, fmu::reference(h), of.data(), on.data(), on_element.data(),
                                        kinds.data(), n) == fmi3OK);
    const std::vector<Handle>& declared = table()[h].dependencies;
    REQUIRE(n == declared.size());
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(on[i] == (declared[i] == time_handle ? fmu::time_reference : fmu::reference(declared[i])));
      CHECK(of[i] == 0);
      CHECK(on_element[i] == 0);
      CHECK(kinds[i] == fmi3Dependent);
    }
    CHECK(std::set<fmi3ValueReference>(on.begin(), on.end()).size() == n);
  }
}

TEST_CASE("Output derivatives are the rates of the outputs") {
  std::vector<Fmu::Setting> settings = contact_settings();
  settings.insert(settings.end(),
                  {{"relative_tolerance", 1e-11}, {"absolute_tolerance", 1e-11}, {"pulse_shape", 3}});
  Fmu fmu;
  fmu.start(settings);
  const auto& of = output_references();
  const auto rates = [&] {
    const std::vector<fmi3Int32> orders(of.size(), 1);
    std::vector<double> values(of.size());
    REQUIRE(fmi3GetOutputDerivatives(fmu, of.data(), of.size(), orders.data(), values.data(),
                                     values.size()) == fmi3OK);
    return values;
  };
  const auto place = [&](const char* name) {
    return static_cast<std::size_t>(std::find(of.begin(), of.end(), vr(name)) - of.begin());
  };
  bool touched = false;
  double now = 0;
  for (const int ms : {10, 40, 75}) {
    while (now < ms * 1e-3 - 1e-9) {
      REQUIRE(fmu.step(now, 1e-3).status == fmi3OK);
      now += 1e-3;
    }
    touched |= fmu.get("plane1_force_x") > 1;
    const std::vector<double> rate = rates(), y0 = fmu.numbers();
    const double sled = fmu.get("sled_acceleration_x");
    CHECK(sled == 0);
    CHECK(rate[place("head_position_x")] == Approx(fmu.get("head_velocity_x")).epsilon(1e-12));
    CHECK(rate[place("head_position_z")] == Approx(fmu.get("head_velocity_z")).epsilon(1e-12));
    CHECK(rate[place("head_angle")] == Approx(fmu.get("head_angular_velocity")).epsilon(1e-12));
    CHECK(rate[place("head_angular_velocity")] ==
          Approx(fmu.get("head_angular_acceleration")).epsilon(1e-12));
    CHECK(rate[place("head_velocity_x")] + rate[place("sled_velocity_x")] ==
          Approx(fmu.get("head_acceleration_x")).epsilon(1e-10));
    CHECK(rate[place("head_velocity_z")] + rate[place("sled_velocity_z")] ==
          Approx(fmu.get("head_acceleration_z")).epsilon(1e-10));

    // differences forward from here, to second order in the size and once extrapolated
    fmi3FMUState state = nullptr;
    REQUIRE(fmi3GetFMUState(fmu, &state) == fmi3OK);
    const auto forward = [&](double h) {
      REQUIRE(fmi3SetFMUState(fmu, state) == fmi3OK);
      REQUIRE(fmu.step(now, h).status == fmi3OK);
      const std::vector<double> y1 = fmu.numbers();
      REQUIRE(fmu.step(now + h, h).status == fmi3OK);
      const std::vector<double> y2 = fmu.numbers();
      std::vector<double> d(y0.size());
      for (std::size_t o = 0; o < d.size(); ++o) d[o] = (-3 * y0[o] + 4 * y1[o] - y2[o]) / (2 * h);
      return d;
    };
    const std::vector<double> coarse = forward(4e-6), fine = forward(2e-6);
    REQUIRE(fmi3SetFMUState(fmu, state) == fmi3OK);
    for (std::size_t o = 0; o < of.size(); ++o) {
      INFO(table()[outputs()[o]].name << " at " << ms << " ms: " << rate[o] << ", differences " << fine[o]);
      if (is_remembered(outputs()[o])) {
        CHECK(rate[o] == 0);
        continue;
      }
      const double difference = (4 * fine[o] - coarse[o]) / 3;
      CHECK(rate[o] == Approx(difference).epsilon(2e-5).margin(2e-4 * table()[outputs()[o]].nominal));
    }
  }
  CHECK(touched);
}
