"""The numbers of anatomy that a run was computed with: the CSV tables inside the FMU, as its data set changes them."""

import csv
from pathlib import Path

from spondyl.errors import UserError
from spondyl.units import to_si


class Table:
    """Rows by their first column, numbers in SI by the column's name without unit."""

    def __init__(self, text: str):
        heads, *rows = csv.reader(_content(text), skipinitialspace=True)
        columns = [head.strip().partition(" [") for head in heads]
        names = [name for name, _, _ in columns]
        self._units = {name: unit.rstrip("]") for name, _, unit in columns}
        self.rows = {row[0].strip(): dict(zip(names, (cell.strip() for cell in row))) for row in rows}

    def number(self, row: str, column: str, unit: str = "m") -> float:
        """The number in this SI unit, whatever the unit of the column."""
        return to_si(f"{self.rows[row][column]} {self._units[column]}", unit)

    def text(self, row: str, column: str) -> str:
        return self.rows[row][column]

    def flat(self, row: str, name: str) -> tuple[float, float]:
        """A point in the sagittal plane: x, z."""
        return self.number(row, f"{name}_x"), self.number(row, f"{name}_z")

    def vector(self, row: str, name: str) -> tuple[float, float, float]:
        return self.number(row, f"{name}_x"), self.number(row, f"{name}_y"), self.number(row, f"{name}_z")


class Tables:
    """All tables of a model for one data set: published, reconciled or custom (the user's own, from a directory)."""

    def __init__(self, model, data_set: str, directory: str = ""):
        self._model = model
        self._directory = Path(directory) if data_set == "custom" else None
        if self._directory and not self._directory.is_dir():
            raise UserError(f"the report needs the run's own tables, but there is no directory {self._directory}")
        overlay = _content(model.resource("published.csv")) if data_set == "published" else []
        self._overlay = list(csv.DictReader(overlay))
        self._known: dict[str, Table] = {}

    def __getitem__(self, name: str) -> Table:
        if name not in self._known:
            table = Table(self._text(f"{name}.csv"))
            for cell in self._overlay:
                if cell["table"] == name:
                    table.rows[cell["row"]][cell["column"].partition(" [")[0]] = cell["value"]
            self._known[name] = table
        return self._known[name]

    def _text(self, file: str) -> str:
        own = self._directory / file if self._directory else None
        return own.read_text(encoding="utf-8") if own and own.is_file() else self._model.resource(file)


def _content(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
