#pragma once

#include "models/model.h"

namespace spondyl {

/// A person of any height and mass: 17 bodies in Euler parameters, falling, sitting, hit.
const ModelType& human17_type();

}  // namespace spondyl
