#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spondyl {

enum class Type { float64, boolean, enumeration, string };
enum class Causality { input, output, parameter };
enum class Variability { fixed, tunable, continuous, discrete };

/// Number of a variable in its table. The FMI value reference is this plus 2 (1 is time).
using Handle = int;
/// Stands for time among the dependencies of an output.
inline constexpr Handle time_handle = -1;

/// Everything that is known of a variable of a model. Description, access, ranges, the XML and the
/// documentation all come from here.
struct Variable {
  std::string name;
  Type type = Type::float64;
  Causality causality = Causality::output;
  Variability variability = Variability::continuous;
  std::string unit, display_unit, description;
  double start = 0;
  std::string start_text;
  int text = -1;  ///< where the values keep it, if it is a string
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  double nominal = 1;
  std::vector<std::string> items;    ///< of an enumeration, numbered from 1
  std::string type_name;             ///< of an enumeration
  std::vector<Handle> dependencies;  ///< of an output: what feeds through to it at the same instant
};

/// The variables of a model, each declared once. Declaring returns the handle by which the model gets at the
/// value.
class VariableTable {
 public:
  struct Scale {
    std::string unit, display_unit;
    double nominal = 1;
  };

  Handle input(std::string name, const Scale&, std::string description, double start = 0);
  Handle boolean_input(std::string name, std::string description);
  Handle output(std::string name, const Scale&, std::string description,
                std::vector<Handle> dependencies = {});
  Handle parameter(std::string name, const Scale&, std::string description, double start, double min,
                   double max);
  Handle tunable(std::string name, const Scale&, std::string description, double start, double min,
                 double max);
  Handle boolean_parameter(std::string name, std::string description, bool start);
  Handle enumeration(std::string name, std::string type_name, std::vector<std::string> items,
                     std::string description, int start);
  Handle text(std::string name, std::string description, std::string start = "");

  std::span<const Variable> all() const { return variables_; }
  const Variable& operator[](Handle h) const { return variables_[h]; }
  int size() const { return static_cast<int>(variables_.size()); }
  /// -1 if there is none of this name.
  Handle find(std::string_view name) const;
  std::vector<Handle> of(Causality) const;

  /// Throws std::invalid_argument with name, value and allowed range if the value is not allowed.
  void check(Handle, double value) const;

 private:
  Handle add(Variable);
  std::vector<Variable> variables_;
  int texts_ = 0;
};

/// The values of all variables of a table: numbers (a Boolean is 0 or 1, an enumeration its item number) and
/// texts.
struct Values {
  std::vector<double> numbers;
  std::vector<std::string> texts;

  Values() = default;
  explicit Values(const VariableTable&);
  double operator[](Handle h) const { return numbers[h]; }
  double& operator[](Handle h) { return numbers[h]; }
  bool operator==(const Values&) const = default;
};

/// A number as short as it can be written without loss.
std::string to_text(double);

}  // namespace spondyl
