"""Many runs of one scenario with some settings varied.

Every combination is a task with a number; a row is a pure function of the job and that number, so that it does not matter
where and in which order tasks run.
"""

import json
import math
import pickle
import threading
import time
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from spondyl import inputs, models, settings
from spondyl.errors import ModelError, UserError
from spondyl.inputs import Table
from spondyl.instance import Instance
from spondyl.models import Model, Variable
from spondyl.run import simulate
from spondyl.scenario import Scenario
from spondyl.settings import Value


MOST_RUNS = 10_000_000


@dataclass(frozen=True)
class Axis:
    name: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Job:
    """All that a task needs, wherever it runs."""

    path: str
    sha256: str
    scenario: Scenario
    axes: tuple[Axis, ...]
    table: Table | None

    @property
    def tasks(self) -> int:
        return math.prod(len(axis.values) for axis in self.axes)

    def settings_of(self, task: int) -> dict[str, Value]:
        """The swept values of a task; the last axis varies fastest."""
        found = {}
        for axis in reversed(self.axes):
            task, k = divmod(task, len(axis.values))
            found[axis.name] = axis.values[k]
        return {axis.name: found[axis.name] for axis in self.axes}


def axis(text: str, model: Model) -> Axis:
    """ "pulse_peak=2.5g:50g:20" is twenty values with both ends, "solver=radau,ida" a list."""
    name, given = settings.split(text)
    variable = model.settable(name)
    parts = given.split(":")
    if variable.type != "Float64" or len(parts) == 1:
        return Axis(name, tuple(settings.parse(variable, part.strip()) for part in given.split(",")))
    if len(parts) != 3 or not parts[2].strip().isdecimal() or int(parts[2]) < 2:
        raise UserError(f"{name}: {given!r} is not first:last:number with a number of 2 or more, such as 2.5g:50g:20")
    low, high = (Fraction(settings.parse(variable, part)) for part in parts[:2])
    count = int(parts[2])
    _check_number(count)
    return Axis(name, tuple(float(low + (high - low) * k / (count - 1)) for k in range(count)))


def _check_number(runs: int) -> None:
    if runs > MOST_RUNS:
        raise UserError(f"--over: {runs} runs are more than the {MOST_RUNS} that a sweep may have")


def job(scenario: Scenario, axes: list[Axis], model: Model) -> Job:
    """A job for a checked scenario."""
    for name in (axis.name for axis in axes):
        if [a.name for a in axes].count(name) > 1:
            raise UserError(f"{name} is swept twice")
    _check_number(math.prod(len(axis.values) for axis in axes))
    table = None if scenario.input is None else inputs.load(scenario.input, scenario.between, model)
    driven = [v.name for v in table.variables] if table else []
    both = next((a.name for a in axes if a.name in driven), None)
    if both:
        raise UserError(f"{both} is both swept and a column of the input")
    fixed = {name: value for name, value in scenario.settings.items() if name not in [a.name for a in axes]}
    return Job(str(model.path), model.sha256, replace(scenario, settings=fixed), tuple(axes), table)


# -- one task


_prepared = threading.local()  # a worker of Dask may run tasks on several threads
_loading = threading.Lock()  # FMPy changes the working directory while it loads a binary


@dataclass
class _Prepared:
    job: Job
    model: Model
    outputs: list[Variable]
    instance: Instance | None = None


def run_tasks(packed: bytes, tasks: tuple[int, ...]) -> tuple[str, float]:
    """The rows of some tasks, a line of JSON each, and the seconds of computing that they took."""
    began = time.thread_time()
    prepared = _prepare(packed)
    return "".join(_row(prepared, task) for task in tasks), time.thread_time() - began


def _prepare(packed: bytes) -> _Prepared:
    """What the job needs on this thread; kept for the next tasks."""
    if getattr(_prepared, "packed", None) != packed:
        if getattr(_prepared, "it", None) and _prepared.it.instance:
            _prepared.it.instance.close()
        made: Job = pickle.loads(packed)
        model = _locate(made)
        _prepared.packed, _prepared.it = packed, _Prepared(made, model, model.outputs(made.scenario.outputs))
    return _prepared.it


def _row(it: _Prepared, task: int) -> str:
    job, row = it.job, {"task": task, "status": "complete", "reached": 0.0, "values": None}
    try:
        if it.instance is None:
            with _loading:
                it.instance = Instance(it.model)
        else:
            it.instance.reset()
        scenario = replace(job.scenario, settings=job.scenario.settings | job.settings_of(task))
        values, message = simulate(it.instance, scenario, it.outputs, job.table)
        row["reached"] = float(scenario.times()[len(values) - 1])
        row["values"] = summary(it.outputs, values)
    except ModelError as error:
        message = str(error)
    if message:
        row["status"] = f"failed: {message}"
        if it.instance is not None:
            it.instance.close()
            it.instance = None
    return json.dumps(row) + "\n"


def _locate(job: Job) -> Model:
    """The job's FMU on this machine: the same path, or a model of the same name; in any case the same bytes."""
    for name in (job.path, Path(job.path).stem):
        try:
            model = models.find(name)
        except UserError:
            continue
        if model.sha256 == job.sha256:
            return model
    raise UserError(f"this worker has no {Path(job.path).name} with SHA-256 {job.sha256[:16]}")


def columns(outputs: list[Variable]) -> list[tuple[str, str]]:
    """Name and unit of what summary gives. Criteria are running maxima: their largest value says all."""
    return [(v.name, v.unit) for v in outputs if v.name in models.CRITERIA] + [
        (v.name + end, v.unit) for v in outputs if v.name not in models.CRITERIA for end in ("_max", "_min", "_end")
    ]


def summary(outputs: list[Variable], values: np.ndarray) -> list[float]:
    criteria = np.array([v.name in models.CRITERIA for v in outputs])
    largest = values.max(axis=0)
    extremes = np.column_stack([largest, values.min(axis=0), values[-1]])[~criteria]
    return largest[criteria].tolist() + extremes.ravel().tolist()


def failed(task: int, why: str) -> str:
    return json.dumps({"task": task, "status": f"failed: {why}", "reached": 0.0, "values": None}) + "\n"
