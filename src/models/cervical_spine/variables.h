#pragma once

#include "models/cervical_spine/equations.h"
#include "models/energy.h"
#include "models/head_criteria.h"
#include "models/neck_criteria.h"
#include "models/planar_variables.h"

namespace spondyl::cervical_spine {

/// The interface of CervicalSpine, in the order of its value references.
struct Variables {
  VariableTable table;

  // inputs
  PlanarSled sled;
  std::array<PlanarLoad, bodies> load;
  std::array<PlanarPlaneInput, planes> plane;

  // parameters
  CommonVariables common;
  Handle ligaments_two_sided;
  HeadCriteria head_criteria;
  NeckCriteria neck_criteria{"between C1 and head", "between T1 and C7"};

  // outputs
  struct Pose {
    Handle position_x, position_z, angle;
  };
  std::array<Pose, bodies> body;
  struct HeadMotion {
    Handle velocity_x, velocity_z, angular_velocity, acceleration_x, acceleration_z, angular_acceleration;
  } head_motion;
  struct LevelOutput {
    Handle angle, moment, axial_force, shear_force;
    std::array<Handle, 2> force, elongation;
  };
  std::array<LevelOutput, bodies> level;
  struct Section {
    Handle axial_force, shear_force, moment;
  };
  Section upper_neck, lower_neck;
  std::array<PlanarForceOutput, planes> plane_force;
  Handle sled_velocity_x, sled_velocity_z;
  EnergyOutputs energy;
  SolverOutputs solver;

  Variables();

 private:
  void declare_inputs();
  void declare_parameters();
  void declare_outputs();
};

}  // namespace spondyl::cervical_spine
