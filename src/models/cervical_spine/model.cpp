#include "models/cervical_spine/model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/cervical_spine/variables.h"
#include "models/common_model.h"
#include "models/sampler.h"

namespace spondyl {
namespace cervical_spine {
namespace {

/// Integrals along the motion.
enum Quadrature { work, dissipated, external, sled_velocity_x, sled_velocity_z, quadrature_count };

/// What the injury criteria look at, at one instant.
struct Signals {
  HeadCriteria::Signals head;
  NeckCriteria::Signals neck;
};

struct Memory {
  std::array<std::array<double, bodies>, 2> stretched{};
  EnergyOutputs::Memory energy;
  Sampler<Signals> sampler;
  HeadCriteria::Memory head;
  NeckCriteria::Memory neck;
};

class CervicalSpine final : public CommonModel {
 public:
  CervicalSpine(const Variables& variables, State& state)
      : CommonModel(variables.common, state), var_(variables) {
    const Values& v = state.values;
    refuse_pulse_along_y();
    data_ = read(var_.common.read_data("CervicalSpine", v));
    taut_.two_sided = v[var_.ligaments_two_sided] != 0;
    if (var_.common.data_set_choice(v) == CommonVariables::DataSetChoice::published) equilibrium_ = false;
    sizes_ = {.positions = bodies,
              .quadratures = quadrature_count,
              .events = planes + (taut_.two_sided ? 0 : 2 * bodies)};
    x_.resize(sizes_.states());
    xdot_.resize(sizes_.states());
    head_constants_ = var_.head_criteria.constants(v);
    neck_constants_ = var_.neck_criteria.constants(v);
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
    make_consistent();

    Memory& m = memory();
    m.energy.start(kinetic_energy(point()));
    m.sampler.start(s.t, signals(point()), [&](const Signals& at) { feed(m, at); });
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
    check(m.head.possible() && m.neck.possible() && m.sampler.possible(state_.solution.t));
  }

  void write_outputs() override {
    const Solution& s = state_.solution;
    const Point p = point();
    Evaluation<double> e;
    evaluate_at(p, e);
    Values& v = state_.values;
    outputs(e, sled_acceleration(p), p.q, p.v, p.a, v.numbers.data());

    const double* const w = s.x.data() + 2 * bodies;
    const Memory& m = memory();
    integral_outputs(w, v.numbers.data());
    var_.energy.write_error(m.energy, w[work], v);
    var_.head_criteria.write(m.head, head_constants_, v);
    var_.neck_criteria.write(m.neck, v);
    var_.solver.write(s.statistics, v);
  }

  void evaluate(const DualPoint& p, Dual<1>* residual, Dual<1>* out) const override {
    using D = Dual<1>;
    const Inputs<D> in = decode(p.values);
    const Vec2<D> sled = with_pulse(in.sled_acceleration, p.t, value(p.t));
    Evaluation<D> e;
    cervical_spine::evaluate(data_, taut_, in, frame_acceleration(sled, gravity_), touching_, p.q, p.v, p.a,
                             e);
    std::copy(e.residual.begin(), e.residual.end(), residual);
    outputs(e, sled, p.q, p.v, p.a, out);
    integral_outputs(p.w, out);
  }

  // -- Dae

  void residual(const Point& p, double* r) const override {
    Evaluation<double> e;
    evaluate_at(p, e);
    std::copy(e.residual.begin(), e.residual.end(), r);
  }

  void jacobian(const Point& p, const Jacobian& j) const override {
    Evaluation<double> e;
    evaluate_at(p, e);
    // planes are added below with all that their force depends on
    const Vec2<double> base = frame_acceleration(sled_acceleration(p), gravity_);
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
    power(e, inputs_, sled_acceleration(p), p.v, rate);
  }

  void events(const Point& p, double* g) const override {
    for (int k = 0; k < planes; ++k) g[k] = 1;
    if (!touching_ && taut_.two_sided) return;
    const Chain::Pose<double> pose = data_.chain.pose(p.q);
    if (touching_) {
      const auto skull = data_.chain.motion_on_last(pose, p.v, rotate(pose.tilt[head], data_.skull));
      for (int k = 0; k < planes; ++k)
        if (inputs_.plane[k].active) g[k] = data_.skull_contact.gap(inputs_.plane[k], skull.position);
    }
    if (!taut_.two_sided)
      for (int i = 0; i < bodies; ++i) {
        const auto forces = level_forces(data_.levels[i], i, taut_, Chain::relative_tilt(pose, i), 0.0);
        for (const Side side : {ISL, ALL})
          g[planes + side * bodies + i] =
              forces.ligament[side].length - data_.levels[i].ligament[side].law.rest_length;
      }
  }

  After remember(const Step& step, double*, double*) override {
    Memory& m = memory();
    m.energy.step(kinetic_energy(point()));
    m.sampler.step(
        step,
        [&](double t) {
          step.dense.evaluate(t, x_.data(), xdot_.data());
          return signals(Point(t, sizes_, x_.data(), xdot_.data()));
        },
        [&](const Signals& at) { feed(m, at); });
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
  // -- evaluation

  Vec2<double> sled_acceleration(const Point& p) const {
    return with_pulse(inputs_.sled_acceleration, p.t, p.piece);
  }

  void evaluate_at(const Point& p, Evaluation<double>& e) const {
    cervical_spine::evaluate(data_, taut_, inputs_, frame_acceleration(sled_acceleration(p), gravity_),
                             touching_, p.q, p.v, p.a, e);
  }

  /// The inputs and tunable parameters among the values.
  template <class T>
  Inputs<T> decode(const T* v) const {
    Inputs<T> in;
    in.sled_acceleration = var_.sled.read(v);
    for (int i = 0; i < bodies; ++i) {
      in.loads.force[i] = {v[var_.load[i].force_x], v[var_.load[i].force_z]};
      in.loads.moment[i] = v[var_.load[i].moment_y];
    }
    for (int k = 0; k < planes; ++k) in.plane[k] = var_.plane[k].read(v);
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
    const PlanarPlane<double>& q = inputs_.plane[k];
    const PlanarPlane<D> plane{{q.point.x, q.point.z},       {q.normal.x, q.normal.z},
                               {q.velocity.x, q.velocity.z}, true,
                               q.stiffness_factor,           q.friction_factor};
    const PointMotion<D> motion{{D::variable(e.skull.position.x, 0), D::variable(e.skull.position.z, 1)},
                                {D::variable(e.skull.velocity.x, 2), D::variable(e.skull.velocity.z, 3)}};
    const CirclePlane::Force<D> f = data_.skull_contact.force(plane, motion, D::variable(p.v[head], 4));
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
      out[var_.plane_force[k].x] = force.x;
      out[var_.plane_force[k].z] = force.z;
    }
    out[var_.energy.kinetic] = kinetic_energy(e.pose, v);
    out[var_.energy.potential] = potential;
  }

  template <class T>
  void integral_outputs(const T* w, T* out) const {
    out[var_.sled_velocity_x] = w[sled_velocity_x];
    out[var_.sled_velocity_z] = w[sled_velocity_z];
    out[var_.energy.dissipated] = w[dissipated];
    out[var_.energy.external] = w[external];
  }

  // -- memory

  Memory& memory() { return state_.memory_as<Memory>(); }

  void read_tautness() {
    if (taut_.two_sided) return;
    Memory& m = memory();
    std::vector<double> g(sizes_.events);
    events(point(), g.data());
    for (const Side side : {ISL, ALL})
      for (int i = 0; i < bodies; ++i) m.stretched[side][i] = g[planes + side * bodies + i] > 0 ? 1 : 0;
    taut_.stretched = m.stretched;
  }

  Signals signals(const Point& p) const {
    Evaluation<double> e;
    evaluate_at(p, e);
    const Vec2<double> sled = sled_acceleration(p), acceleration = sled + e.inertia.acceleration[head];
    double velocity = p.v[head] * e.pose.centre[head].z;
    for (int i = 0; i < head; ++i) velocity += p.v[i] * e.pose.link[i].z;
    const auto section = [&](int i) -> NeckCriteria::Section {
      const SectionLoad<double> load = section_load(e, i);
      return {load.axial, load.shear, load.moment};
    };
    return {{{acceleration.x, 0, acceleration.z}, {0, p.v[head], 0}},
            {sled.x, acceleration.x, 0, velocity, section(head), section(0)}};
  }

  void feed(Memory& m, const Signals& at) const {
    HeadCriteria::sample(m.head, at.head);
    var_.neck_criteria.sample(m.neck, neck_constants_, at.neck);
  }

  const Variables& var_;
  Data data_;
  HeadCriteria::Constants head_constants_;
  NeckCriteria::Constants neck_constants_;

  // decoded from the state's values and memory
  Inputs<double> inputs_;
  Tautness taut_;
  bool touching_ = false;

  std::vector<double> x_, xdot_;  // scratch
};

}  // namespace
}  // namespace cervical_spine

const ModelType& cervical_spine_type() {
  static const TypeOf<cervical_spine::Variables, cervical_spine::CervicalSpine> type(
      "CervicalSpine", "Head and neck C7 to C1 in the sagittal plane, after Fritzkowski & Walczak 2014",
      "Fritzkowski, P., Walczak, T.: Application of the MEBDFV solver to dynamic simulation of some specific "
      "multibody systems: an example of a cervical spine model (2014)",
      {"sled", "head", "plane1", "plane2"});
  return type;
}

}  // namespace spondyl
