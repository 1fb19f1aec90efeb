#pragma once

#include "models/cervical_segment/equations.h"
#include "models/energy.h"
#include "models/spatial_variables.h"

namespace spondyl::cervical_segment {

/// The interface of CervicalSegment, in the order of its value references.
struct Variables {
  VariableTable table;

  // inputs
  SpatialSled sled;
  SpatialLoad load;

  // parameters
  CommonVariables common;
  Vec3Variables start_translation, start_rotation;

  // outputs
  Vec3Variables translation, rotation;
  Vec3Variables position, velocity, acceleration, angular_velocity, angular_acceleration;
  struct Orientation {
    Handle w, x, y, z;
  } orientation;
  Vec3Variables force, moment, disc_force, disc_moment;
  struct LigamentOutput {
    Handle force, elongation, strain;
  };
  std::array<LigamentOutput, ligaments> ligament;
  struct FacetOutput {
    Handle force, penetration;
    Vec3Variables point;
    Handle touching, flatness;
  };
  std::array<FacetOutput, facets> facet;
  std::array<std::array<Handle, 6>, 6> stiffness;
  EnergyOutputs energy;
  Handle non_potential_work;
  SolverOutputs solver;

  Variables();

 private:
  void declare_inputs();
  void declare_parameters();
  void declare_outputs();
};

}  // namespace spondyl::cervical_segment
