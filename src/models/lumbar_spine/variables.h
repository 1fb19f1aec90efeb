#pragma once

#include "models/energy.h"
#include "models/lumbar_spine/equations.h"
#include "models/planar_variables.h"

namespace spondyl::lumbar_spine {

/// The interface of LumbarSpine, in the order of its value references.
struct Variables {
  VariableTable table;

  // inputs
  PlanarSled sled;
  Handle sled_angular_velocity, sled_angular_acceleration;
  std::array<PlanarLoad, bodies> load;
  Handle endplate_force_x, endplate_force_z, follower_load;

  // parameters
  CommonVariables common;
  Handle contact_law;
  struct TrunkParameters {
    Handle mass, inertia, x, z;
  } trunk;
  struct Factors {
    Handle disc;
    std::array<Handle, ligaments> ligament;
    std::array<Handle, contacts> contact;
  };
  std::array<Factors, bodies> factor;
  Handle dri_frequency, dri_damping;

  // outputs
  struct Pose {
    Handle position_x, position_z, angle;
  };
  std::array<Pose, bodies> body;
  struct Motion {
    Handle velocity_x, velocity_z, angular_velocity, acceleration_x, acceleration_z, angular_acceleration;
  } top;
  struct LevelOutput {
    Handle angle, moment, axial_force, shear_force;
    std::array<Handle, ligaments> force, elongation;
    struct Contact {
      Handle force, gap, foot;
    };
    std::array<Contact, contacts> contact;
  };
  std::array<LevelOutput, bodies> level;
  Handle sled_velocity_x, sled_velocity_z;
  EnergyOutputs energy;
  Handle dri;
  SolverOutputs solver;

  Variables();

 private:
  void declare_inputs();
  void declare_parameters();
  void declare_outputs();
};

}  // namespace spondyl::lumbar_spine
