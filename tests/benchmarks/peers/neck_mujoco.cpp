/// The whiplash in MuJoCo: hinges about y, the laws of the levels in the passive-force callback in C, the
/// pulse as gravity that leans back.

#include "peers/mujoco_model.h"
#include "peers/neck_case.h"
#include "peers/peer_main.h"

namespace {

using peers::NeckCase;

const NeckCase* current = nullptr;  // MuJoCo's callbacks know nothing but model and data
bool damping_is_native = false;

void passive(const mjModel* m, mjData* d) {
  // read by MuJoCo after this callback, in the same evaluation
  const_cast<mjModel*>(m)->opt.gravity[0] = -current->pulse(d->time);
  for (int i = 0; i < current->size(); ++i) {
    double moment = current->moment(i, d->qpos[i], d->qvel[i]);
    if (damping_is_native) moment -= current->bodies[i].joint_damping * d->qvel[i];
    d->qfrc_passive[i] -= moment;
  }
}

std::string description(const NeckCase& c, bool native_damping) {
  std::ostringstream xml;
  xml.precision(17);
  xml << "<mujoco><compiler angle='radian' autolimits='false'/><option gravity='0 0 " << -c.gravity
      << "'><flag constraint='disable' contact='disable'/></option><worldbody>";
  for (int i = 0; i < c.size(); ++i) {
    const peers::Body& b = c.bodies[i];
    xml << "<body pos='" << (i ? c.bodies[i - 1].pivot_x : 0) << " 0 " << (i ? c.bodies[i - 1].pivot_z : 0)
        << "'><joint type='hinge' axis='0 1 0' damping='" << (native_damping ? b.joint_damping : 0)
        << "'/><inertial pos='" << b.centre_x << " 0 " << b.centre_z << "' mass='" << b.mass
        << "' diaginertia='" << b.inertia << ' ' << b.inertia << ' ' << b.inertia << "'/>";
  }
  for (int i = 0; i < c.size(); ++i) xml << "</body>";
  xml << "</worldbody></mujoco>";
  return xml.str();
}

class Neck : private peers::MujocoModel {
 public:
  Neck(const NeckCase& c, bool native_damping)
      : MujocoModel(description(c, native_damping)), case_(c), native_damping_(native_damping) {}

  void measure(int rounds, const std::string& name, mjtIntegrator integrator,
               std::initializer_list<double> steps) {
    model_->opt.integrator = integrator;
    for (const double step : steps)
      peers::measure(
          case_, rounds, name, benchmarks::format("%g ms", 1e3 * step), [&] { return run(step, nullptr); },
          [&] {
            std::vector<double> angles(case_.head_angle.size());
            run(step, &angles);
            return angles;
          });
  }

 private:
  long run(double step, std::vector<double>* angles) {
    current = &case_;
    damping_is_native = native_damping_;
    mjcb_passive = &passive;
    mj_resetData(model_, data_);
    for (int i = 0; i < case_.size(); ++i) data_->qpos[i] = case_.start(i);
    model_->opt.timestep = step;
    const long count = std::lround(case_.end / step);
    if (!angles) {
      for (long k = 0; k < count; ++k) mj_step(model_, data_);
      return count;
    }
    // the grid by cubic interpolation in each step
    std::size_t next = 0;
    for (long k = 0; k < count; ++k) {
      const double q0 = sum(data_->qpos), v0 = sum(data_->qvel);
      mj_step(model_, data_);
      const double q1 = sum(data_->qpos), v1 = sum(data_->qvel);
      for (; next < angles->size(); ++next) {
        const double s =
            (case_.end * static_cast<double>(next) / case_.grid()) / step - static_cast<double>(k);
        if (s > 1 + 1e-9) break;
        const double r = 1 - s;
        (*angles)[next] =
            r * r * (1 + 2 * s) * q0 + s * s * (1 + 2 * r) * q1 + step * s * r * (r * v0 - s * v1);
      }
    }
    return count;
  }
  double sum(const double* relative) const {
    double total = 0;
    for (int i = 0; i < case_.size(); ++i) total += relative[i];
    return total;
  }

  const NeckCase& case_;
  bool native_damping_;
};

}  // namespace

int main(int argc, char** argv) {
  return peers::peer_main<NeckCase>(argc, argv, [](const NeckCase& c, int rounds) {
    // steps that divide the pulse at its corners; 0.18 ms is the limit of stability
    Neck(c, false).measure(rounds, "MuJoCo RK4", mjINT_RK4, {0.15e-3, 0.125e-3, 0.1e-3});
    // damping of the joints as MuJoCo's own, which the method treats implicitly
    Neck(c, true).measure(rounds, "MuJoCo implicitfast", mjINT_IMPLICITFAST,
                          {1.5e-3, 0.5e-3, 0.1e-3, 0.02e-3});
  });
}
