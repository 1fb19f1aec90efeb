/// The whole-body cases in MuJoCo: a free base, balls and hinges, the laws in the passive-force callback in
/// C, the pulse as gravity that leans back, joint damping as MuJoCo's own. Touches begin and end wherever a
/// step of MuJoCo is, which makes RK4 a method of low order. "RK4 to touches" does more than MuJoCo offers: a
/// step that ends beyond a touch is made again, up to the touch.

#include "peers/human_case.h"
#include "peers/mujoco_model.h"
#include "peers/peer_main.h"

namespace {

using namespace peers;

V3 at(const double* a) { return {a[0], a[1], a[2]}; }
void add(double* a, const V3& v) { a[0] += v.x, a[1] += v.y, a[2] += v.z; }

/// What MuJoCo calls, for the model and the state that it gives.
class Laws {
 public:
  Laws(const HumanCase& c, const mjModel* m)
      : case_(c), state_(c.size() + 1), wrench_(c.size() + 1), spatial_(m->nbody) {
    for (int i = 0; i < c.size(); ++i) {
      qpos_.push_back(m->jnt_qposadr[m->body_jntadr[i + 1]]);
      dof_.push_back(m->body_dofadr[i + 1]);
    }
  }

  std::vector<Switch> on;        ///< what has begun
  bool fixed_in_a_step = false;  ///< who touches does not change between the stages of a step

  /// MuJoCo's body 0 is the world; the impactor comes last.
  const std::vector<BodyState>& states(const mjModel* m, const mjData* d) {
    for (int b = 1; b < m->nbody; ++b) {
      const double *const x = d->xipos + 3 * b, *const r = d->ximat + 9 * b, *const v = d->cvel + 6 * b;
      BodyState& s = state_[b - 1];
      s.position = at(x);
      s.axis_x = {r[0], r[3], r[6]}, s.axis_y = {r[1], r[4], r[7]}, s.axis_z = {r[2], r[5], r[8]};
      s.omega = at(v);
      s.velocity = at(v + 3) + cross(s.omega, s.position - at(d->subtree_com + 3 * m->body_rootid[b]));
    }
    return state_;
  }

  void apply(const mjModel* m, mjData* d) {
    // read by MuJoCo after this callback, in the same evaluation
    const_cast<mjModel*>(m)->opt.gravity[0] = -case_.pulse(d->time);
    for (int i = 1; i < case_.size(); ++i) {
      const Body& b = case_.bodies[i];
      const double* const q = d->qpos + qpos_[i];
      if (b.joint == JointType::hinge) {
        d->qfrc_passive[dof_[i]] += b.range.torque(q[0]);
      } else {
        const Quaternion turn{q[0], q[1], q[2], q[3]};
        const V3 t = b.cone.torque(rotate(turn, b.cone.limb()));
        if (dot(t, t) > 0) add(d->qfrc_passive + dof_[i], rotate(inverse(turn), t));
      }
    }
    if (case_.with_impactor) d->qfrc_passive[m->nv - 1] += case_.impactor.mass * case_.gravity;
    if (!fixed_in_a_step) look(m, d);
    const std::vector<Switch>& acting = fixed_in_a_step ? on : seen_;
    if (std::none_of(acting.begin(), acting.end(), [](const Switch& s) { return s.on; })) return;

    std::fill(wrench_.begin(), wrench_.end(), Wrench{});
    case_.act(acting, states(m, d).data(), wrench_.data());
    // about the point that MuJoCo's motion axes are about, then from the tips to the base
    for (int b = 1; b < m->nbody; ++b) {
      const Wrench& w = wrench_[b - 1];
      const V3 arm = state_[b - 1].position - at(d->subtree_com + 3 * m->body_rootid[b]);
      spatial_[b] = {w.force, w.moment + cross(arm, w.force)};
    }
    for (int b = m->nbody - 1; b > 0; --b) {
      Wrench& up = spatial_[m->body_parentid[b]];
      up.force = up.force + spatial_[b].force;
      up.moment = up.moment + spatial_[b].moment;
    }
    for (int k = 0; k < m->nv; ++k) {
      const Wrench& w = spatial_[m->dof_bodyid[k]];
      d->qfrc_passive[k] += dot(at(d->cdof + 6 * k), w.moment) + dot(at(d->cdof + 6 * k + 3), w.force);
    }
  }

 private:
  /// Who touches at this instant; who has just begun closes as fast as now.
  void look(const mjModel* m, const mjData* d) {
    const BodyState* const s = states(m, d).data();
    seen_.resize(on.size());
    for (int k = 0; k < case_.switches(); ++k) {
      const Approach a = case_.approach(k, s);
      seen_[k] = a.gap >= 0 ? Switch{} : on[k].on ? on[k] : Switch{true, std::max(0.0, a.rate)};
    }
  }

  const HumanCase& case_;
  std::vector<Switch> seen_;
  std::vector<int> qpos_, dof_;
  std::vector<BodyState> state_;
  std::vector<Wrench> wrench_, spatial_;
};

Laws* current = nullptr;  // MuJoCo's callbacks know nothing but model and data

std::string text(const V3& v) { return benchmarks::format("'%.17g %.17g %.17g'", v.x, v.y, v.z); }

/// Frames of bodies sit in the joints that they hang on.
void describe(const HumanCase& c, int i, std::ostream& xml) {
  const Body& b = c.bodies[i];
  const V3 joint = b.parent < 0 ? V3{} : b.joint_in_parent - c.bodies[b.parent].joint_in_child;
  xml << "<body pos=" << text(joint) << '>';
  const char* const kind[] = {"free", "ball", "hinge' axis='0 1 0"};
  xml << "<joint type='" << kind[static_cast<int>(b.joint)] << '\'';
  if (b.parent >= 0) xml << benchmarks::format(" damping='%.17g'", b.damping);
  xml << "/><inertial pos=" << text(-1.0 * b.joint_in_child) << benchmarks::format(" mass='%.17g'", b.mass)
      << " diaginertia=" << text(b.inertia) << "/>";
  for (int child = i + 1; child < c.size(); ++child)
    if (c.bodies[child].parent == i) describe(c, child, xml);
  xml << "</body>";
}

std::string description(const HumanCase& c) {
  std::ostringstream xml;
  xml << "<mujoco><compiler angle='radian' autolimits='false' inertiafromgeom='false' "
         "balanceinertia='false'/>"
      << benchmarks::format("<option gravity='0 0 %.17g'>", -c.gravity)
      << "<flag constraint='disable' contact='disable'/></option><worldbody>";
  describe(c, 0, xml);
  if (c.with_impactor)
    xml << "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
           "<joint type='slide' axis='0 0 1'/><inertial pos='0 0 0' diaginertia='1 1 1'"
        << benchmarks::format(" mass='%.17g'/></body>", c.impactor.mass);
  xml << "</worldbody></mujoco>";
  return xml.str();
}

class Person : private MujocoModel {
 public:
  explicit Person(const HumanCase& c) : MujocoModel(description(c)), case_(c), laws_(c, model_) {
    current = &laws_;
    mjcb_passive = [](const mjModel* m, mjData* d) { current->apply(m, d); };
  }

  void measure(int rounds, const std::string& name, mjtIntegrator integrator, bool to_touches,
               const std::vector<double>& steps) {
    model_->opt.integrator = integrator;
    laws_.fixed_in_a_step = to_touches;
    for (const double step : steps) {
      const std::string setting = benchmarks::format("%g ms", 1e3 * step);
      benchmarks::Best best;
      bool stable = true;
      for (int round = 0; round < rounds && stable; ++round)
        best.see(benchmarks::time_of([&] { stable = run(step); }));
      if (stable)
        case_.print(name, setting, best.value(), steps_, case_.error(motion_));
      else
        std::fprintf(stderr, "%s, %s at %s: unstable\n", case_.name.c_str(), name.c_str(), setting.c_str());
    }
  }

 private:
  static constexpr double on_surface = 1e-11;  // m

  struct Instant {
    std::vector<double> qpos, qvel, gap, rate;
    double t = 0;
  };

  /// Equal steps, but for those that end on a touch or a corner of the pulse, or go on from there. False if
  /// it blows up.
  bool run(double step) {
    start();
    const std::vector<double> corners = case_.corners();
    std::size_t corner = 0;
    int next = 1;
    const long per_grid = std::max(1L, std::lround(case_.end / case_.grid() / step));
    for (long k = 1; next <= case_.grid(); ++k) {
      const double target = case_.grid_time(1) * static_cast<double>(k) / static_cast<double>(per_grid);
      while (corners[corner] < target - 1e-9) advance_to(corners[corner++]);
      advance_to(target);
      const auto wild = [](double v) { return !(std::abs(v) < 1e3); };
      if (std::any_of(data_->qvel, data_->qvel + model_->nv, wild)) return false;
      if (k % per_grid == 0) note(next++);
    }
    return true;
  }

  void start() {
    mj_resetData(model_, data_);
    laws_.on.assign(case_.switches(), {});
    double* const q = data_->qpos;
    for (int i = 0; i < case_.size(); ++i) {
      double* const own = q + model_->jnt_qposadr[model_->body_jntadr[i + 1]];
      const Quaternion turn = case_.joint_turn(i);
      const double all[7] = {case_.bodies[i].start.x,
                             case_.bodies[i].start.y,
                             case_.bodies[i].start.z,
                             turn.w,
                             turn.x,
                             turn.y,
                             turn.z};
      if (case_.bodies[i].joint == JointType::free)
        std::copy_n(all, 7, own);
      else if (case_.bodies[i].joint == JointType::ball)
        std::copy_n(all + 3, 4, own);
      else
        *own = case_.hinge_angle(i);
    }
    if (case_.with_impactor) {
      add(q + model_->nq - 3, case_.impactor.start);
      add(data_->qvel + model_->nv - 3, case_.impactor.start_velocity);
    }
    mj_forward(model_, data_);
    case_.start(laws_.states(model_, data_).data(), laws_.on);
    mj_forward(model_, data_);
    motion_.assign(case_.reference.size(), std::vector<V3>(case_.size()));
    steps_ = 0;
    note(0);
    save(begin_);
  }

  void note(int k) {
    for (int i = 0; i < case_.size(); ++i) motion_[k][i] = at(data_->xipos + 3 * (i + 1));
  }

  /// Forces and accelerations are those of where we are, here and afterwards.
  void advance_to(double target) {
    while (target - begin_.t > 1e-13) {
      integrate(target - begin_.t);
      save(end_);
      const bool through = beyond(end_);
      if (through && laws_.fixed_in_a_step) {
        land();
        continue;
      }
      std::swap(begin_, end_);
      if (!through) continue;
      for (int k = 0; k < case_.switches(); ++k)
        if (beyond(k, begin_.gap[k])) switch_over(k);
      mj_forward(model_, data_);
    }
  }

  void switch_over(int k) { HumanCase::turn(laws_.on[k], std::max(0.0, begin_.rate[k])); }

  /// The step's end is beyond a surface: finds the first surface by regula falsi, ends on it and switches.
  void land() {
    int first = 0;
    for (int tries = 0; tries < 50; ++tries) {
      const double h = end_.t - begin_.t;
      double share = 2;
      for (int k = 0; k < case_.switches(); ++k) {
        if (!beyond(k, end_.gap[k])) continue;
        // what has just left the surface comes back to it later in the step
        const double own = goes_off_surface(k) ? 0.5 : begin_.gap[k] / (begin_.gap[k] - end_.gap[k]);
        if (own < share) share = own, first = k;
      }
      if ((std::abs(begin_.gap[first]) <= on_surface && !goes_off_surface(first)) || share * h < 1e-13) break;
      restore(begin_);
      integrate(share * h);
      save(middle_);
      std::swap(beyond(middle_) ? end_ : begin_, middle_);
    }
    restore(begin_);
    for (int k = 0; k < case_.switches(); ++k)
      if (k == first ||
          (beyond(k, end_.gap[k]) && std::abs(begin_.gap[k]) <= on_surface && !goes_off_surface(k)))
        switch_over(k);
    mj_forward(model_, data_);
  }

  /// It is on its surface and moves to the side that its switch says.
  bool goes_off_surface(int k) const {
    return std::abs(begin_.gap[k]) <= on_surface &&
           (laws_.on[k].on ? begin_.rate[k] > 0 : begin_.rate[k] < 0);
  }
  bool beyond(int k, double gap) const { return laws_.on[k].on ? gap > on_surface : gap < -on_surface; }
  bool beyond(const Instant& i) const {
    for (int k = 0; k < case_.switches(); ++k)
      if (beyond(k, i.gap[k])) return true;
    return false;
  }

  /// What mj_step does, in the other order.
  void integrate(double h) {
    model_->opt.timestep = h;
    if (model_->opt.integrator == mjINT_RK4)
      mj_RungeKutta(model_, data_, 4);
    else
      mj_implicit(model_, data_);
    mj_forward(model_, data_);
    ++steps_;
  }
  void save(Instant& i) {
    i.qpos.assign(data_->qpos, data_->qpos + model_->nq);
    i.qvel.assign(data_->qvel, data_->qvel + model_->nv);
    i.t = data_->time;
    i.gap.resize(case_.switches());
    i.rate.resize(case_.switches());
    const BodyState* const s = laws_.states(model_, data_).data();
    for (int k = 0; k < case_.switches(); ++k) {
      const Approach a = case_.approach(k, s);
      i.gap[k] = a.gap, i.rate[k] = a.rate;
    }
  }
  void restore(const Instant& i) {
    std::copy(i.qpos.begin(), i.qpos.end(), data_->qpos);
    std::copy(i.qvel.begin(), i.qvel.end(), data_->qvel);
    data_->time = i.t;
    mj_forward(model_, data_);
  }

  const HumanCase& case_;
  Laws laws_;
  Instant begin_, end_, middle_;
  std::vector<std::vector<V3>> motion_;
  long steps_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return peer_main<HumanCase>(argc, argv, [](const HumanCase& c, int rounds) {
    mju_user_warning = [](const char*) {};  // of runs that blow up: we say so ourselves
    Person person(c);
    person.measure(rounds, "MuJoCo RK4", mjINT_RK4, false,
                   {1e-3, 0.5e-3, 0.25e-3, 0.1e-3, 0.05e-3, 0.025e-3});
    person.measure(rounds, "MuJoCo RK4 to touches", mjINT_RK4, true,
                   {1e-3, 0.5e-3, 0.25e-3, 0.1e-3, 0.05e-3});
    person.measure(rounds, "MuJoCo implicitfast", mjINT_IMPLICITFAST, false,
                   {1e-3, 0.25e-3, 0.1e-3, 0.05e-3, 0.02e-3});
  });
}
