#pragma once

/// What benchmarks share: a clock, the best of many, the machine, tables to the terminal and to a file.

#include <time.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace benchmarks {

/// Of the processor, in this thread: what others do on the machine is not counted.
inline double seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class F>
double time_of(F&& f) {
  const double begin = seconds();
  f();
  return seconds() - begin;
}

/// --rounds <number>: turns that everyone takes; --csv <file>: where results go for a script to read.
struct Options {
  int rounds = 40;
  std::string csv;

  static Options parse(int argc, char** argv) {
    Options o;
    for (int i = 1; i < argc; ++i) {
      const std::string_view argument = argv[i];
      if (argument == "--rounds" && i + 1 < argc) {
        o.rounds = std::max(1, std::atoi(argv[++i]));
      } else if (argument == "--csv" && i + 1 < argc) {
        o.csv = argv[++i];
      } else {
        std::fprintf(stderr, "usage: %s [--rounds <number>] [--csv <file>]\n", argv[0]);
        std::exit(2);
      }
    }
    return o;
  }
};

/// The shortest of the times seen: what the work costs when nothing disturbs it.
class Best {
 public:
  void see(double t) { best_ = std::min(best_, t); }
  double value() const { return best_; }

 private:
  double best_ = std::numeric_limits<double>::infinity();
};

/// Seconds of one call of f(k), k counting up: best of several batches.
template <class F>
double time_per_call(F&& f, int calls = 2000, int batches = 60) {
  Best best;
  for (int b = 0; b < batches; ++b)
    best.see(time_of([&] {
      for (int k = 0; k < calls; ++k) f(k);
    }));
  return best.value() / calls;
}

inline std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

inline std::string compiler() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#elif defined(__GNUC__)
  return "GCC " __VERSION__;
#else
  return "unknown compiler";
#endif
}

__attribute__((format(printf, 1, 2))) inline std::string format(const char* pattern, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

/// Columns as wide as their widest cell; the first is aligned to the left, the others to the right.
class Table {
 public:
  Table(std::string title, std::vector<std::string> heads)
      : title_(std::move(title)), rows_{std::move(heads)} {}

  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void gap() { rows_.emplace_back(); }

  void print() const {
    std::vector<std::size_t> width(rows_[0].size(), 0);
    for (const auto& cells : rows_)
      for (std::size_t c = 0; c < cells.size(); ++c) width[c] = std::max(width[c], cells[c].size());
    std::printf("\n%s\n", title_.c_str());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (std::size_t c = 0; c < rows_[r].size(); ++c)
        std::printf(c == 0 ? "%-*s" : "  %*s", int(width[c]), rows_[r][c].c_str());
      std::printf("\n");
      if (r > 0) continue;
      std::size_t total = 0;
      for (const std::size_t w : width) total += w + 2;
      std::printf("%s\n", std::string(total - 2, '-').c_str());
    }
    std::fflush(stdout);
  }

  void append_csv(std::ostream& out) const {
    out << "# " << title_ << '\n';
    for (const auto& cells : rows_) {
      if (cells.empty()) continue;
      for (std::size_t c = 0; c < cells.size(); ++c) out << (c ? "," : "") << '"' << cells[c] << '"';
      out << '\n';
    }
  }

 private:
  std::string title_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace benchmarks
