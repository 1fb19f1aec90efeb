#include "models/cervical_segment/variables.h"

namespace spondyl::cervical_segment {

Variables::Variables() {
  declare_inputs();
  declare_parameters();
  declare_outputs();
}

void Variables::declare_inputs() {
  sled.declare(table, "C6, at its origin");
  load.declare(table, "C5", "the disc's point, which moves with C5");
}

void Variables::declare_parameters() {
  VariableTable& t = table;
  common.declare(t, {.gravity = 0, .published_may_settle = true});
  start_translation.declare_parameters(
      t, "start_C5_translation", scale::length,
      "Start of C5's origin from the posture of the data; in equilibrium: where the search begins", {}, -0.05,
      0.05);
  start_rotation.declare_parameters(t, "start_C5_rotation", scale::angle,
                                    "Start of C5's rotation from the posture of the data (rotation vector); "
                                    "in equilibrium: where the search begins",
                                    {}, -3, 3);
}

void Variables::declare_outputs() {
  VariableTable& t = table;
  // what feeds through: accelerations alone. Those of the centre of mass, being inertial, follow the force in
  // their direction and nothing else; angular ones follow loads and the gyroscopic effect of a turning sled
  const std::vector<Handle> turning{load.force.x,
                                    load.force.y,
                                    load.force.z,
                                    load.moment.x,
                                    load.moment.y,
                                    load.moment.z,
                                    sled.angular_velocity.x,
                                    sled.angular_velocity.y,
                                    sled.angular_velocity.z};
  translation.declare_outputs(t, "C5_translation", scale::length,
                              "Origin of C5 from the posture of the data, in the axes of C6");
  rotation.declare_outputs(
      t, "C5_rotation", scale::angle,
      "Rotation of C5 from the posture of the data: rotation vector in the axes of C6, along the axis");
  position.declare_outputs(t, "C5_position", scale::length, "Centre of mass of C5 from the origin of C6");
  velocity.declare_outputs(t, "C5_velocity", scale::velocity, "Centre of mass of C5 against the sled");
  const auto along = [&](const char* axis, const char* where, Handle own_force) {
    return t.output(std::string("C5_acceleration_") + axis, scale::acceleration,
                    std::string("Inertial acceleration of C5's centre of mass, without gravity, ") + where,
                    {own_force});
  };
  acceleration.x = along("x", "forward", load.force.x);
  acceleration.y = along("y", "to the left", load.force.y);
  acceleration.z = along("z", "upward", load.force.z);
  const auto part = [&](const char* name) {
    return t.output(std::string("C5_orientation_") + name, scale::none,
                    "Euler parameters of C5's axes against those of C6");
  };
  orientation = {part("w"), part("x"), part("y"), part("z")};
  angular_velocity.declare_outputs(t, "C5_angular_velocity", scale::angular_velocity,
                                   "Angular velocity of C5 against the sled");
  angular_acceleration.declare_outputs(t, "C5_angular_acceleration", scale::angular_acceleration,
                                       "Inertial angular acceleration of C5", turning);
  force.declare_outputs(t, "C5C6_force", scale::force, "Disc, ligaments and facets together: force on C5");
  moment.declare_outputs(t, "C5C6_moment", scale::moment,
                         "Disc, ligaments and facets together: moment on C5 about C5's origin");
  disc_force.declare_outputs(t, "C5C6_disc_force", scale::force,
                             "Force of the disc on C5, elastic and damping");
  disc_moment.declare_outputs(t, "C5C6_disc_moment", scale::moment,
                              "Moment of the disc on C5 about the disc's point, elastic and damping");
  for (int i = 0; i < ligaments; ++i) {
    const std::string name = "C5C6_" + std::string(ligament_names[i]);
    ligament[i] = {
        t.output(name + "_force", scale::force, "Tension of the ligament"),
        t.output(name + "_elongation", scale::length,
                 "Length of the ligament less its length in the posture of the data"),
        t.output(name + "_strain", scale::none, "Length over rest length, less 1; negative: slack")};
  }
  for (int i = 0; i < facets; ++i) {
    const std::string name = "C5C6_facet_" + std::string(facet_names[i]);
    FacetOutput& f = facet[i];
    f.force = t.output(name + "_force", scale::force, "Normal force in the facet joint, pressure positive");
    f.penetration = t.output(name + "_penetration", scale::length,
                             "Overlap of the facets along their mean normal; negative: gap; 0 when the discs "
                             "do not face each other");
    f.point.declare_outputs(t, name + "_point", scale::length,
                            "Contact point in C6's frame, 0 while there is no contact");
    f.touching = t.output(name + "_case", scale::none,
                          "0 open, 1 edge of C5 on face of C6, 2 edge of C6 on face of C5, 3 edge on edge, 4 "
                          "flat (flatness above 0.5)");
    f.flatness = t.output(name + "_flatness", scale::none,
                          "exp(-C sin of the angle between the faces): 1 flat, 0 contact on the edge");
  }
  // rows and columns: force or translation x, y, z, then moment or rotation x, y, z
  const char* const numbers = "123456";
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) {
      const VariableTable::Scale unit{r < 3 ? (c < 3 ? "N/m" : "N/rad") : (c < 3 ? "N" : "N.m/rad"), "",
                                      r < 3 ? (c < 3 ? 1e5 : 1e3) : (c < 3 ? 1e3 : 10.0)};
      stiffness[r][c] =
          t.output(std::string("C5_stiffness_") + numbers[r] + numbers[c], unit,
                   "Tangent stiffness of the segment at rest: change of the load (force x, y, z, "
                   "moment x, y, z about C5's origin) by a small translation of C5's origin "
                   "(1, 2, 3) or rotation (4, 5, 6) along x, y, z of C6");
    }
  energy.declare(t, {"Kinetic energy of the motion against the sled",
                     "Disc, ligaments, facets and gravity; zero of gravity at the sled's origin",
                     "Turned to heat in disc, ligaments and facets since the start",
                     "Work of loads and of the sled's inertia force since the start"});
  non_potential_work = t.output(
      "non_potential_work", scale::energy,
      "Work of the elastic forces since the start that their potential energy does not hold: the laws "
      "of facets and of the disc's moment have no exact potential");
  solver.declare(t);
}

}  // namespace spondyl::cervical_segment
