"""The named cases that ship with the package: cases/<Model>/<name>.toml."""

import re
from dataclasses import dataclass

from spondyl.errors import unknown
from spondyl.models import PACKAGE
from spondyl.scenario import Scenario, from_document, parse_toml


@dataclass(frozen=True)
class Case:
    name: str
    title: str
    text: str
    source: str
    scenario: Scenario


def names(model: str) -> list[str]:
    return sorted((path.stem for path in (PACKAGE / "cases" / model).glob("*.toml")), key=_natural)


def _natural(name: str) -> list[str | float]:
    """whiplash-8.5g comes after whiplash-2.5g."""
    return [float(part) if k % 2 else part for k, part in enumerate(re.split(r"(\d+\.?\d*)", name))]


def find(model: str, name: str) -> Case:
    if name not in names(model):
        raise unknown(f"case of {model}", name, names(model))
    path = PACKAGE / "cases" / model / f"{name}.toml"
    document = parse_toml(path.read_text(encoding="utf-8"), path.name)
    title, text, source = (document.pop(key) for key in ("title", "text", "source"))
    scenario = from_document(document | {"model": model, "case": name}, path.parent, path.name)
    return Case(name, title, " ".join(text.split()), source, scenario)
