#include "solvers/block_pattern.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

namespace spondyl {
namespace {

/// Later blocks with which each block is coupled when its turn comes: elimination couples its neighbours.
std::vector<std::set<int>> eliminate(const Structure& structure) {
  const int count = static_cast<int>(structure.blocks.size());
  std::vector<std::set<int>> later(count);
  for (const auto& [k, l] : structure.coupled) {
    for (const int b : {k, l})
      if (b < 0 || b >= count)
        throw std::invalid_argument("structure: a pair names block " + std::to_string(b) + ", must be 0 to " +
                                    std::to_string(count - 1));
    if (k != l) later[std::min(k, l)].insert(std::max(k, l));
  }
  for (int k = 0; k < count; ++k)
    for (auto i = later[k].begin(); i != later[k].end(); ++i) later[*i].insert(std::next(i), later[k].end());
  return later;
}

}  // namespace

BlockPattern::BlockPattern(const Structure& structure, int unknowns)
    : block_of_(unknowns, -1), place_in_block_(unknowns) {
  const int count = static_cast<int>(structure.blocks.size());
  for (int k = 0; k < count; ++k) {
    const std::vector<int>& members = structure.blocks[k];
    if (members.empty()) throw std::invalid_argument("structure: block " + std::to_string(k) + " is empty");
    blocks_.push_back({static_cast<int>(order_.size()), static_cast<int>(members.size()), 0, 0, 0, {}});
    for (std::size_t i = 0; i < members.size(); ++i) {
      const int u = members[i];
      if (u < 0 || u >= unknowns)
        throw std::invalid_argument("structure: block " + std::to_string(k) + " holds unknown " +
                                    std::to_string(u) + ", must be 0 to " + std::to_string(unknowns - 1));
      if (block_of_[u] >= 0)
        throw std::invalid_argument("structure: unknown " + std::to_string(u) + " is in blocks " +
                                    std::to_string(block_of_[u]) + " and " + std::to_string(k));
      block_of_[u] = k;
      place_in_block_[u] = static_cast<int>(i);
      order_.push_back(u);
    }
  }
  for (int u = 0; u < unknowns; ++u)
    if (block_of_[u] < 0)
      throw std::invalid_argument("structure: unknown " + std::to_string(u) + " is in no block");

  const std::vector<std::set<int>> later = eliminate(structure);
  for (int k = 0; k < count; ++k) {
    Block& block = blocks_[k];
    for (const int l : later[k]) {
      block.neighbours.push_back({blocks_[l].first, block.outside, blocks_[l].size});
      block.outside += blocks_[l].size;
    }
    block.panel = storage_;
    block.rows = block.panel + block.size * block.height();
    storage_ = block.rows + block.size * block.outside;
  }

  updates_.resize(count);
  for (int k = 0; k < count; ++k) {
    const Block& block = blocks_[k];
    int a = 0;
    for (const int i : later[k]) {
      const Segment& row = block.neighbours[a++];
      const int below = block.panel + block.size + row.offset;
      int b = 0;
      for (const int j : later[k]) {
        const Segment& column = block.neighbours[b++];
        const int beside = block.rows + column.offset;
        const int target = place(order_[row.first], order_[column.first]);
        if (i >= j)  // in a panel: along its columns
          updates_[k].push_back({target, blocks_[j].height(), below, block.height(), beside, block.outside,
                                 row.size, column.size});
        else
          updates_[k].push_back({target, blocks_[i].outside, beside, block.outside, below, block.height(),
                                 column.size, row.size});
      }
    }
  }
}

const BlockPattern::Segment* BlockPattern::neighbour(int block, int other) const {
  for (const Segment& s : blocks_[block].neighbours)
    if (s.first == blocks_[other].first) return &s;
  return nullptr;
}

int BlockPattern::place(int row, int column) const {
  const int r = block_of_[row], c = block_of_[column], i = place_in_block_[row], j = place_in_block_[column];
  if (r >= c) {
    const Block& block = blocks_[c];
    const int start = block.panel + j * block.height() + i;
    if (r == c) return start;
    const Segment* const s = neighbour(c, r);
    return s ? start + block.size + s->offset : -1;
  }
  const Segment* const s = neighbour(r, c);
  return s ? blocks_[r].rows + i * blocks_[r].outside + s->offset + j : -1;
}

int BlockPattern::stored_blocks() const {
  int sum = 0;
  for (const Block& b : blocks_) sum += 1 + 2 * static_cast<int>(b.neighbours.size());
  return sum;
}

std::int64_t BlockPattern::multiplications() const {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const Block& b = blocks_[k];
    for (int p = 0; p < b.size; ++p)  // pivot p: scales its column, changes those and the rows behind it
      sum += (b.height() - p - 1) * std::int64_t{b.size - p} + (b.size - p - 1) * std::int64_t{b.outside};
    for (const Update& u : updates_[k]) sum += std::int64_t{u.count} * u.times * b.size;
  }
  return sum;
}

}  // namespace spondyl
