"""The folder of a sweep: sweep.toml says what it is, rows.jsonl has the rows in the order in which they came, results.csv and
results.parquet the same sorted by task. What is in rows.jsonl is not run again.
"""

import itertools
import json
import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow
import pyarrow.csv
import pyarrow.parquet

from spondyl import scenario as scenarios
from spondyl.errors import UserError
from spondyl.models import Model
from spondyl.settings import Value
from spondyl.sweep import Job, columns

SWEEP, ROWS, CSV, PARQUET = "sweep.toml", "rows.jsonl", "results.csv", "results.parquet"


def open_or_make(directory: Path, job: Job, model: Model) -> set[int]:
    """Makes the folder of a sweep, or finds the same sweep in it; the tasks that are done."""
    text = _describe(job, model)
    if directory.exists() and not (directory.is_dir() and not any(directory.iterdir())):
        if not (directory / SWEEP).is_file():
            raise UserError(f"{directory} exists and holds no sweep; name another folder with --out")
        before = (directory / SWEEP).read_text(encoding="utf-8")
        if before != text:
            raise UserError(
                f"{directory} holds another sweep ({_first_difference(before, text)}); name another folder with --out"
            )
    else:
        directory.mkdir(parents=True, exist_ok=True)
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
    table = (
        []
        if job.table is None
        else ["", "[input]", f'between = "{job.table.between}"', f"time = {job.table.time.tolist()}"]
        + [f"{v.name} = {column.tolist()}" for v, column in zip(job.table.variables, job.table.values.T)]
    )
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
    table = pyarrow.table(
        arrays, schema=pyarrow.schema(fields, metadata={"sweep": (directory / SWEEP).read_text(encoding="utf-8")})
    )
    pyarrow.parquet.write_table(table, directory / PARQUET)
    units = [(field.metadata or {}).get(b"unit", b"").decode() for field in fields]
    heads = [f"{field.name} [{unit}]" if unit else field.name for field, unit in zip(fields, units)]
    pyarrow.csv.write_csv(table.rename_columns(heads), directory / CSV)
    return rows


def run(
    job: Job,
    directory: Path,
    done: set[int],
    runner: Callable[[bytes, Iterator[int]], Iterator[str]],
    progress: Callable[[float], None],
) -> None:
    """Runs what is not done yet and appends every row as soon as it is there."""
    todo = (task for task in range(job.tasks) if task not in done)
    finished = len(done)
    with (directory / ROWS).open("a", encoding="utf-8") as file:
        for rows in runner(pickle.dumps(job), todo):
            file.write(rows)
            file.flush()
            finished += rows.count("\n")
            progress(finished)
