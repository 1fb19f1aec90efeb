#pragma once

#include <cstdint>
#include <vector>

#include "solvers/structure.h"

namespace spondyl {

/// Where the entries of a block-sparse matrix and of its LU factors are kept, worked out once.
///
/// A front with n rows is coupled, at the time of its elimination, with blocks of later fronts (its
/// neighbours) of m rows together. Its part of the storage is
///   - a panel of n columns, each n + m long: the diagonal, below it the rows of the neighbours;
///   - n rows, each m long: the rows of the front in the columns of the neighbours.
/// Both run along memory in the direction in which elimination runs.
class BlockPattern {
 public:
  /// Neighbours that follow each other in one front.
  struct Segment {
    int first;   ///< place in the order of elimination of the first unknown
    int offset;  ///< among the m rows of all neighbours
    int size;
  };
  struct Front {
    int first;    ///< place in the order of elimination of its first unknown
    int size;     ///< n
    int outside;  ///< m
    int panel;    ///< where the panel begins
    int rows;     ///< where the rows begin
    std::vector<Segment> neighbours;

    int height() const { return size + outside; }
  };
  /// target(i, j) -= Σ_p left(p, i) right(p, j), i running along memory in target and left, j in right. All
  /// that elimination of a front does to a pair of its segments.
  struct Update {
    int target, target_step;
    int left, left_step;
    int right, right_step;
    int count, times;  ///< range of i and j
  };

  /// Throws std::invalid_argument if the structure does not hold every unknown once.
  BlockPattern(const Structure& structure, int unknowns);

  int unknowns() const { return static_cast<int>(order_.size()); }
  int storage() const { return storage_; }
  const std::vector<Front>& fronts() const { return fronts_; }
  /// Updates caused by the elimination of front k.
  const std::vector<Update>& updates(int k) const { return updates_[k]; }
  /// Unknowns in the order of elimination.
  const std::vector<int>& order() const { return order_; }
  /// Place of an entry in the storage, -1 if row and column are not coupled, not even by fill.
  int place(int row, int column) const;
  /// Multiplications of one factorisation.
  std::int64_t multiplications() const;

 private:
  void merge_neighbours(Front& front) const;
  int offset(const Front& front, int at) const;

  std::vector<Front> fronts_;
  std::vector<std::vector<Update>> updates_;
  std::vector<int> order_, at_;  ///< unknowns in the order of elimination, and where in it an unknown is
  std::vector<int> front_at_;    ///< number of the front, by place in the order
  int storage_ = 0;
};

}  // namespace spondyl
