/* The 8.5 g whiplash of the CervicalSpine FMU with the FMI headers and the C library alone.
 *
 *     whiplash <directory into which CervicalSpine.fmu was unzipped>
 *
 * Prints time and angle of the head every 20 ms, then a few outputs at 300 ms. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi3FunctionTypes.h"

#if defined __aarch64__
#define PLATFORM "aarch64-linux"
#else
#define PLATFORM "x86_64-linux"
#endif

static const double step_size = 1e-3; /* s */
static const int steps = 300;
static const fmi3Int64 triangle =
    2; /* item of the enumeration pulse_shape; 8.5 g and 105 ms are start values */
static const char* const outputs[] = {"head_angle", "head_position_x", "C4C5_angle", "HIC15", "NIC_max"};
enum { output_count = sizeof outputs / sizeof outputs[0] };

static void stop_with(const char* what, const char* which) {
  fprintf(stderr, "%s: %s\n", what, which);
  exit(1);
}

static char* read_text(const char* path) {
  FILE* const file = fopen(path, "rb");
  if (!file) stop_with("cannot read", path);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char* const text = size > 0 ? malloc((size_t)size + 1) : NULL;
  if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) stop_with("cannot read", path);
  text[size] = 0;
  fclose(file);
  return text;
}

/* Where the value of an attribute begins that follows `from`. */
static const char* attribute(const char* from, const char* name) {
  char pattern[64];
  snprintf(pattern, sizeof pattern, " %s=\"", name);
  const char* const found = from ? strstr(from, pattern) : NULL;
  return found ? found + strlen(pattern) : NULL;
}

static fmi3ValueReference reference_of(const char* description, const char* variable) {
  char pattern[96];
  snprintf(pattern, sizeof pattern, " name=\"%s\"", variable);
  const char* const value = attribute(strstr(description, pattern), "valueReference");
  if (!value) stop_with("no such variable", variable);
  return (fmi3ValueReference)strtoul(value, NULL, 10);
}

/* Into *pointer, a pointer to a function. */
static void load(void* library, const char* name, void* pointer) {
  void* const address = dlsym(library, name);
  if (!address) stop_with("the FMU does not provide", name);
  memcpy(pointer, &address, sizeof address);
}

static void must(fmi3Status status, const char* what) {
  if (status != fmi3OK) stop_with("failed", what);
}

static void print_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                          fmi3String message) {
  (void)environment, (void)status;
  fprintf(stderr, "%s: %s\n", category, message);
}

int main(int count, char** arguments) {
  if (count != 2) stop_with("usage", "whiplash <directory of the unzipped FMU>");
  char path[4096];
  snprintf(path, sizeof path, "%s/modelDescription.xml", arguments[1]);
  char* const description = read_text(path);
  const char* const token_begin = attribute(description, "instantiationToken");
  if (!token_begin) stop_with("no instantiationToken in", path);
  char token[64];
  snprintf(token, sizeof token, "%.*s", (int)strcspn(token_begin, "\""), token_begin);

  snprintf(path, sizeof path, "%s/binaries/" PLATFORM "/CervicalSpine.so", arguments[1]);
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) stop_with("cannot load", dlerror());
    /* FMI names the type of each function: fmi3DoStepTYPE is that of fmi3DoStep */
#define LOAD(name)  \
  name##TYPE* name; \
  load(library, #name, &name)
  LOAD(fmi3InstantiateCoSimulation);
  LOAD(fmi3SetInt64);
  LOAD(fmi3EnterInitializationMode);
  LOAD(fmi3ExitInitializationMode);
  LOAD(fmi3DoStep);
  LOAD(fmi3GetFloat64);
  LOAD(fmi3Terminate);
  LOAD(fmi3FreeInstance);

  snprintf(path, sizeof path, "%s/resources/", arguments[1]);
  const fmi3Instance spine = fmi3InstantiateCoSimulation(
      "spine", token, path, fmi3False, fmi3False, fmi3False, fmi3False, NULL, 0, NULL, print_message, NULL);
  if (!spine) stop_with("failed", "fmi3InstantiateCoSimulation");
  const fmi3ValueReference shape = reference_of(description, "pulse_shape");
  must(fmi3SetInt64(spine, &shape, 1, &triangle, 1), "fmi3SetInt64");
  must(fmi3EnterInitializationMode(spine, fmi3False, 0, 0, fmi3True, steps * step_size),
       "fmi3EnterInitializationMode");
  must(fmi3ExitInitializationMode(spine), "fmi3ExitInitializationMode");

  fmi3ValueReference references[output_count];
  fmi3Float64 values[output_count];
  for (int i = 0; i < output_count; ++i) references[i] = reference_of(description, outputs[i]);
  for (int k = 0; k < steps; ++k) {
    fmi3Boolean event, terminate, early;
    fmi3Float64 reached;
    must(fmi3DoStep(spine, k * step_size, step_size, fmi3True, &event, &terminate, &early, &reached),
         "fmi3DoStep");
    must(fmi3GetFloat64(spine, references, output_count, values, output_count), "fmi3GetFloat64");
    if ((k + 1) % 20 == 0) printf("%3.0f ms %9.5f rad\n", 1e3 * (k + 1) * step_size, values[0]);
  }
  for (int i = 0; i < output_count; ++i) printf("%s %.17g\n", outputs[i], values[i]);

  must(fmi3Terminate(spine), "fmi3Terminate");
  fmi3FreeInstance(spine);
  dlclose(library);
  free(description);
  return 0;
}
