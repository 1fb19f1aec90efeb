"""The packed Human17 and Human12: a fall and a tackle through the FMU, rollback, the same by every solver."""

import numpy as np
import pytest

MODELS = ["Human17", "Human12"]
END = 0.4  # s
SCENES = {
    # lying on the back 0.5 m above the ground
    "Human17": {"posture": 3, "start_position_z": 0.631, "plane1_active": True},
    # standing, hit by 75 kg at 3 m/s
    "Human12": {
        "start_position_z": 1.079,
        "plane1_active": True,
        "impactor_active": True,
        "start_impactor_position_x": 0.2512050954897213,
        "start_impactor_position_y": 0.02,
        "start_impactor_position_z": 1.157,
    },
}
PLACES = [f"head_position_{axis}" for axis in "xyz"]


def test_head_goes_down_and_energy_balances(spine, model):
    one = spine()
    one.start(**SCENES[model])
    start = one.get("head_position_z")
    one.run(END, 5e-3)
    assert one.get("head_position_z") < start - 0.1
    assert one.get("kinetic_energy") > 0
    assert one.get("energy_error") < 1e-4


def test_rollback_repeats_to_the_bit(spine, model):
    one = spine()
    one.start(**SCENES[model])
    one.run(0.3, 5e-3)
    saved = one.fmu.getFMUState()
    one.run(END, 5e-3)
    first = one.get(*one.outputs)
    one.fmu.setFMUState(saved)
    one.time = 0.3
    one.run(END, 5e-3)
    assert one.get(*one.outputs) == first


@pytest.mark.parametrize("solver", [2, 3])
def test_every_solver_gives_the_same(spine, model, solver):
    ends = []
    for choice in (1, solver):
        one = spine()
        one.start(solver=choice, relative_tolerance=1e-7, absolute_tolerance=1e-7, **SCENES[model])
        one.run(0.1, 0.05)
        ends.append(one.get(*PLACES))
    assert np.allclose(ends[0], ends[1], rtol=0, atol=1e-5)


def test_a_body_that_does_not_exist_is_refused(spine):
    one = spine()
    one.set(plane1_bodies="tail")
    with pytest.raises(Exception):
        one.start()
    assert "tail" in one.messages[-1] and "head" in one.messages[-1]
