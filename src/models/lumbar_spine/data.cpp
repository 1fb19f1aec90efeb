#include "models/lumbar_spine/data.h"

#include "data/data_error.h"

namespace spondyl::lumbar_spine {

using data::Quantity;
using data::Range;
using data::Table;

namespace {

Vec2<double> point(const Table& table, std::string_view row, const std::string& name) {
  return {table.number(row, name + "_x", Quantity::length), table.number(row, name + "_z", Quantity::length)};
}

bool yes(const Table& table, std::string_view row, std::string_view column) {
  return table.number(row, column, Quantity::ratio, Range::between(0, 1)) >= 0.5;
}

template <std::size_t Elements>
std::vector<std::string> element_rows(const std::array<std::string_view, Elements>& names) {
  std::vector<std::string> rows;
  for (const std::string_view level : level_names)
    for (const std::string_view name : names) rows.push_back(std::string(level) + "_" + std::string(name));
  return rows;
}

void require_rows(const Table& table, const std::vector<std::string>& rows) {
  const std::vector<std::string_view> views(rows.begin(), rows.end());
  table.require_exactly(views);
}

}  // namespace

Data read(const data::DataSet& set, const Trunk& trunk, ContactLaw law) {
  const Table &body = set.table("bodies"), &disc = set.table("discs"), &ligament = set.table("ligaments"),
              &contact = set.table("contacts"), &endplate = set.table("endplate");
  body.require_exactly({"L1", "L2", "L3", "L4", "L5", "S1"});
  disc.require_exactly(level_names);
  endplate.require_exactly({"L1"});
  require_rows(ligament, element_rows(ligament_names));
  require_rows(contact, element_rows(contact_names));

  Data d;
  std::array<Bodies::Body, bodies> column;
  std::array<PlanarMotion<double>, bodies + 1> posture;
  std::array<Vec2<double>, bodies + 1> cable;
  for (int i = 0; i <= bodies; ++i) {
    const std::string_view row = i < bodies ? body_names[i] : base_name;
    // the tables count angles as the thesis does: extension positive
    const double angle = -body.number(row, "angle", Quantity::angle);
    posture[i] = {point(body, row, "position"), {}, sin_cos(angle), angle, 0};
    cable[i] = point(body, row, "cable");
    if (i == bodies) break;
    column[i].mass = body.number(row, "mass", Quantity::mass, Range::positive());
    column[i].inertia = body.number(row, "inertia", Quantity::inertia, Range::positive());
  }

  // L1 and the trunk are one body, whose frame has its origin in their common centre of mass
  d.endplate = point(endplate, "L1", "centre");
  const Vec2<double> trunk_centre = d.endplate + rotate_back(posture[0].tilt, trunk.position);
  const double together = column[0].mass + trunk.mass;
  const Vec2<double> shift = (trunk.mass / together) * trunk_centre;
  column[0].inertia +=
      trunk.inertia + column[0].mass * trunk.mass / together * dot(trunk_centre, trunk_centre);
  column[0].mass = together;
  posture[0].position += rotate(posture[0].tilt, shift);
  d.endplate -= shift;
  d.vertebra = -shift;
  const auto on_body = [&](int i, const Vec2<double>& p) { return i == 0 ? p - shift : p; };

  d.column = Bodies(column, posture[bodies].position, posture[bodies].angle);
  for (int i = 0; i < bodies; ++i) {
    d.posture[3 * i] = posture[i].position.x;
    d.posture[3 * i + 1] = posture[i].position.z;
    d.posture[3 * i + 2] = posture[i].angle;
  }

  for (int i = 0; i < bodies; ++i) {
    const std::string_view row = level_names[i];
    Level& l = d.levels[i];
    const RelativeMotion<double> start = Bodies::relative(posture[i], posture[i + 1]);
    l.tabulated_angle = start.angle;
    l.cable_lower = cable[i + 1];
    l.cable_upper = on_body(i, cable[i]);

    l.disc_lower = point(disc, row, "lower");
    l.disc_upper = on_body(i, point(disc, row, "upper"));
    l.disc_rest = start.of(l.disc_upper).position - l.disc_lower;
    const auto stiffness = [&](const char* name) {
      return disc.number(row, name, Quantity::stiffness, Range::not_negative());
    };
    const auto turning = [&](const char* name) {
      return disc.number(row, name, Quantity::rotational_stiffness, Range::not_negative());
    };
    const double damping = disc.number(row, "damping", Quantity::damping, Range::not_negative());
    l.disc.x = {stiffness("anterior_shear_stiffness"), stiffness("posterior_shear_stiffness"), damping};
    l.disc.z = {stiffness("tension_stiffness"), stiffness("compression_stiffness"), damping};
    l.disc.turn = {
        turning("flexion_stiffness"), turning("extension_stiffness"),
        disc.number(row, "rotational_damping", Quantity::rotational_damping, Range::not_negative())};

    for (int k = 0; k < ligaments; ++k) {
      const std::string name = std::string(row) + "_" + std::string(ligament_names[k]);
      Level::Ligament& to = l.ligament[k];
      to.lower = point(ligament, name, "lower");
      to.upper = on_body(i, point(ligament, name, "upper"));
      const Vec2<double> span = start.of(to.upper).position - to.lower;
      to.tabulated_length = sqrt(dot(span, span));
      const double prestrain = ligament.number(name, "prestrain", Quantity::ratio, Range::between(-0.5, 0.5));
      to.law.rest_length = yes(ligament, name, "rest_from_posture")
                               ? to.tabulated_length / (1 + prestrain)
                               : ligament.number(name, "printed_length", Quantity::length, Range::positive());
      to.law.stiffness = ligament.number(name, "stiffness", Quantity::stiffness, Range::not_negative());
      to.law.transition_strain =
          ligament.number(name, "transition_strain", Quantity::ratio, Range::positive());
      to.law.limit_strain = ligament.number(name, "limit_strain", Quantity::ratio,
                                            Range::between(to.law.transition_strain, 1e3));
      to.law.rate_constant = ligament.number(name, "rate_constant", Quantity::time, Range::not_negative());
    }

    for (int k = 0; k < contacts; ++k) {
      const std::string name = std::string(row) + "_" + std::string(contact_names[k]);
      Level::Contact& to = l.contact[k];
      to.centre = on_body(i, point(contact, name, "sphere"));
      const Vec2<double> left = point(contact, name, "left"), right = point(contact, name, "right");
      if (!(dot(right - left, right - left) > 0))
        throw data::DataError("contacts.csv, row " + name +
                              ": left and right are the same point, a line needs two");
      to.pair = SphereLine(left, right, contact.number(name, "radius", Quantity::length, Range::positive()));
      if (yes(contact, name, "gap_is_set"))
        to.pair.set_gap(start.of(to.centre).position, contact.number(name, "gap", Quantity::length));
      ImpactLaw& n = to.pair.normal;
      n.law = law;
      n.stiffness = contact.number(name, "stiffness", Quantity::contact_stiffness, Range::not_negative());
      n.restitution = contact.number(name, "restitution", Quantity::ratio, Range::between(1e-3, 1));
      n.linear_stiffness =
          contact.number(name, "linear_stiffness", Quantity::stiffness, Range::not_negative());
      n.linear_damping = contact.number(name, "linear_damping", Quantity::damping, Range::not_negative());
      n.smallest_speed = contact.number(name, "smallest_touch_speed", Quantity::velocity, Range::positive());
      to.pair.friction.coefficient =
          contact.number(name, "friction_coefficient", Quantity::ratio, Range::not_negative());
      to.pair.friction.speed = contact.number(name, "friction_speed", Quantity::velocity, Range::positive());
    }
  }
  return d;
}

}  // namespace spondyl::lumbar_spine
