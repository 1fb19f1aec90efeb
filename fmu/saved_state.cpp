#include "fmu/saved_state.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace spondyl::fmu {
namespace {

static_assert(std::endian::native == std::endian::little, "serialised states are little-endian");

constexpr std::uint64_t magic = 0x3154'4c59'444e'4f50;  // "PONDYLT1"
constexpr std::uint64_t format_version = 1;
constexpr std::size_t header_words = 4, checksum_words = 1, word = sizeof(std::uint64_t);

/// Everything is written in words of 8 bytes; Writer is also used without a target, to count.
class Writer {
 public:
  explicit Writer(std::byte* target) : target_(target) {}
  std::size_t size() const { return size_; }

  void put(std::uint64_t x) { bytes(&x, sizeof x); }
  void put(std::int64_t x) { bytes(&x, sizeof x); }
  void put(double x) { bytes(&x, sizeof x); }
  void put(bool x) { put(std::uint64_t{x}); }
  void put(const std::vector<double>& v) {
    put(std::uint64_t{v.size()});
    bytes(v.data(), v.size() * sizeof(double));
  }
  void put(const std::string& s) {
    put(std::uint64_t{s.size()});
    bytes(s.data(), s.size());
    constexpr char zeros[word] = {};
    bytes(zeros, (word - s.size() % word) % word);
  }

 private:
  void bytes(const void* from, std::size_t n) {
    if (target_ && n > 0) std::memcpy(target_ + size_, from, n);
    size_ += n;
  }
  std::byte* target_;
  std::size_t size_ = 0;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  bool at_end() const { return bytes_.empty(); }

  void get(std::uint64_t& x) { take(&x, sizeof x); }
  void get(std::int64_t& x) { take(&x, sizeof x); }
  void get(double& x) { take(&x, sizeof x); }
  void get(bool& x) {
    std::uint64_t y;
    get(y);
    if (y > 1) throw std::invalid_argument("the serialised state is damaged");
    x = y == 1;
  }
  void get(std::vector<double>& v) {
    v.resize(length(sizeof(double)));
    take(v.data(), v.size() * sizeof(double));
  }
  void get(std::string& s) {
    s.resize(length(1));
    take(s.data(), s.size());
    std::uint64_t padding;
    take(&padding, (word - s.size() % word) % word);
  }

 private:
  std::size_t length(std::size_t item) {
    std::uint64_t n;
    get(n);
    if (n > bytes_.size() / item) throw std::invalid_argument("the serialised state is damaged");
    return n;
  }
  void take(void* to, std::size_t n) {
    if (n > bytes_.size()) throw std::invalid_argument("the serialised state is too short");
    if (n > 0) std::memcpy(to, bytes_.data(), n);
    bytes_ = bytes_.subspan(n);
  }
  std::span<const std::byte> bytes_;
};

/// The content in one order for counting, writing and reading.
template <class Archive, class Saved, class Item>
void visit(Archive& archive, Saved& s, Item item) {
  item(archive, s.started);
  item(archive, s.stop_time_defined);
  item(archive, s.start_time);
  item(archive, s.stop_time);
  item(archive, s.state.values.numbers);
  for (auto& text : s.state.values.texts) item(archive, text);
  item(archive, s.state.solution.t);
  item(archive, s.state.solution.x);
  item(archive, s.state.solution.xdot);
  item(archive, s.state.solution.history);
  auto& count = s.state.solution.statistics;
  for (auto* n : {&count.steps, &count.rejections, &count.newton_iterations, &count.residuals,
                  &count.jacobians, &count.factorisations, &count.events})
    item(archive, *n);
  item(archive, s.state.memory);
  item(archive, s.state.inputs_changed);
}

void write_content(Writer& writer, const SavedState& s) {
  writer.put(std::uint64_t{s.mode});
  visit(writer, s, [](Writer& w, const auto& x) { w.put(x); });
}

bool finite(const std::vector<double>& v) {
  return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
}

/// Numbers that a solver can go on from; what the model remembers is the model's to check.
bool plausible(const SavedState& s) {
  const Solution& solution = s.state.solution;
  const Statistics& count = solution.statistics;
  constexpr std::int64_t most = std::int64_t{1} << 52;
  for (const std::int64_t n : {count.steps, count.rejections, count.newton_iterations, count.residuals,
                               count.jacobians, count.factorisations, count.events})
    if (n < 0 || n > most) return false;
  return std::isfinite(s.start_time) && std::isfinite(s.stop_time) && std::isfinite(solution.t) &&
         finite(solution.x) && finite(solution.xdot) && finite(solution.history);
}

}  // namespace

std::uint64_t hash(std::span<const std::byte> bytes) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const std::byte b : bytes) h = (h ^ static_cast<std::uint64_t>(b)) * 0x100000001b3;
  return h;
}

std::size_t serialised_size(const SavedState& s) {
  Writer counter(nullptr);
  write_content(counter, s);
  return (header_words + checksum_words) * word + counter.size();
}

void serialise(const SavedState& s, std::uint64_t interface_hash, std::span<std::byte> bytes) {
  Writer writer(bytes.data());
  writer.put(magic);
  writer.put(format_version);
  writer.put(interface_hash);
  writer.put(std::uint64_t{bytes.size()});
  write_content(writer, s);
  writer.put(hash(bytes.first(writer.size())));
}

SavedState deserialise(std::span<const std::byte> bytes, std::uint64_t interface_hash,
                       const VariableTable& variables) {
  if (bytes.size() < (header_words + checksum_words) * word)
    throw std::invalid_argument("the serialised state is too short");
  Reader reader(bytes.first(bytes.size() - word)), last(bytes.last(word));
  std::uint64_t found, size;
  reader.get(found);
  if (found != magic) throw std::invalid_argument("the bytes are not a serialised state of this kind of FMU");
  reader.get(found);
  if (found != format_version)
    throw std::invalid_argument("the serialised state has format version " + std::to_string(found) +
                                ", this FMU reads " + std::to_string(format_version));
  reader.get(found);
  if (found != interface_hash)
    throw std::invalid_argument("the serialised state belongs to another model or another version of it");
  reader.get(size);
  if (size != bytes.size())
    throw std::invalid_argument("the serialised state has " + std::to_string(bytes.size()) +
                                " bytes, it should have " + std::to_string(size));
  last.get(found);
  if (found != hash(bytes.first(bytes.size() - word)))
    throw std::invalid_argument("the serialised state is damaged: its checksum is wrong");

  SavedState s;
  s.state.values = Values(variables);
  const std::size_t numbers = s.state.values.numbers.size();
  std::uint64_t mode;
  reader.get(mode);
  visit(reader, s, [](Reader& r, auto& x) { r.get(x); });
  const bool known_mode = mode == instantiated || mode == initialization || mode == event_mode ||
                          mode == step_mode || mode == terminated;
  // before initialisation nothing is started, after it everything is
  const bool right_start = mode == initialization || s.started == (mode != instantiated);
  if (!reader.at_end() || s.state.values.numbers.size() != numbers || !known_mode || !right_start ||
      !plausible(s))
    throw std::invalid_argument("the serialised state is damaged");
  s.mode = static_cast<Mode>(mode);
  return s;
}

}  // namespace spondyl::fmu
