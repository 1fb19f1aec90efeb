#pragma once

#include "models/cervical_spine/equations.h"
#include "models/common_variables.h"

namespace spondyl::cervical_spine {

/// The interface of CervicalSpine, in the order of its value references.
struct Variables {
  VariableTable table;

  // inputs
  Handle sled_x, sled_z;
  struct Load {
    Handle force_x, force_z, moment_y;
  };
  std::array<Load, bodies> load;
  struct PlaneInput {
    Handle x, z, nx, nz, vx, vz, active;
  };
  std::array<PlaneInput, planes> plane;

  // parameters
  CommonVariables common;
  Handle ligaments_two_sided;
  struct CriterionConstants {
    Handle nic_length, nij_tension, nij_compression, nij_flexion, nij_extension, nkm_shear, nkm_flexion,
        nkm_extension, lnl_moment, lnl_shear, lnl_axial, bric_rate;
  } constants;
  struct PlaneTuning {
    Handle stiffness_factor, friction_factor;
  };
  std::array<PlaneTuning, planes> tuning;

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
  struct PlaneOutput {
    Handle force_x, force_z;
  };
  std::array<PlaneOutput, planes> plane_force;
  Handle sled_velocity_x, sled_velocity_z;
  Handle kinetic_energy, potential_energy, dissipated_energy, external_work, energy_error;
  Handle hic15, hic36, a3ms, nic, nic_max, nij_value, nkm_value, lnl_value, bric_value;
  SolverOutputs solver;

  Variables();

 private:
  void declare_inputs();
  void declare_parameters();
  void declare_outputs();
};

}  // namespace spondyl::cervical_spine
