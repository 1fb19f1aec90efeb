/// Speed of the whole-body models: Human17 falling and in a seat, Human12 tackled and belted. Writes the
/// cases for the engines in peers/ and measures our own solvers against the same reference. See README.md.

#include <algorithm>
#include <cmath>
#include <memory>

#include "measuring.h"
#include "models/human12/data.h"
#include "models/human12_runs.h"
#include "models/human17_runs.h"
#include "models/spatial_planes.h"
#include "peers/human_case.h"

namespace {

using namespace spondyl;
using testing::Run;
using V3 = Vec3<double>;

constexpr double grid_step = 5e-3, reference_tolerance = 1e-12;

/// One solver at one tolerance.
struct Choice {
  double solver, tolerance;
};
using Number = testing::SolverNumber;

// -- the cases

using Settings = std::vector<std::pair<std::string, double>>;
using Texts = std::vector<std::pair<std::string, std::string>>;

/// A named case of a model, and where its bodies are in a solver's unknowns.
struct Scenario {
  std::string file, name;
  Settings numbers;
  Texts texts;
  double end;
  std::unique_ptr<Run> (*start)(const Settings&, const Texts&);
  std::vector<V3> (*centres)(const double* x);
  void (*write)(const Scenario&, Run&, std::ostream&);
  std::vector<std::string> bodies;

  std::unique_ptr<Run> run(const Choice& c) const {
    Settings all = numbers;
    all.insert(
        all.end(),
        {{"solver", c.solver}, {"relative_tolerance", c.tolerance}, {"absolute_tolerance", c.tolerance}});
    return start(all, texts);
  }
  int grid() const { return static_cast<int>(std::lround(end / grid_step)); }
};

using Motion = std::vector<std::vector<V3>>;

// -- numbers for the peers, one record a line, its kind first: peers/human_case.h reads them

std::ostream& operator<<(std::ostream& out, const V3& v) { return out << v.x << ' ' << v.y << ' ' << v.z; }

V3 vector(const data::Table& table, std::string_view row, const std::string& name, data::Quantity quantity) {
  return {table.number(row, name + "_x", quantity), table.number(row, name + "_y", quantity),
          table.number(row, name + "_z", quantity)};
}

void write_body(Run& run, const std::string& name, int parent, const char* joint, double mass,
                const V3& inertia, const V3& in_parent, const V3& in_child, double damping,
                std::ostream& out) {
  out << "body " << name << ' ' << parent << ' ' << joint << ' ' << mass << ' ' << inertia << ' ' << in_parent
      << ' ' << in_child << ' ' << damping << ' ' << run.vector(name + "_position") << ' '
      << run.get(name + "_orientation_w") << ' ' << run.vector(name + "_orientation") << '\n';
}

void write_cone(const data::Table& table, const std::string& row, int body, const std::string& limit,
                const std::string& transition, std::ostream& out) {
  using data::Quantity;
  out << "cone " << body;
  for (const char* const name : {"axis", "e1", "e2", "limb"})
    out << ' ' << vector(table, row, name, Quantity::ratio);
  for (int k = 1; k <= 4; ++k) out << ' ' << table.number(row, limit + std::to_string(k), Quantity::angle);
  out << ' ' << table.number(row, transition, Quantity::angle) << ' '
      << table.number(row, "moment", Quantity::moment) << '\n';
}

/// What the peers take for granted.
void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error("the peers do not know of " + what);
}

/// Calls visit(plane's name, number of what may touch it) for all pairs that are switched on.
template <class Visit>
void for_each_touch(Run& run, const std::vector<std::string>& names, SpatialFriction::Law friction,
                    Visit visit) {
  for (int k = 1; k <= 4; ++k) {
    const std::string plane = "plane" + std::to_string(k);
    if (run.get(plane + "_active") == 0) continue;
    require(run.get(plane + "_friction_law") == static_cast<double>(friction), "another law of friction");
    const std::vector<bool> touches =
        chosen(run.variables(), run.state().values, run.variables().find(plane + "_bodies"), names);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (touches[i]) visit(plane, static_cast<int>(i));
  }
}

V3 normal(Run& run, const std::string& plane) {
  const V3 n{run.get(plane + "_nx"), run.get(plane + "_ny"), run.get(plane + "_nz")};
  return (1 / length(n)) * n;
}

namespace of17 {

const human17::Data& body_data() {
  static const human17::Data d = human17::read(data::DataSet::embedded("Human17", "reconciled"), {1.8, 80});
  return d;
}

std::vector<V3> centres(const double* x) {
  human17::Tree::Motion<double> m;
  body_data().tree.move(x, x + human17::Tree::positions, m);
  return {m.position.begin(), m.position.end()};
}

std::unique_ptr<Run> start(const Settings& numbers, const Texts& texts) {
  return std::make_unique<testing::Human>(testing::Settings{numbers, texts});
}

void write(const Scenario& s, Run& run, std::ostream& out) {
  const human17::Data& d = body_data();
  const data::Table joints = data::DataSet::embedded("Human17", "reconciled").table("joints");
  for (int i = 0; i < human17::bodies; ++i) {
    const human17::Tree::Body& b = d.tree.body(i);
    write_body(run, s.bodies[i], b.parent, i == 0 ? "free" : "ball", b.mass, b.inertia, b.joint_in_parent,
               b.joint, d.joint[i].damping, out);
    if (i > 0) write_cone(joints, s.bodies[i], i, "range_", "width", out);
  }
  for_each_touch(run, s.bodies, SpatialFriction::Law::viscous, [&](const std::string& plane, int i) {
    const Ellipsoid& e = d.ellipsoid[i];
    out << "ellipsoid " << i << ' ' << run.vector(plane) << ' ' << normal(run, plane) << ' ' << e.centre
        << ' ' << e.semi_axes << ' ' << run.get(plane + "_Kn") << ' ' << run.get(plane + "_Cn") << ' '
        << run.get(plane + "_Kt") + run.get(plane + "_Ct") << '\n';
  });
}

}  // namespace of17

namespace of12 {

const human12::Data& body_data() {
  static const human12::Data d =
      human12::read(data::DataSet::embedded("Human12", "reconciled"), human12::Variant::human);
  return d;
}

std::vector<V3> centres(const double* x) {
  std::vector<V3> all;
  for (const NaturalBody& b : body_data().system.bodies()) all.push_back(b.combine(b.centre(), x));
  return all;
}

std::unique_ptr<Run> start(const Settings& numbers, const Texts& texts) {
  return std::make_unique<testing::of_human12::Body12>(numbers, texts);
}

void write(const Scenario& s, Run& run, std::ostream& out) {
  using data::Quantity;
  const human12::Data& d = body_data();
  const data::DataSet set = data::DataSet::embedded("Human12", "reconciled");
  const data::Table &cones = set.table("cones"), &hinges = set.table("hinges"),
                    &spheres = set.table("spheres"), &belts = set.table("belts");
  for (int i = 0; i < human12::bodies; ++i) {
    const NaturalBody& b = d.system.bodies()[i];
    const human12::Joint& j = d.joint[i];
    const bool hinge = human12::is_hinge(i);
    write_body(run, s.bodies[i], human12::parent[i],
               i == 0  ? "free"
               : hinge ? "hinge"
                       : "ball",
               b.mass(), b.inertia(), j.in_parent, j.in_child, j.damping, out);
    if (hinge)
      out << "range " << i << ' ' << hinges.number(s.bodies[i], "low", Quantity::angle) << ' '
          << hinges.number(s.bodies[i], "high", Quantity::angle) << ' '
          << hinges.number(s.bodies[i], "transition", Quantity::angle) << ' '
          << hinges.number(s.bodies[i], "moment", Quantity::moment) << '\n';
    else if (i > 0)
      write_cone(cones, s.bodies[i], i, "limit_", "transition", out);
  }
  const auto sphere = [&](int k) {
    out << vector(spheres, d.sphere_names[k], "centre", Quantity::length) << ' ' << d.spheres[k].radius << ' '
        << d.contact.stiffness << ' ' << d.contact.restitution << ' ' << d.contact.smallest_speed;
  };
  for_each_touch(run, d.sphere_names, SpatialFriction::Law::coulomb, [&](const std::string& plane, int k) {
    out << "sphere " << d.spheres[k].body << ' ' << run.vector(plane) << ' ' << normal(run, plane) << ' ';
    sphere(k);
    out << ' ' << run.get(plane + "_friction_coefficient") << ' ' << run.get(plane + "_friction_speed")
        << '\n';
  });
  if (run.get("impactor_active") != 0) {
    out << "impactor " << run.get("impactor_mass") << ' ' << run.get("impactor_radius") << ' '
        << run.vector("start_impactor_position") << ' ' << run.vector("start_impactor_velocity") << '\n';
    const std::vector<bool> touches =
        chosen(run.variables(), run.state().values, run.variables().find("impactor_bodies"), d.sphere_names);
    for (std::size_t k = 0; k < touches.size(); ++k) {
      if (!touches[k]) continue;
      out << "impact " << d.spheres[k].body << ' ';
      sphere(static_cast<int>(k));
      out << '\n';
    }
  }
  for (int k = 0; run.get("belt_active") != 0 && k < human12::belts; ++k) {
    const human12::Belt& b = d.belt[k];
    const std::string name(human12::belt_names[k]);
    const V3 anchor = run.vector("belt_" + name + "_anchor");
    const double rest =
        length(d.system.bodies()[b.body].combine(b.point, run.x().data()) - anchor) + run.get("belt_slack");
    out << "belt " << b.body << ' ' << vector(belts, name, "point", Quantity::length) << ' ' << anchor << ' '
        << b.stiffness << ' ' << b.damping << ' ' << rest << '\n';
  }
}

}  // namespace of12

std::vector<Scenario> scenarios() {
  namespace h12 = testing::of_human12;
  const std::vector<std::string> names17(human17::body_names.begin(), human17::body_names.end());
  const auto with17 = [&](const char* file, const char* name, const testing::Settings& s, double end) {
    return Scenario{file, name, s.numbers, s.texts, end, &of17::start, &of17::centres, &of17::write, names17};
  };
  const auto with12 = [&](const char* file, const char* name, const h12::Case12& c) {
    return Scenario{file,         name,           c.settings,   c.texts,          c.t_end,
                    &of12::start, &of12::centres, &of12::write, h12::body12_names};
  };
  return {with17("human17_fall", "Human17, fall", testing::fall(), 1.0),
          with17("human17_seat", "Human17, seated pulse", testing::seated_pulse(), 0.2),
          with12("human12_tackle", "Human12, tackle", h12::tackle()),
          with12("human12_belted", "Human12, belted", h12::belted())};
}

// -- motions

/// With a step ending on every point of the grid.
Motion reference(const Scenario& s, const Choice& c) {
  const std::unique_ptr<Run> run = s.run(c);
  Motion m{s.centres(run->x().data())};
  for (int k = 1; k <= s.grid(); ++k) {
    run->go(s.end * k / s.grid());
    m.push_back(s.centres(run->x().data()));
  }
  if (s.start == &of12::start)
    for (const std::string_view belt : human12::belt_names)
      require(std::abs(run->get("belt_" + std::string(belt) + "_payout")) < 1e-12, "the reel of a belt");
  return m;
}

/// Writes down the motion on the grid from the solver's interpolation, which changes no step.
class Recorder final : public StepListener {
 public:
  Recorder(const Scenario& s, const Solution& start) : scenario_(s), x_(start.x), xdot_(start.xdot) {
    note();
  }
  bool accepted(const Step& step) override {
    for (; next() <= step.end + 1e-12 && motion.size() <= std::size_t(scenario_.grid());) {
      step.dense.evaluate(std::min(next(), step.end), x_.data(), xdot_.data());
      note();
    }
    return true;
  }
  std::vector<std::vector<peers::V3>> motion;

 private:
  double next() const { return scenario_.end * static_cast<double>(motion.size()) / scenario_.grid(); }
  void note() {
    std::vector<peers::V3>& now = motion.emplace_back();
    for (const V3& c : scenario_.centres(x_.data())) now.push_back({c.x, c.y, c.z});
  }

  const Scenario& scenario_;
  std::vector<double> x_, xdot_;
};

double distance(const Motion& a, const Motion& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].size(); ++i) worst = std::max(worst, length(a[k][i] - b[k][i]));
  return worst;
}

// -- what the program does

void write_case(const Scenario& s, const std::string& file) {
  std::ofstream out(file);
  out.precision(17);
  const std::unique_ptr<Run> run = s.run({Number::radau, 1e-6});
  const int positions = run->model().sizes().positions,
            moving = positions == human12::coordinates + 3 ? 3 : 0;
  const auto resting = [](double v) { return v == 0; };
  require(std::all_of(run->x().begin() + positions, run->x().begin() + 2 * positions - moving, resting),
          "a body that moves at the start");
  const char* const shapes[] = {"none", "triangle", "half_sine"};
  out << "case " << s.name << "\ngravity " << run->get("gravity") << "\nend " << s.end << "\npulse "
      << shapes[static_cast<int>(run->get("pulse_shape")) - 1] << ' ' << run->get("pulse_peak") << ' '
      << run->get("pulse_duration") << '\n';
  s.write(s, *run, out);
  const Motion exact = reference(s, {Number::radau, reference_tolerance});
  for (const std::vector<V3>& now : exact) {
    out << "reference";
    for (const V3& c : now) out << ' ' << c;
    out << '\n';
  }
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
  std::printf("%s: reference differs by %.1e m from radau at %.0e and by %.1e m from mebdf at %.0e\n",
              s.name.c_str(), distance(exact, reference(s, {Number::radau, 10 * reference_tolerance})),
              10 * reference_tolerance, distance(exact, reference(s, {Number::mebdf, 1e-10})), 1e-10);
}

void measure(const Scenario& s, const peers::HumanCase& c, int rounds) {
  for (const auto& [name, solver] : {std::pair<std::string, double>{"radau", Number::radau},
                                     {"mebdf", Number::mebdf},
                                     {"ida", Number::ida}})
    for (int digits = 2; digits <= 9; ++digits) {
      if (solver == Number::ida && digits != 6) continue;  // it is slow
      const std::unique_ptr<Run> run = s.run({solver, std::pow(10.0, -digits)});
      const State start = run->state();
      Recorder recorder(s, start.solution);
      const auto go = [&](StepListener* listener) {
        return run->advance(s.end, listener).outcome == Outcome::reached;
      };
      bool reached = go(&recorder);
      benchmarks::Best best;
      for (int round = 0; round < rounds && reached; ++round) {
        run->restore(start);
        best.see(benchmarks::time_of([&] { reached = go(nullptr); }));
      }
      if (reached)
        c.print("spondyl " + name, benchmarks::format("1e-%d", digits), best.value(),
                static_cast<long>(run->state().solution.statistics.steps), c.error(recorder.motion));
      else
        std::fprintf(stderr, "%s, %s at 1e-%d: does not reach the end\n", s.name.c_str(), name.c_str(),
                     digits);
    }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s --write <folder>   writes all cases\n       %s <case> <rounds>\n",
                 argv[0], argv[0]);
    return 2;
  }
  try {
    const std::vector<Scenario> all = scenarios();
    if (std::string_view(argv[1]) == "--write") {
      for (const Scenario& s : all) write_case(s, std::string(argv[2]) + "/" + s.file + ".txt");
      return 0;
    }
    const peers::HumanCase c(argv[1]);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Scenario& s) { return s.name == c.name; });
    if (found == all.end()) throw std::runtime_error("no case is called " + c.name);
    measure(*found, c, std::atoi(argv[2]));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "human_benchmark: %s\n", e.what());
    return 1;
  }
}
