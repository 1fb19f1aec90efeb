#pragma once

#include "models/model.h"

namespace spondyl {

/// Head and neck in the sagittal plane (Fritzkowski & Walczak 2014).
const ModelType& cervical_spine_type();

}  // namespace spondyl
