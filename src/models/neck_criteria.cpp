#include "models/neck_criteria.h"

#include "models/common_variables.h"

namespace spondyl {

void NeckCriteria::declare_parameters(VariableTable& t) {
  const Constants c;
  nic_length_ = criterion_constant(t, "NIC_length", scale::length, "Length in NIC", c.nic.length);
  nij_tension_ = criterion_constant(t, "Nij_tension", scale::force,
                                    "Critical tension in Nij, Hybrid III 50th male", c.nij.tension);
  nij_compression_ =
      criterion_constant(t, "Nij_compression", scale::force,
                         "Critical compression in Nij, Hybrid III 50th male", c.nij.compression);
  nij_flexion_ = criterion_constant(t, "Nij_flexion", scale::moment,
                                    "Critical flexion moment in Nij, Hybrid III 50th male", c.nij.flexion);
  nij_extension_ =
      criterion_constant(t, "Nij_extension", scale::moment,
                         "Critical extension moment in Nij, Hybrid III 50th male", c.nij.extension);
  nkm_shear_ =
      criterion_constant(t, "Nkm_shear", scale::force, "Intercept of the shear force in Nkm", c.nkm.anterior);
  nkm_flexion_ = criterion_constant(t, "Nkm_flexion", scale::moment, "Intercept of the flexion moment in Nkm",
                                    c.nkm.flexion);
  nkm_extension_ = criterion_constant(t, "Nkm_extension", scale::moment,
                                      "Intercept of the extension moment in Nkm", c.nkm.extension);
  if (!has_lower()) return;
  lnl_moment_ =
      criterion_constant(t, "LNL_moment", scale::moment, "Moment in the lower neck load index", c.lnl.moment);
  lnl_shear_ = criterion_constant(t, "LNL_shear", scale::force, "Shear force in the lower neck load index",
                                  c.lnl.shear_force);
  lnl_axial_ = criterion_constant(t, "LNL_axial", scale::force, "Axial force in the lower neck load index",
                                  c.lnl.axial_force);
}

void NeckCriteria::declare_outputs(VariableTable& t) {
  nic_ = t.output("NIC", scale::nic, "Neck injury criterion at the last sample");
  nic_max_ = t.output("NIC_max", scale::nic, "Largest NIC in the first 150 ms after the onset (limit 15)");
  nij_ = t.output("Nij", scale::none, "Largest Nij so far, loads " + upper_ + " (limit 1)");
  nkm_ = t.output("Nkm", scale::none, "Largest Nkm so far, loads " + upper_ + " (limit 0.3)");
  if (has_lower())
    lnl_ =
        t.output("LNL", scale::none, "Largest lower neck load index so far, loads " + lower_ + " (limit 3)");
}

NeckCriteria::Constants NeckCriteria::constants(const Values& v) const {
  Constants c;
  c.nic.length = v[nic_length_];
  c.nij = {v[nij_tension_], v[nij_compression_], v[nij_flexion_], v[nij_extension_]};
  c.nkm = {v[nkm_shear_], v[nkm_shear_], v[nkm_flexion_], v[nkm_extension_]};
  if (has_lower()) c.lnl = {v[lnl_moment_], v[lnl_shear_], v[lnl_axial_]};
  return c;
}

void NeckCriteria::sample(Memory& m, const Constants& c, const Signals& s) const {
  m.nic.sample(c.nic, s.t1_acceleration, s.head_acceleration, s.t1_velocity, s.head_velocity);
  m.nij.sample(c.nij, s.upper.axial, s.upper.moment);
  m.nkm.sample(c.nkm, s.upper.shear, s.upper.moment);
  if (has_lower()) m.lnl.sample(c.lnl, s.lower.shear, s.lower.axial, s.lower.moment);
}

void NeckCriteria::write(const Memory& m, Values& v) const {
  v[nic_] = m.nic.value();
  v[nic_max_] = m.nic.maximum();
  v[nij_] = m.nij.value();
  v[nkm_] = m.nkm.value();
  if (has_lower()) v[lnl_] = m.lnl.value();
}

}  // namespace spondyl
