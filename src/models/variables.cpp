#include "models/variables.h"

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace spondyl {

Handle VariableTable::add(Variable v) {
  if (find(v.name) >= 0) throw std::logic_error("variable " + v.name + " is declared twice");
  if (v.type == Type::string) v.text = texts_++;
  variables_.push_back(std::move(v));
  return size() - 1;
}

Handle VariableTable::input(std::string name, const Scale& scale, std::string description, double start) {
  return add({.name = std::move(name),
              .causality = Causality::input,
              .unit = scale.unit,
              .display_unit = scale.display_unit,
              .description = std::move(description),
              .start = start,
              .nominal = scale.nominal});
}

Handle VariableTable::boolean_input(std::string name, std::string description) {
  return add({.name = std::move(name),
              .type = Type::boolean,
              .causality = Causality::input,
              .variability = Variability::discrete,
              .description = std::move(description),
              .min = 0,
              .max = 1});
}

Handle VariableTable::output(std::string name, const Scale& scale, std::string description,
                             std::vector<Handle> dependencies) {
  return add({.name = std::move(name),
              .unit = scale.unit,
              .display_unit = scale.display_unit,
              .description = std::move(description),
              .nominal = scale.nominal,
              .dependencies = std::move(dependencies)});
}

Handle VariableTable::parameter(std::string name, const Scale& scale, std::string description, double start,
                                double min, double max) {
  return add({.name = std::move(name),
              .causality = Causality::parameter,
              .variability = Variability::fixed,
              .unit = scale.unit,
              .display_unit = scale.display_unit,
              .description = std::move(description),
              .start = start,
              .min = min,
              .max = max,
              .nominal = scale.nominal});
}

Handle VariableTable::tunable(std::string name, const Scale& scale, std::string description, double start,
                              double min, double max) {
  const Handle h = parameter(std::move(name), scale, std::move(description), start, min, max);
  variables_[h].variability = Variability::tunable;
  return h;
}

Handle VariableTable::boolean_parameter(std::string name, std::string description, bool start) {
  return add({.name = std::move(name),
              .type = Type::boolean,
              .causality = Causality::parameter,
              .variability = Variability::fixed,
              .description = std::move(description),
              .start = start ? 1.0 : 0.0,
              .min = 0,
              .max = 1});
}

Handle VariableTable::enumeration(std::string name, std::string type_name, std::vector<std::string> items,
                                  std::string description, int start) {
  const double count = static_cast<double>(items.size());
  return add({.name = std::move(name),
              .type = Type::enumeration,
              .causality = Causality::parameter,
              .variability = Variability::fixed,
              .description = std::move(description),
              .start = static_cast<double>(start),
              .min = 1,
              .max = count,
              .items = std::move(items),
              .type_name = std::move(type_name)});
}

Handle VariableTable::text(std::string name, std::string description, std::string start) {
  return add({.name = std::move(name),
              .type = Type::string,
              .causality = Causality::parameter,
              .variability = Variability::fixed,
              .description = std::move(description),
              .start_text = std::move(start)});
}

Handle VariableTable::find(std::string_view name) const {
  for (int i = 0; i < size(); ++i)
    if (variables_[i].name == name) return i;
  return -1;
}

std::vector<Handle> VariableTable::of(Causality causality) const {
  std::vector<Handle> found;
  for (int i = 0; i < size(); ++i)
    if (variables_[i].causality == causality) found.push_back(i);
  return found;
}

void VariableTable::check(Handle h, double value) const {
  const Variable& v = variables_[h];
  const auto refuse = [&](const std::string& allowed) {
    throw std::invalid_argument(v.name + " = " + to_text(value) + " is not allowed: must be " + allowed);
  };
  const std::string unit = v.unit.empty() || v.unit == "1" ? "" : " " + v.unit;
  if (!std::isfinite(value)) refuse("a finite number");
  if (v.type == Type::enumeration && (value != std::floor(value) || value < v.min || value > v.max)) {
    std::string items;
    for (std::size_t i = 0; i < v.items.size(); ++i)
      items += (i ? ", " : "") + std::to_string(i + 1) + " (" + v.items[i] + ")";
    refuse("one of " + items);
  }
  if (value < v.min && v.max == std::numeric_limits<double>::infinity())
    refuse("at least " + to_text(v.min) + unit);
  if (value < v.min || value > v.max) refuse("from " + to_text(v.min) + " to " + to_text(v.max) + unit);
}

Values::Values(const VariableTable& table) {
  for (const Variable& v : table.all()) {
    numbers.push_back(v.start);
    if (v.type == Type::string) texts.push_back(v.start_text);
  }
}

std::string to_text(double x) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return std::string(buffer, end);
}

}  // namespace spondyl
