"""Inputs over time: a table from a CSV file or from a case.

Between two rows an input is "linear" or on "hold". The FMU holds its inputs during a step, so a linear input is given to
a step with its value at the middle of that step, which leaves an error of second order in the step. Before the first
row the first value holds, after the last row the last one.
"""

import csv
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spondyl import units
from spondyl.errors import UserError, missing, unknown
from spondyl.models import Model, Variable
from spondyl.settings import parse

BETWEEN = ("linear", "hold")


@dataclass(frozen=True)
class Table:
    variables: list[Variable]  # Float64 or Boolean inputs
    time: np.ndarray
    values: np.ndarray  # rows x variables, SI; Booleans 0 or 1
    between: str

    def at(self, times: np.ndarray) -> np.ndarray:
        """Values at these times, times x variables. Booleans always hold."""
        late = 1e-12  # s; a time that rounding has put just before a row is at it
        row = np.clip(np.searchsorted(self.time, times + late, side="right") - 1, 0, None)
        held = self.values[row]
        if self.between == "hold":
            return held
        linear = np.column_stack([np.interp(times, self.time, column) for column in self.values.T])
        return np.where([v.type == "Float64" for v in self.variables], linear, held)


def check_between(between: str) -> str:
    if between not in BETWEEN:
        raise unknown("way between rows", str(between), BETWEEN)
    return between


def load(source: Path | dict, between: str, model: Model) -> Table:
    return from_csv(source, between, model) if isinstance(source, Path) else from_columns(source, between, model)


def from_columns(columns: dict[str, list], between: str, model: Model) -> Table:
    """The table of a case or scenario: a list a name, `time` among them."""
    lengths = {name: len(column) if isinstance(column, list) else 0 for name, column in columns.items()}
    if "time" not in columns or len(set(lengths.values())) != 1 or not lengths["time"]:
        raise UserError(f"[input] needs `time` and lists of equal length, not {lengths}")
    names = [name for name in columns if name != "time"]
    variables = [_input(model, name) for name in names]
    rows = [(f"row {k + 1}", row) for k, row in enumerate(zip(columns["time"], *(columns[name] for name in names)))]
    return _table(variables, rows, between)


def from_csv(path: Path, between: str, model: Model) -> Table:
    """The first column is time, heads are `name` or `name [unit]`; lines that begin with # are comments."""
    if not path.is_file():
        raise missing(path)
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, skipinitialspace=True)
            lines = [
                (f"{path}, line {reader.line_num}", row)
                for row in reader
                if any(cell.strip() for cell in row) and not row[0].startswith("#")
            ]
    except (csv.Error, UnicodeDecodeError) as error:
        raise UserError(f"{path} is no CSV file: {error}") from None
    if len(lines) < 2:
        raise UserError(f"{path} has no rows below its heads")
    heads = [_head(head) for head in lines[0][1]]
    if heads[0][0] != "time":
        raise UserError(f"{lines[0][0]}: the first column is time, not {heads[0][0]!r}")
    try:
        variables = [_input(model, name) for name, _ in heads[1:]]
        for (_, unit), si in zip(heads, ["s"] + [v.unit for v in variables]):
            if unit:
                units.to_si(f"1 {unit}", si)
    except UserError as error:
        raise UserError(f"{lines[0][0]}: {error}") from None
    names = [name for name, _ in heads]
    duplicate = next((name for name in names if names.count(name) > 1), None)
    if duplicate:
        raise UserError(f"{lines[0][0]}: there are two columns {duplicate}")
    rows = []
    for where, cells in lines[1:]:
        if len(cells) != len(heads):
            raise UserError(f"{where} has {len(cells)} columns, the heads are {len(heads)}")
        rows.append((where, [f"{cell} {unit}" if unit else cell for cell, (_, unit) in zip(cells, heads)]))
    return _table(variables, rows, between)


def _head(text: str) -> tuple[str, str]:
    name, _, unit = text.strip().partition("[")
    return name.strip(), unit.rstrip("] \t")


def _input(model: Model, name: str) -> Variable:
    inputs = [v.name for v in model.of("input")]
    if name not in inputs:
        raise unknown(f"input of {model.name}", name, inputs)
    return model.variables[name]


def _table(variables: list[Variable], rows: list[tuple[str, list]], between: str) -> Table:
    if not variables:
        raise UserError("the input has no column beside time")
    numbers = np.empty((len(rows), 1 + len(variables)))
    for k, (where, row) in enumerate(rows):
        for column, (variable, cell) in enumerate(zip([None, *variables], row)):
            try:
                numbers[k, column] = _seconds(cell) if variable is None else parse(variable, cell)
            except UserError as error:
                raise UserError(f"{where}, column {column + 1}: {'' if variable else 'time: '}{error}") from None
        if k and numbers[k, 0] <= numbers[k - 1, 0]:
            raise UserError(f"{where}: time does not ascend, {numbers[k, 0]:g} s comes after {numbers[k - 1, 0]:g} s")
    return Table(variables, numbers[:, 0], numbers[:, 1:], check_between(between))


def _seconds(cell: object) -> float:
    if isinstance(cell, str):
        return units.to_si(cell, "s")
    if isinstance(cell, bool) or not isinstance(cell, (int, float)) or not math.isfinite(cell):
        raise UserError(f"{cell!r} is no time in seconds")
    return float(cell)
