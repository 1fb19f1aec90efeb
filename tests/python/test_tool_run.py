"""Runs, their folders, and running them again."""

import signal
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
from spondyl import inputs, models, results
from spondyl.run import run as simulate
from tool import spondyl, start

WHIPLASH = ("run", "CervicalSpine", "--case", "whiplash-8.5g")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def same_numbers(a, b):
    return all((a / name).read_bytes() == (b / name).read_bytes() for name in ("results.csv", "results.parquet"))


def test_folder_of_a_run(capfd, here):
    outcome = spondyl(capfd, *WHIPLASH, "--set", "gravity=9.7", "--until", "50ms")
    assert outcome.code == 0 and "HIC15" in outcome.out
    folder = here / "CervicalSpine-whiplash-8.5g"
    assert sorted(p.name for p in folder.iterdir()) == ["results.csv", "results.parquet", "scenario.toml"]
    run = results.read(folder)
    assert (run.status, run.reached, len(run.time)) == ("complete", 0.05, 51)
    assert run.scenario.case == "whiplash-8.5g"
    assert run.scenario.settings == {"pulse_shape": "triangle", "pulse_peak": 83.385, "pulse_duration": 0.105, "gravity": 9.7}
    assert run.scenario.provenance["data_set"] == "reconciled" and len(run.scenario.provenance["fmu_sha256"]) == 64
    angle = run.channels["head_angle"]
    assert (angle.unit, angle.display_unit) == ("rad", "deg") and angle.factor == pytest.approx(180 / np.pi)
    # CSV and Parquet hold the same numbers to the bit
    lines = (folder / "results.csv").read_text().splitlines()
    heads = lines[0].split(",")
    assert heads[0] == "time [s]" and "head_angle [rad]" in heads and "HIC15 [1]" in heads
    numbers = np.array([line.split(",") for line in lines[1:]], float)
    assert (numbers[:, 0] == run.time).all() and (numbers[:, heads.index("head_angle [rad]")] == angle.values).all()
    schema = pyarrow.parquet.read_schema(folder / "results.parquet")
    assert schema.field("head_angle").metadata[b"unit"] == b"rad"
    assert b'case = "whiplash-8.5g"' in schema.metadata[b"scenario"]


def test_scenario_runs_again_to_the_bit(capfd, here):
    (here / "pulse.csv").write_text("time [ms], sled_acceleration_x [g], plane1_active\n0, 0, off\n30, 4.1, on\n60, 0, on\n")
    runs = {
        "plain": (*WHIPLASH, "--until", "30ms"),
        "words": ("run", "CervicalSpine", "--set", "solver=mebdf", "--set", "ligaments_two_sided=off", "--set", "pulse_direction=z",
                  "--set", "pulse_shape=half_sine", "--until", "0.0305s", "--output", "head_*", "--output", "NIC*"),
        "input": ("run", "CervicalSpine", "--input", "pulse.csv", "--until", "80ms"),
        "hold": ("run", "CervicalSpine", "--input", "pulse.csv", "--hold", "--until", "80ms"),
        "of a case": ("run", "LumbarSpine", "--case", "release-flexion-10Nm", "--until", "0.22s"),
    }  # fmt: skip
    for name, arguments in runs.items():
        assert spondyl(capfd, *arguments, "--out", name).code == 0
        again = spondyl(capfd, "run", f"{name}/scenario.toml", "--out", f"{name} again")
        assert again.code == 0 and again.error == ""
        assert same_numbers(here / name, here / f"{name} again")
        assert (here / name / "scenario.toml").read_text() == (here / f"{name} again/scenario.toml").read_text()
    assert not same_numbers(here / "input", here / "hold")
    assert len(results.read("words").time) == 32 and results.read("words").time[-1] == 0.0305
    truths = results.read("input").channels["plane1_active"].values
    assert truths[29] == 0 and truths[30] == 1


def test_rerun_warns_of_what_has_changed(capfd, here):
    spondyl(capfd, *WHIPLASH, "--until", "5ms", "--out", "run")
    path = here / "run/scenario.toml"
    text = path.read_text()
    path.write_text(text.replace('model_version = "', 'model_version = "0.0.').replace('fmu_sha256 = "', 'fmu_sha256 = "0'))
    outcome = spondyl(capfd, "run", path, "--out", "again")
    assert outcome.code == 0
    assert [line.split()[-1] for line in outcome.error.splitlines()] and outcome.error.count("will not repeat exactly") == 2
    assert "SHA-256" in outcome.error


def test_scenario_by_hand_with_units(capfd, here):
    (here / "mine.toml").write_text('model = "CervicalSpine"\nuntil = "20 ms"\nstep = "2ms"\noutputs = ["head_angle"]\n'
                                    '[settings]\npulse_peak = "5 g"\npulse_shape = "triangle"\n'
                                    '[input]\nbetween = "hold"\ntime = [0, "5 ms"]\nsled_acceleration_z = ["1 g", 0]\n')  # fmt: skip
    assert spondyl(capfd, "run", "mine.toml", "--set", "pulse_peak=6g", "--out", "mine").code == 0
    run = results.read("mine")
    assert list(run.channels) == ["head_angle", "sled_acceleration_z"]
    assert run.scenario.settings["pulse_peak"] == pytest.approx(58.86)
    assert run.channels["sled_acceleration_z"].values.tolist() == [9.81, 9.81, 9.81] + 8 * [0.0]


def test_results_are_not_overwritten_by_accident(capfd, here):
    arguments = ("run", "CervicalSpine", "--until", "3ms")
    assert spondyl(capfd, *arguments).code == 0
    again = spondyl(capfd, *arguments)
    assert again.code == 2 and "--overwrite" in again.error and again.error.count("\n") == 1
    assert spondyl(capfd, *arguments, "--overwrite").code == 0
    (here / "empty").mkdir()
    assert spondyl(capfd, *arguments, "--out", "empty").code == 0
    (here / "mine").mkdir()
    (here / "mine/thesis.txt").write_text("years of work")
    outcome = spondyl(capfd, *arguments, "--out", "mine", "--overwrite")
    assert outcome.code == 2 and "no results" in outcome.error
    (here / "file").write_text("")
    outcome = spondyl(capfd, *arguments, "--out", "file/below")
    assert outcome.code == 2 and "is no folder" in outcome.error


def test_linear_input_is_of_second_order_and_held_input_of_first(capfd, here):
    """The 8.5 g triangle as an input against the built-in pulse, which the solver integrates exactly."""
    (here / "pulse.csv").write_text("time [ms],sled_acceleration_x [g]\n0,0\n52.5,8.5\n105,0\n")
    common = ("--until", "0.15s", "--output", "head_angle")
    spondyl(capfd, *WHIPLASH, *common, "--set", "relative_tolerance=1e-9", "--step", "2ms", "--out", "exact")
    exact = results.read("exact").channels["head_angle"].values

    def error(step, name, every, *more):
        spondyl(capfd, "run", "CervicalSpine", "--input", "pulse.csv", *common, *more, "--step", step, "--out", name)
        return np.abs(results.read(name).channels["head_angle"].values[::every] - exact).max()

    coarse, fine = error("2ms", "coarse", 1), error("0.5ms", "fine", 4)
    assert coarse < 1e-3 and 8 < coarse / fine < 40
    (here / "pulse.csv").write_text(
        "time [ms],sled_acceleration_x [g]\n" + "".join(f"{t / 10},{8.5 * (1 - abs(t / 525 - 1))}\n" for t in range(0, 1051))
    )
    coarse, fine = error("2ms", "held", 1, "--hold"), error("0.5ms", "held fine", 4, "--hold")
    assert coarse > 1e-2 and 3 < coarse / fine < 5


def test_outputs_belong_to_the_inputs_of_the_same_time(capfd, here):
    """A force on the head acts at once on the head's acceleration."""
    (here / "force.csv").write_text("time,head_force_x\n0,0\n0.01,50\n")
    spondyl(
        capfd,
        "run",
        "CervicalSpine",
        "--input",
        "force.csv",
        "--until",
        "10ms",
        "--output",
        "head_acceleration_x",
        "--out",
        "run",
    )
    run = results.read("run")
    assert run.channels["head_force_x"].values == pytest.approx(np.linspace(0, 50, 11))
    assert run.channels["head_acceleration_x"].values[0] == pytest.approx(0, abs=1e-6)
    spondyl(capfd, "run", "CervicalSpine", "--set", "head_force_x=5", "--set", "start_in_equilibrium=off", "--until", "1ms",
            "--output", "head_acceleration_x", "--out", "held")  # fmt: skip
    assert abs(results.read("held").channels["head_acceleration_x"].values[0]) > 0.1


def test_ctrl_c_leaves_a_valid_part(capfd, tmp_path):
    process = start(
        "run",
        "CervicalSpine",
        "--case",
        "whiplash-8.5g",
        "--until",
        "1000s",
        "--out",
        "run",
        "--output",
        "head_*",
        directory=tmp_path,
    )
    while process.poll() is None and "CervicalSpine.so" not in Path(f"/proc/{process.pid}/maps").read_text():
        time.sleep(0.02)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=30)
    assert process.returncode == 130, error
    assert error.count("\n") == 1 and "stopped at" in error
    run = results.read(tmp_path / "run")
    assert run.status == "interrupted" and 0 <= run.reached < 1000 and run.time[-1] == run.reached
    assert len(run.channels["head_angle"].values) == len(run.time)
    assert spondyl(capfd, "compare", tmp_path / "run", tmp_path / "run").code == 0


def test_the_part_before_a_stop_is_that_of_the_whole_run(capfd, here):
    spondyl(capfd, *WHIPLASH, "--until", "50ms", "--out", "whole")
    whole = results.read("whole")
    asked = iter([False] * 20 + [True])
    simulate(whole.scenario, models.find("CervicalSpine"), here / "part", stop=lambda: next(asked))
    part = results.read("part")
    assert (part.status, part.reached, len(part.time)) == ("interrupted", 0.02, 21)
    assert all((c.values == whole.channels[name].values[:21]).all() for name, c in part.channels.items())
    outcome = spondyl(capfd, "compare", "whole", "part")
    assert outcome.code == 0 and "ends early" in outcome.error and "all 124 channels are equal" in outcome.out


def test_a_step_that_cannot_be_made_leaves_the_part_before(capfd, here):
    (here / "load.csv").write_text("time,C5_force_x\n0,0\n0.005,0\n0.006,1e30\n")
    outcome = spondyl(capfd, "run", "CervicalSegment", "--input", "load.csv", "--until", "20ms", "--out", "run")
    assert outcome.code == 1 and outcome.error.count("\n") == 1 and "stopped at" in outcome.error
    run = results.read("run")
    assert run.status == "interrupted" and 0 < run.reached < 0.02 and run.message in outcome.error


def test_own_tables_are_part_of_the_scenario(capfd, here):
    (here / "tables").mkdir()
    levels = models.find("CervicalSpine").resource("levels.csv")
    (here / "tables/levels.csv").write_text(levels)
    arguments = ("run", "CervicalSpine", "--set", "data_set=custom", "--until", "3ms", "--out", "run", "--set")
    wrong = spondyl(capfd, *arguments, "data_path=table")
    assert wrong.code == 2 and "data_path: there is no folder" in wrong.error
    assert spondyl(capfd, *arguments, "data_path=tables").code == 0
    assert results.read("run").scenario.settings["data_path"] == str(here / "tables")
    assert spondyl(capfd, "run", "run/scenario.toml", "--out", "again").error == ""
    (here / "tables/levels.csv").write_text(levels + "# another\n")
    assert "custom data" in spondyl(capfd, "run", "run/scenario.toml", "--out", "changed").error


def test_an_fmu_by_its_path(capfd, here):
    (here / "copies").mkdir()
    copy = here / "copies/Mine.fmu"
    copy.write_bytes(models.paths()["CervicalSegment"].read_bytes())
    assert spondyl(capfd, "run", "copies/Mine.fmu", "--case", "flexion", "--out", "run").code == 0
    assert results.read("run").scenario.model == str(copy)
    assert spondyl(capfd, "run", "run/scenario.toml", "--out", "again").error == ""
    assert same_numbers(here / "run", here / "again")


def test_rows_at_times_that_rounding_moves_hold_from_there_on():
    table = inputs.from_columns({"time": [0, 0.3], "C5_force_x": [1.0, 2.0]}, "hold", models.find("CervicalSegment"))
    times = np.nextafter(0.3, 0) * np.ones(1)
    assert times[0] < 0.3 and table.at(times)[0, 0] == 2 and table.at(np.array([0.2999]))[0, 0] == 1
