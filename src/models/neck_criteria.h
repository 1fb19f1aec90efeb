#pragma once

#include "injury/lnl.h"
#include "injury/nic.h"
#include "injury/nij.h"
#include "injury/nkm.h"
#include "models/variables.h"

namespace spondyl {

/// Injury criteria of the neck: NIC, Nij, Nkm and, where the model has a lower neck, LNL.
class NeckCriteria {
 public:
  struct Memory {
    injury::Nic nic;
    injury::Nij nij;
    injury::Nkm nkm;
    injury::Lnl lnl;

    bool possible() const { return nic.possible(); }
  };
  /// What passes a section of the neck, on its upper side: tension, forward, flexion positive.
  struct Section {
    double axial, shear, moment;
  };
  struct Signals {
    double t1_acceleration, head_acceleration;  ///< inertial, forward, m/s²
    double t1_velocity, head_velocity;          ///< both against the sled, forward, m/s
    Section upper, lower;
  };
  struct Constants {
    injury::NicConstants nic;
    injury::NijConstants nij;
    injury::NkmConstants nkm;
    injury::LnlConstants lnl;
  };

  /// `upper`, `lower`: where the loads are taken, for the descriptions; no lower neck, no LNL.
  NeckCriteria(std::string upper, std::string lower = "")
      : upper_(std::move(upper)), lower_(std::move(lower)) {}
  void declare_parameters(VariableTable&);
  void declare_outputs(VariableTable&);

  Constants constants(const Values&) const;
  void sample(Memory&, const Constants&, const Signals&) const;
  void write(const Memory&, Values&) const;

 private:
  bool has_lower() const { return !lower_.empty(); }

  std::string upper_, lower_;
  Handle nic_length_, nij_tension_, nij_compression_, nij_flexion_, nij_extension_, nkm_shear_, nkm_flexion_,
      nkm_extension_, lnl_moment_, lnl_shear_, lnl_axial_;
  Handle nic_, nic_max_, nij_, nkm_, lnl_;
};

}  // namespace spondyl
