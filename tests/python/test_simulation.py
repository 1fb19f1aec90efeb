"""What the FMU computes, and how it behaves as a guest in a process."""

import ctypes
import json
import locale
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from fmpy import simulate_fmu
from fmpy.fmi1 import FMICallException
from fmpy.fmi3 import (
    fmi3Boolean,
    fmi3InstanceEnvironment,
    fmi3IntermediateUpdateCallback,
    fmi3ValueReference,
)
from spine import WHIPLASH, Spine

HERE = Path(__file__).resolve().parent
PEAK, DURATION = 83.385, 0.105  # m/s2, s
STOP = 0.3
TIGHT = {"relative_tolerance": 1e-11, "absolute_tolerance": 1e-12, "max_step": 1e-3}
MOTION = ["head_angle", "head_position_x", "head_velocity_x", "C7T1_angle", "C4C5_angle", "C4C5_ALL_force"]


def run_python(code, *arguments):
    """Runs a script in a new process and returns it when finished."""
    environment = os.environ | {"PYTHONPATH": str(HERE)}
    return subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, env=environment)


def triangle(time):
    return PEAK * max(0.0, 1 - abs(2 * time / DURATION - 1))


# -- results


def test_whiplash(fmu_path):
    result = simulate_fmu(
        str(fmu_path),
        start_values=WHIPLASH,
        stop_time=STOP,
        output_interval=1e-3,
        output=["head_angle", "sled_velocity_x", "energy_error"],
    )
    time_of_largest_extension = result["time"][np.argmin(result["head_angle"])]
    assert 0.125 <= time_of_largest_extension <= 0.150
    assert result["sled_velocity_x"][-1] == pytest.approx(PEAK * DURATION / 2, rel=1e-9)
    assert result["sled_velocity_x"][-1] == pytest.approx(4.378, abs=5e-4)
    assert result["energy_error"].max() < 1e-6


def test_rests_in_equilibrium(spine):
    neck = spine()
    neck.start()
    before = neck.get(*MOTION)
    neck.run(1.0, 0.05)
    assert neck.get(*MOTION) == pytest.approx(before, abs=1e-9)


def equal_steps(step):
    return np.linspace(0, STOP, round(STOP / step) + 1)


def varying_steps(step):
    """From half to one and a half of the step."""
    sizes = np.random.default_rng(7).uniform(0.5, 1.5, round(STOP / step))
    return np.append(0, STOP * np.cumsum(sizes) / np.sum(sizes))


def largest_difference_with_held_pulse(spine, times):
    """Head angle with the pulse as an input that is constant during each step, against the built-in pulse."""
    held, built_in = spine(), spine()
    held.start(**TIGHT)
    built_in.start(**TIGHT, **WHIPLASH)
    difference = 0.0
    for begin, end in zip(times[:-1], times[1:]):
        held.set(sled_acceleration_x=triangle(begin))
        held.step_to(end)
        built_in.step_to(end)
        difference = max(difference, abs(held.get("head_angle") - built_in.get("head_angle")))
    return difference


@pytest.mark.parametrize("communication_points", [equal_steps, varying_steps])
def test_held_input_converges_to_the_built_in_pulse(spine, communication_points):
    """At first order: the hold delays the pulse by half a step."""
    differences = [largest_difference_with_held_pulse(spine, communication_points(step)) for step in (1e-2, 1e-3, 1e-4)]
    rates = -np.diff(np.log10(differences))
    assert rates == pytest.approx([1, 1], abs=0.15), f"differences {differences}"


@pytest.fixture(scope="module")
def tight_solution(unzipped, description):
    neck = Spine(unzipped, description)
    neck.start(**TIGHT, **WHIPLASH)
    neck.run(STOP, 1e-3)
    values = np.array(neck.get(*MOTION))
    neck.close()
    return values


COMMUNICATION_POINTS = {
    "one step": [STOP],
    "100 ms": np.linspace(0, STOP, 4)[1:],
    "1 ms": np.linspace(0, STOP, 301)[1:],
    "0.1 ms": np.linspace(0, STOP, 3001)[1:],
    "varying": np.sort(np.append(np.random.default_rng(1).uniform(0, STOP, 200), STOP)),
}


@pytest.mark.parametrize("times", COMMUNICATION_POINTS.values(), ids=COMMUNICATION_POINTS.keys())
@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8])
def test_communication_steps_do_not_matter(spine, tight_solution, times, tolerance):
    neck = spine()
    neck.start(relative_tolerance=tolerance, absolute_tolerance=tolerance, **WHIPLASH)
    for time in times:
        neck.step_to(time)
    scales = np.maximum(1.0, np.abs(tight_solution))
    assert np.all(np.abs(neck.get(*MOTION) - tight_solution) <= 100 * tolerance * scales)


@pytest.mark.parametrize("times", [[STOP], equal_steps(1e-3)[1:], varying_steps(5e-3)[1:]], ids=["one step", "1 ms", "varying"])
def test_error_falls_with_the_tolerance(spine, tight_solution, times):
    """The estimate of the error has order 3, the method order 5: h goes with the power 1/4 of the tolerance and the error
    with 5/4, less where the communication points already ask for small steps."""
    tolerances = np.array([1e-4, 1e-6, 1e-8])
    errors = []
    for tolerance in tolerances:
        neck = spine()
        neck.start(relative_tolerance=tolerance, absolute_tolerance=tolerance, **WHIPLASH)
        for time in times:
            neck.step_to(time)
        errors.append(np.max(np.abs(neck.get(*MOTION) - tight_solution) / np.maximum(1.0, np.abs(tight_solution))))
    assert np.all(errors < tolerances)
    assert 0.5 < np.log(errors[0] / errors[-1]) / np.log(tolerances[0] / tolerances[-1]) < 1.3


@pytest.mark.parametrize("distance", [1e-17, 1e-16, 2e-16, 5e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8])
@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("corner", [DURATION / 2, DURATION])
def test_step_that_ends_almost_on_a_corner_of_the_pulse(spine, tight_solution, corner, sign, distance):
    neck = spine()
    neck.start(**WHIPLASH)
    for time in (corner + sign * distance, STOP):
        neck.step_to(time)
    assert neck.get(*MOTION) == pytest.approx(tight_solution, abs=1e-4)


def test_times_summed_up_step_by_step(spine, tight_solution):
    """As many importers do: the time is then off by rounding, everywhere."""
    neck = spine()
    neck.start(**WHIPLASH)
    for _ in range(3000):
        neck.step(1e-4)
    assert neck.get(*MOTION) == pytest.approx(tight_solution, abs=1e-4)


def test_both_solvers_agree(spine, tight_solution):
    neck = spine()
    neck.start(solver=3, relative_tolerance=1e-9, absolute_tolerance=1e-10, **WHIPLASH)
    neck.run(STOP, 1e-3)
    assert neck.get(*MOTION) == pytest.approx(tight_solution, rel=1e-5, abs=1e-6)


# -- saved states


CONTINUE_IN_NEW_PROCESS = """
import json, sys
from pathlib import Path
from spine import Spine
unzipped, state_file = sys.argv[1:]
neck = Spine(unzipped)
neck.start()
neck.run(0.02, 1e-3)  # somewhere else
neck.fmu.setFMUState(neck.fmu.deserializeFMUState(Path(state_file).read_bytes()))
neck.time = neck.get("time")
neck.run(0.3, 1e-3)
print(json.dumps([value.hex() for value in neck.get(*neck.outputs)]))
"""


@pytest.mark.parametrize("contact", [False, True])
def test_saved_state_goes_on_in_another_process_bit_for_bit(spine, unzipped, tmp_path, contact):
    neck = spine()
    neck.start(plane1_x=-0.1, plane1_active=contact, **WHIPLASH)
    neck.run(0.1, 1e-3)
    state = neck.fmu.getFMUState()
    state_file = tmp_path / "state"
    state_file.write_bytes(bytes(neck.fmu.serializeFMUState(state)))
    neck.time = neck.get("time")
    neck.run(STOP, 1e-3)
    here = [value.hex() for value in neck.get(*neck.outputs)]

    finished = run_python(CONTINUE_IN_NEW_PROCESS, unzipped, state_file)
    assert finished.returncode == 0, finished.stderr
    assert json.loads(finished.stdout) == here

    neck.fmu.setFMUState(state)
    neck.time = neck.get("time")
    neck.run(STOP, 1e-3)
    assert [value.hex() for value in neck.get(*neck.outputs)] == here
    neck.fmu.freeFMUState(state)


def test_damaged_state_is_refused_and_the_run_goes_on(spine):
    neck, undisturbed = spine(), spine()
    for instance in (neck, undisturbed):
        instance.start(**WHIPLASH)
        instance.run(0.05, 1e-3)
    good = bytes(neck.fmu.serializeFMUState(neck.fmu.getFMUState()))
    flipped = good[: len(good) // 2] + bytes([good[len(good) // 2] ^ 1]) + good[len(good) // 2 + 1 :]
    for bad in (good[:-1], good + b"\0", flipped, b"something else"):
        with pytest.raises(FMICallException):
            neck.fmu.deserializeFMUState(bad)
    for instance in (neck, undisturbed):
        instance.run(0.1, 1e-3)
    assert neck.get(*neck.outputs) == undisturbed.get(*neck.outputs)


def test_reset_is_a_fresh_start(spine):
    used, fresh = spine(), spine()
    used.start(**WHIPLASH)
    used.run(0.1, 1e-3)
    used.fmu.reset()
    for instance in (used, fresh):
        instance.start(pulse_peak=50.0, **WHIPLASH)
        instance.run(0.1, 1e-3)
    assert used.get(*used.outputs) == fresh.get(*fresh.outputs)


# -- a good guest


def test_is_quiet(unzipped):
    code = """
import sys
from spine import Spine, WHIPLASH
neck = Spine(sys.argv[1], loggingOn=True)
neck.start(**WHIPLASH)
neck.run(0.3, 1e-3)
try:
    neck.set(gravity=1e9)
except Exception:
    pass
neck.close()
"""
    finished = run_python(code, unzipped)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")


NO_FILE_CAN_BE_OPENED = """
import resource, sys
from fmpy import read_model_description
from spine import Spine, WHIPLASH
description = read_model_description(sys.argv[1], validate=False)
free, confined = (Spine(sys.argv[1], description) for _ in range(2))
def outputs(neck):
    neck.start(**WHIPLASH)
    neck.run(0.05, 1e-3)
    return neck.get(*neck.outputs)
expected = outputs(free)
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))  # standard input, output and error
try:
    open("/dev/null")
    sys.exit("a file could be opened")
except OSError:
    assert outputs(confined) == expected
"""


def test_needs_no_file(unzipped):
    finished = run_python(NO_FILE_CAN_BE_OPENED, unzipped)
    assert finished.returncode == 0, finished.stderr


def test_leaves_settings_threads_and_files_alone(spine):
    c_library = ctypes.CDLL(None)
    maths = ctypes.CDLL("libm.so.6")
    floating_point_environment = (ctypes.c_char * 64)()

    def surroundings():
        maths.fegetenv(floating_point_environment)
        masks = floating_point_environment.raw[0:2], floating_point_environment.raw[29:32]  # x87 control, MXCSR above its flags
        settings = locale.setlocale(locale.LC_ALL), maths.fegetround(), masks, os.getcwd(), dict(os.environ), c_library.umask(0o22)
        return settings, os.listdir("/proc/self/task"), os.listdir("/proc/self/fd")

    surroundings()
    before = surroundings()
    neck = spine()
    neck.start(**WHIPLASH)
    neck.run(0.1, 1e-3)
    during = surroundings()
    neck.close()
    assert before == during == surroundings()


ODD_RESOURCE_PATHS = [None, b"", b"/no/such/place", b"/with spaces/\xc3\xa9\xe8\x84\x8a/", b"file:///with%20spaces/%C3%A9/", b"%s%n%d", b"\xff\xfe", b"x" * 10_000]


@pytest.mark.parametrize("path", ODD_RESOURCE_PATHS, ids=lambda path: repr(path)[:40])
def test_any_resource_path_will_do(spine, description, path):
    neck = spine()
    neck.fmu.fmi3FreeInstance(neck.fmu.component)
    neck.fmu.component = neck.fmu.fmi3InstantiateCoSimulation(
        b"spine",
        description.guid.encode(),
        path,
        fmi3Boolean(False),
        fmi3Boolean(False),
        fmi3Boolean(False),
        fmi3Boolean(False),
        (fmi3ValueReference * 0)(),
        0,
        fmi3InstanceEnvironment(),
        neck.fmu.logMessage,
        fmi3IntermediateUpdateCallback(),
    )
    assert neck.fmu.component
    neck.start(**WHIPLASH)
    neck.run(0.01, 1e-3)
    assert neck.get("sled_velocity_x") > 0


LOAD_AND_UNLOAD = """
import resource, sys
from fmpy import read_model_description
from spine import Spine, WHIPLASH
unzipped = sys.argv[1]
description = read_model_description(unzipped, validate=False)
def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for cycle in range(200):
    neck = Spine(unzipped, description)
    neck.start(**WHIPLASH)
    neck.step(1e-3)
    neck.close()
    assert "CervicalSpine.so" not in open("/proc/self/maps").read(), "still loaded"
    if cycle == 50:
        early = memory()
print(memory() - early)
"""


def test_many_times_loaded_and_unloaded(unzipped):
    finished = run_python(LOAD_AND_UNLOAD, unzipped)
    assert finished.returncode == 0, finished.stderr
    assert int(finished.stdout) < 4096, "memory grows, kB"


# -- wrong use


@pytest.mark.parametrize(
    "name, value, limits",
    [("gravity", -1.0, ["0", "1000"]), ("relative_tolerance", 1.0, ["1e-13", "0.1"]), ("pulse_shape", 7, ["1", "4"]), ("head_force_x", float("nan"), [])],
)
def test_message_names_the_variable_and_its_range(spine, name, value, limits):
    neck = spine()
    with pytest.raises(FMICallException):
        neck.set(**{name: value})
    message = neck.messages[-1]
    for part in [name, *limits]:
        assert part in message
    assert not message.endswith("\n")


def test_simulate_fmu_raises_on_a_wrong_parameter(fmu_path):
    messages = []
    with pytest.raises(FMICallException):
        simulate_fmu(str(fmu_path), start_values={"pulse_duration": -1.0}, logger=lambda *message: messages.append(message[-1].decode()))
    assert any("pulse_duration" in message and "1e-06" in message for message in messages)


@pytest.mark.parametrize("size", [0.0, -1e-3, float("nan"), float("inf")])
def test_impossible_step_is_refused(spine, size):
    neck = spine()
    neck.start()
    with pytest.raises(FMICallException):
        neck.fmu.doStep(0.0, size)
    assert neck.messages


# -- derivatives


KNOWNS = ["sled_acceleration_x", "sled_acceleration_z", "C5_force_x", "head_force_z", "head_moment_y", "plane1_x", "plane1_vx", "plane1_nz", "plane1_stiffness_factor"]
UNKNOWNS = ["head_acceleration_x", "head_acceleration_z", "head_angular_acceleration", "C5C6_axial_force", "C0C1_shear_force", "plane1_force_x", "plane1_force_z"]


def neck_against_head_restraint(spine):
    neck = spine(eventModeUsed=True)
    neck.start(plane1_x=-0.1, plane1_active=True, **WHIPLASH)
    neck.fmu.enterStepMode()
    neck.run(0.1, 1e-3)
    assert neck.get("plane1_force_x") > 0
    return neck


def test_directional_derivatives_agree_with_differences(spine, description):
    """All pairs that are declared but those with time, which cannot be set, by central differences."""
    neck = neck_against_head_restraint(spine)
    neck.fmu.enterEventMode()
    pairs = 0
    for known in description.modelVariables:
        dependent = [output.variable for output in description.outputs if known in output.dependencies]
        if known.type != "Float64" or known.causality == "independent" or not dependent:
            continue
        exact = neck.fmu.getDirectionalDerivative([v.valueReference for v in dependent], [known.valueReference], [1.0])
        here, small = neck.get(known.name), 1e-5 * float(known.nominal or 1)

        def outputs(value):
            neck.set(**{known.name: value})
            return np.array([neck.get(v.name) for v in dependent])

        differences = (outputs(here + small) - outputs(here - small)) / (2 * small)
        rounding = 1e-12 * np.maximum(1, np.abs(outputs(here))) / small
        wrong = np.abs(exact - differences) > 1e-6 * np.abs(differences) + rounding
        assert not np.any(wrong), [(known.name, v.name) for v, bad in zip(dependent, wrong) if bad]
        pairs += len(dependent)
    assert pairs > 900


def test_derivative_is_linear_in_the_seed(spine):
    neck = neck_against_head_restraint(spine)
    unknowns, knowns = neck.references(UNKNOWNS), neck.references(KNOWNS)
    seed = np.linspace(-1, 2, len(KNOWNS))
    columns = np.array([neck.fmu.getDirectionalDerivative(unknowns, [known], [1.0]) for known in knowns]).T
    assert neck.fmu.getDirectionalDerivative(unknowns, knowns, seed) == pytest.approx(columns @ seed, rel=1e-9)
    rows = np.linspace(1, 2, len(UNKNOWNS))
    assert neck.fmu.getAdjointDerivative(unknowns, knowns, rows, nSensitivity=len(knowns)) == pytest.approx(rows @ columns, rel=1e-9)


def test_derivatives_are_zero_where_no_dependency_is_declared(spine, description):
    neck = neck_against_head_restraint(spine)
    inputs = [v for v in description.modelVariables if v.causality == "input" and v.type == "Float64"]
    unknowns = [output.variable.valueReference for output in description.outputs]
    undeclared = [[known not in output.dependencies for output in description.outputs] for known in inputs]
    for known, row in zip(inputs, undeclared):
        sensitivity = np.array(neck.fmu.getDirectionalDerivative(unknowns, [known.valueReference], [1.0]))
        assert np.all(sensitivity[row] == 0), known.name


def test_dependencies_of_the_binary_are_those_of_the_description(spine, description):
    neck = spine()
    for output in description.outputs:
        count = ctypes.c_size_t()
        neck.fmu.fmi3GetNumberOfVariableDependencies(neck.fmu.component, output.variable.valueReference, ctypes.byref(count))
        assert count.value == len(output.dependencies), output.variable.name
