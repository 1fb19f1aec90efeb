"""Many runs of one scenario with some settings varied.

Every combination is a task with a number; a row is a pure function of the job and that number, so that it does not matter
where and in which order tasks run. Finished rows are appended to rows.jsonl at once; what is there is not run again.
"""

import itertools
import json
import math
import pickle
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.csv
import pyarrow.parquet

from spondyl import inputs, models, scenario as scenarios, settings
from spondyl.errors import ModelError, UserError, nearest
from spondyl.inputs import Table
from spondyl.instance import Instance
from spondyl.models import Model, Variable
from spondyl.run import simulate
from spondyl.scenario import Scenario
from spondyl.settings import Value

SWEEP, ROWS, CSV, PARQUET = "sweep.toml", "rows.jsonl", "results.csv", "results.parquet"


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
    """"pulse_peak=2.5g:50g:20" is twenty values with both ends, "solver=radau,ida" a list."""
    name, given = settings.split(text)
    variable = model.settable(name)
    parts = given.split(":")
    if variable.type != "Float64" or len(parts) == 1:
        return Axis(name, tuple(settings.parse(variable, part.strip()) for part in given.split(",")))
    if len(parts) != 3 or not parts[2].strip().isdigit() or int(parts[2]) < 2:
        raise UserError(f"{name}: {given!r} is not first:last:number with a number of 2 or more, such as 2.5g:50g:20")
    low, high = (Fraction(settings.parse(variable, part)) for part in parts[:2])
    count = int(parts[2])
    return Axis(name, tuple(float(low + (high - low) * k / (count - 1)) for k in range(count)))


def job(scenario: Scenario, axes: list[Axis], model: Model) -> Job:
    """A job for a checked scenario."""
    for name in (axis.name for axis in axes):
        if [a.name for a in axes].count(name) > 1:
            raise UserError(f"{name} is swept twice")
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
        (v.name + end, v.unit) for v in outputs if v.name not in models.CRITERIA for end in ("_max", "_min", "_end")]


def summary(outputs: list[Variable], values: np.ndarray) -> list[float]:
    criteria = np.array([v.name in models.CRITERIA for v in outputs])
    largest = values.max(axis=0)
    extremes = np.column_stack([largest, values.min(axis=0), values[-1]])[~criteria]
    return largest[criteria].tolist() + extremes.ravel().tolist()


def failed(task: int, why: str) -> str:
    return json.dumps({"task": task, "status": f"failed: {why}", "reached": 0.0, "values": None}) + "\n"


# -- the folder


def open_folder(directory: Path, job: Job, model: Model) -> set[int]:
    """Makes the folder of a sweep, or finds the same sweep in it; the tasks that are done."""
    text = _describe(job, model)
    if directory.exists():
        if not (directory / SWEEP).is_file():
            raise UserError(f"{directory} exists and holds no sweep; name another folder with --out")
        before = (directory / SWEEP).read_text(encoding="utf-8")
        if before != text:
            raise UserError(f"{directory} holds another sweep ({_first_difference(before, text)}); name another folder with --out")
    else:
        directory.mkdir(parents=True)
        (directory / SWEEP).write_text(text, encoding="utf-8")
    rows = directory / ROWS
    if rows.is_file():
        data = rows.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):  # the last line was cut off
            rows.write_bytes(data[:whole])
    return {row["task"] for row in read_rows(directory)}


def _describe(job: Job, model: Model) -> str:
    scenario = replace(job.scenario, provenance=scenarios.provenance(job.scenario, model))
    axes = [f"{axis.name} = [" + ", ".join(map(_literal, axis.values)) + "]" for axis in job.axes]
    table = [] if job.table is None else ["", "[table]", f'between = "{job.table.between}"', f"time = {job.table.time.tolist()}"] + [
        f"{v.name} = {column.tolist()}" for v, column in zip(job.table.variables, job.table.values.T)]
    return "\n".join([scenarios.to_toml(replace(scenario, input=None), model), "[over]", *axes, *table]) + "\n"


def _first_difference(before: str, now: str) -> str:
    pairs = itertools.zip_longest(before.splitlines(), now.splitlines(), fillvalue="")
    there, here = next((a, b) for a, b in pairs if a != b)
    return f"{(there or here).partition('=')[0].strip()} is another"


def _literal(value: Value) -> str:
    return json.dumps(value) if isinstance(value, (bool, str)) else repr(value)


def read_rows(directory: Path) -> Iterator[dict]:
    if (directory / ROWS).is_file():
        with (directory / ROWS).open(encoding="utf-8") as file:
            for line in file:
                if line.endswith("\n"):
                    yield json.loads(line)


def gather(directory: Path, job: Job, model: Model) -> list[dict]:
    """Writes the rows, sorted by task, as CSV and Parquet; returns them."""
    rows = sorted(read_rows(directory), key=lambda row: row["task"])
    names = columns(model.outputs(job.scenario.outputs))
    fields = [pyarrow.field("task", pyarrow.int64())]
    arrays = [pyarrow.array([row["task"] for row in rows], pyarrow.int64())]
    for axis in job.axes:
        v = model.variables[axis.name]
        kind = {"Float64": pyarrow.float64(), "Boolean": pyarrow.bool_()}.get(v.type, pyarrow.string())
        fields.append(pyarrow.field(axis.name, kind, metadata={"unit": v.unit if v.type == "Float64" else ""}))
        arrays.append(pyarrow.array([job.settings_of(row["task"])[axis.name] for row in rows], kind))
    for k, (name, unit) in enumerate(names):
        fields.append(pyarrow.field(name, pyarrow.float64(), metadata={"unit": unit}))
        arrays.append(pyarrow.array([row["values"] and row["values"][k] for row in rows], pyarrow.float64()))
    for name, kind in (("reached", pyarrow.float64()), ("status", pyarrow.string())):
        fields.append(pyarrow.field(name, kind, metadata={"unit": "s"} if name == "reached" else None))
        arrays.append(pyarrow.array([row[name] for row in rows], kind))
    table = pyarrow.table(arrays, schema=pyarrow.schema(fields, metadata={"sweep": (directory / SWEEP).read_text(encoding="utf-8")}))
    pyarrow.parquet.write_table(table, directory / PARQUET)
    units = [(field.metadata or {}).get(b"unit", b"").decode() for field in fields]
    heads = [f"{field.name} [{unit}]" if unit else field.name for field, unit in zip(fields, units)]
    pyarrow.csv.write_csv(table.rename_columns(heads), directory / CSV)
    return rows


def run(job: Job, directory: Path, done: set[int], runner: Callable[[bytes, Iterator[int]], Iterator[str]],
        progress: Callable[[float], None]) -> None:
    """Runs what is not done yet and appends every row as soon as it is there."""
    todo = (task for task in range(job.tasks) if task not in done)
    finished = len(done)
    with (directory / ROWS).open("a", encoding="utf-8") as file:
        for rows in runner(pickle.dumps(job), todo):
            file.write(rows)
            file.flush()
            finished += rows.count("\n")
            progress(finished)
