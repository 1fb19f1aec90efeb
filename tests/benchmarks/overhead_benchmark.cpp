/// What the FMI layer costs beyond the solver: calls of the FMU's own functions in process, side by side with
/// the same work without FMI, and with a trivial model in the style of the Reference FMUs as the floor.

#include <fmi3Functions.h>
#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <ctime>

#include "fmu/instance.h"
#include "measuring.h"
#include "models/cervical_spine/model.h"
#include "models/simulation.h"

using namespace spondyl;
using benchmarks::format;

namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class Work>
double nanoseconds_of_block(int calls, Work& work) {
  return 1e9 / calls * benchmarks::time_of([&] {
           for (int k = 0; k < calls; ++k) work();
         });
}

/// Nanoseconds a call: median of many blocks.
template <class Work>
double nanoseconds(int rounds, int calls, Work work) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) times.push_back(nanoseconds_of_block(calls, work));
  return median(times);
}

/// Two kinds of work take turns block by block, so that both see the same disturbances.
struct Comparison {
  double more, less, difference;
};
template <class More, class Less>
Comparison compare(int rounds, int calls, More more, Less less) {
  std::vector<double> longer, shorter, difference;
  for (int round = 0; round < rounds; ++round) {
    longer.push_back(nanoseconds_of_block(calls, more));
    shorter.push_back(nanoseconds_of_block(calls, less));
    difference.push_back(longer.back() - shorter.back());
  }
  return {median(longer), median(shorter), median(difference)};
}

// -- CervicalSpine

fmi3Instance started() {
  const std::string token = fmu::instantiation_token(fmu::model_type());
  const fmi3Instance instance =
      fmi3InstantiateCoSimulation("benchmark", token.c_str(), nullptr, fmi3False, fmi3False, fmi3False,
                                  fmi3False, nullptr, 0, nullptr, nullptr, nullptr);
  fmi3EnterInitializationMode(instance, fmi3False, 0, 0, fmi3False, 0);
  fmi3ExitInitializationMode(instance);
  return instance;
}

void step(fmi3Instance instance, double& t, double h) {
  fmi3Boolean event, terminate, early;
  fmi3Float64 last;
  fmi3DoStep(instance, t, h, fmi3True, &event, &terminate, &early, &last);
  t += h;
}

// -- the floor: Dahlquist's equation, a state in a struct, a guard by a mask, a switch over value references

struct Trivial {
  unsigned mode = 8;
  double time = 0, x = 1, der_x = -1, k = 1;
};

[[gnu::noinline]] int trivial_step(void* instance, double now, double size, bool* event, bool* terminate,
                                   bool* early, double* last) {
  Trivial* const m = static_cast<Trivial*>(instance);
  if (!m || !(m->mode & 8) || !(size > 0)) return fmi3Error;
  const double internal = 1e-4, end = now + size, epsilon = 1e-5 * internal;
  while (m->time + internal < end + epsilon) {
    m->der_x = -m->k * m->x;
    m->x += internal * m->der_x;
    m->time += internal;
  }
  *event = *terminate = *early = false;
  *last = m->time;
  return fmi3OK;
}

[[gnu::noinline]] int trivial_get(void* instance, const unsigned references[], std::size_t n, double values[],
                                  std::size_t n_values) {
  const Trivial* const m = static_cast<Trivial*>(instance);
  if (!m || !(m->mode & 58) || n != n_values) return fmi3Error;
  for (std::size_t i = 0; i < n; ++i) {
    switch (references[i]) {
      case 0:
        values[i] = m->time;
        break;
      case 1:
        values[i] = m->x;
        break;
      case 2:
        values[i] = m->der_x;
        break;
      case 3:
        values[i] = m->k;
        break;
      default:
        return fmi3Error;
    }
  }
  return fmi3OK;
}

[[gnu::noinline]] void trivial_get_state(const Trivial& m, void** state) {
  if (!*state) *state = std::calloc(1, sizeof(Trivial));
  std::memcpy(*state, &m, sizeof m);
}

[[gnu::noinline]] void trivial_set_state(Trivial& m, const void* state) { std::memcpy(&m, state, sizeof m); }

double kilobytes_of_an_instance() {
  const int count = 50;
  const auto before = mallinfo2().uordblks;
  std::vector<fmi3Instance> many;
  for (int i = 0; i < count; ++i) many.push_back(started());
  const auto after = mallinfo2().uordblks;
  for (const fmi3Instance i : many) fmi3FreeInstance(i);
  return static_cast<double>(after - before) / count / 1024;
}

void run(int rounds) {
  const double h = 1e-4;
  char date[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  std::printf("%s, %s, %s; medians of %d rounds\n", benchmarks::processor().c_str(),
              benchmarks::compiler().c_str(), date, rounds);

  // the same steps with and without FMI, at rest, where a step of the solver is cheapest
  const fmi3Instance instance = started(), reading = started();
  Simulation plain(cervical_spine_type());
  plain.initialise(0);
  double t = 0, t_plain = 0, t_reading = 0;
  const auto step_through_fmi = [&] { step(instance, t, h); };
  const Comparison steps = compare(rounds, 100, step_through_fmi, [&] {
    plain.synchronise(t_plain);
    plain.advance(t_plain + h);
    t_plain += h;
  });
  Trivial trivial;
  bool event, terminate, early;
  double last;
  const double trivial_step_cost = nanoseconds(
      rounds, 10000, [&] { trivial_step(&trivial, trivial.time, h, &event, &terminate, &early, &last); });

  std::vector<fmi3ValueReference> outputs;
  for (const Handle k : fmu::model_type().variables().of(Causality::output))
    outputs.push_back(fmu::reference(k));
  const std::size_t n = outputs.size();
  std::vector<fmi3Float64> values(n);
  const auto read = [&](std::size_t count) {
    fmi3GetFloat64(reading, outputs.data(), count, values.data(), count);
  };
  const Comparison reads = compare(
      rounds, 100,
      [&] {
        step(reading, t_reading, h);
        read(n);
      },
      step_through_fmi);
  const double read_all = nanoseconds(rounds, 500, [&] { read(n); });
  const double read_one = nanoseconds(rounds, 5000, [&] { read(1); });
  std::vector<unsigned> trivial_references(n);
  for (std::size_t i = 0; i < n; ++i) trivial_references[i] = static_cast<unsigned>(i * i % 4);
  const auto trivial_read = [&](std::size_t count) {
    trivial_get(&trivial, trivial_references.data(), count, values.data(), count);
  };
  const double trivial_read_all = nanoseconds(rounds, 500, [&] { trivial_read(n); });
  const double trivial_read_one = nanoseconds(rounds, 5000, [&] { trivial_read(1); });

  fmi3FMUState state = nullptr;
  const double save = nanoseconds(rounds, 200, [&] {
    fmi3GetFMUState(instance, &state);
    fmi3SetFMUState(instance, state);
  });
  size_t size = 0;
  fmi3SerializedFMUStateSize(instance, state, &size);
  void* trivial_state = nullptr;
  const double trivial_save = nanoseconds(rounds, 5000, [&] {
    trivial_get_state(trivial, &trivial_state);
    trivial_set_state(trivial, trivial_state);
  });
  std::free(trivial_state);
  fmi3FreeInstance(instance);
  fmi3FreeInstance(reading);

  const double first = nanoseconds(rounds, 1, [] {
    const fmi3Instance fresh = started();
    double begin = 0;
    step(fresh, begin, 1e-3);
    fmi3FreeInstance(fresh);
  });

  const auto each = [&](double all) { return format("%.1f ns", all / static_cast<double>(n)); };
  const auto ns = [](double value) { return format("%.0f ns", value); };
  benchmarks::Table table("The FMI layer of CervicalSpine", {"", "CervicalSpine", "trivial model", "aim"});
  table.row({"fmi3DoStep of 0.1 ms at rest", ns(steps.more), format("%.1f ns", trivial_step_cost)});
  table.row({"  the solver alone", ns(steps.less)});
  table.row({"  beyond the solver", ns(steps.difference), "", "200 ns"});
  table.row({format("reading %zu values, each", n), each(read_all), each(trivial_read_all), "5 ns"});
  table.row({"reading a single value", format("%.1f ns", read_one), format("%.1f ns", trivial_read_one)});
  table.row({"computing all outputs after a step", ns(reads.difference - read_all)});
  table.row({"get + set FMU state", ns(save), format("%.1f ns", trivial_save), "2000 ns"});
  table.row({"  serialised", format("%zu B", size), format("%zu B", sizeof(Trivial))});
  table.row({"instantiate to first step", format("%.2f ms", first / 1e6), "", "5 ms"});
  table.row({"memory of an instance", format("%.0f KiB", kilobytes_of_an_instance()), "", "256 KiB"});
  table.print();
}

}  // namespace

int main(int count, char** arguments) {
  int rounds = 200;
  for (int i = 1; i + 1 < count; ++i)
    if (std::strcmp(arguments[i], "--rounds") == 0) rounds = std::max(1, std::atoi(arguments[i + 1]));
  run(rounds);
}
