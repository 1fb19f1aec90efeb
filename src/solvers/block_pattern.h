#pragma once

#include <cstdint>
#include <vector>

#include "solvers/structure.h"

namespace spondyl {

/// Where the entries of a block-sparse matrix and of its LU factors are kept, worked out once.
///
/// Block k with n rows is coupled, at the time of its elimination, with later blocks (its neighbours) of m
/// rows together. Its part of the storage is
///   - a panel of n columns, each n + m long: the diagonal block, below it the rows of the neighbours;
///   - n rows, each m long: the rows of block k in the columns of the neighbours.
/// Both run along memory in the direction in which elimination runs.
class BlockPattern {
 public:
  struct Segment {
    int first;   ///< place in the order of elimination of the neighbour's first unknown
    int offset;  ///< among the m rows of all neighbours
    int size;
  };
  struct Block {
    int first;    ///< place in the order of elimination of its first unknown
    int size;     ///< n
    int outside;  ///< m
    int panel;    ///< where the panel begins
    int rows;     ///< where the rows begin
    std::vector<Segment> neighbours;

    int height() const { return size + outside; }
  };
  /// target(i, j) -= Σ_p left(p, i) right(p, j), i running along memory in target and left, j in right. All
  /// that elimination of a block does to a pair of its neighbours.
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
  const std::vector<Block>& blocks() const { return blocks_; }
  /// Updates caused by the elimination of block k.
  const std::vector<Update>& updates(int k) const { return updates_[k]; }
  /// Unknowns in the order of elimination.
  const std::vector<int>& order() const { return order_; }
  /// Place of an entry in the storage, -1 if the blocks of row and column are not coupled, not even by fill.
  int place(int row, int column) const;
  /// Pairs of blocks, and blocks, that the factors hold.
  int stored_blocks() const;
  /// Multiplications of one factorisation.
  std::int64_t multiplications() const;

 private:
  const Segment* neighbour(int block, int other) const;

  std::vector<Block> blocks_;
  std::vector<std::vector<Update>> updates_;
  std::vector<int> order_, block_of_, place_in_block_;
  int storage_ = 0;
};

}  // namespace spondyl
