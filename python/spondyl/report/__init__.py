"""From the results of a run to its report: one HTML file."""

from pathlib import Path

from spondyl.errors import UserError
from spondyl.results import Run

from .payload import page


def write(runs: list[Run], path: Path | str) -> Path:
    """Writes the report of one run, or of two beside each other, and says where it is."""
    text = page(runs)
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"the report cannot be written to {path}: {error.strerror}") from None
    return path
