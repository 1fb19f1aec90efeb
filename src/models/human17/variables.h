#pragma once

#include "models/energy.h"
#include "models/head_criteria.h"
#include "models/human17/equations.h"
#include "models/neck_criteria.h"
#include "models/spatial_planes.h"

namespace spondyl::human17 {

enum class Posture { standing = 1, seated, lying };

/// A plane with the contact law of Špička, Eq. 23-25.
struct EllipsoidPlaneInput : SpatialPlaneInput {
  Handle Kn, Cn, Kt, Ct;

  void declare_parameters(VariableTable&);
  PlaneContact law(const Values& v) const { return {v[Kn], v[Cn]}; }
  template <class T>
  SpatialPlane<T> read(const T* v) const {
    return SpatialPlaneInput::read(v, value(v[Kt]) + value(v[Ct]));
  }
};

/// The interface of Human17, in the order of its value references.
struct Variables {
  VariableTable table;

  // inputs
  SpatialSled sled;
  std::array<SpatialLoad, bodies> load;
  std::array<EllipsoidPlaneInput, planes> plane;

  // parameters
  CommonVariables common;
  Handle height, mass, inertia, joint_limits, joint_damping, base_fixed, posture;
  Vec3Variables start_position, start_rotation, start_velocity, start_angular_velocity;
  struct JointStart {
    Vec3Variables rotation, angular_velocity;
  };
  std::array<JointStart, bodies> joint_start;  ///< by child, from 1
  HeadCriteria head_criteria;
  NeckCriteria neck_criteria{"between neck and head", "between thorax and neck"};
  Handle dri_frequency, dri_damping;

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
  static constexpr std::array<int, 3> full{head, thorax, pelvis};  ///< bodies with all kinematics
  std::array<FullMotion, full.size()> motion;
  struct JointOutput {
    Vec3Variables angle, moment;
  };
  std::array<JointOutput, bodies> joint;  ///< by child, from 1
  struct Section {
    Handle axial_force, shear_force, moment;
  };
  Section upper_neck, lower_neck;
  std::array<Vec3Variables, planes> plane_force;
  std::array<Vec3Variables, bodies> contact_force;
  EnergyOutputs energy;
  Handle limit_work;
  Handle dri;
  SolverOutputs solver;

  Variables();

 private:
  void declare_inputs();
  void declare_parameters();
  void declare_outputs();
};

}  // namespace spondyl::human17
