"""A folder of results: scenario.toml, results.csv, results.parquet and, if the run had one, input.csv.

Numbers are SI. Heads of the CSV files are `name [unit]`. The Parquet file has unit, display unit, factor and description
in the metadata of each field, and the scenario in that of the schema.
"""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.csv
import pyarrow.parquet

from spondyl import scenario as scenarios
from spondyl.errors import UserError
from spondyl.inputs import Table
from spondyl.models import Model, Variable
from spondyl.scenario import Scenario

SCENARIO, CSV, PARQUET, INPUT = "scenario.toml", "results.csv", "results.parquet", "input.csv"


@dataclass(frozen=True)
class Channel:
    name: str
    unit: str  # SI
    display_unit: str
    factor: float  # SI to display unit
    description: str
    values: np.ndarray  # SI

    @property
    def shown(self) -> np.ndarray:
        """The values in the display unit."""
        return self.values * self.factor


@dataclass(frozen=True)
class Run:
    directory: Path
    scenario: Scenario
    time: np.ndarray
    channels: dict[str, Channel]
    status: str  # complete, interrupted
    reached: float  # s
    message: str = ""  # why it was interrupted

    @property
    def label(self) -> str:
        return self.scenario.case or Path(self.scenario.model).stem


def channel(variable: Variable, values: np.ndarray) -> Channel:
    return Channel(variable.name, variable.unit, variable.display_unit, variable.factor, variable.description, values)


def write(run: Run, model: Model, table: Table | None) -> None:
    """Into the run's directory; what an earlier run left there goes."""
    run.directory.mkdir(parents=True, exist_ok=True)
    for left in (INPUT, "report.html"):
        (run.directory / left).unlink(missing_ok=True)
    scenario = run.scenario
    if table is not None:
        heads = ["time [s]"] + [f"{v.name} [{v.unit}]" if v.type == "Float64" else v.name for v in table.variables]
        _write_csv(run.directory / INPUT, heads, [table.time, *table.values.T])
        scenario = replace(scenario, input=run.directory / INPUT)
    scenario = replace(scenario, provenance=scenarios.provenance(scenario, model))
    if table is not None:
        scenario = replace(scenario, input=Path(INPUT))
    result = {"status": run.status, "reached": run.reached} | ({"message": run.message} if run.message else {})
    text = scenarios.to_toml(scenario, model, result)
    (run.directory / SCENARIO).write_text("# rerun it: spondyl run scenario.toml\n" + text, encoding="utf-8")
    _write_csv(
        run.directory / CSV,
        ["time [s]"] + [f"{c.name} [{c.unit}]" for c in run.channels.values()],
        [run.time] + [c.values for c in run.channels.values()],
    )
    clock = Channel("time", "s", "s", 1.0, "Time", run.time)
    fields = [
        pyarrow.field(
            c.name,
            pyarrow.float64(),
            nullable=False,
            metadata={"unit": c.unit, "display_unit": c.display_unit, "factor": repr(c.factor), "description": c.description},
        )
        for c in (clock, *run.channels.values())
    ]
    schema = pyarrow.schema(fields, metadata={"scenario": text})
    arrays = [pyarrow.array(values) for values in (run.time, *(c.values for c in run.channels.values()))]
    pyarrow.parquet.write_table(pyarrow.table(arrays, schema=schema), run.directory / PARQUET)


def _write_csv(path: Path, heads: list[str], columns: list[np.ndarray]) -> None:
    table = pyarrow.table([pyarrow.array(column) for column in columns], names=heads)
    options = pyarrow.csv.WriteOptions(include_header=False)
    with path.open("wb") as file:
        file.write((",".join(heads) + "\n").encode())
        pyarrow.csv.write_csv(table, file, options)


def _channel(field: pyarrow.Field, values: np.ndarray) -> Channel:
    about = {key.decode(): value.decode() for key, value in field.metadata.items()}
    return Channel(field.name, about["unit"], about["display_unit"], float(about["factor"]), about["description"], values)


def read(directory: Path | str) -> Run:
    directory = Path(directory)
    if not directory.is_dir():
        raise UserError(f"there is no folder {directory}")
    if not (directory / PARQUET).is_file() or not (directory / SCENARIO).is_file():
        raise UserError(f"{directory} is no folder of results: it has no {SCENARIO} with {PARQUET}")
    scenario = scenarios.read(directory / SCENARIO)
    result = tomllib.loads((directory / SCENARIO).read_text(encoding="utf-8")).get("result", {})
    try:
        table = pyarrow.parquet.read_table(directory / PARQUET)
    except (pyarrow.ArrowException, OSError) as error:
        raise UserError(f"{directory / PARQUET} cannot be read: {error}") from None
    try:
        columns = {field.name: _channel(field, table[field.name].to_numpy()) for field in table.schema}
        time = columns.pop("time").values
    except (AttributeError, KeyError):
        raise UserError(f"{directory / PARQUET} is not of a run: it lacks time, or units in its metadata") from None
    if not len(time):
        raise UserError(f"{directory / PARQUET} has no rows")
    status, message = (str(result.get(key, otherwise)) for key, otherwise in (("status", "complete"), ("message", "")))
    return Run(directory, scenario, time, columns, status, float(time[-1]), message)
