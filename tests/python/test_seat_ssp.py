"""The seat of examples/seat_ssp, and its package with the spine through tools that read SSP."""

import zipfile
from pathlib import Path
from xml.etree import ElementTree

import fmpy
import numpy as np
import pytest
import xmlschema
from example import load
from fmpy.validation import validate_fmu
from scipy.integrate import solve_ivp

STEP = 1e-3


@pytest.fixture(scope="module")
def example():
    return load("seat_ssp")


@pytest.fixture(scope="module")
def package(example, fmu_path, tmp_path_factory):
    return example.build_package(tmp_path_factory.mktemp("package"), fmu_path)


@pytest.fixture(scope="module")
def by_hand(example, package):
    return example.by_hand(package, STEP)


@pytest.fixture
def seat(example, package):
    component = example.Component(package.with_name("Seat.fmu"))
    yield component
    component.close()


def test_the_description_follows_the_schema(package):
    with zipfile.ZipFile(package) as archive:
        text = archive.read("SystemStructure.ssd").decode()
        names = archive.namelist()
    xmlschema.XMLSchema(Path(fmpy.__file__).parent / "ssp/schema/SystemStructureDescription.xsd").validate(text)
    assert sorted(names) == ["SystemStructure.ssd", "resources/CervicalSpine.fmu", "resources/Seat.fmu"]


def test_connectors_are_variables_of_the_fmus(package):
    with zipfile.ZipFile(package) as archive:
        structure = ElementTree.fromstring(archive.read("SystemStructure.ssd"))
        for component in structure.iterfind(".//{*}Component"):
            with archive.open(component.get("source")) as fmu:
                variables = {v.name: v for v in fmpy.read_model_description(fmu, validate=False).modelVariables}
            for connector in component.iterfind(".//{*}Connector"):
                variable = variables[connector.get("name")]
                assert (variable.causality, variable.unit) == (connector.get("kind"), connector[0].get("unit"))


def test_the_seat_is_a_valid_fmu(package):
    assert validate_fmu(str(package.with_name("Seat.fmu"))) == []


def test_the_seat_follows_its_equations(seat):
    """An integration of the equations as its source states them, with loads that stay."""
    loads = {"head_contact_force": 150.0, "neck_shear_force": 90.0, "neck_axial_force": -40.0, "C7_angle": 0.3}
    p = {name: float(v.start) for name, v in seat.variables.items() if v.causality == "parameter"}
    pull = np.cos(0.3) * 90.0 + np.sin(0.3) * 40.0

    def rates(t, y):
        (xb, xt, xr), (vb, vt, vr) = y[:3], y[3:]
        a = p["pulse_peak"] * max(0, 1 - abs(2 * t / p["pulse_duration"] - 1))
        foam = max(0, p["foam_stiffness"] * (xb - xt) + p["foam_damping"] * (vb - vt)) if xb > xt else 0
        neck = p["restraint_stiffness"] * (xr - xb) + p["restraint_damping"] * (vr - vb)
        return [vb, vt, vr, (-p["back_stiffness"] * xb - p["back_damping"] * vb - foam + neck) / p["back_mass"] - a,
                (foam - pull) / p["torso_mass"] - a, (-neck - 150) / p["restraint_mass"] - a]  # fmt: skip

    for name, value in loads.items():
        seat.set(name, value)
    seat.fmu.enterInitializationMode()
    seat.fmu.exitInitializationMode()
    for k in range(120):
        seat.fmu.doStep(k * STEP, STEP)
    right = solve_ivp(rates, (0, 0.12), np.zeros(6), method="LSODA", rtol=1e-10, atol=1e-13, max_step=1e-3).y[:, -1]
    # the foam's damper begins with a jump, which the fixed steps inside meet only to within a step
    assert seat.get("restraint_position") == pytest.approx(p["restraint_start"] + right[2] - right[1], abs=5e-7)
    assert seat.get("restraint_velocity") == pytest.approx(right[5] - right[4], abs=5e-5)
    assert seat.get("back_displacement") == pytest.approx(right[0], abs=5e-7)
    assert seat.get("T1_acceleration") == pytest.approx((seat.get("foam_force_on_torso") - pull) / p["torso_mass"], rel=1e-12)


def test_the_seat_goes_back_to_a_saved_state(seat):
    seat.fmu.enterInitializationMode()
    seat.fmu.exitInitializationMode()
    seat.fmu.doStep(0, 0.03)
    saved = seat.fmu.getFMUState()

    def go_on():
        seat.fmu.doStep(0.03, 0.02)
        return seat.get("restraint_position")

    first = go_on()
    seat.fmu.setFMUState(saved)
    assert go_on() == first
    seat.fmu.freeFMUState(saved)


@pytest.mark.parametrize("name, value", [("foam_stiffness", -1.0), ("T1_acceleration", 1.0), ("C7_angle", float("nan"))])
def test_the_seat_refuses_what_cannot_be_set(seat, name, value):
    with pytest.raises(Exception, match="fmi3SetFloat64"):
        seat.set(name, value)


@pytest.mark.parametrize("step", [0.0, -1e-3, 1e9, float("nan"), float("inf")])
def test_the_seat_refuses_steps_that_make_no_sense(seat, step):
    seat.fmu.enterInitializationMode()
    seat.fmu.exitInitializationMode()
    with pytest.raises(Exception, match="fmi3DoStep"):
        seat.fmu.doStep(0, step)


def test_the_head_restraint_catches_the_head(by_hand, example):
    angle, force, nic, _ = by_hand.T
    assert 400 < force.max() < 1000
    assert nic[-1] < 9  # 13 without head restraint and seat
    assert angle.min() > -0.3  # -1.2 without


def test_steps_converge(by_hand, example, package):
    coarse, middle, fine = (rows[:: round(STEP / step)] for step, rows in
                            [(STEP, by_hand)] + [(s, example.by_hand(package, s)) for s in (STEP / 2, STEP / 4)])  # fmt: skip
    assert np.abs(middle - fine)[:, 0].max() == pytest.approx(np.abs(coarse - middle)[:, 0].max() / 2, rel=0.2)


def test_ecos_runs_the_package(by_hand, example, fmu_path, tmp_path):
    rows = example.with_ecos(example.build_package(tmp_path, fmu_path, outside=False), STEP)
    assert rows == pytest.approx(by_hand, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("fmi_version", [2, 3])
def test_a_container_of_the_package(by_hand, example, package, fmi_version):
    rows = example.with_fmu_container(package, STEP, fmi_version)
    assert rows == pytest.approx(by_hand, rel=1e-9, abs=1e-9)
