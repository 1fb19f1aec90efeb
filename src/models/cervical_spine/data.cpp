#include "models/cervical_spine/data.h"

namespace spondyl::cervical_spine {

using data::Quantity;
using data::Range;
using data::Table;

namespace {

Vec2<double> point(const Table& table, std::string_view row, const std::string& name) {
  return {table.number(row, name + "_x", Quantity::length), table.number(row, name + "_z", Quantity::length)};
}

}  // namespace

Data read(const data::DataSet& set) {
  const Table &body = set.table("bodies"), &base = set.table("base"), &level = set.table("levels"),
              &outline = set.table("head");
  body.require_exactly(body_names);
  base.require_exactly({"T1"});
  level.require_exactly(level_names);
  outline.require_exactly({"head"});

  Data d;
  std::array<PlanarChain<bodies>::Body, bodies> chain;
  for (int i = 0; i < bodies; ++i) {
    const std::string_view row = body_names[i];
    chain[i].mass = body.number(row, "mass", Quantity::mass, Range::positive());
    chain[i].inertia = body.number(row, "inertia", Quantity::inertia, Range::positive());
    chain[i].next_pivot = point(body, row, "next_pivot");
    chain[i].centre = point(body, row, "centre");
    d.posture[i] = body.number(row, "angle", Quantity::angle);
  }
  d.chain = PlanarChain<bodies>(chain);

  // T1 is part of the base: its points in sled axes, from the first pivot
  const SinCos<double> tilt = sin_cos(base.number("T1", "tilt", Quantity::angle));
  const Vec2<double> centre = point(base, "T1", "centre");

  for (int i = 0; i < bodies; ++i) {
    const std::string_view row = level_names[i];
    Level& l = d.levels[i];
    l.joint.stiffness =
        level.number(row, "joint_stiffness", Quantity::rotational_stiffness, Range::positive());
    l.joint.damping = level.number(row, "joint_damping", Quantity::rotational_damping, Range::not_negative());
    l.tabulated_angle = d.posture[i] - (i > 0 ? d.posture[i - 1] : 0);
    l.joint_rest =
        sin_cos(l.tabulated_angle * level.number(row, "joint_rest", Quantity::ratio, Range::between(0, 2)));
    const double rest = level.number(row, "ligament_rest", Quantity::ratio, Range::between(0, 2));
    for (const Side side : {ISL, ALL}) {
      const std::string name(ligament_names[side]);
      Level::Ligament& ligament = l.ligament[side];
      ligament.law.stiffness = level.number(row, name + "_stiffness", Quantity::stiffness, Range::positive());
      ligament.law.damping = level.number(row, name + "_damping", Quantity::damping, Range::not_negative());
      ligament.upper = point(body, body_names[i], name);
      ligament.lower = i == 0 ? centre + rotate(tilt, point(base, "T1", name))
                              : point(body, body_names[i - 1], name) - chain[i - 1].next_pivot;
      ligament.geometry = AcrossPivot(ligament.lower, ligament.upper);
      ligament.tabulated_length = ligament.geometry.motion(sin_cos(l.tabulated_angle)).length;
      ligament.law.rest_length = rest * ligament.tabulated_length;
    }
  }

  d.skull = point(outline, "head", "skull");
  CirclePlane& c = d.skull_contact;
  c.radius = outline.number("head", "skull_radius", Quantity::length, Range::positive());
  c.normal.stiffness =
      outline.number("head", "contact_stiffness", Quantity::contact_stiffness, Range::positive());
  c.normal.dissipation =
      outline.number("head", "contact_dissipation", Quantity::contact_dissipation, Range::not_negative());
  c.friction.coefficient =
      outline.number("head", "friction_coefficient", Quantity::ratio, Range::not_negative());
  c.friction.speed = outline.number("head", "friction_speed", Quantity::velocity, Range::positive());
  return d;
}

}  // namespace spondyl::cervical_spine
