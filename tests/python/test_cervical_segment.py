"""The packed CervicalSegment: nine static loads, a dynamic load in each direction, rollback, stiffness."""

import math
import os
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy.validation import validate_fmu
from spine import Spine

ROOT = Path(__file__).resolve().parents[2]
LOADS = [f"C5_{kind}_{axis}" for kind in ("force", "moment") for axis in "xyz"]
MOTIONS = [f"C5_{kind}_{axis}" for kind in ("translation", "rotation") for axis in "xyz"]

# mm and deg, by another formulation: rotation matrices, Newton with differences (tests/models/plain_segment.h)
CASES = {
    "AS": (0, 20, [0.173962738812, 0, 0.0780590961471, 0, 0.103202546341, 0]),
    "PS": (0, -20, [-0.296138551402, 0, -0.0163095091569, 0, -0.20646308434, 0]),
    "LS": (1, 20, [0.00196150888011, 0.275046695697, -0.000472672523572, -0.00889076743657, -0.00597737793201, -0.00730012638403]),
    "TNS": (2, 20, [0.00662469136405, 0, 0.198878369462, 0, -0.252612101375, 0]),
    "CMP": (2, -20, [-0.00653165156677, 0, -0.039053094198, 0, 0.027843965425, 0]),
    "LB": (3, 1.8, [-0.223337860711, -0.488601913886, 0.0275637224011, 3.32601289099, 0.110325948047, -1.67107071079]),
    "FLX": (4, 1.8, [0.601473690431, 0, -0.0390878355078, 0, 2.89818456293, 0]),
    "EXT": (4, -1.8, [-1.17631046799, 0, 0.230805431333, 0, -3.6306179436, 0]),
    "AR": (5, 1.8, [-0.180378274022, 0.210030443008, 0.0786235302709, -1.68889953787, 0.039271575553, 2.46477681336]),
}


@pytest.fixture(scope="module")
def segment_fmu():
    path = Path(os.environ.get("SPONDYL_DIST", ROOT / "dist")).resolve() / "CervicalSegment.fmu"
    if not path.is_file():
        pytest.fail(f"{path} is missing: build the FMU first, or name its directory in SPONDYL_DIST", pytrace=False)
    return path


@pytest.fixture(scope="module")
def unzipped_segment(segment_fmu, tmp_path_factory):
    directory = tmp_path_factory.mktemp("CervicalSegment")
    fmpy.extract(str(segment_fmu), str(directory))
    return directory


@pytest.fixture
def segment(unzipped_segment):
    """A function that makes instances; they are freed when the test is over."""
    made = []

    def make(**options):
        made.append(Spine(unzipped_segment, **options))
        return made[-1]

    yield make
    for instance in made:
        instance.close()


def test_fmpy_finds_nothing(segment_fmu):
    assert validate_fmu(str(segment_fmu)) == []


def test_rests_without_load(segment):
    one = segment()
    one.start()
    one.run(0.05, 1e-3)
    assert one.get(*MOTIONS) == [0.0] * 6
    assert one.get("C5C6_facet_left_force", "C5C6_ALL_force") == [0.0, 0.0]


@pytest.mark.parametrize("name", CASES)
def test_static_load(segment, name):
    direction, load, expected = CASES[name]
    one = segment()
    one.start(**{LOADS[direction]: load})
    motion = np.array(one.get(*MOTIONS))
    assert np.abs(motion[:3] - 1e-3 * np.array(expected[:3])).max() < 1e-11
    assert np.abs(motion[3:] - np.radians(expected[3:])).max() < 1e-10


@pytest.mark.parametrize("direction", range(6))
def test_half_sine_load(segment, direction):
    one = segment()
    one.start()
    step, error, largest = 1e-3, 0.0, 0.0
    for k in range(120):
        time = (k + 0.5) * step
        load = (20 if direction < 3 else 1.8) * math.sin(math.pi * time / 0.1) if time < 0.1 else 0.0
        one.set(**{LOADS[direction]: load})
        one.step_to((k + 1) * step)
        error = max(error, one.get("energy_error"))
        largest = max(largest, abs(one.get(MOTIONS[direction])))
    assert error < 1e-6
    assert largest > 1e-5
    assert abs(sum(x * x for x in one.get(*[f"C5_orientation_{k}" for k in "wxyz"])) - 1) < 1e-14


def test_rollback_repeats_bit_for_bit(segment):
    one = segment()
    one.start(pulse_shape=3, pulse_peak=250.0, pulse_direction=2, C5_moment_x=0.7)
    one.run(0.01, 1e-3)
    state = one.fmu.getFMUState()
    one.run(0.03, 1e-3)
    first = one.get(*one.outputs)
    one.fmu.setFMUState(state)
    one.fmu.freeFMUState(state)
    one.time = 0.01
    one.run(0.03, 1e-3)
    assert one.get(*one.outputs) == first


def test_compliance_is_the_inverse_of_the_stiffness(segment):
    """Without load there is no geometric part, and C5's origin takes the force like the disc's point with a moment."""
    one = segment()
    one.set(C5_moment_y=1e-6)  # away from the corner of the disc's law, not so far that anything turns
    one.fmu.enterInitializationMode()
    columns = [one.fmu.getDirectionalDerivative(one.references(MOTIONS), one.references([load]), [1.0]) for load in LOADS]
    compliance = np.array(columns).T
    stiffness = np.array(one.get(*[f"C5_stiffness_{r}{c}" for r in range(1, 7) for c in range(1, 7)])).reshape(6, 6)
    # the load at the disc's point, seen from C5's origin: the arm is (1.4, 0, -8.7) mm
    x, z = 1.4e-3, -8.7e-3
    arm = np.eye(6)
    arm[3:, :3] = [[0, -z, 0], [z, 0, -x], [0, x, 0]]
    assert np.allclose(stiffness @ compliance, arm, rtol=1e-5, atol=1e-6 * np.abs(stiffness).max(1)[:, None] * 1e-2)
    one.fmu.exitInitializationMode()


def test_a_load_that_cannot_be_carried_is_refused(segment):
    one = segment()
    with pytest.raises(Exception):
        one.start(C5_moment_z=500.0)
    assert any("equilibrium" in message and "C5_" in message for message in one.messages)
