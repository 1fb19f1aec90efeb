#pragma once

#include "models/model.h"

namespace spondyl {

/// Lumbar spine L1 to S1 in the sagittal plane (Morais 2011).
const ModelType& lumbar_spine_type();

}  // namespace spondyl
