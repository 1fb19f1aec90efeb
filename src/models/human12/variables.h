#pragma once

#include "models/energy.h"
#include "models/head_criteria.h"
#include "models/human12/equations.h"
#include "models/neck_criteria.h"
#include "models/spatial_planes.h"

namespace spondyl::human12 {

/// The interface of Human12, in the order of its value references.
struct Variables {
  VariableTable table;

  // inputs
  SpatialSled sled;
  std::array<SpatialLoad, bodies> load;
  std::array<SpatialPlaneInput, planes> plane;

  // parameters
  CommonVariables common;
  Handle variant, joint_limits, joint_damping, base_fixed;
  Vec3Variables start_position, start_rotation, start_velocity, start_angular_velocity;
  /// By outer body, from 1. A hinge has one angle and one rate: y.
  struct JointStart {
    Vec3Variables rotation{-1, -1, -1}, angular_velocity{-1, -1, -1};
  };
  std::array<JointStart, bodies> joint_start;
  Handle impactor_active, impactor_mass, impactor_radius, impactor_bodies;
  Vec3Variables start_impactor_position, start_impactor_velocity;
  Handle belt_active, belt_slack, belt_load_limit;
  std::array<Vec3Variables, belts> belt_anchor;
  HeadCriteria head_criteria;
  NeckCriteria neck_criteria{"between neck and head", "between upper torso and neck"};

  // outputs
  struct Orientation {
    Handle w, x, y, z;
  };
  struct Pose {
    Vec3Variables position;
    Orientation orientation;
  };
  std::array<Pose, bodies> body;
  struct FullMotion {
    Vec3Variables velocity, acceleration, angular_velocity, angular_acceleration;
  };
  static constexpr std::array<int, 3> full{head, upper_torso, lower_torso};  ///< bodies with all kinematics
  std::array<FullMotion, full.size()> motion;
  struct JointOutput {
    Vec3Variables angle{-1, -1, -1}, moment{-1, -1, -1};  ///< a hinge has y alone
  };
  std::array<JointOutput, bodies> joint;  ///< by outer body, from 1
  struct Section {
    Handle axial_force, shear_force, lateral_force, moment, lateral_moment, twist_moment;
  };
  Section upper_neck, lower_neck;
  std::array<Vec3Variables, planes> plane_force;
  std::array<Handle, belts> belt_force, belt_payout;
  Vec3Variables impactor_position, impactor_velocity, impactor_force;
  EnergyOutputs energy;
  Handle limit_work;
  SolverOutputs solver;

  Variables();

 private:
  void declare_inputs();
  void declare_parameters();
  void declare_start();
  void declare_impactor_and_belts();
  void declare_outputs();
};

}  // namespace spondyl::human12
