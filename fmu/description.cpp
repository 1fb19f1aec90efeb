#include "fmu/description.h"

#include <cmath>
#include <map>
#include <stdexcept>

#include "fmu/instance.h"

namespace spondyl::fmu {
namespace {

struct DisplayUnit {
  const char* name;
  double factor;  ///< display value = factor · value
};
struct Unit {
  const char *name, *base;  ///< exponents of the base units as XML attributes
  std::vector<DisplayUnit> display;
};

/// Every unit that a variable may have.
const std::vector<Unit>& units() {
  static const std::vector<Unit> all = {
      {"1", "", {}},
      {"s", "s=\"1\"", {{"ms", 1e3}}},
      {"m", "m=\"1\"", {{"mm", 1e3}}},
      {"m/s", "m=\"1\" s=\"-1\"", {}},
      {"m/s2", "m=\"1\" s=\"-2\"", {{"g", 1 / 9.81}}},
      {"m2/s2", "m=\"2\" s=\"-2\"", {}},
      {"rad", "rad=\"1\"", {{"deg", 57.295779513082323}}},
      {"rad/s", "rad=\"1\" s=\"-1\"", {{"deg/s", 57.295779513082323}}},
      {"rad/s2", "rad=\"1\" s=\"-2\"", {}},
      {"kg", "kg=\"1\"", {}},
      {"N", "kg=\"1\" m=\"1\" s=\"-2\"", {}},
      {"N.m", "kg=\"1\" m=\"2\" s=\"-2\"", {}},
      {"N/m", "kg=\"1\" s=\"-2\"", {}},
      {"N.s/m", "kg=\"1\" s=\"-1\"", {}},
      {"J", "kg=\"1\" m=\"2\" s=\"-2\"", {}},
  };
  return all;
}

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

std::string attribute(const char* name, const std::string& value) {
  return value.empty() ? "" : std::string(" ") + name + "=\"" + escape(value) + "\"";
}

std::string range(const Variable& v) {
  std::string text;
  if (std::isfinite(v.min)) text += attribute("min", to_text(v.min));
  if (std::isfinite(v.max)) text += attribute("max", to_text(v.max));
  return text;
}

std::string references(const std::vector<Handle>& handles) {
  std::string text;
  for (const Handle h : handles) text += (text.empty() ? "" : " ") + std::to_string(reference(h));
  return text;
}

std::string unit_definitions(const VariableTable& table) {
  std::string text = "  <UnitDefinitions>\n";
  for (const Variable& v : table.all()) {
    bool known = v.unit.empty();
    for (const Unit& u : units()) known = known || v.unit == u.name;
    if (!known) throw std::logic_error("unit " + v.unit + " of " + v.name + " is not in the table of units");
  }
  for (const Unit& u : units()) {
    bool used = false;
    for (const Variable& v : table.all()) used = used || v.unit == u.name;
    if (!used) continue;
    text += std::string("    <Unit name=\"") + u.name + "\">\n      <BaseUnit" + (*u.base ? " " : "") +
            u.base + "/>\n";
    for (const DisplayUnit& d : u.display)
      text +=
          std::string("      <DisplayUnit name=\"") + d.name + "\" factor=\"" + to_text(d.factor) + "\"/>\n";
    text += "    </Unit>\n";
  }
  return text + "  </UnitDefinitions>\n";
}

std::string type_definitions(const VariableTable& table) {
  std::map<std::string, const Variable*> enumerations;
  for (const Variable& v : table.all())
    if (v.type == Type::enumeration) enumerations.emplace(v.type_name, &v);
  std::string text = "  <TypeDefinitions>\n";
  for (const auto& [name, v] : enumerations) {
    text += "    <EnumerationType name=\"" + name + "\">\n";
    for (std::size_t i = 0; i < v->items.size(); ++i)
      text += "      <Item name=\"" + escape(v->items[i]) + "\" value=\"" + std::to_string(i + 1) + "\"/>\n";
    text += "    </EnumerationType>\n";
  }
  return text + "  </TypeDefinitions>\n";
}

std::string variable(const Variable& v, Handle h, const std::string& annotations) {
  static constexpr const char* causalities[] = {"input", "output", "parameter"};
  static constexpr const char* variabilities[] = {"fixed", "tunable", "continuous", "discrete"};
  const std::string common = " name=\"" + v.name + "\" valueReference=\"" + std::to_string(reference(h)) +
                             "\"" + " causality=\"" + causalities[int(v.causality)] + "\" variability=\"" +
                             variabilities[int(v.variability)] + "\"" +
                             attribute("description", v.description);
  const bool output = v.causality == Causality::output;
  switch (v.type) {
    case Type::float64:
      return "    <Float64" + common + (output ? " initial=\"calculated\" intermediateUpdate=\"true\"" : "") +
             attribute("unit", v.unit) + attribute("displayUnit", v.display_unit) + range(v) +
             (v.nominal != 1 ? attribute("nominal", to_text(v.nominal)) : "") +
             (output ? "" : attribute("start", to_text(v.start))) + "/>\n";
    case Type::boolean:
      return "    <Boolean" + common + attribute("start", v.start != 0 ? "true" : "false") + "/>\n";
    case Type::enumeration:
      return "    <Enumeration" + common + attribute("declaredType", v.type_name) + range(v) +
             attribute("start", std::to_string(int(v.start))) +
             (annotations.empty() ? "/>\n" : ">\n" + annotations + "    </Enumeration>\n");
    case Type::string:
      return "    <String" + common + ">\n      <Start value=\"" + escape(v.start_text) +
             "\"/>\n    </String>\n";
  }
  return "";
}

std::string model_structure(const VariableTable& table) {
  std::string outputs, initial;
  for (const Handle h : table.of(Causality::output)) {
    const Variable& v = table[h];
    std::string kinds;
    for (std::size_t i = 0; i < v.dependencies.size(); ++i) kinds += i ? " dependent" : "dependent";
    const std::string vr = " valueReference=\"" + std::to_string(reference(h)) + "\"";
    outputs += "    <Output" + vr + " dependencies=\"" + references(v.dependencies) +
               "\" dependenciesKind=\"" + kinds + "\"/>\n";
    // at the start everything may follow from every input and parameter (equilibrium)
    initial += "    <InitialUnknown" + vr + "/>\n";
  }
  return "  <ModelStructure>\n" + outputs + initial + "  </ModelStructure>\n";
}

}  // namespace

std::string model_description(const ModelType& type) {
  const VariableTable& table = type.variables();
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"" + type.name() + "\" instantiationToken=\"" +
          instantiation_token(type) + "\"" + attribute("description", type.description()) +
          "\n    author=\"the spondyl authors\" version=\"" SPONDYL_VERSION
          "\" license=\"MIT\" generationTool=\"spondyl " SPONDYL_VERSION
          "\" variableNamingConvention=\"flat\">\n";
  text += "  <CoSimulation modelIdentifier=\"" + type.name() +
          "\" canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" "
          "providesDirectionalDerivatives=\"true\"\n"
          "      providesAdjointDerivatives=\"true\" canHandleVariableCommunicationStepSize=\"true\" "
          "maxOutputDerivativeOrder=\"1\"\n"
          "      providesIntermediateUpdate=\"true\" mightReturnEarlyFromDoStep=\"true\" "
          "canReturnEarlyAfterIntermediateUpdate=\"true\" hasEventMode=\"true\"/>\n";
  text += unit_definitions(table) + type_definitions(table);
  text += "  <LogCategories>\n";
  for (const LogCategory& c : log_categories)
    text += std::string("    <Category name=\"") + c.name + "\" description=\"" + c.description + "\"/>\n";
  text += "  </LogCategories>\n";
  text += "  <DefaultExperiment startTime=\"0\" stopTime=\"0.3\" tolerance=\"1e-6\" stepSize=\"0.001\"/>\n";
  text += "  <ModelVariables>\n    <Float64 name=\"time\" valueReference=\"" +
          std::to_string(time_reference) +
          "\" causality=\"independent\" variability=\"continuous\" description=\"Time\" unit=\"s\"/>\n";
  // where the model comes from stands with the choice of its data: fmi-sim 0.5 cannot read annotations of the
  // whole model
  const std::string source = "      <Annotations>\n        <Annotation type=\"org.spondyl.source\">" +
                             escape(type.source()) + "</Annotation>\n      </Annotations>\n";
  for (Handle h = 0; h < table.size(); ++h)
    text += variable(table[h], h, table[h].name == "data_set" ? source : "");
  text += "  </ModelVariables>\n" + model_structure(table);
  return text + "</fmiModelDescription>\n";
}

std::string terminals_and_icons(const ModelType& type) {
  const VariableTable& table = type.variables();
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n";
  text +=
      "  <GraphicalRepresentation>\n    <CoordinateSystem x1=\"-100\" y1=\"-100\" x2=\"100\" y2=\"100\" "
      "suggestedScalingFactorTo_mm=\"0.1\"/>\n    <Icon x1=\"-100\" y1=\"-100\" x2=\"100\" y2=\"100\"/>\n"
      "  </GraphicalRepresentation>\n  <Terminals>\n";
  for (const std::string& group : type.terminals()) {
    std::string members;
    for (const Variable& v : table.all())
      if (v.causality != Causality::parameter && v.name.starts_with(group + "_"))
        members += "      <TerminalMemberVariable variableName=\"" + v.name + "\" memberName=\"" +
                   v.name.substr(group.size() + 1) + "\" variableKind=\"signal\"/>\n";
    const std::string kind = group.starts_with("plane") ? "plane" : group;
    text += "    <Terminal name=\"" + group + "\" matchingRule=\"plug\" terminalKind=\"org.spondyl." + kind +
            "\">\n" + members + "    </Terminal>\n";
  }
  return text + "  </Terminals>\n</fmiTerminalsAndIcons>\n";
}

}  // namespace spondyl::fmu
