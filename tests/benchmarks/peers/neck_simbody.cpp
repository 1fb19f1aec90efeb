/// The whiplash in Simbody: pin joints, the laws of the levels and the pulse in one Force::Custom.
/// Simbody's X is forward, its Y up: a forward tilt is a negative turn about Z.

#include <Simbody.h>

#include "peers/neck_case.h"
#include "peers/peer_main.h"

namespace {

using namespace SimTK;
using peers::NeckCase;

/// Moments as mobility forces, which costs Simbody less than forces at points; weight and pulse at the
/// centres of mass.
class Laws : public Force::Custom::Implementation {
 public:
  Laws(const NeckCase& c, const SimbodyMatterSubsystem& matter, const std::vector<MobilizedBody::Pin>& pins)
      : case_(c), matter_(matter), pins_(pins) {}
  void calcForce(const State& state, Vector_<SpatialVec>& body_forces, Vector_<Vec3>&,
                 Vector& mobility_forces) const override {
    const Vec3 field(-case_.pulse(state.getTime()), -case_.gravity, 0);
    for (int i = 0; i < case_.size(); ++i) {
      const MobilizedBody::Pin& pin = pins_[i];
      const double moment = case_.moment(i, -pin.getAngle(state), -pin.getRate(state));
      pin.applyOneMobilityForce(state, 0, moment, mobility_forces);
      const peers::Body& b = case_.bodies[i];
      pin.applyForceToBodyPoint(state, Vec3(b.centre_x, b.centre_z, 0), b.mass * field, body_forces);
    }
  }
  Real calcPotentialEnergy(const State&) const override { return 0; }

 private:
  const NeckCase& case_;
  const SimbodyMatterSubsystem& matter_;
  const std::vector<MobilizedBody::Pin>& pins_;
};

class Neck {
 public:
  explicit Neck(const NeckCase& c) : case_(c), matter_(system_), forces_(system_) {
    for (int i = 0; i < c.size(); ++i) {
      const peers::Body& b = c.bodies[i];
      const Vec3 centre(b.centre_x, b.centre_z, 0);
      const Body::Rigid body(
          MassProperties(b.mass, centre, Inertia(b.inertia).shiftFromMassCenter(centre, b.mass)));
      if (i == 0)
        pins_.emplace_back(matter_.Ground(), Transform(), body, Transform());
      else
        pins_.emplace_back(pins_.back(), Transform(Vec3(c.bodies[i - 1].pivot_x, c.bodies[i - 1].pivot_z, 0)),
                           body, Transform());
    }
    Force::Custom(forces_, new Laws(case_, matter_, pins_));
    start_ = system_.realizeTopology();
    for (int i = 0; i < c.size(); ++i) pins_[i].setAngle(start_, -c.start(i));
  }

  /// Stops at the corners of the pulse and begins anew there.
  template <class Integrator>
  long run(Integrator& integrator, std::vector<double>* angles) const {
    integrator.initialize(start_);
    std::size_t next = 0;
    const auto reached = [&] { return integrator.getState().getTime(); };
    for (const double corner : {0.5 * case_.pulse_duration, case_.pulse_duration, case_.end}) {
      while (reached() < corner) {
        double report = corner;
        if (angles && next < angles->size()) report = std::min(corner, time(next));
        integrator.stepTo(report, corner);
        if (angles)
          for (; next < angles->size() && time(next) <= reached() * (1 + 1e-12); ++next)
            (*angles)[next] = head(integrator.getState());
      }
      if (corner < case_.end) integrator.reinitialize(Stage::Velocity, false);
    }
    return integrator.getNumStepsTaken();
  }

  template <class Integrator>
  void measure(int rounds, const std::string& name, std::initializer_list<double> accuracies) {
    for (const double accuracy : accuracies) {
      const auto with = [&](std::vector<double>* angles) {
        Integrator integrator(system_);
        integrator.setAccuracy(accuracy);
        return run(integrator, angles);
      };
      peers::measure(
          case_, rounds, name, benchmarks::format("accuracy %.0e", accuracy), [&] { return with(nullptr); },
          [&] {
            std::vector<double> angles(case_.head_angle.size());
            with(&angles);
            return angles;
          });
    }
  }

 private:
  double time(std::size_t g) const { return case_.end * static_cast<double>(g) / case_.grid(); }
  double head(const State& state) const {
    double sum = 0;
    for (const MobilizedBody::Pin& pin : pins_) sum -= pin.getAngle(state);
    return sum;
  }

  const NeckCase& case_;
  MultibodySystem system_;
  SimbodyMatterSubsystem matter_;
  GeneralForceSubsystem forces_;
  std::vector<MobilizedBody::Pin> pins_;
  State start_;
};

}  // namespace

int main(int argc, char** argv) {
  return peers::peer_main<NeckCase>(argc, argv, [](const NeckCase& c, int rounds) {
    Neck neck(c);
    neck.measure<CPodesIntegrator>(rounds, "Simbody CPodes", {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8});
    neck.measure<RungeKuttaMersonIntegrator>(rounds, "Simbody Runge-Kutta-Merson", {1e-3, 1e-5, 1e-7});
  });
}
