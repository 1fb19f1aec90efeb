#pragma once

#include <string>

#include "models/model.h"

namespace spondyl::fmu {

/// modelDescription.xml of a model, from its table of variables.
std::string model_description(const ModelType&);

/// terminalsAndIcons.xml: groups of variables that belong together (sled, head, planes), and where the icon
/// sits.
std::string terminals_and_icons(const ModelType&);

}  // namespace spondyl::fmu
