#include "models/head_criteria.h"

#include "models/common_variables.h"

namespace spondyl {

void HeadCriteria::declare_parameters(VariableTable& t, Turns turns) {
  const Constants start;
  const auto rate = [&](const std::string& axis, double value) {
    return criterion_constant(t, "BrIC_rate_" + axis, scale::angular_velocity,
                              "Critical angular velocity about " + axis + " in BrIC", value);
  };
  if (turns == Turns::freely) rate_x_ = rate("x", start.x);
  rate_y_ = rate("y", start.y);
  if (turns == Turns::freely) rate_z_ = rate("z", start.z);
}

void HeadCriteria::declare_outputs(VariableTable& t) {
  hic15_ = t.output("HIC15", scale::none, "Head injury criterion, window 15 ms, so far (limit 700)");
  hic36_ = t.output("HIC36", scale::none, "Head injury criterion, window 36 ms, so far (limit 1000)");
  a3ms_ = t.output("head_a3ms", scale::acceleration,
                   "Head acceleration exceeded for 3 ms in total, so far (limit 80 g)");
  bric_ = t.output("BrIC", scale::none,
                   rate_x_ < 0 ? "Brain injury criterion so far, from the rotation about y alone (limit 1)"
                               : "Brain injury criterion so far (limit 1)");
}

HeadCriteria::Constants HeadCriteria::constants(const Values& v) const {
  Constants c;
  if (rate_x_ >= 0) c.x = v[rate_x_];
  c.y = v[rate_y_];
  if (rate_z_ >= 0) c.z = v[rate_z_];
  return c;
}

void HeadCriteria::sample(Memory& m, const Signals& s) {
  const double resultant = length(s.acceleration);
  m.hic15.sample(resultant);
  m.hic36.sample(resultant);
  m.a3ms.sample(resultant);
  m.bric.sample(s.angular_velocity.x, s.angular_velocity.y, s.angular_velocity.z);
}

void HeadCriteria::write(const Memory& m, const Constants& c, Values& v) const {
  v[hic15_] = m.hic15.value();
  v[hic36_] = m.hic36.value();
  v[a3ms_] = m.a3ms.value();
  v[bric_] = m.bric.value(c);
}

}  // namespace spondyl
