"""The packed LumbarSpine: archive, equilibria, motion, saved states, dependencies."""

import importlib.util
import os
import zipfile
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy.validation import validate_fmu
from lxml import etree
from spine import Spine

ROOT = Path(__file__).resolve().parents[2]
LEVELS = ["L1L2", "L2L3", "L3L4", "L4L5", "L5S1"]
RANGE = [(5, 16), (8, 18), (6, 17), (9, 21), (10, 24)]  # White & Panjabi in Table 2.2 of the thesis, degrees


@pytest.fixture(scope="module")
def fmu():
    path = Path(os.environ.get("SPONDYL_DIST", ROOT / "dist")).resolve() / "LumbarSpine.fmu"
    if not path.is_file():
        pytest.fail(f"{path} is missing: build the FMU first, or name its directory in SPONDYL_DIST", pytrace=False)
    return path


@pytest.fixture(scope="module")
def directory(fmu, tmp_path_factory):
    place = tmp_path_factory.mktemp("LumbarSpine")
    fmpy.extract(str(fmu), str(place))
    return place


@pytest.fixture
def lumbar(directory):
    """A function that makes instances without gravity; they are freed when the test is over."""
    made = []

    def make(**options):
        made.append(Spine(directory, **options))
        made[-1].set(gravity=0.0)
        return made[-1]

    yield make
    for instance in made:
        instance.close()


@pytest.fixture(scope="module")
def xml(fmu):
    with zipfile.ZipFile(fmu) as archive:
        return etree.fromstring(archive.read("modelDescription.xml"))


def test_fmpy_finds_nothing(fmu):
    assert validate_fmu(str(fmu)) == []


def test_schema(xml):
    schema = Path(fmpy.__file__).parent / "schema" / "fmi3" / "fmi3ModelDescription.xsd"
    etree.XMLSchema(etree.parse(schema)).assertValid(xml)


def test_interface(xml):
    names = {v.get("name") for v in xml.find("ModelVariables")}
    expected = {"follower_load", "L1_moment_y", "sled_acceleration_z", "contact_law", "energy_error", "DRI", "L1_acceleration_x"}
    for level in LEVELS:
        expected |= {f"{level}_{q}" for q in ("angle", "moment", "axial_force", "shear_force", "facet_force", "spinous_force")}
        expected |= {f"{level}_{l}_{q}" for l in ("ALL", "PLL", "LF", "ISL", "SSL", "CL") for q in ("force", "elongation")}
    assert not expected - names
    assert all(v.get("description") for v in xml.find("ModelVariables"))


def test_ranges_of_motion(lumbar):
    for moment in (7.5, 10.0):
        angles = []
        for sign in (1, -1):
            spine = lumbar()
            spine.start(L1_moment_y=sign * moment)
            angles.append(np.degrees(spine.get(*(f"{level}_angle" for level in LEVELS))))
        for total, (low, high) in zip(angles[0] - angles[1], RANGE):
            assert low < total < high


def test_rests_without_load(lumbar):
    spine = lumbar()
    spine.start()
    before = spine.get("L1_position_x", "L1_position_z", "L1_angle")
    spine.run(1.0, 0.1)
    assert spine.get("L1_position_x", "L1_position_z", "L1_angle") == before
    assert before == pytest.approx([-0.00155, 0.17413, -0.2217], abs=1e-15)


def test_moment_step_and_release(lumbar):
    """Against figures of a second formulation with small explicit steps, kept in tests/models."""
    spine = lumbar()
    spine.start(start_in_equilibrium=False, relative_tolerance=1e-9, absolute_tolerance=1e-9)
    spine.set(L1_moment_y=-10.0)
    spine.run(0.2, 0.01)
    assert spine.get("L1_angle") == pytest.approx(-0.6185547246, abs=1e-8)
    spine.set(L1_moment_y=0.0)
    spine.run(0.4, 0.01)
    assert spine.get("L1_angle") == pytest.approx(0.0514011975, abs=1e-8)
    assert spine.get("energy_error") < 1e-8


def test_saved_state_with_closed_contacts_repeats_to_the_bit(lumbar):
    spine, other = lumbar(), lumbar()
    spine.start()
    spine.set(L1_moment_y=-12.0)
    spine.run(0.06, 0.01)
    assert spine.get("L4L5_facet_force") > 0
    state = spine.fmu.getFMUState()
    saved = spine.fmu.serializeFMUState(state)
    spine.run(0.2, 0.01)
    expected = spine.get(*spine.outputs)
    spine.fmu.setFMUState(state)
    spine.time = 0.06
    spine.run(0.2, 0.01)
    assert spine.get(*spine.outputs) == expected
    spine.fmu.freeFMUState(state)

    other.start()
    other.run(0.02, 0.02)
    restored = other.fmu.deserializeFMUState(saved)
    other.fmu.setFMUState(restored)
    other.time = 0.06
    other.run(0.2, 0.01)
    assert other.get(*other.outputs) == expected
    other.fmu.freeFMUState(restored)


def test_dependencies_hold(lumbar, xml):
    """What an input changes at once is declared; what is declared changes for some input (trunk included)."""
    names = {int(v.get("valueReference")): v.get("name") for v in xml.find("ModelVariables")}
    declared = {names[int(e.get("valueReference"))]: {names[int(r)] for r in e.get("dependencies").split()}
                for e in xml.find("ModelStructure").findall("Output")}
    spine = lumbar()
    spine.start(trunk_mass=7.0, trunk_position_z=0.2, trunk_position_x=0.03, start_in_equilibrium=False)
    spine.set(L1_moment_y=-20.0, sled_angular_velocity=1.1)
    spine.run(0.05, 0.05)
    inputs = [v.name for v in spine.variables.values() if v.causality == "input"]
    found = {name: set() for name in spine.outputs}
    for given in inputs:
        changes = spine.fmu.getDirectionalDerivative(spine.references(spine.outputs), spine.references([given]), [1.0])
        for name, change in zip(spine.outputs, changes):
            if abs(change) > 1e-10:
                found[name].add(given)
    assert found == declared


def test_bending_example(fmu, tmp_path, monkeypatch, capfd):
    specification = importlib.util.spec_from_file_location("lumbar_bending", ROOT / "examples/lumbar_bending/main.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    monkeypatch.setattr("sys.argv", ["main.py", str(fmu), str(tmp_path)])
    module.main()
    assert "White & Panjabi" in capfd.readouterr().out
    for name in ("bending.csv", "bending.png", "release.png"):
        assert (tmp_path / name).stat().st_size > 10_000
