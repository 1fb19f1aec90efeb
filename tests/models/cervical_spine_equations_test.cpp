// The equations of CervicalSpine against differences, against a second formulation, and against their own
// scaling.
#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <catch2/catch.hpp>

#include "math/random.h"
#include "models/cervical_spine_runs.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

constexpr int n = 8;

// -- the second formulation: absolute coordinates, mass matrix, nothing of src/

struct Vector {
  double x, y;
};
Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y}; }
double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y; }

struct PlainNeck {
  // mm and degrees, as tabulated; d next pivot, S centre of mass, A interspinous, B anterior longitudinal
  struct Row {
    double m, I, phi0;
    Vector d, S, A, B;
  };
  static constexpr Row rows[n] = {
      {0.22, 0.00022, 20.5, {-1.34, 19.08}, {-8.2, 7.4}, {-47.0, 1.4}, {8.2, 7.4}},
      {0.24, 0.00024, 14.9, {-2.2, 17.53}, {-8.3, 6.8}, {-47.3, 2.7}, {8.0, 6.8}},
      {0.23, 0.00023, 9.7, {-2.27, 18.07}, {-8.1, 6.7}, {-39.9, 3.5}, {7.7, 6.7}},
      {0.23, 0.00023, 5.2, {-2.13, 17.76}, {-7.8, 6.8}, {-38.0, 2.8}, {7.8, 6.8}},
      {0.24, 0.00024, 2.2, {-3.0, 18.15}, {-7.6, 7.2}, {-36.0, 1.2}, {7.6, 7.2}},
      {0.25, 0.00025, 2.2, {-8.37, 15.12}, {-6.8, 7.9}, {-31.0, -1.1}, {7.5, 6.9}},
      {0.22, 0.00022, 0.0, {-1.4, 20.0}, {2.2, 6.4}, {-24.9, 5.0}, {18.4, 5.8}},
      {4.69, 0.0236, 0.0, {0.0, 0.0}, {20.0, 55.0}, {-25.6, 4.3}, {12.0, 9.1}}};
  static constexpr Vector A0{-0.0473811069852789, 0.00023843343326092638};
  static constexpr Vector B0{0.003731723853700529, -0.013665469746273735};
  static constexpr double kA = 1e4, kB = 3e4, kO = 600, cA = 10, cB = 10, cO = 1, gravity = 9.81;

  double phi0[n], rest_A[n], rest_B[n];

  PlainNeck() {
    for (int i = 0; i < n; ++i) phi0[i] = rows[i].phi0 * std::acos(-1.0) / 180;
    for (int i = 0; i < n; ++i) {
      rest_A[i] = length(&Row::A, A0, phi0, i);
      rest_B[i] = length(&Row::B, B0, phi0, i);
    }
  }

  // Eq. 24 and its derivative by the angle
  static Vector turned(Vector p, double phi) {
    return {1e-3 * (p.y * std::sin(phi) + p.x * std::cos(phi)),
            1e-3 * (p.y * std::cos(phi) - p.x * std::sin(phi))};
  }
  static Vector slope(Vector p, double phi) {
    return {1e-3 * (p.y * std::cos(phi) - p.x * std::sin(phi)),
            1e-3 * (-p.y * std::sin(phi) - p.x * std::cos(phi))};
  }
  // Eq. 23: a point of body i, or of the base for i = -1; and ∂/∂φ_k of it
  static Vector point(Vector Row::*p, Vector base, const double* phi, int i) {
    if (i < 0) return base;
    Vector sum = turned(rows[i].*p, phi[i]);
    for (int j = 0; j < i; ++j) sum = sum + turned(rows[j].d, phi[j]);
    return sum;
  }
  static Vector by_angle(Vector Row::*p, const double* phi, int i, int k) {
    if (k > i) return {0, 0};
    return k < i ? slope(rows[k].d, phi[k]) : slope(rows[i].*p, phi[i]);
  }
  static double length(Vector Row::*p, Vector base, const double* phi, int i) {
    const Vector span = point(p, base, phi, i) - point(p, base, phi, i - 1);
    return std::sqrt(dot(span, span));
  }

  // generalised forces of all springs, dampers and gravity, and of the base's acceleration
  void forces(const double* phi, const double* rate, double base_acceleration, double* Q) const {
    for (int k = 0; k < n; ++k) {
      Q[k] = 0;
      for (int i = 0; i < n; ++i) {
        const Vector s = by_angle(&Row::S, phi, i, k);
        Q[k] -= rows[i].m * (gravity * s.y + base_acceleration * s.x);
      }
    }
    const auto ligament = [&](Vector Row::*p, Vector base, const double* rest, double stiffness,
                              double damping) {
      for (int i = 0; i < n; ++i) {
        const Vector span = point(p, base, phi, i) - point(p, base, phi, i - 1);
        const double xi = std::sqrt(dot(span, span));
        double by[n], speed = 0;
        for (int k = 0; k < n; ++k) {
          by[k] = dot(span, by_angle(p, phi, i, k) - by_angle(p, phi, i - 1, k)) / xi;
          speed += by[k] * rate[k];
        }
        const double force = stiffness * (xi - rest[i]) + damping * speed;
        for (int k = 0; k < n; ++k) Q[k] -= force * by[k];
      }
    };
    ligament(&Row::A, A0, rest_A, kA, cA);
    ligament(&Row::B, B0, rest_B, kB, cB);
    for (int i = 0; i < n; ++i) {
      const double below = i > 0 ? phi[i - 1] : 0, below0 = i > 0 ? phi0[i - 1] : 0;
      const double theta = (phi[i] - below) - (phi0[i] - below0), turn = rate[i] - (i > 0 ? rate[i - 1] : 0);
      const double moment = kO * std::tan(theta / 2) / std::cos(theta / 2) + cO * turn;
      Q[i] -= moment;
      if (i > 0) Q[i - 1] += moment;
    }
  }

  static void solve(double (*M)[n], double* b) {
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i) {
        const double factor = M[i][k] / M[k][k];
        for (int j = k; j < n; ++j) M[i][j] -= factor * M[k][j];
        b[i] -= factor * b[k];
      }
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) b[i] -= M[i][j] * b[j];
      b[i] /= M[i][i];
    }
  }

  // M(φ) φ'' = Q - Σ_j a'_ij φ'_j² (Eq. 43)
  void acceleration(const double* phi, const double* rate, double base, double* a) const {
    double M[n][n];
    forces(phi, rate, base, a);
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) {
        M[k][j] = k == j ? rows[k].I : 0;
        for (int i = 0; i < n; ++i) {
          M[k][j] += rows[i].m * dot(by_angle(&Row::S, phi, i, k), by_angle(&Row::S, phi, i, j));
          // the derivative of a turned vector's slope is the vector reversed
          if (j > i) continue;
          const Vector inward = j < i ? turned(rows[j].d, phi[j]) : turned(rows[i].S, phi[i]);
          a[k] += rows[i].m * dot(by_angle(&Row::S, phi, i, k), inward) * rate[j] * rate[j];
        }
      }
    solve(M, a);
  }

  // Newton with differences
  void settle(double* phi) const {
    const double still[n] = {};
    for (int iteration = 0; iteration < 12; ++iteration) {
      double Q[n], M[n][n];
      forces(phi, still, 0, Q);
      for (int k = 0; k < n; ++k) {
        double up[n], down[n];
        const double kept = phi[k];
        phi[k] = kept + 1e-6;
        forces(phi, still, 0, up);
        phi[k] = kept - 1e-6;
        forces(phi, still, 0, down);
        phi[k] = kept;
        for (int i = 0; i < n; ++i) M[i][k] = (up[i] - down[i]) / 2e-6;
      }
      solve(M, Q);
      for (int k = 0; k < n; ++k) phi[k] -= Q[k];
    }
  }

  static double pulse(double t) {
    const double peak = 8.5 * 9.81, half = 0.0525;
    return t <= 0 || t >= 2 * half ? 0 : peak * (t < half ? t / half : 2 - t / half);
  }

  // one classical Runge-Kutta step of y = (φ, φ')
  void step(double* y, double t, double h) const {
    const auto f = [&](const double* at, double time, double* rate) {
      for (int i = 0; i < n; ++i) rate[i] = at[n + i];
      acceleration(at, at + n, pulse(time), rate + n);
    };
    double k[4][2 * n], z[2 * n];
    f(y, t, k[0]);
    for (int i = 0; i < 2 * n; ++i) z[i] = y[i] + h / 2 * k[0][i];
    f(z, t + h / 2, k[1]);
    for (int i = 0; i < 2 * n; ++i) z[i] = y[i] + h / 2 * k[1][i];
    f(z, t + h / 2, k[2]);
    for (int i = 0; i < 2 * n; ++i) z[i] = y[i] + h * k[2][i];
    f(z, t + h, k[3]);
    for (int i = 0; i < 2 * n; ++i) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
};

// -- Jacobians

struct Sample {
  std::vector<double> q, v, a;
};

void check_jacobian(Neck& neck, Random& random, int* touching) {
  Model& model = neck.model();
  const Sizes size = model.sizes();
  REQUIRE(size.unknowns() == n);
  const std::vector<double> posture(neck.x().begin(), neck.x().begin() + n);
  for (int trial = 0; trial < 12; ++trial) {
    Sample s{posture, std::vector<double>(n), std::vector<double>(n)};
    for (int k = 0; k < n; ++k)
      s.q[k] += random(-0.2, 0.2), s.v[k] = random(-3, 3), s.a[k] = random(-400, 400);
    const double t = random(0, 0.11);
    const auto residual = [&](const Sample& at) {
      std::array<double, n> r;
      model.residual(Point(t, at.q.data(), at.v.data(), at.a.data(), nullptr, nullptr), r.data());
      return r;
    };
    // a kink of contact or friction within the differences would spoil them
    std::vector<double> gap(size.events);
    model.events(Point(t, s.q.data(), s.v.data(), s.a.data(), nullptr, nullptr), gap.data());
    if (std::abs(gap[0]) < 2e-3 || std::abs(gap[1]) < 2e-3) continue;
    for (const int k : {0, 1}) touching[k] += gap[k] < 0;

    std::array<double, n * n> jacobian[3];
    model.jacobian(Point(t, s.q.data(), s.v.data(), s.a.data(), nullptr, nullptr),
                   {jacobian[0].data(), jacobian[1].data(), jacobian[2].data()});
    std::vector<double> Sample::*const parts[3] = {&Sample::q, &Sample::v, &Sample::a};
    for (int part = 0; part < 3; ++part) {
      double scale = 0;
      for (const double x : jacobian[part]) scale = std::max(scale, std::abs(x));
      double worst = 0;
      for (int k = 0; k < n; ++k) {
        const double width = part == 0 ? 2e-5 : 2e-3;
        std::array<double, n> f[4];
        for (const int shift : {0, 1, 2, 3}) {
          Sample moved = s;
          (moved.*parts[part])[k] += (shift < 2 ? shift - 2 : shift - 1) * width;
          f[shift] = residual(moved);
        }
        for (int i = 0; i < n; ++i) {
          const double by = (8 * (f[2][i] - f[1][i]) - (f[3][i] - f[0][i])) / (12 * width);
          worst = std::max(worst, std::abs(by - jacobian[part][i * n + k]));
        }
      }
      INFO("trial " << trial << ", part " << part);
      CHECK(worst < 3e-8 * scale);
    }
  }
}

}  // namespace

TEST_CASE("the Jacobian of the cervical spine agrees with differences, planes touching and loads on") {
  Random random(61);
  int touching[2] = {};
  for (const double two_sided : {1.0, 0.0}) {
    Neck neck({{"ligaments_two_sided", two_sided},
               {"pulse_shape", trapezoid},
               {"pulse_peak", -61},
               {"start_in_equilibrium", 0},
               {"sled_acceleration_z", 7.7},
               {"plane1_active", 1},
               {"plane1_x", -0.05},
               {"plane1_z", 0.03},
               {"plane1_nx", 2.4},
               {"plane1_nz", 0.35},
               {"plane1_vx", 0.6},
               {"plane1_vz", -1.1},
               {"plane1_stiffness_factor", 0.04},
               {"plane1_friction_factor", 1.8},
               {"plane2_active", 1},
               {"plane2_x", 0.04},
               {"plane2_z", 0.27},
               {"plane2_nx", -0.2},
               {"plane2_nz", -0.9},
               {"plane2_stiffness_factor", 0.03}});
    for (int i = 0; i < n; ++i) {
      neck.set(vertebrae[i] + "_force_x", random(-60, 60));
      neck.set(vertebrae[i] + "_force_z", random(-60, 60));
      neck.set(vertebrae[i] + "_moment_y", random(-4, 4));
    }
    neck.follow_inputs();
    check_jacobian(neck, random, touching);
  }
  CHECK(touching[0] > 5);
  CHECK(touching[1] > 5);
}

TEST_CASE("a second formulation with mass matrix and small steps moves the head alike") {
  const PlainNeck plain;
  double y[2 * n] = {};
  std::copy(plain.phi0, plain.phi0 + n, y);
  plain.settle(y);

  Neck neck({{"pulse_shape", triangle}, {"relative_tolerance", 1e-10}, {"absolute_tolerance", 1e-10}});
  for (int i = 0; i < n; ++i) CHECK(std::abs(y[i] - neck.x()[i]) < 1e-10);

  const double h = 3.75e-5;  // the pulse's corner is on the grid
  for (int step = 0; step < 1600; ++step) {
    plain.step(y, step * h, h);
    if ((step + 1) % 400 != 0) continue;
    neck.go((step + 1) * h);
    for (int i = 0; i < n; ++i) {
      INFO("t = " << (step + 1) * h << ", " << vertebrae[i]);
      CHECK(std::abs(y[i] - neck.x()[i]) < 1e-7);
      CHECK(std::abs(y[n + i] - neck.x()[n + i]) < 2e-5);
    }
  }
  CHECK(neck.time() == Approx(0.06));
}

TEST_CASE("the start agrees with the equilibrium that KINSOL finds") {
  struct User {
    Model& model;
    Sizes size;
    double t;
    static int residual(N_Vector q, N_Vector r, void* data) {
      const User& user = *static_cast<User*>(data);
      const double zero[n] = {};
      user.model.residual(Point(user.t, N_VGetArrayPointer(q), zero, zero, nullptr, nullptr),
                          N_VGetArrayPointer(r));
      return 0;
    }
  };
  // once unloaded, once with a load that bends the neck a good deal
  for (const double load : {0.0, -9.5}) {
    Neck neck({{"head_moment_y", load}, {"C4_force_x", -3 * load}});
    User user{neck.model(), neck.model().sizes(), 0};
    SUNContext context;
    SUNContext_Create(nullptr, &context);
    N_Vector q = N_VNew_Serial(n, context), one = N_VNew_Serial(n, context);
    for (int i = 0; i < n; ++i) NV_Ith_S(q, i) = PlainNeck().phi0[i];
    N_VConst(1, one);
    void* kinsol = KINCreate(context);
    KINInit(kinsol, &User::residual, q);
    KINSetUserData(kinsol, &user);
    KINSetFuncNormTol(kinsol, 1e-12);
    KINSetScaledStepTol(kinsol, 1e-15);
    SUNMatrix matrix = SUNDenseMatrix(n, n, context);
    SUNLinearSolver linear = SUNLinSol_Dense(q, matrix, context);
    KINSetLinearSolver(kinsol, linear, matrix);
    const int flag = KINSol(kinsol, q, KIN_LINESEARCH, one, one);
    CHECK(flag >= 0);
    for (int i = 0; i < n; ++i) CHECK(std::abs(NV_Ith_S(q, i) - neck.x()[i]) < 1e-9);
    KINFree(&kinsol);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    N_VDestroy(q);
    N_VDestroy(one);
    SUNContext_Free(&context);
  }
}

TEST_CASE("the response to a tiny pulse grows in proportion to it") {
  const auto response = [](double peak) {
    Neck neck({{"pulse_shape", half_sine},
               {"pulse_peak", peak},
               {"pulse_duration", 0.07},
               {"relative_tolerance", 1e-11},
               {"absolute_tolerance", 1e-13}});
    const std::vector<double> start = neck.x();
    neck.go(0.09);
    std::vector<double> change(2 * n);
    for (int i = 0; i < 2 * n; ++i) change[i] = neck.x()[i] - start[i];
    return change;
  };
  const std::vector<double> once = response(1e-3), thrice = response(3e-3), back = response(-1e-3);
  for (int i = 0; i < 2 * n; ++i) {
    CHECK(thrice[i] == Approx(3 * once[i]).epsilon(1e-4));
    CHECK(back[i] == Approx(-once[i]).epsilon(1e-4));
  }
  CHECK(once[n - 1] < -1e-8);
}
