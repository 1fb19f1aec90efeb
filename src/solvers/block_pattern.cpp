#include "solvers/block_pattern.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>

namespace spondyl {
namespace {

/// Throws std::invalid_argument if the structure does not hold every unknown once.
void check(const Structure& structure, int unknowns) {
  const auto refuse = [](const std::string& why) { throw std::invalid_argument("structure: " + why); };
  const auto number = [](int i) { return std::to_string(i); };
  const int count = static_cast<int>(structure.blocks.size());
  std::vector<int> block_of(unknowns, -1);
  for (int k = 0; k < count; ++k) {
    if (structure.blocks[k].empty()) refuse("block " + number(k) + " is empty");
    for (const int u : structure.blocks[k]) {
      if (u < 0 || u >= unknowns)
        refuse("block " + number(k) + " holds unknown " + number(u) + ", must be 0 to " +
               number(unknowns - 1));
      if (block_of[u] >= 0)
        refuse("unknown " + number(u) + " is in blocks " + number(block_of[u]) + " and " + number(k));
      block_of[u] = k;
    }
  }
  for (int u = 0; u < unknowns; ++u)
    if (block_of[u] < 0) refuse("unknown " + number(u) + " is in no block");
  for (const auto& [k, l] : structure.coupled)
    for (const int b : {k, l})
      if (b < 0 || b >= count)
        refuse("a pair names block " + number(b) + ", must be 0 to " + number(count - 1));
  const int in_fronts = std::accumulate(structure.fronts.begin(), structure.fronts.end(), 0);
  if (!structure.fronts.empty() && in_fronts != count)
    refuse("the fronts have " + number(in_fronts) + " blocks, must be " + number(count));
  for (std::size_t f = 0; f < structure.fronts.size(); ++f)
    if (structure.fronts[f] < 1) refuse("front " + number(static_cast<int>(f)) + " is empty");
}

}  // namespace

BlockPattern::BlockPattern(const Structure& structure, int unknowns) : at_(unknowns) {
  check(structure, unknowns);
  const int blocks = static_cast<int>(structure.blocks.size());
  const std::vector<int> each_alone(blocks, 1);
  const std::vector<int>& in_front = structure.fronts.empty() ? each_alone : structure.fronts;
  const int count = static_cast<int>(in_front.size());

  std::vector<int> first;  // place of a block's first unknown
  for (const std::vector<int>& block : structure.blocks) {
    first.push_back(static_cast<int>(order_.size()));
    for (const int u : block) {
      at_[u] = static_cast<int>(order_.size());
      order_.push_back(u);
    }
  }

  // later blocks with which each block is coupled when its turn comes: elimination couples all neighbours
  std::vector<std::set<int>> later(blocks);
  for (const auto& [k, l] : structure.coupled)
    if (k != l) later[std::min(k, l)].insert(std::max(k, l));
  for (int f = 0, begin = 0; f < count; begin += in_front[f++]) {
    const int end = begin + in_front[f];
    std::set<int> neighbours;
    for (int b = begin; b < end; ++b) neighbours.insert(later[b].lower_bound(end), later[b].end());
    for (auto b = neighbours.begin(); b != neighbours.end(); ++b)
      later[*b].insert(std::next(b), neighbours.end());

    Front front{.first = first[begin],
                .size = (end < blocks ? first[end] : unknowns) - first[begin],
                .outside = 0,
                .panel = 0,
                .rows = 0,
                .neighbours = {}};
    front_at_.insert(front_at_.end(), front.size, f);
    for (const int b : neighbours) {
      const int size = static_cast<int>(structure.blocks[b].size());
      front.neighbours.push_back({first[b], front.outside, size});
      front.outside += size;
    }
    front.panel = storage_;
    front.rows = front.panel + front.size * front.height();
    storage_ = front.rows + front.size * front.outside;
    fronts_.push_back(front);
  }
  for (Front& front : fronts_) merge_neighbours(front);

  updates_.resize(count);
  for (int k = 0; k < count; ++k) {
    const Front& front = fronts_[k];
    for (const Segment& row : front.neighbours)
      for (const Segment& column : front.neighbours) {
        const int below = front.panel + front.size + row.offset, beside = front.rows + column.offset;
        const int i = front_at_[row.first], j = front_at_[column.first];
        const int target = place(order_[row.first], order_[column.first]);
        if (i >= j)  // in a panel: along its columns
          updates_[k].push_back({target, fronts_[j].height(), below, front.height(), beside, front.outside,
                                 row.size, column.size});
        else
          updates_[k].push_back({target, fronts_[i].outside, beside, front.outside, below, front.height(),
                                 column.size, row.size});
      }
  }
}

/// Blocks that follow each other in one front do so wherever they occur, since all neighbours are coupled.
void BlockPattern::merge_neighbours(Front& front) const {
  std::vector<Segment> merged;
  for (const Segment& s : front.neighbours) {
    if (!merged.empty() && merged.back().first + merged.back().size == s.first &&
        front_at_[merged.back().first] == front_at_[s.first])
      merged.back().size += s.size;
    else
      merged.push_back(s);
  }
  front.neighbours = merged;
}

/// Where among the neighbours' rows of a front a place in the order stands, -1: nowhere.
int BlockPattern::offset(const Front& front, int at) const {
  for (const Segment& s : front.neighbours)
    if (at >= s.first && at < s.first + s.size) return s.offset + at - s.first;
  return -1;
}

int BlockPattern::place(int row, int column) const {
  const int r = at_[row], c = at_[column];
  if (front_at_[r] >= front_at_[c]) {
    const Front& front = fronts_[front_at_[c]];
    const int top = front.panel + (c - front.first) * front.height();
    if (front_at_[r] == front_at_[c]) return top + r - front.first;
    const int below = offset(front, r);
    return below < 0 ? -1 : top + front.size + below;
  }
  const Front& front = fronts_[front_at_[r]];
  const int beside = offset(front, c);
  return beside < 0 ? -1 : front.rows + (r - front.first) * front.outside + beside;
}

std::int64_t BlockPattern::multiplications() const {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    const Front& f = fronts_[k];
    for (int p = 0; p < f.size; ++p)  // pivot p: scales its column, changes those and the rows behind it
      sum += (f.height() - p - 1) * std::int64_t{f.size - p} + (f.size - p - 1) * std::int64_t{f.outside};
    for (const Update& u : updates_[k]) sum += std::int64_t{u.count} * u.times * f.size;
  }
  return sum;
}

}  // namespace spondyl
