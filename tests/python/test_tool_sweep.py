"""Sweeps: the same numbers wherever they run, and nothing is lost when something dies."""

import json
import multiprocessing
import os
import pickle
import signal
import time

import pyarrow.parquet
import pytest
from spondyl import models, results, runners, sweep, sweep_folder
from spondyl import scenario as scenarios
from tool import spondyl, start

OVER = ("--over", "pulse_peak=2.5g:50g:4", "--over", "pulse_shape=triangle,half_sine,trapezoid")
SWEEP = ("sweep", "CervicalSpine", "--until", "30ms", "--output", "head_*", "--output", "HIC15", *OVER)
TASKS = 12


def job_of(until=0.03):
    model = models.find("CervicalSpine")
    scenario = scenarios.checked(scenarios.Scenario("CervicalSpine", until, 1e-3, outputs=("head_*", "HIC15")), model)
    return sweep.job(scenario, [sweep.axis(text, model) for text in OVER[1::2]], model), model


def written(directory):
    return (directory / "results.csv").read_bytes(), (directory / "results.parquet").read_bytes()


def run_in(directory, runner):
    job, model = job_of()
    sweep_folder.run(job, directory, sweep_folder.open_or_make(directory, job, model), runner, lambda _: None)
    sweep_folder.gather(directory, job, model)
    return written(directory)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What one process gives, task after task, without a pool."""

    def here(packed, todo):
        return (sweep.run_tasks(packed, (task,))[0] for task in todo)

    return run_in(tmp_path_factory.mktemp("sweep") / "expected", here)


def test_axes():
    model = models.find("CervicalSpine")
    peaks = sweep.axis("pulse_peak=2.5g:50g:20", model).values
    assert len(peaks) == 20 and (peaks[0], peaks[1], peaks[-1]) == (24.525, 49.05, 490.5)
    assert sweep.axis("pulse_shape=triangle, half_sine", model).values == ("triangle", "half_sine")
    assert sweep.axis("ligaments_two_sided=on,off", model).values == (True, False)
    assert sweep.axis("pulse_duration=50ms,0.105", model).values == (0.05, 0.105)
    job, _ = job_of()
    assert job.tasks == TASKS
    assert [job.settings_of(task)["pulse_shape"] for task in range(4)] == ["triangle", "half_sine", "trapezoid", "triangle"]
    assert len({json.dumps(job.settings_of(task)) for task in range(TASKS)}) == TASKS


def test_a_row_is_what_a_run_gives(capfd, expected, tmp_path):
    spondyl(
        capfd,
        "run",
        "CervicalSpine",
        "--until",
        "30ms",
        "--set",
        "pulse_peak=50g",
        "--set",
        "pulse_shape=half_sine",
        "--out",
        tmp_path / "run",
    )
    run = results.read(tmp_path / "run")
    (tmp_path / "results.parquet").write_bytes(expected[1])
    table = pyarrow.parquet.read_table(tmp_path / "results.parquet")
    row = table.to_pylist()[10]
    assert (row["task"], row["pulse_peak"], row["pulse_shape"], row["status"], row["reached"]) == (
        10,
        490.5,
        "half_sine",
        "complete",
        0.03,
    )
    angle = run.channels["head_angle"].values
    assert (row["head_angle_max"], row["head_angle_min"], row["head_angle_end"]) == (angle.max(), angle.min(), angle[-1])
    assert row["HIC15"] == run.channels["HIC15"].values.max() and "HIC15_min" not in row
    assert table.schema.field("head_angle_max").metadata[b"unit"] == b"rad"
    heads = expected[0].splitlines()[0].decode()
    assert heads.startswith('"task","pulse_peak [m/s2]","pulse_shape","HIC15 [1]"')


def test_one_process_or_two_give_the_same_bits(capfd, expected, tmp_path):
    outcome = spondyl(capfd, *SWEEP, "--jobs", "2", "--out", tmp_path / "two")
    assert outcome.code == 0 and f"{TASKS} of {TASKS} runs" in outcome.out and outcome.error == ""
    assert written(tmp_path / "two") == expected
    again = spondyl(capfd, *SWEEP, "--jobs", "2", "--out", tmp_path / "two")
    assert again.code == 0 and f"{TASKS} of {TASKS} runs are there already" in again.out
    other = spondyl(capfd, *SWEEP[:-1], "pulse_shape=triangle", "--out", tmp_path / "two")
    assert other.code == 2 and "another sweep (pulse_shape is another)" in other.error


def test_killed_workers_lose_nothing(expected, tmp_path):
    def murderous(packed, todo):
        for k, rows in enumerate(runners.in_pool(packed, todo, 2)):
            if k in (0, 3):
                for worker in multiprocessing.active_children():
                    os.kill(worker.pid, signal.SIGKILL)
            yield rows

    assert run_in(tmp_path / "killed", murderous) == expected


class _Deadly:
    def __reduce__(self):
        return os._exit, (1,)


def test_a_task_that_always_kills_its_worker_is_given_up():
    rows = [json.loads(row) for row in runners.in_pool(pickle.dumps(_Deadly()), iter([3]), 1)]
    assert rows == [{"task": 3, "status": "failed: the worker died 3 times", "reached": 0.0, "values": None}]


def test_a_killed_sweep_goes_on_where_it_was(capfd, expected, tmp_path):
    rows = tmp_path / "sweep/rows.jsonl"
    process = start(*SWEEP, "--jobs", "1", "--out", "sweep", directory=tmp_path)
    while process.poll() is None and not (rows.is_file() and rows.read_bytes().count(b"\n") >= 2):
        time.sleep(0.002)
    children = _children(process.pid)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    while any(_alive(child) for child in children):  # workers end with their parent
        time.sleep(0.02)
    done = rows.read_bytes().count(b"\n")
    with rows.open("a") as file:
        file.write('{"task": 11, "status": "comp')  # a line that was cut off
    outcome = spondyl(capfd, *SWEEP, "--jobs", "1", "--out", tmp_path / "sweep")
    assert outcome.code == 0 and f"{done} of {TASKS} runs are there already" in outcome.out
    assert written(tmp_path / "sweep") == expected


def _children(pid):
    """Children and their children."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        children = [int(child) for child in file.read().split()]
    return children + [grandchild for child in children for grandchild in _children(child)]


def _alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_dask_gives_the_same_bits_and_survives_a_killed_worker(expected, tmp_path):
    dask, distributed = pytest.importorskip("dask"), pytest.importorskip("distributed")
    quick = dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})
    with quick, distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:

        def murderous(packed, todo):
            for k, rows in enumerate(runners.on_dask(packed, todo, cluster.scheduler_address)):
                if k == 1:
                    os.kill(cluster.workers[0].pid, signal.SIGKILL)
                yield rows

        assert run_in(tmp_path / "killed", murderous) == expected
        assert run_in(tmp_path / "dask", lambda *given: runners.on_dask(*given, cluster.scheduler_address)) == expected


def test_ctrl_c_keeps_the_rows(tmp_path):
    process = start(*SWEEP, "--jobs", "1", "--out", "sweep", directory=tmp_path)
    rows = tmp_path / "sweep/rows.jsonl"
    while process.poll() is None and not (rows.is_file() and rows.stat().st_size):
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    table = pyarrow.parquet.read_table(tmp_path / "sweep/results.parquet")
    assert 0 < len(table) <= TASKS
    assert (process.returncode, error) == (130, "spondyl: stopped; the same command goes on from here\n") or len(table) == TASKS


def test_what_the_fmu_refuses_is_a_row_with_the_reason(capfd, tmp_path):
    arguments = (
        "sweep",
        "CervicalSegment",
        "--over",
        "C5_moment_z=1,500,1",
        "--until",
        "3ms",
        "--jobs",
        "1",
        "--out",
        tmp_path / "sweep",
    )
    outcome = spondyl(capfd, *arguments)
    assert outcome.code == 0 and "equilibrium" in outcome.error and "500 N.m" in outcome.error
    rows = pyarrow.parquet.read_table(tmp_path / "sweep/results.parquet").to_pylist()
    assert [row["status"][:8] for row in rows] == ["complete", "failed: ", "complete"]
    assert rows[1]["C5_rotation_z_max"] is None
    assert {k: v for k, v in rows[0].items() if k != "task"} == {k: v for k, v in rows[2].items() if k != "task"}


def test_no_scheduler(capfd, tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(runners, "DASK_TIMEOUT", 1)
    outcome = spondyl(capfd, *SWEEP, "--scheduler", "tcp://127.0.0.1:9", "--out", tmp_path / "sweep")
    assert outcome.code == 2 and "no Dask scheduler answers at tcp://127.0.0.1:9" in outcome.error
