#include "models/human12/model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/common_model.h"
#include "models/human12/derivatives.h"
#include "models/human12/kinematics.h"
#include "models/human12/variables.h"
#include "models/sampler.h"

namespace spondyl {
namespace human12 {
namespace {

/// Integrals along the motion.
enum Quadrature { work, dissipated, external, limit_work, quadrature_count };

constexpr double touching_from = 1e-9;  ///< m; at the start, and when a plane is moved, less is a touch
constexpr double taut_from = 1e-12;     ///< m; a belt that starts at its rest length is not taut by rounding
constexpr int most_pairs = (planes + 1) * most_spheres;

/// What the injury criteria look at, at one instant.
struct Signals {
  HeadCriteria::Signals head;
  NeckCriteria::Signals neck;
};

struct Memory {
  std::array<double, most_pairs> touch_speed{};
  std::array<double, belts> taut{};
  EnergyOutputs::Memory energy;
  Sampler<Signals> sampler;
  HeadCriteria::Memory head;
  NeckCriteria::Memory neck;
};

class Human12 final : public CommonModel {
 public:
  Human12(const Variables& variables, State& state)
      : CommonModel(variables.common, state),
        var_(variables),
        data_(read(var_.common.read_data("Human12", state.values),
                   static_cast<Variant>(int(state.values[var_.variant])))),
        set_(settings()),
        structure_(make_structure()),
        projection_(data_.system, held_elements(), held_constraints()) {
    const Values& v = state.values;
    if (equilibrium_)
      throw std::invalid_argument(
          "start_in_equilibrium = true is not allowed: must be false, a free body has no such start");
    sizes_ = {.positions = set_.positions(),
              .differential = set_.payouts(),
              .algebraic = constraints,
              .quadratures = quadrature_count,
              .events = set_.pairs() + set_.payouts()};
    x_.resize(sizes_.states());
    xdot_.resize(sizes_.states());
    history_.touch_speed.assign(set_.pairs(), 0);
    head_constants_ = var_.head_criteria.constants(v);
    neck_constants_ = var_.neck_criteria.constants(v);
  }

  // -- Model

  void start() override {
    state_.reset_memory<Memory>();
    Solution& s = state_.solution;
    s.resize(sizes_);
    start_pose().write(data_, s.x.data(), s.x.data() + sizes_.positions);
    if (set_.with_impactor) {
      const Values& v = state_.values;
      add_to_element(s.x.data(), impactor, var_.start_impactor_position.read(v));
      add_to_element(s.x.data() + sizes_.positions, impactor, var_.start_impactor_velocity.read(v));
    }
    inputs_ = decode(state_.values.numbers.data());
    note_first_touches();
    read_inputs();
    make_consistent();

    Memory& m = memory();
    m.energy.start(kinetic_energy(s.x.data() + sizes_.positions));
    m.sampler.start(s.t, signals(point()), [&](const Signals& at) { feed(m, at); });
  }

  void read_inputs() override {
    inputs_ = decode(state_.values.numbers.data());
    const auto& sled = inputs_.sled;
    turning_ = dot(sled.angular_velocity, sled.angular_velocity) +
                   dot(sled.angular_acceleration, sled.angular_acceleration) >
               0;
    // a plane that was moved onto or off a sphere touches or leaves it now
    for (int k = 0; k < static_cast<int>(set_.plane_pairs.size()); ++k) {
      const Approach a = approach(point(), k);
      double& speed = memory().touch_speed[k];
      if (a.gap < -touching_from && speed == 0) speed = data_.contact.touch_speed(a.rate);
      if (a.gap > touching_from) speed = 0;
    }
    read_history();
  }

  void check_memory() const override {
    const auto check = [](bool right) {
      if (!right) throw std::invalid_argument("the memory in the state is not that of a Human12");
    };
    check(state_.memory.size() == sizeof(Memory) / sizeof(double));
    const Memory& m = state_.memory_as<Memory>();
    for (const double speed : m.touch_speed) check(std::isfinite(speed) && speed >= 0);
    for (const double flag : m.taut) check(flag == 0 || flag == 1);
    check(m.head.possible() && m.neck.possible() && m.sampler.possible(state_.solution.t));
  }

  void write_outputs() override {
    const Solution& s = state_.solution;
    const Point p = point();
    Evaluation<double> e;
    evaluate_at(p, e);
    Values& v = state_.values;
    Inputs<double> in = inputs_;
    in.sled.acceleration = with_pulse(in.sled.acceleration, p.t, p.piece);
    outputs(e, in, arguments(p), v.numbers.data());
    const double* const w = s.x.data() + s.x.size() - quadrature_count;
    const Memory& m = memory();
    integral_outputs(w, v.numbers.data());
    var_.energy.write_error(m.energy, w[work], v);
    var_.head_criteria.write(m.head, head_constants_, v);
    var_.neck_criteria.write(m.neck, v);
    var_.solver.write(s.statistics, v);
  }

  void evaluate(const DualPoint& p, Dual<1>* residual, Dual<1>* out) const override {
    using D = Dual<1>;
    Inputs<D> in = decode(p.values);
    in.sled.acceleration = with_pulse(in.sled.acceleration, p.t, value(p.t));
    const int payouts = set_.payouts();
    const Arguments<D> x{p.q, p.v, p.a, p.z, p.z + payouts, p.zdot};
    Evaluation<D> e;
    human12::evaluate(data_, set_, history_, in, true, x, e);
    std::copy_n(e.residual.begin(), sizes_.unknowns(), residual);
    outputs(e, in, x, out);
    integral_outputs(p.w, out);
  }

  // -- Dae

  void residual(const Point& p, double* r) const override {
    Evaluation<double> e;
    evaluate_at(p, e);
    std::copy_n(e.residual.begin(), sizes_.unknowns(), r);
  }

  void jacobian(const Point& p, const Jacobian& j) const override {
    const int n = sizes_.unknowns();
    for (double* matrix : {j.of_position, j.of_velocity, j.of_acceleration})
      clear_coupled(structure_, n, matrix);
    Evaluation<double> e;
    evaluate_at(p, e);
    const Arguments<double> x = arguments(p);
    Derivatives(data_, set_, history_, inputs_, e, x, j).assemble(turning_);
  }

  Structure structure() const override { return structure_; }

  void quadratures(const Point& p, double* rate) const override {
    Evaluation<double> e;
    evaluate_at(p, e);
    power(e, p, rate);
  }

  /// A pair that touches parts a rounding error above the surface, so that one at rest on it does not
  /// chatter.
  void events(const Point& p, double* g) const override {
    for (int k = 0; k < set_.pairs(); ++k)
      g[k] = approach(p, k).gap - (history_.touch_speed[k] > 0 ? parting_gap : 0);
    for (int k = 0; k < set_.payouts(); ++k) g[set_.pairs() + k] = stretch(p, k).gap;
  }

  void nominal(double* x) const override {
    CommonModel::nominal(x);
    const int first = 2 * sizes_.positions;
    for (int k = 0; k < set_.payouts(); ++k) x[first + k] = 0.01;
    for (int k = 0; k < constraints; ++k) x[first + set_.payouts() + k] = 1000;
  }

  void project(double* x) const override { projection_.project(x, x + sizes_.positions); }

  After remember(const Step& step, double*, double*) override {
    Memory& m = memory();
    m.energy.step(kinetic_energy(point().v));
    m.sampler.step(
        step,
        [&](double t) {
          step.dense.evaluate(t, x_.data(), xdot_.data());
          return signals(Point(t, sizes_, x_.data(), xdot_.data()));
        },
        [&](const Signals& at) { feed(m, at); });
    if (step.fired.empty()) return After::go_on;
    After after = After::go_on;  // the force of a touch begins and ends at zero: nothing jumps
    for (const int k : step.fired) {
      if (k < set_.pairs()) {
        const double rate = approach(point(), k).rate;
        m.touch_speed[k] = m.touch_speed[k] == 0 && rate > 0 ? data_.contact.touch_speed(rate) : 0;
      } else {
        m.taut[k - set_.pairs()] = stretch(point(), k - set_.pairs()).rate > 0 ? 1 : 0;
        after = After::restart;  // a damper jumps
      }
    }
    read_history();
    return after;
  }

  std::string unknown_name(int i) const override {
    if (i < coordinates) return std::string(body_names[data_.element_owner[i / 3]]) + " (coordinate)";
    if (i < set_.positions()) return "impactor_position";
    i -= set_.positions();
    if (i < set_.payouts()) return "belt_" + std::string(belt_names[i]) + "_payout";
    i -= set_.payouts();
    return std::string(body_names[data_.constraint_owner[i]]) + " (rigidity)";
  }

 private:
  static constexpr double parting_gap = 1e-12;  ///< m

  // -- from parameters

  Settings settings() const {
    const Values& v = state_.values;
    Settings set;
    set.gravity = gravity_;
    set.joint_limits = v[var_.joint_limits] != 0;
    set.joint_damping = v[var_.joint_damping] != 0;
    set.base_fixed = v[var_.base_fixed] != 0;
    for (int k = 0; k < planes; ++k) {
      const std::vector<bool> touches = chosen(var_.table, v, var_.plane[k].bodies, data_.sphere_names);
      for (int s = 0; s < static_cast<int>(touches.size()); ++s)
        if (touches[s]) set.plane_pairs.push_back({k, s});
    }
    set.with_impactor = v[var_.impactor_active] != 0;
    set.impactor_mass = v[var_.impactor_mass];
    set.impactor_radius = v[var_.impactor_radius];
    if (set.with_impactor) {
      const std::vector<bool> touches = chosen(var_.table, v, var_.impactor_bodies, data_.sphere_names);
      for (int s = 0; s < static_cast<int>(touches.size()); ++s)
        if (touches[s]) set.impactor_spheres.push_back(s);
    }
    set.with_belts = v[var_.belt_active] != 0;
    set.belt_limit = v[var_.belt_load_limit];
    if (set.with_belts) {
      std::vector<double> q(coordinates), rates(coordinates);
      start_pose().write(data_, q.data(), rates.data());
      for (int k = 0; k < belts; ++k) {
        set.anchor[k] = var_.belt_anchor[k].read(v);
        const Belt& belt = data_.belt[k];
        const double length_at_start =
            length(data_.system.bodies()[belt.body].combine(belt.point, q.data()) - set.anchor[k]);
        if (!(length_at_start > 0))
          throw std::invalid_argument("belt_" + std::string(belt_names[k]) +
                                      "_anchor is not allowed: it lies on the body, must be away from it");
        set.belt_rest[k] = length_at_start + v[var_.belt_slack];
      }
    }
    return set;
  }

  /// From the limbs to the root, a front a body with what it owns: elements, belts, reactions that keep it
  /// rigid. The impactor comes last. Blocks are elements and single unknowns.
  Structure make_structure() const {
    Structure s;
    std::vector<int> block_of(set_.positions() + set_.payouts() + constraints);
    const auto add = [&](int first, int size) {
      std::vector<int>& block = s.blocks.emplace_back();
      for (int i = first; i < first + size; ++i) {
        block_of[i] = static_cast<int>(s.blocks.size()) - 1;
        block.push_back(i);
      }
    };
    const int first_payout = set_.positions(), first_reaction = first_payout + set_.payouts();
    for (int b = bodies - 1; b >= 0; --b) {
      const std::size_t before = s.blocks.size();
      for (int i = 0; i < elements; ++i)
        if (data_.element_owner[i] == b) add(3 * i, 3);
      for (int k = 0; k < set_.payouts(); ++k)
        if (data_.belt[k].body == b) add(first_payout + k, 1);
      for (int k = 0; k < constraints; ++k)
        if (data_.constraint_owner[k] == b) add(first_reaction + k, 1);
      s.fronts.push_back(static_cast<int>(s.blocks.size() - before));
    }
    if (set_.with_impactor) {
      add(3 * impactor, 3);
      s.fronts.push_back(1);
    }

    const auto couple = [&](int unknown, int element) {
      s.coupled.push_back(std::minmax(block_of[unknown], block_of[3 * element]));
    };
    const auto couple_body = [&](int unknown, int b) {
      for (int i = 0; i < 4; ++i) couple(unknown, data_.system.bodies()[b].number(i));
    };
    for (int b = 0; b < bodies; ++b)
      for (int i = 0; i < 4; ++i) {
        const int own = 3 * data_.system.bodies()[b].number(i);
        couple_body(own, b);
        if (b != lower_torso) couple_body(own, parent[b]);
      }
    for (int k = 0; k < set_.payouts(); ++k) couple_body(first_payout + k, data_.belt[k].body);
    data_.system.for_each_place([&](int row, int element) { couple(first_reaction + row, element); });
    for (const int sphere : set_.impactor_spheres) couple_body(3 * impactor, data_.spheres[sphere].body);
    std::sort(s.coupled.begin(), s.coupled.end());
    s.coupled.erase(std::unique(s.coupled.begin(), s.coupled.end()), s.coupled.end());
    return s;
  }

  TreePose start_pose() const {
    const Values& v = state_.values;
    TreePose pose;
    pose.position[lower_torso] = var_.start_position.read(v);
    pose.orientation[lower_torso] = from_rotation_vector(var_.start_rotation.read(v));
    pose.velocity[lower_torso] = var_.start_velocity.read(v);
    pose.omega[lower_torso] = rotate(pose.orientation[lower_torso], var_.start_angular_velocity.read(v));
    const auto read_joint = [&](const Vec3Variables& h) {
      return h.x < 0 ? Vec3<double>{0, v[h.y], 0} : h.read(v);
    };
    for (int b = 1; b < bodies; ++b)
      pose.attach(data_, b, read_joint(var_.joint_start[b].rotation),
                  read_joint(var_.joint_start[b].angular_velocity));
    return pose;
  }

  std::vector<bool> held_elements() const {
    std::vector<bool> held(elements, false);
    for (int i = 0; i < elements; ++i) held[i] = set_.base_fixed && data_.element_owner[i] == lower_torso;
    return held;
  }
  std::vector<bool> held_constraints() const {
    std::vector<bool> held(constraints, false);
    for (int k = 0; k < constraints; ++k)
      held[k] = set_.base_fixed && data_.constraint_owner[k] == lower_torso;
    return held;
  }

  // -- evaluation

  Arguments<double> arguments(const Point& p) const {
    return {p.q, p.v, p.a, p.z, p.z + set_.payouts(), p.zdot};
  }

  void evaluate_at(const Point& p, Evaluation<double>& e) const {
    Inputs<double> in = inputs_;
    in.sled.acceleration = with_pulse(in.sled.acceleration, p.t, p.piece);
    human12::evaluate(data_, set_, history_, in, turning_, arguments(p), e);
  }

  template <class T>
  Inputs<T> decode(const T* v) const {
    Inputs<T> in;
    in.sled = {var_.sled.acceleration.read(v), var_.sled.angular_velocity.read(v),
               var_.sled.angular_acceleration.read(v)};
    for (int b = 0; b < bodies; ++b) {
      in.force[b] = var_.load[b].force.read(v);
      in.moment[b] = var_.load[b].moment.read(v);
    }
    for (int k = 0; k < planes; ++k) in.plane[k] = var_.plane[k].read(v, data_.viscous_friction);
    return in;
  }

  double kinetic_energy(const double* v) const { return kinetic_energy<double>(v); }
  template <class T>
  T kinetic_energy(const T* v) const {
    T twice(0);
    for (const NaturalSystem::MassEntry& m : data_.system.mass_entries())
      twice += m.mass * dot(element(v, m.row), element(v, m.column));
    if (set_.with_impactor) twice += set_.impactor_mass * dot(element(v, impactor), element(v, impactor));
    return 0.5 * twice;
  }

  void power(const Evaluation<double>& e, const Point& p, double* rate) const {
    double outside = 0, weight = 0, heat = 0, limits = 0, stored = 0;
    for (int b = 0; b < bodies; ++b) {
      const NaturalBody& body = data_.system.bodies()[b];
      const Vec3<double> velocity = body.combine(body.centre(), p.v);
      outside += dot(e.force[b], velocity) + dot(e.moment[b], e.omega[b]);
      weight -= body.mass() * gravity_ * velocity.z;
      if (b == 0) continue;
      const Vec3<double> relative = e.omega[b] - e.omega[parent[b]];
      heat -= dot(e.damper[b], relative);
      limits += dot(e.limit[b], relative);
    }
    // what belts and impactor do within the system is no work from outside
    double inside = 0;
    for (int k = 0; k < set_.payouts(); ++k) {
      const BeltForce<double>& f = e.belt[k];
      inside -= f.tension * f.rate;
      if (history_.taut[k] != 0) stored += data_.belt[k].stiffness * f.elongation * (f.rate - f.payout_rate);
    }
    if (set_.with_impactor) {
      outside += dot(e.impactor_force, element(p.v, impactor));
      inside += e.impactor_power;
      stored -= e.impactor_power + e.impactor_lost;
    }
    outside += sled_power(p) - inside;
    heat -= inside + stored;
    rate[work] = outside + weight + limits + inside + damping_power(e);
    rate[dissipated] = heat;
    rate[external] = outside;
    rate[limit_work] = limits;
  }
  static double damping_power(const Evaluation<double>& e) {
    double sum = 0;
    for (int b = 1; b < bodies; ++b) sum += dot(e.damper[b], e.omega[b] - e.omega[parent[b]]);
    return sum;
  }
  /// Of the inertia forces that the sled's motion makes.
  double sled_power(const Point& p) const {
    const Vec3<double> sled = with_pulse(inputs_.sled.acceleration, p.t, p.piece);
    if (!turning_ && dot(sled, sled) == 0) return 0;
    std::array<double, most_positions> acceleration{}, force{};
    const int count = elements + (set_.with_impactor ? 1 : 0);
    for (int i = 0; i < count; ++i) {
      Vec3<double> a{};
      if (turning_) a = turning_acceleration<double>(inputs_.sled, element(p.q, i), element(p.v, i));
      if (i == impactor || data_.system.is_point(i)) a += sled;
      add_to_element(acceleration.data(), i, a);
    }
    data_.system.add_inertia(acceleration.data(), force.data());
    if (set_.with_impactor)
      add_to_element(force.data(), impactor, set_.impactor_mass * element(acceleration.data(), impactor));
    double sum = 0;
    for (int i = 0; i < set_.positions(); ++i) sum -= force[i] * p.v[i];
    return sum;
  }

  /// Inertial acceleration of a place that moves with the sled-fixed position, velocity, acceleration given.
  template <class T>
  static Vec3<T> inertial(const Inputs<T>& in, const Vec3<T>& q, const Vec3<T>& v, const Vec3<T>& a) {
    return a + in.sled.acceleration + turning_acceleration<T>(in.sled, q, v);
  }

  template <class T>
  struct BodyMotion {
    Vec3<T> position, velocity, acceleration;  ///< of the centre of mass; acceleration inertial
    std::array<Vec3<T>, 3> axes;
    Vec3<T> omega, alpha;  ///< inertial
  };
  template <class T>
  BodyMotion<T> motion_of(int b, const Evaluation<T>& e, const Inputs<T>& in, const Arguments<T>& x) const {
    const NaturalBody& body = data_.system.bodies()[b];
    BodyMotion<T> m;
    m.position = body.combine(body.centre(), x.q);
    m.velocity = body.combine(body.centre(), x.v);
    m.acceleration = inertial(in, m.position, m.velocity, body.combine(body.centre(), x.a));
    for (int k = 0; k < 3; ++k) m.axes[k] = body.combine(body.axes()[k], x.q);
    m.omega = e.omega[b] + in.sled.angular_velocity;
    m.alpha = body.turn_rate(e.arms[b], x.a) + in.sled.angular_acceleration +
              cross(in.sled.angular_velocity, e.omega[b]);
    return m;
  }

  /// Force and moment that pass the joint of a body towards the outside, on the outer side: what the bodies
  /// beyond need for their motion less what acts on them from outside. In the axes of the outer body, the
  /// moment about the joint.
  template <class T>
  struct SectionLoad {
    Vec3<T> force, moment;
  };
  template <class T>
  SectionLoad<T> section(int joint, std::initializer_list<int> beyond, const Evaluation<T>& e,
                         const Inputs<T>& in, const Arguments<T>& x) const {
    SectionLoad<T> load{};
    const Vec3<T> pivot = element(x.q, data_.joint_element(joint));
    for (const int b : beyond) {
      const NaturalBody& body = data_.system.bodies()[b];
      const BodyMotion<T> m = motion_of(b, e, in, x);
      Vec3<T> needed = m.acceleration;
      needed.z += gravity_;
      const Vec3<T> force = body.mass() * needed - e.force[b];
      const double inertia[3] = {body.inertia().x, body.inertia().y, body.inertia().z};
      Vec3<T> momentum{}, change{};
      for (int k = 0; k < 3; ++k) {
        momentum += (inertia[k] * dot(m.axes[k], m.omega)) * m.axes[k];
        change += (inertia[k] * dot(m.axes[k], m.alpha)) * m.axes[k];
      }
      load.force += force;
      load.moment += change + cross(m.omega, momentum) - e.moment[b] + cross(m.position - pivot, force);
    }
    const NaturalBody& outer = data_.system.bodies()[joint];
    const auto local = [&](const Vec3<T>& f) {
      return Vec3<T>{dot(f, outer.combine(outer.axes()[0], x.q)), dot(f, outer.combine(outer.axes()[1], x.q)),
                     dot(f, outer.combine(outer.axes()[2], x.q))};
    };
    return {local(load.force), local(load.moment)};
  }

  template <class T>
  void outputs(const Evaluation<T>& e, const Inputs<T>& in, const Arguments<T>& x, T* out) const {
    std::array<BodyMotion<T>, bodies> m;
    T potential(0);
    for (int b = 0; b < bodies; ++b) {
      m[b] = motion_of(b, e, in, x);
      var_.body[b].position.write(m[b].position, out);
      const EulerParameters<T> p = euler_parameters(m[b].axes);
      const Variables::Orientation& to = var_.body[b].orientation;
      out[to.w] = p.w, out[to.x] = p.x, out[to.y] = p.y, out[to.z] = p.z;
      potential += data_.system.bodies()[b].mass() * gravity_ * m[b].position.z;
    }
    for (std::size_t k = 0; k < var_.full.size(); ++k) {
      const int b = var_.full[k];
      var_.motion[k].velocity.write(m[b].velocity, out);
      var_.motion[k].acceleration.write(m[b].acceleration, out);
      var_.motion[k].angular_velocity.write(e.omega[b], out);
      var_.motion[k].angular_acceleration.write(m[b].alpha, out);
    }
    for (int b = 1; b < bodies; ++b) {
      const Variables::JointOutput& to = var_.joint[b];
      const std::array<Vec3<T>, 3>& inner = m[parent[b]].axes;
      const Vec3<T> torque = e.limit[b] + e.damper[b];
      if (is_hinge(b)) {
        out[to.angle.y] = hinge_angle(joint_directions(data_, b, x.q));
        out[to.moment.y] = dot(torque, inner[1]);
      } else {
        const auto seen = [&](const Vec3<T>& f) {
          return Vec3<T>{dot(f, inner[0]), dot(f, inner[1]), dot(f, inner[2])};
        };
        const std::array<Vec3<T>, 3> relative{seen(m[b].axes[0]), seen(m[b].axes[1]), seen(m[b].axes[2])};
        to.angle.write(rotation_vector(euler_parameters(relative)), out);
        to.moment.write(seen(torque), out);
      }
    }
    const auto write_section = [&](const Variables::Section& to, const SectionLoad<T>& load) {
      out[to.axial_force] = -load.force.z;
      out[to.shear_force] = load.force.x;
      out[to.lateral_force] = load.force.y;
      out[to.moment] = load.moment.y;
      out[to.lateral_moment] = load.moment.x;
      out[to.twist_moment] = load.moment.z;
    };
    write_section(var_.upper_neck, section(head, {head}, e, in, x));
    write_section(var_.lower_neck, section(neck, {neck, head}, e, in, x));
    for (int k = 0; k < planes; ++k) var_.plane_force[k].write(e.plane_force[k], out);
    for (int k = 0; k < belts; ++k) {
      out[var_.belt_force[k]] = set_.with_belts ? e.belt[k].tension : T(0);
      out[var_.belt_payout[k]] = set_.with_belts ? x.payout[k] : T(0);
      if (set_.with_belts && history_.taut[k] != 0)
        potential += 0.5 * data_.belt[k].stiffness * e.belt[k].elongation * e.belt[k].elongation;
    }
    var_.impactor_position.write(set_.with_impactor ? element(x.q, impactor) : Vec3<T>{}, out);
    var_.impactor_velocity.write(set_.with_impactor ? element(x.v, impactor) : Vec3<T>{}, out);
    var_.impactor_force.write(-e.impactor_force, out);
    out[var_.energy.kinetic] = kinetic_energy(x.v);
    out[var_.energy.potential] = potential + e.impactor_stored;
  }

  template <class T>
  void integral_outputs(const T* w, T* out) const {
    out[var_.energy.dissipated] = w[dissipated];
    out[var_.energy.external] = w[external];
    out[var_.limit_work] = w[limit_work];
  }

  // -- memory

  Memory& memory() { return state_.memory_as<Memory>(); }

  void read_history() {
    const Memory& m = memory();
    std::copy_n(m.touch_speed.begin(), set_.pairs(), history_.touch_speed.begin());
    history_.taut = m.taut;
  }

  /// How far two are apart, and how fast that shrinks; for a belt: how far it is stretched, and how fast that
  /// grows.
  struct Approach {
    double gap, rate;
  };
  Approach approach(const Point& p, int k) const {
    const int on_planes = static_cast<int>(set_.plane_pairs.size());
    if (k < on_planes) {
      const auto [number, which] = set_.plane_pairs[k];
      const SpatialPlane<double>& plane = inputs_.plane[number];
      if (!plane.active) return {1, 0};
      const Sphere& s = data_.spheres[which];
      const NaturalBody& body = data_.system.bodies()[s.body];
      return {plane.height(body.combine(s.centre, p.q)) - s.radius,
              -dot(plane.normal, body.combine(s.centre, p.v) - plane.velocity)};
    }
    const Sphere& s = data_.spheres[set_.impactor_spheres[k - on_planes]];
    const NaturalBody& body = data_.system.bodies()[s.body];
    const Vec3<double> apart = body.combine(s.centre, p.q) - element(p.q, impactor);
    const double distance = length(apart);
    return {distance - s.radius - set_.impactor_radius,
            -dot(apart, body.combine(s.centre, p.v) - element(p.v, impactor)) / distance};
  }
  Approach stretch(const Point& p, int k) const {
    const Belt& belt = data_.belt[k];
    const NaturalBody& body = data_.system.bodies()[belt.body];
    const BeltForce<double> f =
        belt_force(belt, set_.belt_rest[k], set_.belt_limit, history_.taut[k] != 0,
                   body.combine(belt.point, p.q) - set_.anchor[k], body.combine(belt.point, p.v), p.z[k]);
    return {f.elongation - taut_from, f.rate - f.payout_rate};
  }

  /// What overlaps at the start has no touch speed of its own; what just touches then, and closes, has.
  void note_first_touches() {
    Memory& m = memory();
    for (int k = 0; k < set_.pairs(); ++k) {
      const Approach a = approach(point(), k);
      if (a.gap < -touching_from)
        m.touch_speed[k] = data_.contact.smallest_speed;
      else if (a.gap <= touching_from && a.rate > 0)
        m.touch_speed[k] = data_.contact.touch_speed(a.rate);
    }
  }

  Signals signals(const Point& p) const {
    Evaluation<double> e;
    evaluate_at(p, e);
    Inputs<double> in = inputs_;
    in.sled.acceleration = with_pulse(in.sled.acceleration, p.t, p.piece);
    const Arguments<double> x = arguments(p);
    const BodyMotion<double> m = motion_of(head, e, in, x);
    const int t1 = data_.joint_element(neck);
    const Vec3<double> t1_velocity = element(p.v, t1);
    const Vec3<double> t1_acceleration = inertial(in, element(p.q, t1), t1_velocity, element(p.a, t1));
    const auto neck_section = [](const SectionLoad<double>& load) -> NeckCriteria::Section {
      return {-load.force.z, load.force.x, load.moment.y};
    };
    return {
        {m.acceleration, {dot(m.omega, m.axes[0]), dot(m.omega, m.axes[1]), dot(m.omega, m.axes[2])}},
        {t1_acceleration.x, m.acceleration.x, t1_velocity.x, m.velocity.x,
         neck_section(section(head, {head}, e, in, x)), neck_section(section(neck, {neck, head}, e, in, x))}};
  }

  void feed(Memory& m, const Signals& at) const {
    HeadCriteria::sample(m.head, at.head);
    var_.neck_criteria.sample(m.neck, neck_constants_, at.neck);
  }

  const Variables& var_;
  const Data data_;
  const Settings set_;
  const Structure structure_;
  mutable NaturalProjection projection_;  ///< only scratch changes
  HeadCriteria::Constants head_constants_;
  NeckCriteria::Constants neck_constants_;

  // decoded from the state's values and memory
  Inputs<double> inputs_;
  History history_;
  bool turning_ = false;

  std::vector<double> x_, xdot_;  // scratch
};

}  // namespace
}  // namespace human12

const ModelType& human12_type() {
  static const TypeOf<human12::Variables, human12::Human12> type(
      "Human12", "Whole body of twelve bodies in natural coordinates, with belts and impacts, after Ambrósio",
      "Ambrósio, J. A. C.: Biomechanical model using multibody dynamics for human body impact",
      {"sled", "head", "plane1", "plane2", "plane3", "plane4"});
  return type;
}

}  // namespace spondyl
