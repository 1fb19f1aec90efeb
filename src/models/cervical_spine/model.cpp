#include "models/cervical_spine/model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "injury/a3ms.h"
#include "injury/bric.h"
#include "injury/hic.h"
#include "injury/lnl.h"
#include "injury/nic.h"
#include "injury/nij.h"
#include "injury/nkm.h"
#include "models/cervical_spine/variables.h"
#include "solvers/consistent_start.h"
#include "solvers/equilibrium.h"

namespace spondyl {
namespace cervical_spine {
namespace {

/// Integrals along the motion.
enum Quadrature { work, dissipated, external, sled_velocity_x, sled_velocity_z, quadrature_count };

/// What the injury criteria look at, at one instant.
struct Signals {
  double head_acceleration_x, head_acceleration_z, t1_acceleration_x, head_velocity_x, head_rate;
  double upper_axial, upper_shear, upper_moment, lower_axial, lower_shear, lower_moment;
};
constexpr int signal_count = sizeof(Signals) / sizeof(double);

struct Memory {
  std::array<std::array<double, bodies>, 2> stretched{};
  double start_time = 0, kinetic_energy_at_start = 0, largest_kinetic_energy = 0;
  std::int64_t samples = 0;       ///< grid points that the criteria have seen
  double last_signals_valid = 0;  ///< the next step begins where last_signals are
  Signals last_signals{};
  injury::Hic15 hic15;
  injury::Hic36 hic36;
  injury::A3ms a3ms;
  injury::Nic nic;
  injury::Nij nij;
  injury::Nkm nkm;
  injury::Lnl lnl;
  injury::Bric bric;
};

struct CriterionConstants {
  injury::NicConstants nic;
  injury::NijConstants nij;
  injury::NkmConstants nkm;
  injury::LnlConstants lnl;
  injury::BricConstants bric;
};

class CervicalSpine final : public Model {
 public:
  CervicalSpine(const Variables& variables, State& state) : var_(variables), state_(state) {
    const Values& v = state.values;
    if (var_.common.direction(v) == CommonVariables::Direction::y)
      throw std::invalid_argument(
          "pulse_direction = 2 (y) is not allowed: the model is planar, must be 1 (x) or 3 (z)");
    data_ = read(var_.common.read_data("CervicalSpine", v));
    gravity_ = v[var_.common.gravity];
    pulse_ = var_.common.pulse(v);
    pulse_along_z_ = var_.common.direction(v) == CommonVariables::Direction::z;
    taut_.two_sided = v[var_.ligaments_two_sided] != 0;
    equilibrium_ = v[var_.common.start_in_equilibrium] != 0 &&
                   var_.common.data_set_choice(v) != CommonVariables::DataSetChoice::published;
    sizes_.events = planes + (taut_.two_sided ? 0 : 2 * bodies);
    x_.resize(sizes_.states());
    xdot_.resize(sizes_.states());
    const Variables::CriterionConstants& c = var_.constants;
    constants_.nic.length = v[c.nic_length];
    constants_.nij = {v[c.nij_tension], v[c.nij_compression], v[c.nij_flexion], v[c.nij_extension]};
    constants_.nkm = {v[c.nkm_shear], v[c.nkm_shear], v[c.nkm_flexion], v[c.nkm_extension]};
    constants_.lnl = {v[c.lnl_moment], v[c.lnl_shear], v[c.lnl_axial]};
    constants_.bric.y = v[c.bric_rate];
  }

  // -- Model

  void start() override {
    state_.reset_memory<Memory>();
    Solution& s = state_.solution;
    s.resize(sizes_);
    std::copy(data_.posture.begin(), data_.posture.end(), s.x.begin());
    read_inputs();
    if (equilibrium_) {
      // at rest the tension-only law tells slack from taut by the length alone, if it is asked
      if (!taut_.two_sided)
        for (auto& side : taut_.stretched) side.fill(1);
      settle();
    }
    read_tautness();
    ConsistentStart(sizes_).solve(*this, s.t, s.x.data(), s.xdot.data(), s.statistics);
    s.statistics = {};

    Memory& m = memory();
    m.start_time = s.t;
    m.kinetic_energy_at_start = m.largest_kinetic_energy = kinetic_energy(s.point(sizes_));
    Evaluation<double> e;
    take_sample(m, signals(s.point(sizes_), e));
  }

  void read_inputs() override {
    inputs_ = decode(state_.values.numbers.data());
    touching_ = false;
    for (int k = 0; k < planes; ++k) touching_ = touching_ || inputs_.plane[k].active;
    taut_.stretched = memory().stretched;
  }

  void check_memory() const override {
    const auto check = [](bool right) {
      if (!right) throw std::invalid_argument("the memory in the state is not that of a CervicalSpine");
    };
    check(state_.memory.size() == sizeof(Memory) / sizeof(double));
    const Memory& m = state_.memory_as<Memory>();
    for (const auto& side : m.stretched)
      for (const double flag : side) check(flag == 0 || flag == 1);
    check(m.hic15.possible() && m.hic36.possible() && m.nic.possible());
    // the next sample is at hand: not more of them will be taken than fit into a step
    const double t = state_.solution.t;
    const double ahead = m.start_time + static_cast<double>(m.samples) * injury::sample_period - t;
    check(m.samples >= 0 && std::abs(ahead) <= 2 * injury::sample_period + 1e-9 * std::abs(t));
  }

  void write_outputs() override {
    const Solution& s = state_.solution;
    const Point p = s.point(sizes_);
    Evaluation<double> e;
    evaluate_at(p, e);
    Values& v = state_.values;
    outputs(e, sled_acceleration(p.t), p.q, p.v, p.a, v.numbers.data());

    const double* const w = s.x.data() + 2 * bodies;
    const Memory& m = memory();
    integral_outputs(w, v.numbers.data());
    const double largest = std::max({m.largest_kinetic_energy, v[var_.kinetic_energy], smallest_energy});
    const double imbalance = std::abs(v[var_.kinetic_energy] - m.kinetic_energy_at_start - w[work]);
    v[var_.energy_error] = imbalance / largest;
    v[var_.hic15] = m.hic15.value();
    v[var_.hic36] = m.hic36.value();
    v[var_.a3ms] = m.a3ms.value();
    v[var_.nic] = m.nic.value();
    v[var_.nic_max] = m.nic.maximum();
    v[var_.nij_value] = m.nij.value();
    v[var_.nkm_value] = m.nkm.value();
    v[var_.lnl_value] = m.lnl.value();
    v[var_.bric_value] = m.bric.value(constants_.bric);
    var_.solver.write(s.statistics, v);
  }

  void evaluate(const DualPoint& p, Dual<1>* residual, Dual<1>* out) const override {
    using D = Dual<1>;
    const Inputs<D> in = decode(p.values);
    const Vec2<D> sled = sled_acceleration(in, p.t);
    Evaluation<D> e;
    cervical_spine::evaluate(data_, taut_, in, frame_acceleration(sled, gravity_), touching_, p.q, p.v, p.a,
                             e);
    std::copy(e.residual.begin(), e.residual.end(), residual);
    outputs(e, sled, p.q, p.v, p.a, out);
    integral_outputs(p.w, out);
  }

  bool starts_in_equilibrium() const override { return equilibrium_; }

  // -- Dae

  Sizes sizes() const override { return sizes_; }

  void residual(const Point& p, double* r) const override {
    Evaluation<double> e;
    evaluate_at(p, e);
    std::copy(e.residual.begin(), e.residual.end(), r);
  }

  void jacobian(const Point& p, const Jacobian& j) const override {
    Evaluation<double> e;
    evaluate_at(p, e);
    // planes are added below with all that their force depends on
    const Vec2<double> base = frame_acceleration(sled_acceleration(p.t), gravity_);
    if (touching_) {
      double r[bodies];
      e.inertia = data_.chain.residual(e.pose, p.v, p.a, base, inputs_.loads, r);
    }
    data_.chain.jacobian(e.pose, p.v, p.a, e.inertia, j.of_position, j.of_velocity, j.of_acceleration);
    // levels: a moment that depends on the relative angle and its rate
    for (int i = 0; i < bodies; ++i) {
      using D = Dual<2>;
      const SinCos<double> theta = Chain::relative_tilt(e.pose, i);
      D s(theta.sin), c(theta.cos);
      s.d[0] = theta.cos, c.d[0] = -theta.sin;
      const D moment = level_forces<D>(data_.levels[i], i, taut_, {s, c}, D::variable(e.rate[i], 1)).moment();
      add_between(j.of_position, i, moment.d[0]);
      add_between(j.of_velocity, i, moment.d[1]);
    }
    // planes
    for (int k = 0; touching_ && k < planes; ++k)
      if (inputs_.plane[k].active && e.plane[k].gap < 0) add_plane(e, k, p, j);
  }

  void quadratures(const Point& p, double* rate) const override {
    Evaluation<double> e;
    evaluate_at(p, e);
    power(e, inputs_, sled_acceleration(p.t), p.v, rate);
  }

  void events(const Point& p, double* g) const override {
    for (int k = 0; k < planes; ++k) g[k] = 1;
    if (!touching_ && taut_.two_sided) return;
    const Chain::Pose<double> pose = data_.chain.pose(p.q);
    if (touching_) {
      const auto skull = data_.chain.motion_on_last(pose, p.v, rotate(pose.tilt[head], data_.skull));
      for (int k = 0; k < planes; ++k)
        if (inputs_.plane[k].active) g[k] = plane_force(data_, inputs_.plane[k], skull, p.v[head]).gap;
    }
    if (!taut_.two_sided)
      for (int i = 0; i < bodies; ++i) {
        const auto forces = level_forces(data_.levels[i], i, taut_, Chain::relative_tilt(pose, i), 0.0);
        for (const Side side : {ISL, ALL})
          g[planes + side * bodies + i] =
              forces.ligament[side].length - data_.levels[i].ligament[side].law.rest_length;
      }
  }

  double next_corner(double t) const override { return pulse_.next_corner(t); }

  After remember(const Step& step, double*, double*) override {
    Memory& m = memory();
    m.largest_kinetic_energy =
        std::max(m.largest_kinetic_energy, kinetic_energy(state_.solution.point(sizes_)));
    sample(step, m);
    if (step.fired.empty()) return After::go_on;
    for (const int k : step.fired)
      if (k >= planes) {
        double& flag = m.stretched[(k - planes) / bodies][(k - planes) % bodies];
        flag = 1 - flag;
      }
    taut_.stretched = m.stretched;
    return After::restart;
  }

  std::string unknown_name(int i) const override { return std::string(body_names[i]) + "_angle"; }

 private:
  static constexpr double smallest_energy = 1e-6;  ///< J; e_R at rest is not rounding over rounding

  void settle() {
    const EquilibriumReport report = find_equilibrium(*this, state_.solution);
    if (!report.found)
      throw std::runtime_error("no static equilibrium found under gravity and the inputs at the start: " +
                               to_text(report.residual) + " N m are left at " + unknown_name(report.worst) +
                               "; reduce the loads or set start_in_equilibrium to false");
  }

  // -- evaluation

  Vec2<double> sled_acceleration(double t) const { return sled_acceleration<double>(inputs_, t); }
  template <class T>
  Vec2<T> sled_acceleration(const Inputs<T>& in, const T& t) const {
    Vec2<T> a = in.sled_acceleration;
    (pulse_along_z_ ? a.z : a.x) += pulse_.acceleration(t);
    return a;
  }

  void evaluate_at(const Point& p, Evaluation<double>& e) const {
    cervical_spine::evaluate(data_, taut_, inputs_, frame_acceleration(sled_acceleration(p.t), gravity_),
                             touching_, p.q, p.v, p.a, e);
  }

  /// The inputs and tunable parameters among the values.
  template <class T>
  Inputs<T> decode(const T* v) const {
    Inputs<T> in;
    in.sled_acceleration = {v[var_.sled_x], v[var_.sled_z]};
    for (int i = 0; i < bodies; ++i) {
      in.loads.force[i] = {v[var_.load[i].force_x], v[var_.load[i].force_z]};
      in.loads.moment[i] = v[var_.load[i].moment_y];
    }
    for (int k = 0; k < planes; ++k) {
      const Variables::PlaneInput& p = var_.plane[k];
      const T nx = v[p.nx], nz = v[p.nz], length = sqrt(nx * nx + nz * nz);
      const bool active = value(v[p.active]) != 0;
      if (active && !(length > T(0)))
        throw std::invalid_argument("plane" + std::to_string(k + 1) +
                                    "_nx, _nz = 0, 0 is not allowed: a normal must have a length");
      in.plane[k] = {{v[p.x], v[p.z]}, {nx / length, nz / length},         {v[p.vx], v[p.vz]},
                     active,           v[var_.tuning[k].stiffness_factor], v[var_.tuning[k].friction_factor]};
    }
    return in;
  }

  /// Rates of the quadratures (Eq. 52-54).
  template <class T>
  void power(const Evaluation<T>& e, const Inputs<T>& in, const Vec2<T>& sled, const T* v, T* rate) const {
    T heat(0), levels(0), outside(0), weight(0);
    Vec2<T> pivot{};
    for (int i = 0; i < bodies; ++i) {
      const LevelForces<T>& l = e.level[i];
      levels -= l.moment() * e.rate[i];
      heat += l.damper * e.rate[i];
      for (const Side side : {ISL, ALL}) {
        const KelvinVoigtLigament& law = data_.levels[i].ligament[side].law;
        const LigamentForce<T>& f = l.ligament[side];
        const bool elastic = taut_.two_sided || taut_.stretched[side][i] != 0;
        heat += (elastic ? f.tension - law.tension(f.length, T(0)) : f.tension) * f.rate;
      }
      const double mass = data_.chain.body(i).mass;
      const Vec2<T> velocity = pivot + v[i] * perp(e.pose.centre[i]);
      pivot += v[i] * perp(e.pose.link[i]);
      outside += dot(in.loads.force[i] - mass * sled, velocity) + in.loads.moment[i] * v[i];
      weight -= mass * gravity_ * velocity.z;
    }
    for (int k = 0; touching_ && k < planes; ++k)
      outside += dot(e.plane[k].force, e.skull.velocity) + e.plane[k].moment * v[head];
    rate[work] = levels + outside + weight;
    rate[dissipated] = heat;
    rate[external] = outside;
    rate[sled_velocity_x] = sled.x;
    rate[sled_velocity_z] = sled.z;
  }

  /// Adds the derivative of a moment between body i and the one below by the relative angle (or its rate).
  static void add_between(double* matrix, int i, double slope) {
    matrix[i * bodies + i] += slope;
    if (i == 0) return;
    matrix[i * bodies + i - 1] -= slope;
    matrix[(i - 1) * bodies + i] -= slope;
    matrix[(i - 1) * bodies + i - 1] += slope;
  }

  void add_plane(const Evaluation<double>& e, int k, const Point& p, const Jacobian& j) const {
    using D = Dual<5>;
    const Plane<double>& q = inputs_.plane[k];
    const Plane<D> plane{{q.point.x, q.point.z}, {q.normal.x, q.normal.z}, {q.velocity.x, q.velocity.z}, true,
                         q.stiffness_factor,     q.friction_factor};
    const Chain::PointMotion<D> motion{
        {D::variable(e.skull.position.x, 0), D::variable(e.skull.position.z, 1)},
        {D::variable(e.skull.velocity.x, 2), D::variable(e.skull.velocity.z, 3)}};
    const PlaneForce<D> f = plane_force(data_, plane, motion, D::variable(p.v[head], 4));
    Chain::PointForce force;
    force.force = e.plane[k].force;
    force.moment = e.plane[k].moment;
    const D* const parts[3] = {&f.force.x, &f.force.z, &f.moment};
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 2; ++c) force.of_position[r][c] = parts[r]->d[c];
      for (int c = 0; c < 3; ++c) force.of_velocity[r][c] = parts[r]->d[2 + c];
    }
    data_.chain.add_jacobian(e.pose, p.v, e.skull_arm, force, j.of_position, j.of_velocity);
  }

  /// T2 of Eq. 49: kinetic energy of the motion against the sled.
  double kinetic_energy(const Point& p) const { return kinetic_energy(data_.chain.pose(p.q), p.v); }
  template <class T>
  T kinetic_energy(const Chain::Pose<T>& pose, const T* v) const {
    T energy(0);
    Vec2<T> pivot{};
    for (int i = 0; i < bodies; ++i) {
      const Vec2<T> velocity = pivot + v[i] * perp(pose.centre[i]);
      pivot += v[i] * perp(pose.link[i]);
      energy += 0.5 * (data_.chain.body(i).mass * dot(velocity, velocity) +
                       data_.chain.body(i).inertia * v[i] * v[i]);
    }
    return energy;
  }

  /// Sections: all forces that pass a level, resolved along the upper body, and their moment about the pivot.
  template <class T>
  struct SectionLoad {
    T axial, shear, moment;
  };
  template <class T>
  static Vec2<T> in_body_axes(const SinCos<T>& tilt, const Vec2<T>& f) {
    return {f.x * tilt.cos - f.z * tilt.sin, f.x * tilt.sin + f.z * tilt.cos};
  }
  /// The moment is what the chain's own equation of body i leaves for the level: joint and ligaments
  /// together.
  template <class T>
  static SectionLoad<T> section_load(const Evaluation<T>& e, int i) {
    const Vec2<T> local = in_body_axes(e.pose.tilt[i], e.inertia.section[i]);
    return {-local.z, local.x, -e.level[i].moment()};
  }

  template <class T>
  void outputs(const Evaluation<T>& e, const Vec2<T>& sled, const T* q, const T* v, const T* a,
               T* out) const {
    Vec2<T> pivot{}, pivot_velocity{};
    T potential(0);
    for (int i = 0; i < bodies; ++i) {
      const Vec2<T> centre = pivot + e.pose.centre[i];
      out[var_.body[i].position_x] = centre.x;
      out[var_.body[i].position_z] = centre.z;
      out[var_.body[i].angle] = q[i];
      potential += data_.chain.body(i).mass * gravity_ * centre.z;
      if (i < head) {
        pivot += e.pose.link[i];
        pivot_velocity += v[i] * perp(e.pose.link[i]);
      }
    }
    const Vec2<T> velocity = pivot_velocity + v[head] * perp(e.pose.centre[head]);
    const Vec2<T> acceleration = sled + e.inertia.acceleration[head];
    out[var_.head_motion.velocity_x] = velocity.x;
    out[var_.head_motion.velocity_z] = velocity.z;
    out[var_.head_motion.angular_velocity] = v[head];
    out[var_.head_motion.acceleration_x] = acceleration.x;
    out[var_.head_motion.acceleration_z] = acceleration.z;
    out[var_.head_motion.angular_acceleration] = a[head];

    for (int i = 0; i < bodies; ++i) {
      const Level& level = data_.levels[i];
      const LevelForces<T>& f = e.level[i];
      const Variables::LevelOutput& to = var_.level[i];
      out[to.angle] = q[i] - (i > 0 ? q[i - 1] : T(0)) - level.tabulated_angle;
      out[to.moment] = -(f.spring + f.damper);
      potential += level.joint.energy(f.from_rest);
      // the pivot carries what passes the level less what the ligaments carry
      Vec2<T> pivot_force = e.inertia.section[i];
      for (const Side side : {ISL, ALL}) {
        const Level::Ligament& data = level.ligament[side];
        const LigamentForce<T>& l = f.ligament[side];
        // change from the tabulated length, as the paper plots it (Fig. 9)
        out[to.force[side]] = l.tension - data.law.stiffness * (data.tabulated_length - data.law.rest_length);
        out[to.elongation[side]] = l.length - data.tabulated_length;
        if (taut_.two_sided || taut_.stretched[side][i] != 0) potential += data.law.energy(l.length);
        const SinCos<T> below = i > 0 ? e.pose.tilt[i - 1] : SinCos<T>{T(0), T(1)};
        const Stretch<T> line =
            stretch<T>({rotate(below, data.lower), {}}, {rotate(e.pose.tilt[i], data.upper), {}});
        pivot_force += l.tension * line.direction;
      }
      const Vec2<T> local = in_body_axes(e.pose.tilt[i], pivot_force);
      out[to.axial_force] = -local.z;
      out[to.shear_force] = local.x;
    }
    const auto section = [&](const Variables::Section& to, int i) {
      const SectionLoad<T> load = section_load(e, i);
      out[to.axial_force] = load.axial;
      out[to.shear_force] = load.shear;
      out[to.moment] = load.moment;
    };
    section(var_.upper_neck, head);
    section(var_.lower_neck, 0);
    for (int k = 0; k < planes; ++k) {
      const Vec2<T> force = touching_ ? e.plane[k].force : Vec2<T>{};
      out[var_.plane_force[k].force_x] = force.x;
      out[var_.plane_force[k].force_z] = force.z;
    }
    out[var_.kinetic_energy] = kinetic_energy(e.pose, v);
    out[var_.potential_energy] = potential;
  }

  template <class T>
  void integral_outputs(const T* w, T* out) const {
    out[var_.sled_velocity_x] = w[sled_velocity_x];
    out[var_.sled_velocity_z] = w[sled_velocity_z];
    out[var_.dissipated_energy] = w[dissipated];
    out[var_.external_work] = w[external];
  }

  // -- memory

  Memory& memory() { return state_.memory_as<Memory>(); }

  void read_tautness() {
    if (taut_.two_sided) return;
    Memory& m = memory();
    std::vector<double> g(sizes_.events);
    events(state_.solution.point(sizes_), g.data());
    for (const Side side : {ISL, ALL})
      for (int i = 0; i < bodies; ++i) m.stretched[side][i] = g[planes + side * bodies + i] > 0 ? 1 : 0;
    taut_.stretched = m.stretched;
  }

  Signals signals(const Point& p, Evaluation<double>& e) const {
    evaluate_at(p, e);
    const Vec2<double> sled = sled_acceleration(p.t), acceleration = sled + e.inertia.acceleration[head];
    double velocity = p.v[head] * e.pose.centre[head].z;
    for (int i = 0; i < head; ++i) velocity += p.v[i] * e.pose.link[i].z;
    const SectionLoad<double> upper = section_load(e, head), lower = section_load(e, 0);
    return {acceleration.x, acceleration.z, sled.x,      velocity,    p.v[head],   upper.axial,
            upper.shear,    upper.moment,   lower.axial, lower.shear, lower.moment};
  }

  /// The criteria's grid points in the step: signals at four points of the step, a cubic between them.
  void sample(const Step& step, Memory& m) {
    const double h = step.end - step.begin;
    const auto next = [&] { return m.start_time + static_cast<double>(m.samples) * injury::sample_period; };
    const bool begins_on_last = m.last_signals_valid != 0;
    m.last_signals_valid = 0;
    if (next() > step.end) return;
    constexpr double node[4] = {0, 1.0 / 3, 2.0 / 3, 1};
    std::array<double, signal_count> value[4];
    for (int k = 0; k < 4; ++k) {
      Signals s;
      if (k == 0 && begins_on_last) {
        s = m.last_signals;
      } else {
        Evaluation<double> e;
        step.dense.evaluate(step.begin + node[k] * h, x_.data(), xdot_.data());
        s = signals(Point(step.begin + node[k] * h, sizes_, x_.data(), xdot_.data()), e);
      }
      if (k == 3) m.last_signals = s;
      value[k] = std::bit_cast<std::array<double, signal_count>>(s);
    }
    m.last_signals_valid = step.fired.empty() ? 1 : 0;
    // cubic through the nodes, as a polynomial of θ
    std::array<double, signal_count> c1, c2, c3;
    for (int s = 0; s < signal_count; ++s) {
      const double y0 = value[0][s], y1 = value[1][s], y2 = value[2][s], y3 = value[3][s];
      c1[s] = -5.5 * y0 + 9 * y1 - 4.5 * y2 + y3;
      c2[s] = 9 * y0 - 22.5 * y1 + 18 * y2 - 4.5 * y3;
      c3[s] = -4.5 * y0 + 13.5 * y1 - 13.5 * y2 + 4.5 * y3;
    }
    for (double t = next(); t <= step.end; t = next()) {
      const double theta = (t - step.begin) / h;
      std::array<double, signal_count> at;
      for (int s = 0; s < signal_count; ++s)
        at[s] = value[0][s] + theta * (c1[s] + theta * (c2[s] + theta * c3[s]));
      take_sample(m, std::bit_cast<Signals>(at));
    }
  }

  void take_sample(Memory& m, const Signals& s) const {
    ++m.samples;
    const double resultant = std::sqrt(s.head_acceleration_x * s.head_acceleration_x +
                                       s.head_acceleration_z * s.head_acceleration_z);
    m.hic15.sample(resultant);
    m.hic36.sample(resultant);
    m.a3ms.sample(resultant);
    m.nic.sample(constants_.nic, s.t1_acceleration_x, s.head_acceleration_x, 0, s.head_velocity_x);
    m.nij.sample(constants_.nij, s.upper_axial, s.upper_moment);
    m.nkm.sample(constants_.nkm, s.upper_shear, s.upper_moment);
    m.lnl.sample(constants_.lnl, s.lower_shear, s.lower_axial, s.lower_moment);
    m.bric.sample(0, s.head_rate, 0);
  }

  const Variables& var_;
  State& state_;
  Sizes sizes_{.positions = bodies, .quadratures = quadrature_count};
  Data data_;
  double gravity_ = 0;
  Pulse pulse_;
  bool pulse_along_z_ = false, equilibrium_ = true;
  CriterionConstants constants_;

  // decoded from the state's values and memory
  Inputs<double> inputs_;
  Tautness taut_;
  bool touching_ = false;

  std::vector<double> x_, xdot_;  // scratch
};

class CervicalSpineType final : public ModelType {
 public:
  std::string name() const override { return "CervicalSpine"; }
  std::string description() const override {
    return "Head and neck C7 to C1 in the sagittal plane, after Fritzkowski & Walczak 2014";
  }
  std::string source() const override {
    return "Fritzkowski, P., Walczak, T.: Application of the MEBDFV solver to dynamic simulation of some "
           "specific "
           "multibody systems: an example of a cervical spine model (2014)";
  }
  const VariableTable& variables() const override { return var_.table; }
  std::vector<std::string> terminals() const override { return {"sled", "head", "plane1", "plane2"}; }
  std::unique_ptr<Model> build(State& state) const override {
    return std::make_unique<CervicalSpine>(var_, state);
  }
  std::unique_ptr<Solver> make_solver(const Sizes& n, const Values& v) const override {
    return var_.common.make_solver(n, v);
  }

 private:
  const Variables var_;
};

}  // namespace
}  // namespace cervical_spine

const ModelType& cervical_spine_type() {
  static const cervical_spine::CervicalSpineType type;
  return type;
}

}  // namespace spondyl
