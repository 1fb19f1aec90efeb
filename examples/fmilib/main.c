/* The 8.5 g whiplash of the CervicalSpine FMU through FMI Library 3, step by step.
 *
 *     fmilib_whiplash <path to CervicalSpine.fmu> [input]
 *
 * Prints name and value of a few outputs at 300 ms. With "input" the pulse is set as sled_acceleration_x
 * before each step; without, the FMU's own pulse is chosen by the enumeration pulse_shape. */

#include <fmilib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double step_size = 1e-3;
static const int steps = 300;
static const double peak = 83.385, duration = 0.105; /* m/s2, s */
static const fmi3_int64_t triangle = 2;              /* item of the enumeration pulse_shape */
static const char* const outputs[] = {"head_angle", "head_position_x", "sled_velocity_x",
                                      "C4C5_angle", "HIC15",           "NIC_max"};
enum { output_count = sizeof outputs / sizeof outputs[0] };

static int complain(const char* what, fmi3_import_t* fmu) {
  fprintf(stderr, "%s failed%s%s\n", what, fmu ? ": " : "", fmu ? fmi3_import_get_last_error(fmu) : "");
  return 1;
}

static int reference_of(fmi3_import_t* fmu, const char* name, fmi3_value_reference_t* reference) {
  fmi3_import_variable_t* const variable = fmi3_import_get_variable_by_name(fmu, name);
  if (!variable) return complain(name, fmu);
  *reference = fmi3_import_get_variable_vr(variable);
  return 0;
}

/* From parameters to results, with an instance that is there. */
static int simulate(fmi3_import_t* fmu, int pulse_as_input) {
  fmi3_value_reference_t shape, sled, results[output_count];
  if (reference_of(fmu, "pulse_shape", &shape) || reference_of(fmu, "sled_acceleration_x", &sled)) return 1;
  for (int i = 0; i < output_count; ++i)
    if (reference_of(fmu, outputs[i], &results[i])) return 1;

  if (!pulse_as_input && fmi3_import_set_int64(fmu, &shape, 1, &triangle, 1) != fmi3_status_ok)
    return complain("fmi3SetInt64", fmu);
  if (fmi3_import_enter_initialization_mode(fmu, fmi3_false, 0, 0, fmi3_true, steps * step_size) !=
      fmi3_status_ok)
    return complain("fmi3EnterInitializationMode", fmu);
  if (fmi3_import_exit_initialization_mode(fmu) != fmi3_status_ok)
    return complain("fmi3ExitInitializationMode", fmu);

  for (int k = 0; k < steps; ++k) {
    const double time = k * step_size;
    fmi3_boolean_t event, terminate, early;
    fmi3_float64_t last;
    if (pulse_as_input) {
      const fmi3_float64_t pulse = peak * fmax(0, 1 - fabs(2 * time / duration - 1));
      if (fmi3_import_set_float64(fmu, &sled, 1, &pulse, 1) != fmi3_status_ok)
        return complain("fmi3SetFloat64", fmu);
    }
    if (fmi3_import_do_step(fmu, time, step_size, fmi3_true, &event, &terminate, &early, &last) !=
        fmi3_status_ok)
      return complain("fmi3DoStep", fmu);
  }

  fmi3_float64_t values[output_count];
  if (fmi3_import_get_float64(fmu, results, output_count, values, output_count) != fmi3_status_ok)
    return complain("fmi3GetFloat64", fmu);
  for (int i = 0; i < output_count; ++i) printf("%s %.17g\n", outputs[i], values[i]);
  return fmi3_import_terminate(fmu) == fmi3_status_ok ? 0 : complain("fmi3Terminate", fmu);
}

static int load_and_simulate(fmi_import_context_t* context, const char* path, const char* directory,
                             int pulse_as_input) {
  if (fmi_import_get_fmi_version(context, path, directory) != fmi_version_3_0_enu)
    return complain("opening an FMU of FMI 3.0", NULL);
  fmi3_import_t* const fmu = fmi3_import_parse_xml(context, directory, NULL);
  if (!fmu) return complain("reading modelDescription.xml", NULL);
  int failed = 1;
  if (fmi3_import_create_dllfmu(fmu, fmi3_fmu_kind_cs, NULL, NULL) != jm_status_success) {
    complain("loading the binary", fmu);
  } else {
    if (fmi3_import_instantiate_co_simulation(fmu, "spine", NULL, fmi3_false, fmi3_false, fmi3_false,
                                              fmi3_false, NULL, 0, NULL, NULL, NULL) != jm_status_success) {
      complain("fmi3InstantiateCoSimulation", fmu);
    } else {
      failed = simulate(fmu, pulse_as_input);
      fmi3_import_free_instance(fmu);
    }
    fmi3_import_destroy_dllfmu(fmu);
  }
  fmi3_import_free(fmu);
  return failed;
}

int main(int count, char** arguments) {
  if (count < 2) {
    fprintf(stderr, "usage: %s <FMU> [input]\n", arguments[0]);
    return 1;
  }
  jm_callbacks* const callbacks = jm_get_default_callbacks();
  callbacks->log_level = jm_log_level_error;
  fmi_import_context_t* const context = fmi_import_allocate_context(callbacks);
  char* const directory = fmi_import_mk_temp_dir(callbacks, NULL, "spondyl");
  int failed = 1;
  if (context && directory) {
    failed =
        load_and_simulate(context, arguments[1], directory, count > 2 && strcmp(arguments[2], "input") == 0);
    fmi_import_rmdir(callbacks, directory);
  }
  callbacks->free(directory);
  if (context) fmi_import_free_context(context);
  return failed;
}
