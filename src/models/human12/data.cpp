#include "models/human12/data.h"

#include "data/data_error.h"

namespace spondyl::human12 {

using data::Quantity;
using data::Range;
using data::Table;

namespace {

constexpr double friction_speed = 0.1;  ///< rad/s, regularisation of the dry friction of a joint
constexpr double standard_gravity = 9.81;

Vec3<double> vector(const Table& table, std::string_view row, const std::string& name,
                    Quantity quantity = Quantity::length) {
  return {table.number(row, name + "_x", quantity), table.number(row, name + "_y", quantity),
          table.number(row, name + "_z", quantity)};
}

int body_number(const Table& table, std::string_view row, std::string_view name) {
  for (int b = 0; b < bodies; ++b)
    if (body_names[b] == name) return b;
  throw data::DataError(table.file_name() + ": row " + std::string(row) + ": there is no body " +
                        std::string(name));
}

/// Second moments of mass must be positive: no body is flat.
void check_inertia(const Table& table, std::string_view row, const Vec3<double>& i) {
  if (i.x + i.y > i.z && i.y + i.z > i.x && i.z + i.x > i.y) return;
  throw data::DataError(table.file_name() + ": row " + std::string(row) +
                        ": each moment of inertia must be smaller than the sum of the other two");
}

/// Which elements a body is spanned by, and what it owns: joints to its outer bodies with their axes, its
/// end, and a vector along its x.
class Assembly {
 public:
  Assembly(Data& d, const Table& geometry, const Table& segments)
      : d_(d), geometry_(geometry), segments_(segments) {
    for (int b = 0; b < bodies; ++b) own_elements(b);
    for (int b = 0; b < bodies; ++b) add_body(b);
    // the neck's joint is a fifth element of the upper torso
    const NaturalBody& torso = d.system.bodies()[upper_torso];
    d.system.add_combination(d.joint_element_[neck], torso, torso.point(d.joint[neck].in_parent));
    for (int axis = 0; axis < 3; ++axis) d.constraint_owner.push_back(upper_torso);
    d.system.finish();
  }

 private:
  void own_elements(int b) {
    NaturalSystem& s = d_.system;
    for (int child = 0; child < bodies; ++child) {
      if (parent[child] != b) continue;
      d_.joint_element_[child] = s.add_point();
      if (is_hinge(child)) axis_[child] = s.add_vector();
    }
    if (is_hinge(b)) end_[b] = s.add_point();
    x_[b] = s.add_vector();
    d_.element_owner.resize(s.elements(), b);
  }

  void add_body(int b) {
    const std::string_view row = body_names[b];
    std::array<NaturalBody::Element, 4> e;
    const auto joint_of = [&](int child) {
      return NaturalBody::Element{d_.joint_element_[child], true, d_.joint[child].in_parent};
    };
    const NaturalBody::Element own{d_.joint_element_[b], true, d_.joint[b].in_child};
    const NaturalBody::Element x{x_[b], false, {1, 0, 0}};
    if (b == lower_torso) {
      e = {joint_of(upper_torso), joint_of(thigh_left), joint_of(thigh_right), x};
    } else if (b == upper_torso) {
      e = {own, joint_of(upper_arm_left), joint_of(upper_arm_right), x};
    } else if (is_hinge(b)) {
      e = {own, NaturalBody::Element{end_[b], true, vector(geometry_, row, "end")},
           NaturalBody::Element{axis_[b], false, {0, 1, 0}}, x};
    } else {
      int outer = b + 1;  // the body beyond the hinge follows in the list
      e = {own, joint_of(outer), NaturalBody::Element{axis_[outer], false, {0, 1, 0}}, x};
    }
    const double mass = segments_.number(row, "mass", Quantity::mass, Range::positive());
    const Vec3<double> inertia = vector(segments_, row, "inertia", Quantity::inertia);
    check_inertia(segments_, row, inertia);
    d_.system.add_body(NaturalBody(e, mass, inertia));
    d_.constraint_owner.resize(d_.system.products().size(), b);
  }

  Data& d_;
  const Table &geometry_, &segments_;
  std::array<int, bodies> axis_{}, end_{}, x_{};
};

/// Mass beyond a joint times the distance of its centre from the joint, in the reference posture.
double outer_moment(const Data& d, int joint) {
  double mass = 0;
  Vec3<double> moment{};
  const Vec3<double> pivot = d.reference[joint] + d.joint[joint].in_child;
  for (int b = joint; b < bodies; ++b) {
    int inner = b;
    while (inner > joint) inner = parent[inner];
    if (inner != joint) continue;
    const double m = d.system.bodies()[b].mass();
    mass += m;
    moment += m * (d.reference[b] - pivot);
  }
  return length(moment);
}

void read_joint(Data& d, int b, const Table& cones, const Table& hinges, Variant variant) {
  const std::string_view row = body_names[b];
  const Table& table = is_hinge(b) ? hinges : cones;
  Joint& j = d.joint[b];
  const NaturalBody &inner = d.system.bodies()[parent[b]], &outer = d.system.bodies()[b];
  const double transition = table.number(row, "transition", Quantity::angle, Range::positive());
  const double moment = table.number(row, "moment", Quantity::moment, Range::not_negative());
  if (is_hinge(b)) {
    j.hinge = {table.number(row, "low", Quantity::angle), table.number(row, "high", Quantity::angle),
               transition, moment};
    if (!(j.hinge.low <= j.hinge.high))
      throw data::DataError(table.file_name() + ": row " + std::string(row) + ": low must not be above high");
    j.on_parent = {inner.direction({0, 1, 0}), inner.direction({1, 0, 0}), inner.direction({0, 0, 1})};
    j.on_child = outer.direction({1, 0, 0});
  } else {
    std::array<double, 4> limit;
    for (int k = 0; k < 4; ++k)
      limit[k] = table.number(row, "limit_" + std::to_string(k + 1), Quantity::angle, Range::positive());
    j.cone = {FourPointSpline(limit), transition, moment};
    const auto direction = [&](const std::string& name) { return vector(table, row, name, Quantity::ratio); };
    j.on_parent = {inner.direction(direction("axis")), inner.direction(direction("e1")),
                   inner.direction(direction("e2"))};
    j.on_child = outer.direction(direction("limb"));
  }
  j.damping = table.number(row, "damping", Quantity::rotational_damping, Range::not_negative());
  const double share = table.number(row, "friction", Quantity::ratio, Range::not_negative());
  if (variant == Variant::dummy) j.friction = {share * standard_gravity * outer_moment(d, b), friction_speed};
}

}  // namespace

Data read(const data::DataSet& set, Variant variant) {
  const Table &geometry = set.table("bodies"), &cones = set.table("cones"), &hinges = set.table("hinges"),
              &spheres = set.table("spheres"), &contact = set.table("contact"), &belt = set.table("belts"),
              &segments = set.table(variant == Variant::dummy ? "dummy" : "human");
  geometry.require_exactly(body_names);
  segments.require_exactly(body_names);
  belt.require_exactly(belt_names);
  contact.require_exactly({"spheres"});
  std::vector<std::string_view> cone_rows, hinge_rows;
  for (int b = 1; b < bodies; ++b) (is_hinge(b) ? hinge_rows : cone_rows).push_back(body_names[b]);
  cones.require_exactly(cone_rows);
  hinges.require_exactly(hinge_rows);

  Data d;
  for (int b = 1; b < bodies; ++b)
    d.joint[b] = {vector(geometry, body_names[b], "joint_in_parent"),
                  vector(geometry, body_names[b], "joint")};
  // the origin of the reference posture lies in the middle between the hips
  d.reference[lower_torso] = -0.5 * (d.joint[thigh_left].in_parent + d.joint[thigh_right].in_parent);
  for (int b = 1; b < bodies; ++b)
    d.reference[b] = d.reference[parent[b]] + d.joint[b].in_parent - d.joint[b].in_child;
  Assembly(d, geometry, segments);
  for (int b = 1; b < bodies; ++b) read_joint(d, b, cones, hinges, variant);

  const std::string radius = variant == Variant::dummy ? "dummy_radius" : "human_radius";
  if (spheres.rows().size() > most_spheres)
    throw data::DataError(spheres.file_name() + ": " + std::to_string(spheres.rows().size()) +
                          " rows, must be at most " + std::to_string(most_spheres));
  for (const std::string& name : spheres.rows()) {
    const int b = body_number(spheres, name, std::string_view(name).substr(0, name.find('.')));
    d.spheres.push_back({name, b, d.system.bodies()[b].point(vector(spheres, name, "centre")),
                         spheres.number(name, radius, Quantity::length, Range::positive())});
    d.sphere_names.push_back(name);
  }
  for (int k = 0; k < belts; ++k) {
    const std::string_view row = belt_names[k];
    const int b = body_number(belt, row, belt.text(row, "body"));
    d.belt[k] = {b, d.system.bodies()[b].point(vector(belt, row, "point")),
                 belt.number(row, "stiffness", Quantity::stiffness, Range::positive()),
                 belt.number(row, "damping", Quantity::damping, Range::positive())};
  }
  d.contact.law = ContactLaw::lankarani_nikravesh;
  d.contact.stiffness =
      contact.number("spheres", "stiffness", Quantity::contact_stiffness, Range::positive());
  d.contact.restitution = contact.number("spheres", "restitution", Quantity::ratio, Range::between(0, 1));
  d.contact.smallest_speed =
      contact.number("spheres", "smallest_touch_speed", Quantity::velocity, Range::positive());
  d.contact.largest_ratio = 1;
  d.viscous_friction =
      contact.number("spheres", "viscous_friction", Quantity::damping, Range::not_negative());
  return d;
}

}  // namespace spondyl::human12
