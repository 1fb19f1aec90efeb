#include "models/cervical_segment/model.h"

#include <algorithm>

#include "models/cervical_segment/variables.h"
#include "models/common_model.h"

namespace spondyl {
namespace cervical_segment {
namespace {

constexpr int n = SpatialBody::coordinates;

/// Integrals along the motion.
enum Quadrature { work, dissipated, external, non_potential, quadrature_count };

struct Memory {
  EnergyOutputs::Memory energy;
};

template <class T>
struct Inputs {
  FrameMotion<T> sled;  ///< without gravity and pulse
  Load<T> load;
};

class CervicalSegment final : public CommonModel {
 public:
  CervicalSegment(const Variables& variables, State& state)
      : CommonModel(variables.common, state), var_(variables) {
    data_ = read(var_.common.read_data("CervicalSegment", state.values));
    sizes_ = {.positions = n, .quadratures = quadrature_count};
  }

  // -- Model

  void start() override {
    state_.reset_memory<Memory>();
    Solution& s = state_.solution;
    s.resize(sizes_);
    const EulerParameters<double> turn = from_rotation_vector(var_.start_rotation.read(state_.values));
    const Vec3<double> centre = data_.origin_home + var_.start_translation.read(state_.values) -
                                rotate(turn, data_.origin) - data_.body.home;
    const double q[n] = {centre.x, centre.y, centre.z, turn.x, turn.y, turn.z, turn.w};
    std::copy_n(q, n, s.x.begin());
    read_inputs();
    if (equilibrium_) settle();
    SpatialBody::normalise(s.x.data(), s.x.data() + n, s.xdot.data() + n);
    make_consistent();

    memory().energy.start(data_.body.kinetic_energy(data_.body.motion(s.x.data(), s.x.data() + n)));
  }

  void read_inputs() override { inputs_ = decode(state_.values.numbers.data()); }

  void write_outputs() override {
    const Solution& s = state_.solution;
    const Point p = point();
    Evaluation<double> e;
    evaluate_at(p, e);
    Values& v = state_.values;
    double* const out = v.numbers.data();
    outputs(e, frame(p), p.a, s.x.data() + 2 * n, out);
    var_.energy.write_error(memory().energy, s.x[2 * n + work], v);
    var_.solver.write(s.statistics, v);
  }

  void evaluate(const DualPoint& p, Dual<1>* residual, Dual<1>* out) const override {
    using D = Dual<1>;
    const Inputs<D> in = decode(p.values);
    const FrameMotion<D> sled = with_gravity(in.sled, p.t, value(p.t));
    Evaluation<D> e;
    cervical_segment::evaluate(data_, in.load, sled, p.q, p.v, p.a, e);
    std::copy(e.residual.begin(), e.residual.end(), residual);
    outputs(e, sled, p.a, p.w, out);
  }

  // -- Dae

  void residual(const Point& p, double* r) const override {
    Evaluation<double> e;
    evaluate_at(p, e);
    std::copy(e.residual.begin(), e.residual.end(), r);
  }

  void jacobian(const Point& p, const Jacobian& j) const override {
    const SpatialBody::Motion<double> motion = data_.body.motion(p.q, p.v);
    Forces<double> f;
    evaluate_forces(data_, motion, f);
    data_.body.jacobian(p.q, p.v, p.a, frame(p), slopes(data_, motion, f, inputs_.load.force), j.of_position,
                        j.of_velocity, j.of_acceleration);
  }

  void quadratures(const Point& p, double* rate) const override {
    Evaluation<double> e;
    evaluate_at(p, e);
    const SpatialBody::Motion<double>& m = e.motion;
    // inertia forces of the sled, and weight apart
    FrameMotion<double> sled = frame(p);
    sled.acceleration.z -= gravity_;
    const Vec3<double> none{};
    const Vec3<double> turning =
        data_.body.turning(m, none, FrameMotion<double>{}) - data_.body.turning(m, none, sled);
    const double outside = dot(inputs_.load.force, e.forces.disc_velocity) +
                           dot(inputs_.load.moment + turning, m.omega) -
                           data_.body.mass * dot(data_.body.transport(m, sled), m.velocity);
    const double weight = -data_.body.mass * gravity_ * m.velocity.z;
    const double inside = dot(e.forces.force, m.velocity) + dot(e.forces.moment, m.omega);
    rate[work] = inside + outside + weight;
    rate[dissipated] = dissipation(data_, m, e.forces);
    rate[external] = outside;
    rate[non_potential] = non_potential_power(data_, m, e.forces);
  }

  /// Displacements count from the posture of the data, and the damping is so strong that velocities stay at
  /// millimetres a second: kinetic energy is a thousandth of what passes, and its balance must hold all the
  /// same.
  void nominal(double* x) const override {
    for (int k = 0; k < n; ++k) {
      x[k] = k < 3 ? 1e-4 : 1e-2;      // m, 1
      x[n + k] = k < 3 ? 1e-4 : 1e-3;  // m/s, 1/s
    }
    std::fill_n(x + 2 * n, int(quadrature_count), 1e-2);
  }

  After remember(const Step&, double* x_end, double* xdot_end) override {
    SpatialBody::normalise(x_end, x_end + n, xdot_end + n);
    std::copy_n(x_end + n, n, xdot_end);
    memory().energy.step(data_.body.kinetic_energy(data_.body.motion(x_end, x_end + n)));
    return After::go_on;
  }

  std::string unknown_name(int i) const override {
    constexpr std::array<const char*, n> names{"C5_translation_x", "C5_translation_y", "C5_translation_z",
                                               "C5_rotation_x",    "C5_rotation_y",    "C5_rotation_z",
                                               "C5_orientation_w"};
    return names[i];
  }

 private:
  // -- evaluation

  template <class T>
  FrameMotion<T> with_gravity(FrameMotion<T> sled, const T& t, double piece) const {
    sled.acceleration = with_pulse(sled.acceleration, t, piece);
    sled.acceleration.z += gravity_;
    return sled;
  }
  FrameMotion<double> frame(const Point& p) const { return with_gravity(inputs_.sled, p.t, p.piece); }

  void evaluate_at(const Point& p, Evaluation<double>& e) const {
    cervical_segment::evaluate(data_, inputs_.load, frame(p), p.q, p.v, p.a, e);
  }

  template <class T>
  Inputs<T> decode(const T* v) const {
    return {{var_.sled.acceleration.read(v), var_.sled.angular_velocity.read(v),
             var_.sled.angular_acceleration.read(v)},
            {var_.load.force.read(v), var_.load.moment.read(v)}};
  }

  template <class T>
  void outputs(const Evaluation<T>& e, FrameMotion<T> sled, const T* a, const T* w, T* out) const {
    const SpatialBody::Motion<T>& m = e.motion;
    const Forces<T>& f = e.forces;
    const Vec3<T> origin = rotate(m.turn, data_.origin.cast<T>());
    var_.translation.write((m.position - data_.body.home.cast<T>()) + (origin - data_.origin.cast<T>()), out);
    var_.rotation.write(f.rotation, out);
    var_.position.write(m.position, out);
    var_.velocity.write(m.velocity, out);
    const EulerParameters<double>& home = data_.posture;
    const EulerParameters<T> axes = m.turn * EulerParameters<T>{T(home.w), T(home.x), T(home.y), T(home.z)};
    out[var_.orientation.w] = axes.w;
    out[var_.orientation.x] = axes.x;
    out[var_.orientation.y] = axes.y;
    out[var_.orientation.z] = axes.z;
    var_.angular_velocity.write(m.omega, out);
    sled.acceleration.z -= T(gravity_);
    var_.acceleration.write(Vec3<T>{a[0], a[1], a[2]} + data_.body.transport(m, sled), out);
    var_.angular_acceleration.write(
        e.alpha + sled.angular_acceleration + cross(sled.angular_velocity, m.omega), out);

    var_.force.write(f.force, out);
    var_.moment.write(f.moment - cross(origin, f.force), out);
    var_.disc_force.write(f.disc_force, out);
    var_.disc_moment.write(f.disc_moment, out);
    for (int i = 0; i < ligaments; ++i) {
      const Variables::LigamentOutput& to = var_.ligament[i];
      const LigamentForce<T>& l = f.ligament[i];
      out[to.force] = l.tension.total;
      out[to.elongation] = l.length - data_.ligament[i].posture_length;
      out[to.strain] = l.tension.strain;
    }
    for (int i = 0; i < facets; ++i) {
      const Variables::FacetOutput& to = var_.facet[i];
      const FacetForce<T>& c = f.facet[i];
      out[to.force] = c.force.total;
      out[to.penetration] = c.geometry.penetration;
      const FacetCase touching = FacetContact::reported(c.geometry, c.force);
      to.point.write(touching == FacetCase::open ? Vec3<T>{} : c.geometry.point, out);
      out[to.touching] = T(double(touching));
      out[to.flatness] = c.geometry.flatness;
    }
    out[var_.energy.kinetic] = data_.body.kinetic_energy(m);
    out[var_.energy.potential] = elastic_energy(data_, f) + data_.body.mass * gravity_ * m.position.z;
    out[var_.energy.dissipated] = w[dissipated];
    out[var_.energy.external] = w[external];
    out[var_.non_potential_work] = w[non_potential];
    stiffness(m, out);
  }

  /// -∂(force, moment about C5's origin)/∂(translation of C5's origin, rotation), at rest.
  template <class T>
  void stiffness(SpatialBody::Motion<T> m, T* out) const {
    using D = Dual<6, T>;
    m.velocity = m.omega = Vec3<T>{};
    SpatialBody::Motion<D> varied_motion = varied(m);
    const Vec3<D> origin = rotate(varied_motion.turn, data_.origin.cast<D>());
    // the variables are C5's origin and the rotation about it: the centre of mass moves with the rotation
    D* const position[3] = {&varied_motion.position.x, &varied_motion.position.y, &varied_motion.position.z};
    const D* const arm[3] = {&origin.x, &origin.y, &origin.z};
    for (int k = 0; k < 3; ++k)
      for (int c = 3; c < 6; ++c) position[k]->d[c] -= arm[k]->d[c];
    Forces<D> f;
    evaluate_forces(data_, varied_motion, f);
    const Vec3<D> moment = f.moment - cross(origin, f.force);
    const D* const rows[6] = {&f.force.x, &f.force.y, &f.force.z, &moment.x, &moment.y, &moment.z};
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c) out[var_.stiffness[r][c]] = -rows[r]->d[c];
  }

  Memory& memory() { return state_.memory_as<Memory>(); }

  const Variables& var_;
  Data data_;
  Inputs<double> inputs_;  // decoded from the state's values
};

}  // namespace
}  // namespace cervical_segment

const ModelType& cervical_segment_type() {
  static const TypeOf<cervical_segment::Variables, cervical_segment::CervicalSegment> type(
      "CervicalSegment", "C5 on C6 in six degrees of freedom, after Kecskeméthy, Lange & Grabner 2000",
      "Kecskeméthy, A., Lange, C., Grabner, G.: Simulating cervical vertebrae motion using elementary "
      "contact "
      "pairs, DETC2000/MECH-6821 (2000)",
      {"sled", "C5"});
  return type;
}

}  // namespace spondyl
