/// The whole-body cases in Simbody: a free base, balls and pins, all laws and the pulse in one Force::Custom,
/// touches and corners of the pulse as Simbody's own events.

#include <Simbody.h>

#include "peers/human_case.h"
#include "peers/peer_main.h"

namespace {

namespace st = SimTK;
using namespace peers;

st::Vec3 simtk(const V3& v) { return {v.x, v.y, v.z}; }
V3 own(const st::Vec3& v) { return {v[0], v[1], v[2]}; }

/// The bodies and what changes at events.
struct Human {
  const HumanCase& definition;
  std::vector<st::MobilizedBody> bodies;  ///< the impactor comes last
  std::vector<Switch> on;
  int events = 0;
  static constexpr int most_events = 300;

  BodyState state(int i, const st::State& s) const {
    const st::Transform& x = bodies[i].getBodyTransform(s);
    const st::SpatialVec& v = bodies[i].getBodyVelocity(s);
    return {own(x.p()), own(x.R().col(0)), own(x.R().col(1)), own(x.R().col(2)), own(v[1]), own(v[0])};
  }
  void states(const st::State& s, std::vector<BodyState>& to) const {
    for (std::size_t i = 0; i < bodies.size(); ++i) to[i] = state(static_cast<int>(i), s);
  }
};

/// Moments of joints as mobility forces, which costs Simbody less than forces on bodies.
class Laws : public st::Force::Custom::Implementation {
 public:
  explicit Laws(const Human& h)
      : human_(h), state_(h.definition.size() + 1), wrench_(h.definition.size() + 1) {}
  void calcForce(const st::State& s, st::Vector_<st::SpatialVec>& body_forces, st::Vector_<st::Vec3>&,
                 st::Vector& mobility_forces) const override {
    const HumanCase& c = human_.definition;
    const st::Vec3 field(-c.pulse(s.getTime()), 0, -c.gravity);
    for (int i = 0; i < c.size(); ++i) {
      const Body& b = c.bodies[i];
      const st::MobilizedBody& body = human_.bodies[i];
      body_forces[body.getMobilizedBodyIndex()][1] += b.mass * field;
      if (b.joint == JointType::free) continue;
      if (b.joint == JointType::hinge) {
        const double moment = b.range.torque(body.getOneQ(s, 0)) - b.damping * body.getOneU(s, 0);
        body.applyOneMobilityForce(s, 0, moment, mobility_forces);
      } else {
        const V3 limb = own(body.getMobilizerTransform(s).R() * simtk(b.cone.limb()));
        const st::Vec3 range = simtk(b.cone.torque(limb));
        for (int k = 0; k < 3; ++k)
          body.applyOneMobilityForce(s, k, range[k] - b.damping * body.getOneU(s, k), mobility_forces);
      }
    }
    // an impactor feels the pulse, but not its weight
    if (c.with_impactor)
      body_forces[human_.bodies.back().getMobilizedBodyIndex()][1][0] += c.impactor.mass * field[0];
    if (std::none_of(human_.on.begin(), human_.on.end(), [](const Switch& one) { return one.on; })) return;
    human_.states(s, state_);
    std::fill(wrench_.begin(), wrench_.end(), Wrench{});
    c.act(human_.on, state_.data(), wrench_.data());
    for (std::size_t i = 0; i < human_.bodies.size(); ++i)
      body_forces[human_.bodies[i].getMobilizedBodyIndex()] +=
          st::SpatialVec(simtk(wrench_[i].moment), simtk(wrench_[i].force));
  }
  st::Real calcPotentialEnergy(const st::State&) const override { return 0; }

 private:
  const Human& human_;
  mutable std::vector<BodyState> state_;
  mutable std::vector<Wrench> wrench_;
};

/// Ends a step where a switch crosses its surface, which lies a little behind where it was crossed last, so
/// that what rests on it does not chatter. All that are across then switch: several may be within one window.
class Crossing : public st::TriggeredEventHandler {
 public:
  Crossing(Human& h, int k)
      : TriggeredEventHandler(st::Stage::Velocity), human_(h), k_(k), state_(h.definition.size() + 1) {}
  st::Real getValue(const st::State& s) const override {
    const int body = human_.definition.body_of(k_);
    state_[body] = human_.state(body, s);
    if (human_.definition.with_impactor)
      state_[human_.definition.size()] = human_.state(human_.definition.size(), s);
    return value(k_, human_.definition.approach(k_, state_.data()).gap);
  }
  void handleEvent(st::State& s, st::Real, bool&) const override {
    if (++human_.events > Human::most_events) throw std::runtime_error("a touch chatters");
    human_.bodies[0].getMatterSubsystem().getSystem().realize(s, st::Stage::Velocity);
    human_.states(s, state_);
    for (int k = 0; k < human_.definition.switches(); ++k) {
      const Approach a = human_.definition.approach(k, state_.data());
      if (human_.on[k].on != (value(k, a.gap) < 0)) HumanCase::turn(human_.on[k], std::max(0.0, a.rate));
    }
    s.invalidateAllCacheAtOrAbove(st::Stage::Dynamics);
  }

 private:
  double value(int k, double gap) const { return gap + (human_.on[k].on ? -1e-12 : 1e-12); }

  Human& human_;
  int k_;
  mutable std::vector<BodyState> state_;
};

/// The pulse's corners.
class Corner : public st::ScheduledEventHandler {
 public:
  explicit Corner(const HumanCase& c) : corners_(c.corners()) {}
  st::Real getNextEventTime(const st::State& s, bool now_counts) const override {
    for (const double t : corners_)
      if (t > s.getTime() || (now_counts && t == s.getTime())) return t;
    return st::Infinity;
  }
  void handleEvent(st::State& s, st::Real, bool&) const override {
    s.invalidateAllCacheAtOrAbove(st::Stage::Dynamics);
  }

 private:
  std::vector<double> corners_;
};

class Person {
 public:
  explicit Person(const HumanCase& c)
      : case_(c), matter_(system_), forces_(system_), human_{c, {}, std::vector<Switch>(c.switches()), 0} {
    for (int i = 0; i < c.size(); ++i) add(i);
    if (c.with_impactor)
      human_.bodies.push_back(st::MobilizedBody::Translation(
          matter_.Ground(), st::Transform(), rigid(c.impactor.mass, {1, 1, 1}), st::Transform()));
    st::Force::Custom(forces_, new Laws(human_));
    for (int k = 0; k < c.switches(); ++k) system_.addEventHandler(new Crossing(human_, k));
    system_.addEventHandler(new Corner(c));
    start_ = system_.realizeTopology();
    for (int i = 0; i < c.size(); ++i) {
      const Quaternion q = c.joint_turn(i);
      const st::Rotation turn(st::Quaternion(q.w, q.x, q.y, q.z));
      if (c.bodies[i].joint == JointType::free)
        human_.bodies[i].setQToFitTransform(start_, st::Transform(turn, simtk(c.bodies[i].start)));
      else if (c.bodies[i].joint == JointType::ball)
        human_.bodies[i].setQToFitRotation(start_, turn);
      else
        human_.bodies[i].setOneQ(start_, 0, c.hinge_angle(i));
    }
    if (c.with_impactor) {
      human_.bodies.back().setQToFitTranslation(start_, simtk(c.impactor.start));
      human_.bodies.back().setUToFitLinearVelocity(start_, simtk(c.impactor.start_velocity));
    }
    system_.realize(start_, st::Stage::Velocity);
    std::vector<BodyState> states(c.size() + 1);
    human_.states(start_, states);
    c.start(states.data(), start_on_);
  }

  template <class Integrator>
  void measure(int rounds, const std::string& name, const std::vector<double>& accuracies) {
    for (const double accuracy : accuracies) {
      const std::string setting = benchmarks::format("accuracy %.0e", accuracy);
      benchmarks::Best best;
      long steps = 0;
      try {
        for (int round = 0; round < rounds; ++round)
          best.see(benchmarks::time_of([&] { steps = run<Integrator>(accuracy); }));
        case_.print(name, setting, best.value(), steps, case_.error(motion_));
      } catch (const std::exception& e) {
        std::fprintf(stderr, "%s, %s at %s: %s\n", case_.name.c_str(), name.c_str(), setting.c_str(),
                     e.what());
      }
    }
  }

 private:
  static st::Body::Rigid rigid(double mass, const V3& inertia) {
    return st::Body::Rigid(st::MassProperties(mass, st::Vec3(0), st::Inertia(simtk(inertia))));
  }

  /// Frames of bodies sit in their centres of mass.
  void add(int i) {
    const Body& b = case_.bodies[i];
    const st::Body::Rigid body = rigid(b.mass, b.inertia);
    // pins turn about z
    st::Rotation frame;
    if (b.joint == JointType::hinge) frame.setRotationFromAngleAboutX(-st::Pi / 2);
    const st::Transform in_parent(frame, simtk(b.joint_in_parent)), in_child(frame, simtk(b.joint_in_child));
    if (b.joint == JointType::free)
      human_.bodies.push_back(
          st::MobilizedBody::Free(matter_.Ground(), st::Transform(), body, st::Transform()));
    else if (b.joint == JointType::ball)
      human_.bodies.push_back(st::MobilizedBody::Ball(human_.bodies[b.parent], in_parent, body, in_child));
    else
      human_.bodies.push_back(st::MobilizedBody::Pin(human_.bodies[b.parent], in_parent, body, in_child));
  }

  template <class Integrator>
  long run(double accuracy) {
    human_.on = start_on_;
    human_.events = 0;
    motion_.assign(case_.reference.size(), std::vector<V3>(case_.size()));
    Integrator integrator(system_);
    integrator.setAccuracy(accuracy);
    st::TimeStepper stepper(system_, integrator);
    stepper.initialize(start_);
    for (int k = 0; k <= case_.grid(); ++k) {
      if (k > 0) stepper.stepTo(case_.grid_time(k));
      const st::State& s = integrator.getState();
      for (int i = 0; i < case_.size(); ++i) motion_[k][i] = own(human_.bodies[i].getBodyOriginLocation(s));
    }
    return integrator.getNumStepsTaken();
  }

  const HumanCase& case_;
  st::MultibodySystem system_;
  st::SimbodyMatterSubsystem matter_;
  st::GeneralForceSubsystem forces_;
  Human human_;
  st::State start_;
  std::vector<Switch> start_on_;
  std::vector<std::vector<V3>> motion_;
};

}  // namespace

int main(int argc, char** argv) {
  return peer_main<HumanCase>(argc, argv, [](const HumanCase& c, int rounds) {
    Person person(c);
    person.measure<st::CPodesIntegrator>(rounds, "Simbody CPodes", {1e-4, 1e-5, 1e-6, 1e-7});
    person.measure<st::RungeKuttaMersonIntegrator>(rounds, "Simbody Runge-Kutta-Merson",
                                                   {1e-3, 1e-5, 1e-7, 1e-8});
  });
}
