#include "models/human17/model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "injury/dri.h"
#include "models/common_model.h"
#include "models/human17/settle.h"
#include "models/human17/variables.h"
#include "models/sampler.h"

namespace spondyl {
namespace human17 {
namespace {

/// Integrals along the motion.
enum Quadrature { work, dissipated, external, limits, quadrature_count };

/// What the injury criteria look at, at one instant.
struct Signals {
  HeadCriteria::Signals head;
  NeckCriteria::Signals neck;
  double pelvis_upward;  ///< inertial acceleration, m/s²
};

struct Memory {
  Touching touching{};
  EnergyOutputs::Memory energy;
  Sampler<Signals> sampler;
  HeadCriteria::Memory head;
  NeckCriteria::Memory neck;
  injury::Dri dri;
};

/// A body that is farther from a plane than this is clearly on one side of it; one that is nearer than
/// rounding is on the side that it was on.
constexpr double clearly = 1e-9, rounding = 1e-12;  // m

/// A posture as rotation vectors: of the pelvis against the sled, of the others against their parents.
std::array<Vec3<double>, bodies> rotations_of(Posture posture) {
  constexpr double deg = std::numbers::pi / 180;
  std::array<Vec3<double>, bodies> r{};
  constexpr int to_right = 3;  // the right limb's bodies are listed three behind the left one's
  const auto set = [&](std::string_view left_body, const Vec3<double>& left) {
    const auto i = std::find(body_names.begin(), body_names.end(), left_body) - body_names.begin();
    r[i] = deg * left;
    r[i + to_right] = deg * Vec3<double>{-left.x, left.y, -left.z};
  };
  switch (posture) {
    case Posture::standing:
      break;
    case Posture::seated:
      r[pelvis] = {0, -20 * deg, 0};
      set("thigh_left", {0, -80, 0});
      set("calf_left", {0, 85, 0});
      set("foot_left", {0, 15, 0});
      set("arm_left", {0, -30, 0});
      set("forearm_left", {0, -60, 0});
      break;
    case Posture::lying:
      r[pelvis] = {0, -90 * deg, 0};
      set("arm_left", {15, 0, 0});
      break;
  }
  return r;
}

/// The rotation vector of p, of any length, up to half a turn, where that of unit parameters has no
/// derivative.
template <class T>
Vec3<T> joint_turn(EulerParameters<T> p) {
  if (p.w < T(0)) p = {-p.w, -p.x, -p.y, -p.z};
  const Vec3<T> e = p.vector();
  const T square = dot(e, e);
  if (square < 1e-20 * (p.w * p.w)) return (2.0 / p.w) * e;
  const T sine = sqrt(square);
  return (2.0 * atan2(sine, p.w) / sine) * e;
}

class Human17 final : public CommonModel {
 public:
  Human17(const Variables& variables, State& state)
      : CommonModel(variables.common, state), var_(variables), settle_(equilibrium_) {
    const Values& v = state.values;
    equilibrium_ = false;  // joints have no rest: the start is one for the person as a whole only
    data_ = read(var_.common.read_data("Human17", v),
                 {v[var_.height], v[var_.mass], static_cast<InertiaChoice>(int(v[var_.inertia]))});
    options_.joint_limits = v[var_.joint_limits] != 0;
    options_.joint_damping = v[var_.joint_damping] != 0;
    options_.base_fixed = v[var_.base_fixed] != 0;
    const std::vector<std::string> names(body_names.begin(), body_names.end());
    for (int k = 0; k < planes; ++k) {
      options_.contact[k] = var_.plane[k].law(v);
      const std::vector<bool> touches = chosen(var_.table, v, var_.plane[k].bodies, names);
      std::copy(touches.begin(), touches.end(), options_.may_touch[k].begin());
    }
    sizes_ = {.positions = Tree::positions, .quadratures = quadrature_count, .events = planes * bodies};
    x_.resize(sizes_.states());
    xdot_.resize(sizes_.states());
    head_constants_ = var_.head_criteria.constants(v);
    neck_constants_ = var_.neck_criteria.constants(v);
    spine_ = injury::DriOscillator({v[var_.dri_frequency], v[var_.dri_damping]});
  }

  // -- Model

  void start() override {
    state_.reset_memory<Memory>();
    Solution& s = state_.solution;
    s.resize(sizes_);
    take_posture();
    read_inputs();
    if (settle_) settle_on_planes();
    Memory& m = memory();
    const Tree::Motion<double> motion = motion_at(s.x.data());
    for_each_pair([&](int k, int i) { m.touching[k][i] = gap(data_, inputs_, motion, k, i) <= 0; });
    make_consistent();
    m.energy.start(data_.tree.kinetic_energy(motion));
    m.sampler.start(s.t, signals(point()), [&](const Signals& at) { feed(m, at); });
  }

  void read_inputs() override {
    inputs_ = decode(state_.values.numbers.data());
    // planes that were moved, or switched on or off
    correct_touching(motion_at(state_.solution.x.data()));
  }

  void check_memory() const override {
    const auto check = [](bool right) {
      if (!right) throw std::invalid_argument("the memory in the state is not that of a Human17");
    };
    check(state_.memory.size() == sizeof(Memory) / sizeof(double));
    const Memory& m = memory();
    for (const auto& plane : m.touching)
      for (const double flag : plane) check(flag == 0 || flag == 1);
    check(m.head.possible() && m.neck.possible() && m.sampler.possible(state_.solution.t));
  }

  void write_outputs() override {
    const Solution& s = state_.solution;
    const Point p = point();
    Evaluation<double> e;
    evaluate_at(p, e);
    Values& v = state_.values;
    outputs(e, inputs_, p.q, v.numbers.data());

    const double* const w = s.x.data() + 2 * Tree::positions;
    const Memory& m = memory();
    integral_outputs(w, v.numbers.data());
    var_.energy.write_error(m.energy, w[work], v);
    var_.head_criteria.write(m.head, head_constants_, v);
    var_.neck_criteria.write(m.neck, v);
    v[var_.dri] = m.dri.value(spine_);
    var_.solver.write(s.statistics, v);
  }

  void evaluate(const DualPoint& p, Dual<1>* residual, Dual<1>* out) const override {
    using D = Dual<1>;
    const Inputs<D> in = decode(p.values);
    Evaluation<D> e;
    human17::evaluate(data_, options_, memory().touching, in,
                      frame(in, with_pulse(in.sled_acceleration, p.t, value(p.t)), gravity_), p.q, p.v, p.a,
                      e);
    std::copy(e.residual.begin(), e.residual.end(), residual);
    outputs(e, in, p.q, out);
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
    differentiate(data_, options_, memory().touching, inputs_, frame_at(p), p.q, p.v, p.a, e, j.of_position,
                  j.of_velocity, j.of_acceleration);
  }

  void quadratures(const Point& p, double* rate) const override {
    Evaluation<double> e;
    evaluate_at(p, e);
    power(e, with_pulse(inputs_.sled_acceleration, p.t, p.piece), rate);
  }

  /// A body is coupled with those that it carries and those that carry it: eliminated from the tips inward,
  /// that fills nothing. The pelvis's position and parameters come last.
  Structure structure() const override {
    Structure s;
    const auto block = [](int body) { return bodies - 1 - body; };
    for (int i = bodies - 1; i >= 0; --i) {
      std::vector<int> unknowns;
      for (int k = i == pelvis ? 0 : Tree::first_parameter(i); k < Tree::first_parameter(i + 1); ++k)
        unknowns.push_back(k);
      s.blocks.push_back(unknowns);
      for (int carrier = parents[i]; carrier >= 0; carrier = parents[carrier])
        s.coupled.emplace_back(block(i), block(carrier));
    }
    return s;
  }

  /// The gap of every body to every plane.
  void events(const Point& p, double* g) const override {
    std::fill_n(g, sizes_.events, 1.0);
    if (std::none_of(inputs_.plane.begin(), inputs_.plane.end(),
                     [](const auto& plane) { return plane.active; }))
      return;
    Tree::Motion<double> m;
    data_.tree.move(p.q, p.v, m);
    for_each_pair([&](int k, int i) {
      const double distance = gap(data_, inputs_, m, k, i);
      // around the surface rounding decides: one is on the side that the memory is on
      const double side = memory().touching[k][i] != 0 ? -1 : 1;
      g[k * bodies + i] = std::abs(distance) > rounding ? distance : side * rounding;
    });
  }

  After remember(const Step& step, double* x_end, double* xdot_end) override {
    Memory& m = memory();
    const Tree::Motion<double> motion = motion_at(x_end);
    m.energy.step(data_.tree.kinetic_energy(motion));
    m.sampler.step(
        step,
        [&](double t) {
          step.dense.evaluate(t, x_.data(), xdot_.data());
          return signals(Point(t, sizes_, x_.data(), xdot_.data()));
        },
        [&](const Signals& at) { feed(m, at); });
    if (step.fired.empty()) {
      Tree::make_unit(x_end, x_end + Tree::positions, xdot_end + Tree::positions);
      std::copy_n(x_end + Tree::positions, Tree::positions, xdot_end);
      return After::go_on;
    }
    for (const int event : step.fired) {
      double& flag = m.touching[event / bodies][event % bodies];
      flag = 1 - flag;
    }
    correct_touching(motion);
    return After::restart;
  }

  std::string unknown_name(int i) const override {
    if (i < 3) return std::string("pelvis_position_") + "xyz"[i];
    return std::string(body_names[(i - 3) / 4]) + "_orientation_" + "wxyz"[(i - 3) % 4];
  }

 private:
  // -- evaluation

  Tree::Frame<double> frame_at(const Point& p) const {
    return frame(inputs_, with_pulse(inputs_.sled_acceleration, p.t, p.piece), gravity_);
  }

  void evaluate_at(const Point& p, Evaluation<double>& e) const {
    human17::evaluate(data_, options_, memory().touching, inputs_, frame_at(p), p.q, p.v, p.a, e);
  }

  Tree::Motion<double> motion_at(const double* x) const {
    Tree::Motion<double> m;
    data_.tree.move(x, x + Tree::positions, m);
    return m;
  }

  /// Body i against plane k, for all that can touch at present.
  template <class Visit>
  void for_each_pair(Visit visit) const {
    for (int k = 0; k < planes; ++k)
      for (int i = 0; inputs_.plane[k].active && i < bodies; ++i)
        if (options_.may_touch[k][i]) visit(k, i);
  }

  /// Who is clearly on one side of a plane, whatever the memory says.
  void correct_touching(const Tree::Motion<double>& m) {
    Touching& touching = memory().touching;
    for_each_pair([&](int k, int i) {
      const double distance = gap(data_, inputs_, m, k, i);
      if (std::abs(distance) > clearly) touching[k][i] = distance < 0;
    });
  }

  /// The inputs among the values.
  template <class T>
  Inputs<T> decode(const T* v) const {
    Inputs<T> in;
    in.sled_acceleration = var_.sled.acceleration.read(v);
    in.sled_angular_velocity = var_.sled.angular_velocity.read(v);
    in.sled_angular_acceleration = var_.sled.angular_acceleration.read(v);
    for (int i = 0; i < bodies; ++i) {
      in.loads.force[i] = var_.load[i].force.read(v);
      in.loads.moment[i] = var_.load[i].moment.read(v);
    }
    for (int k = 0; k < planes; ++k) in.plane[k] = var_.plane[k].read(v);
    return in;
  }

  /// Rates of the quadratures. T - T(start) of the motion against the sled is the work of all forces, the
  /// inertia forces of the sled among them.
  void power(const Evaluation<double>& e, const Vec3<double>& sled, double* rate) const {
    const Tree::Motion<double>& m = e.motion;
    const Vec3<double>&turning = inputs_.sled_angular_velocity, &speeding = inputs_.sled_angular_acceleration;
    double weight = 0, outside = 0, heat = 0, limit = 0;
    for (int i = 0; i < bodies; ++i) {
      const Tree::Body& b = data_.tree.body(i);
      const Vec3<double>&v = m.velocity[i], &w = m.omega[i], &x = m.position[i];
      weight -= b.mass * gravity_ * v.z;
      outside += dot(inputs_.loads.force[i], v) + dot(inputs_.loads.moment[i], w);
      const Vec3<double> carried = sled + cross(speeding, x) + cross(turning, cross(turning, x));
      outside -= b.mass * dot(carried, v) +
                 dot(Tree::spin(m.rotation[i], b.inertia, w + turning, speeding + cross(turning, w)), w);
      if (i == pelvis) continue;
      const Vec3<double> relative = w - m.omega[parents[i]];
      heat -= dot(e.damper[i], relative);
      limit += dot(e.limit[i], relative);
    }
    for_each_contact(data_, options_, memory().touching, inputs_, m,
                     [&](int, int i, const Ellipsoid::Contact<double>& c) {
                       outside += dot(c.force, m.velocity[i]) + dot(c.moment, m.omega[i]);
                     });
    rate[work] = weight + outside + limit - heat;
    rate[dissipated] = heat;
    rate[external] = outside;
    rate[limits] = limit;
  }

  template <class T>
  struct SectionLoad {
    T axial, shear, moment;
  };
  /// At the joint of body i, on it, in its axes.
  template <class T>
  static SectionLoad<T> section_load(const Evaluation<T>& e, int i) {
    const Vec3<T> force = transposed_times(e.motion.rotation[i], e.inertia.section[i]);
    return {-force.z, force.x, dot(e.motion.rotation[i].y, e.limit[i] + e.damper[i])};
  }

  template <class T>
  void outputs(const Evaluation<T>& e, const Inputs<T>& in, const T* q, T* out) const {
    const Tree::Motion<T>& m = e.motion;
    T potential(0);
    for (int i = 0; i < bodies; ++i) {
      var_.body[i].position.write(m.position[i], out);
      const EulerParameters<T> p = Tree::parameters(q, i);
      const Variables::Orientation& o = var_.body[i].orientation;
      out[o.w] = p.w, out[o.x] = p.x, out[o.y] = p.y, out[o.z] = p.z;
      potential += data_.tree.body(i).mass * gravity_ * m.position[i].z;
    }
    for (std::size_t k = 0; k < Variables::full.size(); ++k) {
      const int i = Variables::full[k];
      const Variables::FullMotion& to = var_.motion[k];
      to.velocity.write(m.velocity[i], out);
      to.acceleration.write(e.inertia.acceleration[i] - Vec3<T>{T(0), T(0), T(gravity_)}, out);
      to.angular_velocity.write(m.omega[i], out);
      to.angular_acceleration.write(e.inertia.alpha[i], out);
    }
    for (int i = 1; i < bodies; ++i) {
      const int k = parents[i];
      var_.joint[i].angle.write(joint_turn(Tree::parameters(q, k).conjugate() * Tree::parameters(q, i)), out);
      var_.joint[i].moment.write(transposed_times(m.rotation[k], e.limit[i] + e.damper[i]), out);
    }
    const auto section = [&](const Variables::Section& to, int i) {
      const SectionLoad<T> load = section_load(e, i);
      out[to.axial_force] = load.axial;
      out[to.shear_force] = load.shear;
      out[to.moment] = load.moment;
    };
    section(var_.upper_neck, head);
    section(var_.lower_neck, neck);
    std::array<Vec3<T>, planes> by_plane{};
    std::array<Vec3<T>, bodies> by_body{};
    for_each_contact(data_, options_, memory().touching, in, m,
                     [&](int k, int i, const Ellipsoid::Contact<T>& c) {
                       by_plane[k] += c.force;
                       by_body[i] += c.force;
                     });
    for (int k = 0; k < planes; ++k) var_.plane_force[k].write(by_plane[k], out);
    for (int i = 0; i < bodies; ++i) var_.contact_force[i].write(by_body[i], out);
    out[var_.energy.kinetic] = data_.tree.kinetic_energy(m);
    out[var_.energy.potential] = potential;
  }

  template <class T>
  void integral_outputs(const T* w, T* out) const {
    out[var_.energy.dissipated] = w[dissipated];
    out[var_.energy.external] = w[external];
    out[var_.limit_work] = w[limits];
  }

  // -- start

  void take_posture() {
    const Values& v = state_.values;
    double *const q = state_.solution.x.data(), *const rate = q + Tree::positions,
                  *const second = state_.solution.xdot.data() + Tree::positions;
    const std::array<Vec3<double>, bodies> posture = rotations_of(static_cast<Posture>(int(v[var_.posture])));
    std::array<EulerParameters<double>, bodies> p;
    std::array<Vec3<double>, bodies> omega;
    const Vec3<double> position = var_.start_position.read(v), velocity = var_.start_velocity.read(v),
                       turning = var_.start_angular_velocity.read(v);
    if (options_.base_fixed && dot(velocity, velocity) + dot(turning, turning) > 0)
      throw std::invalid_argument(
          "start_velocity_* and start_angular_velocity_* must be 0 when base_fixed is true");
    q[0] = position.x, q[1] = position.y, q[2] = position.z;
    rate[0] = velocity.x, rate[1] = velocity.y, rate[2] = velocity.z;
    for (int i = 0; i < bodies; ++i) {
      if (i == pelvis) {
        p[i] = from_rotation_vector(var_.start_rotation.read(v)) * from_rotation_vector(posture[i]);
        omega[i] = rotate(p[i], turning);
      } else {
        p[i] = p[parents[i]] * from_rotation_vector(posture[i]) *
               from_rotation_vector(var_.joint_start[i].rotation.read(v));
        omega[i] = omega[parents[i]] + rotate(p[i], var_.joint_start[i].angular_velocity.read(v));
      }
      Tree::set_parameters(p[i], omega[i], {}, i, q, rate, second);
    }
    Tree::make_unit(q, rate, second);
  }

  void settle_on_planes() {
    if (options_.base_fixed)
      throw std::invalid_argument(
          "start_in_equilibrium = true is not allowed with base_fixed = true: a fixed person cannot settle");
    Solution& s = state_.solution;
    human17::settle(data_, options_, inputs_, frame_at(point()), s.x.data());
    std::fill(s.x.begin() + Tree::positions, s.x.end(), 0.0);
    std::fill(s.xdot.begin(), s.xdot.end(), 0.0);
  }

  // -- memory

  Memory& memory() { return state_.memory_as<Memory>(); }
  const Memory& memory() const { return const_cast<const State&>(state_).memory_as<Memory>(); }

  Signals signals(const Point& p) const {
    Evaluation<double> e;
    evaluate_at(p, e);
    const auto inertial = [&](const Vec3<double>& a) { return a - Vec3<double>{0, 0, gravity_}; };
    const Tree::Motion<double>& m = e.motion;
    const Vec3<double> of_head = inertial(e.inertia.acceleration[head]);
    // T1: the point of the thorax that the neck hangs on
    const Vec3<double> t1 = inertial(e.inertia.joint[neck]);
    const Vec3<double> t1_velocity =
        m.velocity[thorax] + cross(m.omega[thorax], m.link[neck] - m.centre[thorax]);
    const auto section = [&](int i) -> NeckCriteria::Section {
      const SectionLoad<double> load = section_load(e, i);
      return {load.axial, load.shear, load.moment};
    };
    return {{of_head, transposed_times(m.rotation[head], e.inertia.omega[head])},
            {t1.x, of_head.x, t1_velocity.x, m.velocity[head].x, section(head), section(neck)},
            inertial(e.inertia.acceleration[pelvis]).z};
  }

  void feed(Memory& m, const Signals& at) const {
    HeadCriteria::sample(m.head, at.head);
    var_.neck_criteria.sample(m.neck, neck_constants_, at.neck);
    m.dri.sample(spine_, at.pelvis_upward);
  }

  const Variables& var_;
  Data data_;
  Options options_;
  bool settle_;
  HeadCriteria::Constants head_constants_;
  NeckCriteria::Constants neck_constants_;
  injury::DriOscillator spine_{injury::DriConstants{}};

  Inputs<double> inputs_;  // decoded from the state's values

  std::vector<double> x_, xdot_;  // scratch
};

}  // namespace
}  // namespace human17

const ModelType& human17_type() {
  static const TypeOf<human17::Variables, human17::Human17> type(
      "Human17",
      "A person of given height and mass, 17 bodies in Euler parameters, after Špička, Hajžman & Bonkowski",
      "Špička, J., Hajžman, M., Bonkowski, T.: In-house multibody human model based on Euler parameters for "
      "the fast impact "
      "scenario calculation",
      {"sled", "head", "thorax", "pelvis", "plane1", "plane2", "plane3", "plane4"});
  return type;
}

}  // namespace spondyl
