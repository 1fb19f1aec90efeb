#pragma once

#include "models/model.h"

namespace spondyl {

/// Twelve bodies in natural coordinates, after Ambrósio: a belted occupant, a tackled athlete.
const ModelType& human12_type();

}  // namespace spondyl
