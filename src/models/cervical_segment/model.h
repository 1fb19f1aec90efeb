#pragma once

#include "models/model.h"

namespace spondyl {

/// C5 on C6 in six degrees of freedom (Kecskeméthy, Lange & Grabner 2000); see README.md here.
const ModelType& cervical_segment_type();

}  // namespace spondyl
