"""Values of inputs and parameters as people write them, checked against what the model says of the variable."""

import math
from collections.abc import Iterable

from spondyl import units
from spondyl.errors import UserError, unknown
from spondyl.models import Model, Variable

Value = float | bool | str

_TRUTH = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False, "0": False}


def split(assignment: str) -> tuple[str, str]:
    """The name and the value of "name=value"."""
    name, equals, value = assignment.partition("=")
    if not equals or not name.strip():
        raise UserError(f"{assignment!r} is not of the form name=value")
    return name.strip(), value.strip()


def from_assignments(assignments: Iterable[str], model: Model) -> dict[str, Value]:
    """The settings of "name=value" texts; each name once."""
    found: dict[str, Value] = {}
    for assignment in assignments:
        name, value = split(assignment)
        if name in found:
            raise UserError(f"{name} is set twice")
        found[name] = parse(model.settable(name), value)
    return found


def parse(variable: Variable, given: object) -> Value:
    """A text with a unit, a word, or a plain value in SI as the value that the variable takes."""
    try:
        return {"Float64": _number, "Enumeration": _word, "Boolean": _truth, "String": _text}[variable.type](variable, given)
    except UserError as error:
        raise UserError(f"{variable.name}: {error}") from None


def _number(variable: Variable, given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float, str)):
        raise UserError(f"{given!r} is no number")
    value = units.to_si(given, variable.unit) if isinstance(given, str) else float(given)
    if not math.isfinite(value):
        raise UserError(f"{given!r} is not finite")
    low, high = variable.minimum, variable.maximum
    if (low is not None and value < low) or (high is not None and value > high):
        raise UserError(
            f"{given} is outside of {units.show(low, variable.unit)} to {units.show(high, variable.unit)}"
            if low is not None and high is not None
            else f"{given} is beyond {low if low is not None else high}"
        )
    return value


def _word(variable: Variable, given: object) -> str:
    words = {str(value): word for word, value in variable.items.items()}
    word = words.get(str(given), str(given))
    if word not in variable.items:
        raise unknown("choice", word, variable.items)
    return word


def _truth(variable: Variable, given: object) -> bool:
    value = _TRUTH.get(str(given).lower())
    if value is None:
        raise UserError(f"{given!r} is neither true nor false (nor on, off, yes, no)")
    return value


def _text(variable: Variable, given: object) -> str:
    if not isinstance(given, str):
        raise UserError(f"{given!r} is no text")
    return given


def show(variable: Variable, value: Value) -> str:
    """The value for people, in the variable's display unit."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if variable.type == "Enumeration" and not isinstance(value, str):
        return next((word for word, number in variable.items.items() if number == value), str(value))
    if isinstance(value, str):
        return value
    return units.show(value, variable.display_unit)
