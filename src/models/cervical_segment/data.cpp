#include "models/cervical_segment/data.h"

#include <string>

#include "data/data_error.h"

namespace spondyl::cervical_segment {

using data::Quantity;
using data::Range;
using data::Table;

namespace {

Vec3<double> point(const Table& table, std::string_view row, const std::string& name) {
  const auto along = [&](const char* axis) { return table.number(row, name + axis, Quantity::length); };
  return {along("_x"), along("_y"), along("_z")};
}

/// R I Rᵀ for a diagonal I.
InertiaTensor turned(const EulerParameters<double>& p, const Vec3<double>& moments) {
  const auto column = [&](const Vec3<double>& e) {
    const Vec3<double> b = rotate_back(p, e);
    return rotate(p, Vec3<double>{moments.x * b.x, moments.y * b.y, moments.z * b.z});
  };
  const Vec3<double> x = column({1, 0, 0}), y = column({0, 1, 0}), z = column({0, 0, 1});
  return {x.x, y.y, z.z, y.x, z.x, z.y};
}

DiscBushing read_bushing(const Table& table, std::string_view row) {
  const auto stiffness = [&](const char* column, Quantity quantity) {
    return table.number(row, column, quantity, Range::positive());
  };
  const auto along = [&](const char* column) { return stiffness(column, Quantity::stiffness); };
  const auto about = [&](const char* column) { return stiffness(column, Quantity::rotational_stiffness); };
  DiscBushing law;
  law.x = {along("x_forward"), along("x_backward")};
  law.y = {along("y"), along("y")};
  law.z = {along("z_tension"), along("z_compression")};
  law.about_x = {about("about_x"), about("about_x")};
  law.about_y = {about("about_y_flexion"), about("about_y_extension")};
  law.about_z = {about("about_z"), about("about_z")};
  law.damping = table.number(row, "damping", Quantity::damping, Range::not_negative());
  law.rotational_damping =
      table.number(row, "rotational_damping", Quantity::rotational_damping, Range::not_negative());
  return law;
}

ThreePieceLigament read_ligament(const Table& table, std::string_view row, double posture_length) {
  const auto share = [&](const char* column) {
    return table.number(row, column, Quantity::ratio, Range::between(0, 1));
  };
  ThreePieceLigament law;
  law.rest_length = table.has(row, "rest_length")
                        ? table.number(row, "rest_length", Quantity::length, Range::positive())
                        : posture_length;
  const double strain = table.number(row, "max_strain", Quantity::ratio, Range::positive());
  const double force = table.number(row, "max_force", Quantity::force, Range::positive());
  law.corner = {{{0, 0},
                 {share("A_strain") * strain, share("A_force") * force},
                 {share("B_strain") * strain, share("B_force") * force},
                 {strain, force}}};
  for (int k = 0; k < 3; ++k)
    if (!(law.corner[k + 1].strain > law.corner[k].strain))
      throw data::DataError("ligaments.csv: row '" + std::string(row) +
                            "': A_strain, B_strain must grow, above 0 and below 1");
  law.damping = table.number(row, "damping", Quantity::damping, Range::not_negative());
  law.damping_ramp = table.number(row, "damping_ramp", Quantity::ratio, Range::positive());
  return law;
}

FacetContact read_facet(const Table& table, std::string_view row) {
  const auto positive = [&](const char* column, Quantity quantity) {
    return table.number(row, column, quantity, Range::positive());
  };
  FacetContact law;
  law.radius1 = positive("radius_C5", Quantity::length);
  law.radius2 = positive("radius_C6", Quantity::length);
  law.blending = positive("blending", Quantity::ratio);
  law.fade = positive("fade", Quantity::length);
  law.transition_penetration = positive("transition_penetration", Quantity::length);
  law.transition_force = positive("transition_force", Quantity::force);
  law.damping = table.number(row, "damping", Quantity::damping, Range::not_negative());
  law.damping_ramp = positive("damping_ramp", Quantity::length);
  return law;
}

}  // namespace

Data read(const data::DataSet& set) {
  const Table &vertebra = set.table("vertebra"), &disc = set.table("disc"),
              &ligament = set.table("ligaments"), &facet = set.table("facets");
  vertebra.require_exactly({"C5"});
  disc.require_exactly({"C5C6"});
  ligament.require_exactly(ligament_names);
  facet.require_exactly(facet_names);

  Data d;
  const auto inertia = [&](const char* column) {
    return vertebra.number("C5", column, Quantity::inertia, Range::positive());
  };
  const double tilt = vertebra.number("C5", "tilt", Quantity::angle);
  d.posture = from_rotation_vector({0, tilt, 0});
  d.origin_home = point(vertebra, "C5", "origin");
  d.origin = -rotate(d.posture, point(vertebra, "C5", "centre"));
  d.body.mass = vertebra.number("C5", "mass", Quantity::mass, Range::positive());
  d.body.inertia = turned(d.posture, {inertia("inertia_xx"), inertia("inertia_yy"), inertia("inertia_zz")});
  d.body.home = d.origin_home - d.origin;

  d.disc.law = read_bushing(disc, "C5C6");
  d.disc.point =
      disc.number("C5C6", "height", Quantity::ratio, Range::between(0, 1)) * d.origin_home - d.body.home;

  for (int i = 0; i < ligaments; ++i) {
    const std::string_view row = ligament_names[i];
    Data::Ligament& l = d.ligament[i];
    l.upper = d.origin + rotate(d.posture, point(ligament, row, "C5"));
    l.span = d.body.home + l.upper - point(ligament, row, "C6");
    l.posture_length = length(l.span);
    if (!(l.posture_length > 0))
      throw data::DataError("ligaments.csv: row '" + std::string(row) +
                            "': the two ends are in the same place");
    l.law = read_ligament(ligament, row, l.posture_length);
  }

  for (int i = 0; i < facets; ++i) {
    const std::string_view row = facet_names[i];
    Data::Facet& f = d.facet[i];
    f.law = read_facet(facet, row);
    const SinCos<double> angle =
        sin_cos(facet.number(row, "angle", Quantity::angle, Range::between(0, std::numbers::pi / 2)));
    f.lower = point(facet, row, "centre");
    f.lower_normal = {-angle.sin, 0, angle.cos};
    f.home = f.lower + facet.number(row, "gap", Quantity::length) * f.lower_normal;
    f.upper = f.home - d.body.home;
    f.upper_normal = -f.lower_normal;
  }
  return d;
}

}  // namespace spondyl::cervical_segment
