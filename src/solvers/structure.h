#pragma once

#include <utility>
#include <vector>

namespace spondyl {

/// Which unknowns of F occur in which of its rows: the unknowns, numbered as the rows of F are (q, then z),
/// in blocks (a body with the multipliers of the joint to its parent, say), and which blocks are coupled.
///
/// Row i and unknown i belong to the same block. A block is always coupled with itself; a pair {k, l} of
/// block numbers says that rows of k may depend on unknowns of l and rows of l on unknowns of k, each pair
/// named once or more. Blocks stand in the order of elimination: for a tree of bodies from the leaves to
/// the root, every body before its parent, which makes the work linear in the number of bodies.
///
/// Blocks are eliminated in fronts, one or more blocks at a time that follow each other: what a body owns is
/// a front, the points and vectors that its neighbours see of it are blocks. Rows are exchanged inside a
/// front only. So a front must be regular by itself once the fronts before it are eliminated: a multiplier
/// belongs into the front of a body that its constraint holds.
struct Structure {
  std::vector<std::vector<int>> blocks;      ///< none: everything may be coupled with everything
  std::vector<std::pair<int, int>> coupled;  ///< numbers of two blocks
  std::vector<int> fronts;                   ///< blocks in each front; none: every block is one

  bool dense() const { return blocks.empty(); }
};

/// Sets the coupled entries of an n × n row-major matrix to zero and leaves the others alone.
inline void clear_coupled(const Structure& structure, int n, double* matrix) {
  const auto clear = [&](const std::vector<int>& rows, const std::vector<int>& columns) {
    for (const int r : rows)
      for (const int c : columns) matrix[r * n + c] = 0;
  };
  for (const auto& block : structure.blocks) clear(block, block);
  for (const auto& [k, l] : structure.coupled) {
    clear(structure.blocks[k], structure.blocks[l]);
    clear(structure.blocks[l], structure.blocks[k]);
  }
  if (structure.dense())
    for (int i = 0; i < n * n; ++i) matrix[i] = 0;
}

}  // namespace spondyl
