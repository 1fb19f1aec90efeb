#pragma once

#include <string>
#include <utility>

#include "models/common_variables.h"
#include "models/model.h"

namespace spondyl {

/// What all models do alike: the common parameters, the built-in pulse, settling into equilibrium.
class CommonModel : public Model {
 public:
  Sizes sizes() const final { return sizes_; }
  double next_corner(double t) const override { return pulse_.next_corner(t); }
  bool starts_in_equilibrium() const final { return equilibrium_; }

 protected:
  CommonModel(const CommonVariables&, State&);

  /// Moves the positions in the state to static equilibrium, or throws with what is left where.
  void settle();
  /// The sled's acceleration (Vec2 or Vec3) with the built-in pulse added: its piece at the instant `piece`.
  template <class Vec, class T>
  Vec with_pulse(Vec acceleration, const T& t, double piece) const {
    const T pulse = pulse_.acceleration(t, piece);
    switch (pulse_direction_) {
      case CommonVariables::Direction::x:
        acceleration.x += pulse;
        break;
      case CommonVariables::Direction::y:
        if constexpr (requires { acceleration.y; }) acceleration.y += pulse;
        break;
      case CommonVariables::Direction::z:
        acceleration.z += pulse;
        break;
    }
    return acceleration;
  }
  /// A planar model has no y.
  void refuse_pulse_along_y() const;
  /// x' of the state from F = 0.
  void make_consistent();
  Point point() const { return state_.solution.point(sizes_); }

  State& state_;
  Sizes sizes_;  ///< set by the model's constructor
  Pulse pulse_;
  CommonVariables::Direction pulse_direction_;
  double gravity_;
  bool equilibrium_;  ///< start in it; true only if the parameter says so and the data set allows it
};

/// A ModelType from the struct that declares the variables (members `table` and `common`) and the model's
/// class, which is built from both.
template <class Variables, class ModelClass>
class TypeOf final : public ModelType {
 public:
  TypeOf(std::string name, std::string description, std::string source, std::vector<std::string> terminals)
      : name_(std::move(name)),
        description_(std::move(description)),
        source_(std::move(source)),
        terminals_(std::move(terminals)) {}

  std::string name() const override { return name_; }
  std::string description() const override { return description_; }
  std::string source() const override { return source_; }
  const VariableTable& variables() const override { return var_.table; }
  std::vector<std::string> terminals() const override { return terminals_; }
  std::unique_ptr<Model> build(State& state) const override {
    return std::make_unique<ModelClass>(var_, state);
  }
  std::unique_ptr<Solver> make_solver(const Sizes& n, const Values& v) const override {
    return var_.common.make_solver(n, v);
  }

 private:
  std::string name_, description_, source_;
  std::vector<std::string> terminals_;
  const Variables var_;
};

}  // namespace spondyl
