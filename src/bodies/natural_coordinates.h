#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "math/spatial.h"

/// Rigid bodies in natural (fully Cartesian) coordinates (García de Jalón & Bayo 1994; Ambrósio, Eq. 7-17):
/// the coordinates are those of points and unit vectors, called elements here, that bodies share in their
/// joints. Two bodies with a common point have a spherical joint, with a common point and a common vector a
/// revolute one; no equation is needed for either.
///
/// A body spans its space with four elements: a point P0 and three edges, each the difference of another
/// point to P0 or a vector. Any place on it is a constant combination of the four (Eq. 7), so
///
///   mass matrix      constant, and the same for x, y and z: M_ij = m c_i c_j + Σ_k J_k w_ki w_kj, with the
///                    weights c of the centre of mass and w_k of the axes, J the second moments of mass
///   force f at p     w_i(p) f on element i (Eq. 13)
///   axes a_k         Σ_i w_ki q_i; angular velocity ω = ½ Σ_k a_k × a_k' = ½ Σ_i b_i × q_i', with
///                    b_i = Σ_j K_ij q_j, K_ij = Σ_k w_ki w_kj
///   torque τ         ½ τ × b_i on element i: the virtual work of τ along ω
///   rigidity         the six products of its edges are constant (Eq. 16, 17)
namespace spondyl {

/// The i-th element among coordinates, velocities, ...
template <class T>
Vec3<T> element(const T* q, int i) {
  return {q[3 * i], q[3 * i + 1], q[3 * i + 2]};
}
template <class T>
void add_to_element(T* q, int i, const Vec3<T>& x) {
  q[3 * i] += x.x;
  q[3 * i + 1] += x.y;
  q[3 * i + 2] += x.z;
}

class NaturalBody {
 public:
  using Weights = std::array<double, 4>;
  /// Something that the body is spanned by, as an element and in the body's own axes from its centre of mass.
  struct Element {
    int number;
    bool point;
    Vec3<double> local;
  };

  /// The first element is a point. Inertia: about the centre of mass, principal axes along those of the body.
  NaturalBody(const std::array<Element, 4>& elements, double mass, const Vec3<double>& inertia)
      : mass_(mass), inertia_(inertia) {
    if (!elements[0].point) throw std::logic_error("a body needs a point to start from");
    Eigen::Matrix3d edges;
    for (int i = 0; i < 4; ++i) {
      numbers_[i] = elements[i].number;
      points_[i] = elements[i].point;
      locals_[i] = elements[i].local;
      if (i > 0) {
        const Vec3<double> edge = points_[i] ? locals_[i] - locals_[0] : locals_[i];
        edges.col(i - 1) << edge.x, edge.y, edge.z;
      }
    }
    if (std::abs(edges.determinant()) < 1e-12) throw std::logic_error("the elements do not span the body");
    to_edges_ = edges.inverse();
    centre_ = point({0, 0, 0});
    const Vec3<double> axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; ++k) axes_[k] = direction(axis[k]);
    const double trace = inertia.x + inertia.y + inertia.z;
    const double second[3] = {0.5 * trace - inertia.x, 0.5 * trace - inertia.y, 0.5 * trace - inertia.z};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        mass_matrix_[i][j] = mass * centre_[i] * centre_[j];
        turning_[i][j] = 0;
        for (int k = 0; k < 3; ++k) {
          mass_matrix_[i][j] += second[k] * axes_[k][i] * axes_[k][j];
          turning_[i][j] += axes_[k][i] * axes_[k][j];
        }
      }
  }

  double mass() const { return mass_; }
  const Vec3<double>& inertia() const { return inertia_; }
  int number(int i) const { return numbers_[i]; }
  bool is_point(int i) const { return points_[i]; }
  const Vec3<double>& local(int i) const { return locals_[i]; }
  double mass(int i, int j) const { return mass_matrix_[i][j]; }
  double turning(int i, int j) const { return turning_[i][j]; }  ///< K
  const Weights& centre() const { return centre_; }
  const std::array<Weights, 3>& axes() const { return axes_; }

  /// Weights of a place on the body, or of a vector fixed to it, given in its axes from its centre of mass.
  Weights point(const Vec3<double>& local) const { return weights(local - locals_[0], 1); }
  Weights direction(const Vec3<double>& local) const { return weights(local, 0); }

  /// Σ w_i q_i
  template <class T>
  Vec3<T> combine(const Weights& w, const T* q) const {
    Vec3<T> sum{};
    for (int i = 0; i < 4; ++i) sum += w[i] * element(q, numbers_[i]);
    return sum;
  }
  /// b_i, or with velocities in the place of positions their rates.
  template <class T>
  std::array<Vec3<T>, 4> arms(const T* q) const {
    std::array<Vec3<T>, 4> b{};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) b[i] += turning_[i][j] * element(q, numbers_[j]);
    return b;
  }
  /// ω from the velocities, or the angular acceleration from the accelerations.
  template <class T>
  Vec3<T> turn_rate(const std::array<Vec3<T>, 4>& arms, const T* v) const {
    Vec3<T> twice{};
    for (int i = 0; i < 4; ++i) twice += cross(arms[i], element(v, numbers_[i]));
    return 0.5 * twice;
  }
  template <class T>
  void add_force(const Weights& at, const Vec3<T>& force, T* generalised) const {
    for (int i = 0; i < 4; ++i) add_to_element(generalised, numbers_[i], at[i] * force);
  }
  template <class T>
  void add_torque(const std::array<Vec3<T>, 4>& arms, const Vec3<T>& torque, T* generalised) const {
    const Vec3<T> half = 0.5 * torque;
    for (int i = 0; i < 4; ++i) add_to_element(generalised, numbers_[i], cross(half, arms[i]));
  }

 private:
  Weights weights(const Vec3<double>& from_first, double share) const {
    const Eigen::Vector3d along = to_edges_ * Eigen::Vector3d(from_first.x, from_first.y, from_first.z);
    Weights w{share, along[0], along[1], along[2]};
    for (int i = 1; i < 4; ++i)
      if (points_[i]) w[0] -= w[i];
    return w;
  }

  std::array<int, 4> numbers_;
  std::array<bool, 4> points_;
  std::array<Vec3<double>, 4> locals_;
  double mass_;
  Vec3<double> inertia_;
  Eigen::Matrix3d to_edges_;
  Weights centre_;
  std::array<Weights, 3> axes_;
  double mass_matrix_[4][4], turning_[4][4];
};

/// Bodies that share elements, with the equations that keep them rigid. All of these are at most quadratic,
/// so that every derivative is exact and cheap.
class NaturalSystem {
 public:
  /// p · r = value, p and r each an edge: the difference of two points, or a vector (second is -1).
  struct Product {
    std::array<int, 2> p, r;
    double value;
  };
  /// An element that is a combination of four others: three linear equations.
  struct Combination {
    int element;
    std::array<int, 4> of;
    NaturalBody::Weights weights;
  };

  int add_point() { return add_element(true); }
  int add_vector() { return add_element(false); }

  /// Makes a body rigid; a product that another body holds already (the length of a common vector) is not
  /// repeated.
  void add_body(const NaturalBody& body) {
    std::array<std::array<int, 2>, 3> edge;
    std::array<Vec3<double>, 3> local;
    for (int i = 0; i < 3; ++i) {
      edge[i] = {body.number(i + 1), body.is_point(i + 1) ? body.number(0) : -1};
      local[i] = body.is_point(i + 1) ? body.local(i + 1) - body.local(0) : body.local(i + 1);
    }
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        const Product product{edge[i], edge[j], dot(local[i], local[j])};
        if (!holds(product)) products_.push_back(product);
      }
    bodies_.push_back(body);
  }
  /// A further element of a body that is spanned already.
  void add_combination(int number, const NaturalBody& body, const NaturalBody::Weights& weights) {
    combinations_.push_back(
        {number, {body.number(0), body.number(1), body.number(2), body.number(3)}, weights});
  }
  /// To be called when everything has been added.
  void finish() {
    const int n = elements();
    mass_.setZero(n, n);
    for (const NaturalBody& b : bodies_)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) mass_(b.number(i), b.number(j)) += b.mass(i, j);
    mass_entries_.clear();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (mass_(i, j) != 0) mass_entries_.push_back({i, j, mass_(i, j)});
  }

  int elements() const { return static_cast<int>(is_point_.size()); }
  bool is_point(int i) const { return is_point_[i]; }
  int coordinates() const { return 3 * elements(); }
  int constraints() const {
    return static_cast<int>(products_.size()) + 3 * static_cast<int>(combinations_.size());
  }
  const std::vector<NaturalBody>& bodies() const { return bodies_; }
  const std::vector<Product>& products() const { return products_; }
  const std::vector<Combination>& combinations() const { return combinations_; }
  /// One number a pair of elements: the same for x, y and z.
  const Eigen::MatrixXd& mass_matrix() const { return mass_; }
  struct MassEntry {
    int row, column;
    double mass;
  };
  const std::vector<MassEntry>& mass_entries() const { return mass_entries_; }

  /// Φ(q)
  template <class T>
  void positions(const T* q, T* c) const {
    for (const Product& k : products_) *c++ = dot(edge(q, k.p), edge(q, k.r)) - k.value;
    for (const Combination& k : combinations_) put(c, combination(q, k));
  }
  /// Φ' = Φ_q v
  template <class T>
  void velocities(const T* q, const T* v, T* c) const {
    for (const Product& k : products_)
      *c++ = dot(edge(v, k.p), edge(q, k.r)) + dot(edge(q, k.p), edge(v, k.r));
    for (const Combination& k : combinations_) put(c, combination(v, k));
  }
  /// Φ'' = Φ_q a + 2 p'·r'
  template <class T>
  void accelerations(const T* q, const T* v, const T* a, T* c) const {
    for (const Product& k : products_)
      *c++ = dot(edge(a, k.p), edge(q, k.r)) + dot(edge(q, k.p), edge(a, k.r)) +
             2.0 * dot(edge(v, k.p), edge(v, k.r));
    for (const Combination& k : combinations_) put(c, combination(a, k));
  }
  /// r += Φ_qᵀ λ
  template <class T>
  void add_reactions(const T* q, const T* lambda, T* r) const {
    for (const Product& k : products_) {
      const Vec3<T> with_p = *lambda * edge(q, k.r), with_r = *lambda * edge(q, k.p);
      ++lambda;
      add_to_edge(r, k.p, with_p);
      add_to_edge(r, k.r, with_r);
    }
    for (const Combination& k : combinations_) {
      const Vec3<T> along = element(lambda, 0);
      lambda += 3;
      add_to_element(r, k.element, along);
      for (int i = 0; i < 4; ++i) add_to_element(r, k.of[i], -k.weights[i] * along);
    }
  }
  /// r += M a
  template <class T>
  void add_inertia(const T* a, T* r) const {
    for (const MassEntry& m : mass_entries_) add_to_element(r, m.row, m.mass * element(a, m.column));
  }

  /// Calls entry(row of Φ, coordinate, value) for the derivative of Φ by q at q: Φ_q. With v or a in the
  /// place of q it gives the derivative of Φ' by q, or that of Φ'' by q, or half of that of Φ'' by v,
  /// without what is linear in Φ.
  template <class Entry>
  void derivative(const double* q, bool with_linear, Entry entry) const {
    int row = 0;
    for (const Product& k : products_) {
      put_edge(row, k.p, edge(q, k.r), entry);
      put_edge(row, k.r, edge(q, k.p), entry);
      ++row;
    }
    for (const Combination& k : combinations_)
      for (int axis = 0; axis < 3; ++axis, ++row) {
        if (!with_linear) continue;
        entry(row, 3 * k.element + axis, 1.0);
        for (int i = 0; i < 4; ++i) entry(row, 3 * k.of[i] + axis, -k.weights[i]);
      }
  }
  /// Calls place(row of Φ, element) for the elements that a constraint depends on, some more than once.
  template <class Place>
  void for_each_place(Place place) const {
    const std::vector<double> ones(coordinates(), 1.0);
    derivative(ones.data(), true, [&](int row, int column, double) { place(row, column / 3); });
  }
  /// Calls entry(element, element, value) for the derivative of Φ_qᵀ λ by q, the same for x, y and z.
  template <class Entry>
  void reaction_derivative(const double* lambda, Entry entry) const {
    for (const Product& k : products_) {
      const double l = *lambda++;
      for (const double sign_p : {1.0, -1.0}) {
        const int p = k.p[sign_p < 0];
        if (p < 0) continue;
        for (const double sign_r : {1.0, -1.0}) {
          const int r = k.r[sign_r < 0];
          if (r < 0) continue;
          entry(p, r, sign_p * sign_r * l);
          entry(r, p, sign_p * sign_r * l);
        }
      }
    }
  }

 private:
  int add_element(bool point) {
    is_point_.push_back(point);
    return elements() - 1;
  }
  bool holds(const Product& product) const {
    for (const Product& k : products_)
      if (k.p == product.p && k.r == product.r) return true;
    return false;
  }
  template <class T>
  static Vec3<T> edge(const T* q, const std::array<int, 2>& e) {
    return e[1] < 0 ? element(q, e[0]) : element(q, e[0]) - element(q, e[1]);
  }
  template <class T>
  static void add_to_edge(T* r, const std::array<int, 2>& e, const Vec3<T>& x) {
    add_to_element(r, e[0], x);
    if (e[1] >= 0) add_to_element(r, e[1], -x);
  }
  template <class Entry>
  static void put_edge(int row, const std::array<int, 2>& e, const Vec3<double>& x, Entry& entry) {
    const double parts[3] = {x.x, x.y, x.z};
    for (int axis = 0; axis < 3; ++axis) {
      entry(row, 3 * e[0] + axis, parts[axis]);
      if (e[1] >= 0) entry(row, 3 * e[1] + axis, -parts[axis]);
    }
  }
  template <class T>
  static Vec3<T> combination(const T* q, const Combination& k) {
    Vec3<T> x = element(q, k.element);
    for (int i = 0; i < 4; ++i) x -= k.weights[i] * element(q, k.of[i]);
    return x;
  }
  template <class T>
  static void put(T*& c, const Vec3<T>& x) {
    *c++ = x.x;
    *c++ = x.y;
    *c++ = x.z;
  }

  std::vector<bool> is_point_;
  std::vector<NaturalBody> bodies_;
  std::vector<Product> products_;
  std::vector<Combination> combinations_;
  Eigen::MatrixXd mass_;
  std::vector<MassEntry> mass_entries_;
};

/// Puts positions and velocities back on the constraints by the change that is smallest in kinetic energy:
/// the mass-orthogonal projection of Bayo & Ledesma 1996, whose impulses are internal and so leave linear
/// momentum alone.
class NaturalProjection {
 public:
  /// `held`: elements that must not move, and constraints among them alone.
  NaturalProjection(const NaturalSystem& system, const std::vector<bool>& held_elements,
                    const std::vector<bool>& held_constraints)
      : system_(system), held_(held_constraints), factor_(system.constraints()) {
    const int n = system.elements(), m = system.constraints();
    std::vector<int> free;
    for (int i = 0; i < n; ++i)
      if (!held_elements[i]) free.push_back(i);
    const Eigen::MatrixXd inverse = system.mass_matrix()(free, free).inverse();
    inverse_mass_.setZero(n, n);
    inverse_mass_(free, free) = inverse;
    in_row_.resize(m);
    system.for_each_place([&](int row, int element) {
      std::vector<int>& in = in_row_[row];
      if (std::find(in.begin(), in.end(), element) == in.end()) in.push_back(element);
    });
    gradient_.resize(3 * n * m);
    moved_.resize(3 * n);
    matrix_.setZero(m, m);
    defect_.setZero(m);
  }

  /// Constraints whose defect is below this are left alone.
  static constexpr double negligible = 1e-13;
  static constexpr int most_iterations = 6;

  void project(double* q, double* v) {
    factored_ = false;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      system_.positions(q, defect_.data());
      if (largest_defect() <= negligible) break;
      step(q, q);
    }
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      system_.velocities(q, v, defect_.data());
      if (largest_defect() <= negligible) return;
      step(q, v);
    }
  }

 private:
  double largest_defect() {
    double largest = 0;
    for (int k = 0; k < defect_.size(); ++k) {
      if (held_[k]) defect_[k] = 0;
      largest = std::max(largest, std::abs(defect_[k]));
    }
    return largest;
  }
  /// Φ_q M⁻¹ Φ_qᵀ, factorised.
  void factor(const double* q) {
    const int n = system_.elements(), m = system_.constraints();
    std::fill(gradient_.begin(), gradient_.end(), 0.0);
    system_.derivative(q, true, [&](int row, int column, double x) { gradient_[3 * n * row + column] += x; });
    for (int k = 0; k < m; ++k) {
      double* const moved = moved_.data();
      std::fill(moved_.begin(), moved_.end(), 0.0);
      for (const int j : in_row_[k]) {
        const Vec3<double> g = element(&gradient_[3 * n * k], j);
        for (int i = 0; i < n; ++i) add_to_element(moved, i, inverse_mass_(i, j) * g);
      }
      for (int l = k; l < m; ++l) {
        double sum = 0;
        for (const int i : in_row_[l]) sum += dot(element(moved, i), element(&gradient_[3 * n * l], i));
        matrix_(l, k) = held_[k] || held_[l] ? (k == l ? 1 : 0) : sum;
      }
    }
    factor_.compute(matrix_);
  }
  /// x moves by -M⁻¹ Φ_qᵀ μ. One factorisation serves all steps, since the positions move by little more than
  /// the error of a time step; the direction is always that at q.
  void step(const double* q, double* x) {
    if (!factored_) factor(q);
    factored_ = true;
    factor_.solveInPlace(defect_);
    std::fill(moved_.begin(), moved_.end(), 0.0);
    system_.add_reactions(q, defect_.data(), moved_.data());
    const int n = system_.elements();
    for (int i = 0; i < n; ++i) {
      Vec3<double> change{};
      for (int j = 0; j < n; ++j) change += inverse_mass_(j, i) * element(moved_.data(), j);
      add_to_element(x, i, -change);
    }
  }

  const NaturalSystem& system_;
  std::vector<bool> held_;
  Eigen::MatrixXd inverse_mass_, matrix_;
  std::vector<std::vector<int>> in_row_;
  std::vector<double> gradient_;  ///< Φ_q, row by row
  std::vector<double> moved_;     ///< a combination of its rows
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::VectorXd defect_;
  bool factored_ = false;
};

}  // namespace spondyl
