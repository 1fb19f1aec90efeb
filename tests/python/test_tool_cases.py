"""Every named case runs to its end and shows what its source, the model's page or another test says of it."""

import numpy as np
import pytest
from spondyl import cases, models, results, scenario
from spondyl.run import run
from test_cervical_segment import CASES as SEGMENT_LOADS
from test_cervical_segment import MOTIONS

ALL = [(model, case) for model in models.paths() for case in cases.names(model)]
SEGMENT_NAMES = {"AS": "anterior-shear", "PS": "posterior-shear", "LS": "lateral-shear", "TNS": "tension", "CMP": "compression",
                 "LB": "lateral-bending", "FLX": "flexion", "EXT": "extension", "AR": "axial-rotation"}  # fmt: skip


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A function that runs a case once and reads its folder."""
    done = {}

    def get(model, name):
        if (model, name) not in done:
            found = models.find(model)
            checked = scenario.checked(cases.find(model, name).scenario, found)
            directory = tmp_path_factory.mktemp(model) / name
            run(checked, found, directory)
            done[model, name] = results.read(directory)
        return done[model, name]

    return get


def value_at(run, name, time):
    return run.channels[name].values[np.argmin(np.abs(run.time - time))]


@pytest.mark.parametrize(("name", "case"), ALL)
def test_case_runs_to_its_end(ran, name, case):
    about, done = cases.find(name, case), ran(name, case)
    assert done.status == "complete" and done.reached == done.time[-1] == about.scenario.until
    assert all(np.isfinite(c.values).all() for c in done.channels.values())
    assert done.channels["energy_error"].values.max() < 1e-6
    assert about.title and about.text and about.source


def test_there_are_cases_of_every_model():
    assert {model for model, _ in ALL} == {"CervicalSegment", "CervicalSpine", "Human12", "Human17", "LumbarSpine"}
    assert len(ALL) >= 37


def test_whiplash_extends_most_at_132_ms_and_more_when_harder(ran):
    largest = {}
    for name in cases.names("CervicalSpine"):
        if name.endswith("g"):
            angle = ran("CervicalSpine", name).channels["head_angle"].values
            largest[float(name[len("whiplash-") : -1])] = angle[0] - angle.min()
    assert sorted(largest) == [2.5, 3.5, 4.5, 5, 6.5, 8, 8.5]
    assert all(np.diff([largest[g] for g in sorted(largest)]) > 0)
    whiplash = ran("CervicalSpine", "whiplash-8.5g")
    assert whiplash.time[whiplash.channels["head_angle"].values.argmin()] == pytest.approx(0.132, abs=2e-3)
    assert whiplash.channels["C4C5_ALL_force"].values.max() == pytest.approx(38.5, abs=0.1)


def test_whiplash_of_5_s_dies_down_and_balances_better_than_the_papers(ran):
    long = ran("CervicalSpine", "whiplash-8.5g-5s")
    assert value_at(long, "kinetic_energy", 5) < 0.01 * long.channels["kinetic_energy"].values.max()
    assert long.channels["energy_error"].values.max() < 0.0103


@pytest.mark.parametrize("paper_name", SEGMENT_NAMES)
def test_loads_of_the_segment_displace_as_another_formulation_says(ran, paper_name):
    done = ran("CervicalSegment", SEGMENT_NAMES[paper_name])
    shown = [done.channels[name].shown[0] for name in MOTIONS]
    assert np.abs(np.subtract(shown, SEGMENT_LOADS[paper_name][2])).max() < 1e-7


def test_lumbar_release_against_another_formulation(ran):
    done = ran("LumbarSpine", "release-extension-10Nm")
    assert value_at(done, "L1_angle", 0.2) == pytest.approx(-0.6185547246, abs=1e-5)
    assert value_at(done, "L1_angle", 0.4) == pytest.approx(0.0514011975, abs=1e-5)
    assert value_at(done, "L1_moment_y", 0.199) == -10 and value_at(done, "L1_moment_y", 0.2) == 0


@pytest.mark.parametrize(("case", "angles"), [("flexion-10Nm", [5.8, 6.4, 6.3, 5.6, 8.4]), ("extension-10Nm", [-4.3, -4.3, -3.7, -5.7, -4.1]),
                                             ("flexion-7.5Nm", [4.7, 5.5, 5.3, 4.7, 7.0]), ("extension-7.5Nm", [-3.5, -3.5, -3.1, -4.8, -3.4])])  # fmt: skip
def test_lumbar_angles_are_those_of_the_models_page(ran, case, angles):
    done = ran("LumbarSpine", case)
    assert [done.channels[f"{level}_angle"].shown[-1] for level in ("L1L2", "L2L3", "L3L4", "L4L5", "L5S1")] == pytest.approx(
        angles, abs=0.051
    )


def test_dead_load_bends_and_follower_load_hardly_does(ran):
    bent, followed = (
        abs(ran("LumbarSpine", name).channels["L1L2_angle"].shown[-1]) for name in ("vertical-500N", "follower-500N")
    )
    assert bent > 5 * followed
    assert ran("LumbarSpine", "vertical-500N").channels["L4L5_spinous_force"].values.max() > 0


@pytest.mark.parametrize("name", ["Human12", "Human17"])
def test_free_flight_keeps_its_energy(ran, name):
    energy = ran(name, "free-flight").channels["kinetic_energy"].values
    assert np.ptp(energy) < 1e-6 * energy[0]


def test_tackled_athlete_hits_the_ground_with_the_head_near_677_ms(ran):
    done = ran("Human12", "tackle")
    assert done.time[np.argmax(done.channels["head_position_z"].values < 0.095)] == pytest.approx(0.677, abs=2e-3)


def test_belted_occupant_is_held_as_the_models_page_says(ran):
    done = ran("Human12", "belted-20kmh")
    lean = done.channels["neck_joint_angle_y"]
    assert lean.shown.max() == pytest.approx(61, abs=0.5) and done.time[lean.values.argmax()] == pytest.approx(0.149, abs=2e-3)
    assert done.channels["HIC15"].values[-1] == pytest.approx(14.4, abs=0.1)


@pytest.mark.parametrize(
    ("case", "body", "place"), [("fall", "head", (-0.686, 0, 0.651)), ("pendulum", "arm_left", (0.1725828, 0.17, 0.503))]
)
def test_bodies_start_where_the_reference_data_says(ran, case, body, place):
    done = ran("Human17", case)
    assert [done.channels[f"{body}_position_{axis}"].values[0] for axis in "xyz"] == pytest.approx(place, abs=1e-9)


def test_seat_begins_to_carry(ran):
    force = ran("Human17", "seated-pulse").channels["plane1_force_z"].values
    assert force[0] == 0 and force.max() > 100


def test_fall_touches_after_the_time_of_free_fall(ran):
    """The back is 0.5 m above the ground."""
    done = ran("Human17", "fall")
    touched = done.time[np.argmax(done.channels["plane1_force_z"].values > 0)]
    assert touched == pytest.approx(np.sqrt(2 * 0.5 / 9.81), abs=2.1e-3)
