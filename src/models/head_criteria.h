#pragma once

#include "injury/a3ms.h"
#include "injury/bric.h"
#include "injury/hic.h"
#include "math/spatial.h"
#include "models/variables.h"

namespace spondyl {

/// Injury criteria of the head: HIC15, HIC36, 3 ms acceleration, BrIC. The handles are here, the running
/// values in the model's memory.
class HeadCriteria {
 public:
  struct Memory {
    injury::Hic15 hic15;
    injury::Hic36 hic36;
    injury::A3ms a3ms;
    injury::Bric bric;

    bool possible() const { return hic15.possible() && hic36.possible(); }
  };
  struct Signals {
    Vec3<double> acceleration;      ///< inertial, of the centre of mass, m/s²
    Vec3<double> angular_velocity;  ///< in axes fixed to the head, rad/s
  };
  using Constants = injury::BricConstants;

  /// A planar head turns about y alone.
  enum class Turns { about_y, freely };
  void declare_parameters(VariableTable&, Turns);
  void declare_outputs(VariableTable&);

  Constants constants(const Values&) const;
  static void sample(Memory&, const Signals&);
  void write(const Memory&, const Constants&, Values&) const;

 private:
  Handle rate_x_ = -1, rate_y_ = -1, rate_z_ = -1;
  Handle hic15_, hic36_, a3ms_, bric_;
};

}  // namespace spondyl
