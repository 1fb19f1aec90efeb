#include "models/human17/data.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "data/data_error.h"

namespace spondyl::human17 {

using data::Quantity;
using data::Range;
using data::Table;

namespace {

Vec3<double> vector(const Table& table, std::string_view row, const std::string& name, Quantity quantity,
                    const Range& range = Range::finite()) {
  return {table.number(row, name + "_x", quantity, range), table.number(row, name + "_y", quantity, range),
          table.number(row, name + "_z", quantity, range)};
}

std::string_view segment_of(std::string_view body) { return body.substr(0, body.find('_')); }

/// Eq. 26: mass of a segment = constant + per_mass m + per_height v.
struct Regression {
  double constant, per_mass, per_height;

  double mass(const Person& p) const { return constant + per_mass * p.mass + per_height * p.height; }
};

std::string in_short(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

/// For which values of one size all segments have a positive mass, the other size given, in words.
template <class Slope, class Rest>
std::string range_of(const std::array<Regression, segment_names.size()>& segments, Slope slope, Rest rest,
                     const char* unit) {
  double low = 0, high = 1e9;
  for (const Regression& s : segments) {
    const double root = -rest(s) / slope(s);
    if (slope(s) > 0)
      low = std::max(low, root);
    else
      high = std::min(high, root);
  }
  if (!(low < high)) return "there is none";
  return high < 1e9 ? "between " + in_short(low) + " and " + in_short(high) + " " + unit
                    : "above " + in_short(low) + " " + unit;
}

[[noreturn]] void refuse(const std::array<Regression, segment_names.size()>& segments, int worst,
                         const Person& p) {
  throw std::invalid_argument(
      "a person of height = " + in_short(p.height) + " m and mass = " + in_short(p.mass) +
      " kg is outside the valid range: the regression gives the " + std::string(segment_names[worst]) +
      " a mass of " + in_short(segments[worst].mass(p)) +
      " kg, must be positive for every segment; at this height: mass " +
      range_of(
          segments, [](const Regression& s) { return s.per_mass; },
          [&](const Regression& s) { return s.constant + s.per_height * p.height; }, "kg") +
      "; at this mass: height " +
      range_of(
          segments, [](const Regression& s) { return s.per_height; },
          [&](const Regression& s) { return s.constant + s.per_mass * p.mass; }, "m"));
}

}  // namespace

Data read(const data::DataSet& set, const Person& person) {
  const Table &segment = set.table("segments"), &body = set.table("bodies"), &joint = set.table("joints"),
              &reference = set.table("person");
  segment.require_exactly(segment_names);
  body.require_exactly(body_names);
  joint.require_exactly(std::span(body_names).subspan(1));
  reference.require_exactly({"reference"});

  // masses
  std::array<Regression, segment_names.size()> regression;
  for (std::size_t s = 0; s < segment_names.size(); ++s)
    regression[s] = {segment.number(segment_names[s], "constant", Quantity::mass),
                     segment.number(segment_names[s], "per_mass", Quantity::ratio),
                     segment.number(segment_names[s], "per_height", Quantity::mass_per_length)};
  const Person standard{reference.number("reference", "height", Quantity::length, Range::positive()),
                        reference.number("reference", "mass", Quantity::mass, Range::positive())};
  const bool rescale = reference.number("reference", "rescale", Quantity::ratio, Range::between(0, 1)) != 0;
  const auto masses = [&](const Person& p) {
    std::array<double, bodies> m;
    double sum = 0;
    for (int i = 0; i < bodies; ++i) {
      const auto s = std::find(segment_names.begin(), segment_names.end(), segment_of(body_names[i])) -
                     segment_names.begin();
      m[i] = regression[s].mass(p);
      if (!(m[i] > 0)) refuse(regression, static_cast<int>(s), p);
      sum += m[i];
    }
    if (rescale)
      for (double& x : m) x *= p.mass / sum;
    return m;
  };
  const std::array<double, bodies> mass = masses(person), standard_mass = masses(standard);

  // sizes: lengths with height, thickness such that the volume follows the mass
  const double longer = person.height / standard.height;
  const double thicker = std::sqrt(person.mass / standard.mass / longer);

  Data d;
  std::array<Tree::Body, bodies> tree;
  for (int i = 0; i < bodies; ++i) {
    const std::string_view row = body_names[i];
    const Vec3<double> semi = vector(body, row, "semi_axis", Quantity::length, Range::positive());
    const std::string& long_axis = body.text(row, "long_axis");
    if (long_axis != "x" && long_axis != "y" && long_axis != "z")
      throw data::DataError(body.file_name() + ": long_axis of " + std::string(row) + " is '" + long_axis +
                            "': must be x, y or z");
    Ellipsoid& e = d.ellipsoid[i];
    e.centre = longer * vector(body, row, "ellipsoid", Quantity::length);
    e.semi_axes = {(long_axis == "x" ? longer : thicker) * semi.x,
                   (long_axis == "y" ? longer : thicker) * semi.y,
                   (long_axis == "z" ? longer : thicker) * semi.z};

    Tree::Body& b = tree[i];
    b.parent = parents[i];
    b.mass = mass[i];
    const Vec3<double>& s = e.semi_axes;
    b.inertia =
        (mass[i] / 5) * Vec3<double>{s.y * s.y + s.z * s.z, s.z * s.z + s.x * s.x, s.x * s.x + s.y * s.y};
    if (person.inertia == InertiaChoice::regression && body.has(row, "inertia_x"))
      b.inertia = (mass[i] / standard_mass[i] * longer * longer) *
                  vector(body, row, "inertia", Quantity::inertia, Range::positive());
    b.joint_in_parent = longer * vector(body, row, "joint_in_parent", Quantity::length);
    b.joint = longer * vector(body, row, "joint", Quantity::length);
    if (i == pelvis && dot(b.joint, b.joint) > 0)
      throw data::DataError(body.file_name() +
                            ": the joint of the pelvis must be at its centre of mass (0, 0, 0)");
    if (i == pelvis) continue;

    JointCone::Geometry g;
    g.axis = vector(joint, row, "axis", Quantity::ratio);
    g.e1 = vector(joint, row, "e1", Quantity::ratio);
    g.e2 = vector(joint, row, "e2", Quantity::ratio);
    g.limb = vector(joint, row, "limb", Quantity::ratio);
    for (const auto& [name, v] : {std::pair{"axis", g.axis}, {"e1", g.e1}, {"e2", g.e2}, {"limb", g.limb}})
      if (std::abs(dot(v, v) - 1) > 1e-9)
        throw data::DataError(joint.file_name() + ": " + name + " of " + std::string(row) +
                              " must be of unit length");
    if (std::abs(dot(g.axis, g.e1)) + std::abs(dot(g.axis, g.e2)) + std::abs(dot(g.e1, g.e2)) > 1e-9)
      throw data::DataError(joint.file_name() + ": axis, e1 and e2 of " + std::string(row) +
                            " must be at right angles");
    std::array<double, 4> range;
    for (int k = 0; k < 4; ++k)
      range[k] =
          joint.number(row, "range_" + std::to_string(k + 1), Quantity::angle, Range::between(0, 3.1415));
    d.joint[i].limit =
        JointCone(g, {FourPointSpline(range), joint.number(row, "width", Quantity::angle, Range::positive()),
                      joint.number(row, "moment", Quantity::moment, Range::not_negative())});
    d.joint[i].damping = joint.number(row, "damping", Quantity::rotational_damping, Range::not_negative());
  }
  d.tree = Tree(tree);
  return d;
}

}  // namespace spondyl::human17
