#include "models/lumbar_spine/model.h"

#include <algorithm>
#include <cmath>

#include "injury/dri.h"
#include "models/common_model.h"
#include "models/lumbar_spine/variables.h"
#include "models/sampler.h"
#include "solvers/equilibrium.h"

namespace spondyl {
namespace lumbar_spine {
namespace {

/// Integrals along the motion.
enum Quadrature { work, dissipated, external, sled_velocity_x, sled_velocity_z, quadrature_count };

/// What the injury criterion looks at, at one instant.
struct Signals {
  double seat_acceleration;
};

struct Memory {
  TouchSpeeds touch{};
  EnergyOutputs::Memory energy;
  Sampler<Signals> sampler;
  injury::Dri dri;
};

class LumbarSpine final : public CommonModel {
 public:
  LumbarSpine(const Variables& variables, State& state)
      : CommonModel(variables.common, state),
        var_(variables),
        oscillator_({state.values[variables.dri_frequency], state.values[variables.dri_damping]}) {
    const Values& v = state.values;
    refuse_pulse_along_y();
    const Trunk trunk{v[var_.trunk.mass], v[var_.trunk.inertia], {v[var_.trunk.x], v[var_.trunk.z]}};
    data_ = read(var_.common.read_data("LumbarSpine", v), trunk,
                 static_cast<ContactLaw>(int(v[var_.contact_law])));
    scale_elements(v);
    if (var_.common.data_set_choice(v) == CommonVariables::DataSetChoice::published) equilibrium_ = false;
    sizes_ = {.positions = Bodies::size, .quadratures = quadrature_count, .events = bodies * contacts};
  }

  // -- Model

  void start() override {
    state_.reset_memory<Memory>();
    Solution& s = state_.solution;
    s.resize(sizes_);
    std::copy(data_.posture.begin(), data_.posture.end(), s.x.begin());
    read_inputs();
    if (equilibrium_) {
      creep(*this, s);
      settle();
    }
    note_touches();
    make_consistent();

    Memory& m = memory();
    m.energy.start(kinetic_energy(point()));
    m.sampler.start(s.t, signals(s.t), [&](const Signals& at) { feed(m, at); });
  }

  void read_inputs() override {
    inputs_ = decode(state_.values.numbers.data());
    touch_ = memory().touch;
  }

  void write_outputs() override {
    const Solution& s = state_.solution;
    const Point p = point();
    Evaluation<double> e;
    evaluate_at(p, e);
    Values& v = state_.values;
    outputs(e, frame_at(p), p.a, v.numbers.data());

    const double* const w = s.x.data() + 2 * Bodies::size;
    integral_outputs(w, v.numbers.data());
    var_.energy.write_error(memory().energy, w[work], v);
    v[var_.dri] = memory().dri.value(oscillator_);
    var_.solver.write(s.statistics, v);
  }

  void evaluate(const DualPoint& p, Dual<1>* residual, Dual<1>* out) const override {
    using D = Dual<1>;
    const Inputs<D> in = decode(p.values);
    const PlanarFrame<D> frame = frame_of(in, p.t, value(p.t));
    Evaluation<D> e;
    lumbar_spine::evaluate(data_, touch_, in, with_gravity(frame), p.q, p.v, p.a, e);
    std::copy(e.residual.begin(), e.residual.end(), residual);
    outputs(e, frame, p.a, out);
    integral_outputs(p.w, out);
  }

  // -- Dae

  void residual(const Point& p, double* r) const override {
    Evaluation<double> e;
    evaluate_at(p, e);
    std::copy(e.residual.begin(), e.residual.end(), r);
  }

  void jacobian(const Point& p, const Jacobian& j) const override {
    data_.column.jacobian(with_gravity(frame_at(p)), j.of_position, j.of_velocity, j.of_acceleration);
    std::array<PlanarMotion<double>, bodies + 1> body;
    for (int i = 0; i <= bodies; ++i) body[i] = data_.column.motion(p.q, p.v, i);
    for (int i = 0; i < bodies; ++i) {
      using D = Bodies::LevelDual;
      const auto seen = Bodies::as_variables(Bodies::relative(body[i], body[i + 1]));
      const auto f = level_forces<D>(data_.levels[i], touch_[i], D(inputs_.follower_load), seen);
      Bodies::add_jacobian(i, body[i], body[i + 1], f.wrench, j.of_position, j.of_velocity);
    }
    // loads on L1 away from its centre of mass: their arms turn, and (p⊥)⊥ = -p
    j.of_position[2 * Bodies::size + 2] += dot(rotate(body[0].tilt, data_.vertebra), inputs_.force[0]) +
                                           dot(rotate(body[0].tilt, data_.endplate), inputs_.endplate_force);
  }

  void quadratures(const Point& p, double* rate) const override {
    Evaluation<double> e;
    evaluate_at(p, e);
    power(e, frame_at(p), p.v, rate);
  }

  void events(const Point& p, double* g) const override {
    for_each_contact(p, [&](int i, int k, const PointMotion<double>& centre) {
      g[i * contacts + k] = pair(i, k).gap(centre.position);
    });
  }

  /// Lengths count in hundredths of a metre, angles in tenths of a radian.
  void nominal(double* x) const override {
    std::fill_n(x, sizes_.states(), 1.0);
    for (int i = 0; i < bodies; ++i) {
      double* const q = x + 3 * i;
      q[0] = q[1] = 0.01;
      q[2] = 0.1;
    }
  }

  After remember(const Step& step, double*, double*) override {
    Memory& m = memory();
    m.energy.step(kinetic_energy(point()));
    m.sampler.step(
        step, [&](double t) { return signals(t); }, [&](const Signals& at) { feed(m, at); });
    if (step.fired.empty()) return After::go_on;
    for_each_contact(point(), [&](int i, int k, const PointMotion<double>& centre) {
      if (std::find(step.fired.begin(), step.fired.end(), i * contacts + k) == step.fired.end()) return;
      double& touch = m.touch[i][k];
      const double rate = dot(pair(i, k).normal_vector(), centre.velocity);
      touch = touch == 0 || rate > 0 ? law(i, k).touch_speed(rate) : 0;
    });
    touch_ = m.touch;
    return After::restart;
  }

  std::string unknown_name(int i) const override {
    constexpr const char* coordinate[3] = {"_position_x", "_position_z", "_angle"};
    return std::string(body_names[i / 3]) + coordinate[i % 3];
  }

 private:
  const SphereLine& pair(int i, int k) const { return data_.levels[i].contact[k].pair; }
  const ImpactLaw& law(int i, int k) const { return pair(i, k).normal; }

  void scale_elements(const Values& v) {
    for (int i = 0; i < bodies; ++i) {
      Level& l = data_.levels[i];
      const Variables::Factors& f = var_.factor[i];
      for (Bushing::Direction* const d : {&l.disc.x, &l.disc.z, &l.disc.turn}) d->scale(v[f.disc]);
      for (int k = 0; k < ligaments; ++k) l.ligament[k].law.stiffness *= v[f.ligament[k]];
      for (int k = 0; k < contacts; ++k) l.contact[k].pair.normal.scale(v[f.contact[k]]);
    }
  }

  // -- evaluation

  /// The sled's motion with the built-in pulse.
  template <class T>
  PlanarFrame<T> frame_of(const Inputs<T>& in, const T& t, double piece) const {
    PlanarFrame<T> frame = in.frame;
    frame.acceleration = with_pulse(frame.acceleration, t, piece);
    return frame;
  }
  PlanarFrame<double> frame_at(const Point& p) const { return frame_of(inputs_, p.t, p.piece); }
  template <class T>
  PlanarFrame<T> with_gravity(PlanarFrame<T> frame) const {
    frame.acceleration.z += gravity_;
    return frame;
  }

  void evaluate_at(const Point& p, Evaluation<double>& e) const {
    lumbar_spine::evaluate(data_, touch_, inputs_, with_gravity(frame_at(p)), p.q, p.v, p.a, e);
  }

  /// The inputs among the values.
  template <class T>
  Inputs<T> decode(const T* v) const {
    Inputs<T> in;
    in.frame = {var_.sled.read(v), v[var_.sled_angular_velocity], v[var_.sled_angular_acceleration]};
    for (int i = 0; i < bodies; ++i) {
      in.force[i] = {v[var_.load[i].force_x], v[var_.load[i].force_z]};
      in.moment[i] = v[var_.load[i].moment_y];
    }
    in.endplate_force = {v[var_.endplate_force_x], v[var_.endplate_force_z]};
    in.follower_load = v[var_.follower_load];
    return in;
  }

  /// Calls for each pair with the sphere's centre as the lower body sees it.
  template <class Call>
  void for_each_contact(const Point& p, Call call) const {
    std::array<PlanarMotion<double>, bodies + 1> body;
    for (int i = 0; i <= bodies; ++i) body[i] = data_.column.motion(p.q, p.v, i);
    for (int i = 0; i < bodies; ++i) {
      const RelativeMotion<double> seen = Bodies::relative(body[i], body[i + 1]);
      for (int k = 0; k < contacts; ++k) call(i, k, seen.of(data_.levels[i].contact[k].centre));
    }
  }

  /// Rates of the quadratures.
  void power(const Evaluation<double>& e, const PlanarFrame<double>& frame, const double* v,
             double* rate) const {
    double inner = 0, heat = 0, outside = 0, weight = 0;
    for (int i = 0; i < bodies; ++i) {
      const LevelForces<double>& l = e.level[i];
      const RelativeMotion<double>& seen = e.relative[i];
      const double cable = -inputs_.follower_load * l.cable_rate;
      inner += dot(l.wrench.force, seen.velocity) + l.wrench.moment * seen.rate - cable;
      outside += cable;
      heat += l.heat;
      const Bodies::Body& body = data_.column.body(i);
      const PlanarMotion<double>& m = e.body[i];
      const Vec2<double> sled = Bodies::frame_acceleration(frame, m.position, m.velocity);
      outside += dot(e.loads.force[i] - body.mass * sled, m.velocity) +
                 (e.loads.moment[i] - body.inertia * frame.angular_acceleration) * v[3 * i + 2];
      weight -= body.mass * gravity_ * m.velocity.z;
    }
    rate[work] = inner + outside + weight;
    rate[dissipated] = heat;
    rate[external] = outside;
    rate[sled_velocity_x] = frame.acceleration.x;
    rate[sled_velocity_z] = frame.acceleration.z;
  }

  /// Of the motion against the sled.
  double kinetic_energy(const Point& p) const { return kinetic_energy(p.v); }
  template <class T>
  T kinetic_energy(const T* v) const {
    T energy(0);
    for (int i = 0; i < bodies; ++i) {
      const T* const u = v + 3 * i;
      const Bodies::Body& body = data_.column.body(i);
      energy += 0.5 * (body.mass * (u[0] * u[0] + u[1] * u[1]) + body.inertia * u[2] * u[2]);
    }
    return energy;
  }

  template <class T>
  void outputs(const Evaluation<T>& e, const PlanarFrame<T>& frame, const T* a, T* out) const {
    T potential(0);
    std::array<T, Bodies::size> v;
    for (int i = 0; i < bodies; ++i) {
      const PlanarMotion<T>& m = e.body[i];
      potential += data_.column.body(i).mass * gravity_ * m.position.z;
      const Vec2<T> centre = i == 0 ? m.position + rotate(m.tilt, data_.vertebra) : m.position;
      out[var_.body[i].position_x] = centre.x;
      out[var_.body[i].position_z] = centre.z;
      out[var_.body[i].angle] = m.angle;
      v[3 * i] = m.velocity.x, v[3 * i + 1] = m.velocity.z, v[3 * i + 2] = m.rate;
    }

    // L1 without the trunk
    const PlanarMotion<T>& top = e.body[0];
    const Vec2<T> arm = rotate(top.tilt, data_.vertebra);
    const Vec2<T> velocity = top.velocity + top.rate * perp(arm), position = top.position + arm;
    const Vec2<T> acceleration = Vec2<T>{a[0], a[1]} + a[2] * perp(arm) - (top.rate * top.rate) * arm +
                                 Bodies::frame_acceleration(frame, position, velocity);
    out[var_.top.velocity_x] = velocity.x;
    out[var_.top.velocity_z] = velocity.z;
    out[var_.top.angular_velocity] = top.rate;
    out[var_.top.acceleration_x] = acceleration.x;
    out[var_.top.acceleration_z] = acceleration.z;
    out[var_.top.angular_acceleration] = a[2] + frame.angular_acceleration;

    for (int i = 0; i < bodies; ++i) {
      const Level& level = data_.levels[i];
      const LevelForces<T>& f = e.level[i];
      const Variables::LevelOutput& to = var_.level[i];
      potential += level_energy(level, f);
      out[to.angle] = f.turn;
      out[to.moment] = f.disc_moment();
      out[to.axial_force] = -f.disc_force().z;
      out[to.shear_force] = f.disc_force().x;
      for (int k = 0; k < ligaments; ++k) {
        out[to.force[k]] = f.ligament[k].tension;
        out[to.elongation[k]] = f.ligament[k].length - level.ligament[k].tabulated_length;
      }
      for (int k = 0; k < contacts; ++k) {
        out[to.contact[k].force] = f.contact[k].pressure;
        out[to.contact[k].gap] = f.contact[k].gap;
        out[to.contact[k].foot] = f.contact[k].foot;
      }
    }
    out[var_.energy.kinetic] = kinetic_energy(v.data());
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

  /// Pairs that overlap at the start, where all is at rest.
  void note_touches() {
    Memory& m = memory();
    for_each_contact(point(), [&](int i, int k, const PointMotion<double>& centre) {
      if (pair(i, k).gap(centre.position) <= 0) m.touch[i][k] = law(i, k).touch_speed(0.0);
    });
    touch_ = m.touch;
  }

  Signals signals(double t) const { return {frame_of(inputs_, t, t).acceleration.z}; }
  void feed(Memory& m, const Signals& at) const { m.dri.sample(oscillator_, at.seat_acceleration); }

  const Variables& var_;
  Data data_;
  injury::DriOscillator oscillator_;

  // decoded from the state's values and memory
  Inputs<double> inputs_;
  TouchSpeeds touch_{};
};

}  // namespace
}  // namespace lumbar_spine

const ModelType& lumbar_spine_type() {
  static const TypeOf<lumbar_spine::Variables, lumbar_spine::LumbarSpine> type(
      "LumbarSpine", "Lumbar spine L1 to S1 in the sagittal plane, after Morais 2011",
      "Morais, S. T. M. N. de: Development of a Biomechanical Spine Model for Dynamic Analysis, thesis, "
      "Universidade do Minho (2011)",
      {"sled", "L1", "L2", "L3", "L4", "L5"});
  return type;
}

}  // namespace spondyl
