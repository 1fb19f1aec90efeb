"""Quantities as people write them, "8.5g", "20 km/h", "30 deg", "5 N.m", from and to SI.

Conversions are done in fractions and rounded once, so that "8.5 g" is the float 83.385 and "105 ms" is 0.105.
"""

import math
import re
from fractions import Fraction

from spondyl.errors import UserError, nearest

# name: size in SI, powers of (m, kg, s, rad)
_UNITS: dict[str, tuple[Fraction, tuple[int, ...]]] = {}


def _define(powers: tuple[int, ...], **sizes: str) -> None:
    _UNITS.update({name: (Fraction(size), powers) for name, size in sizes.items()})


_DEGREE = str(Fraction(math.pi) / 180)
_define((1, 0, 0, 0), m="1", km="1000", cm="0.01", mm="0.001", um="1e-6")
_define((0, 1, 0, 0), kg="1", t="1000")
_define((0, 0, 1, 0), s="1", ms="0.001", us="1e-6", min="60", h="3600")
_define((0, 0, 0, 1), rad="1", mrad="0.001", deg=_DEGREE)
_define((1, 1, -2, 0), N="1", kN="1000", mN="0.001")
_define((2, 1, -2, 0), J="1", kJ="1000", mJ="0.001", Nm="1", kNm="1000")
_define((1, 0, -1, 0), kph="5/18")
_UNITS["°"] = _UNITS["deg"]
_GRAVITY = (Fraction("9.81"), (1, 0, -2, 0))  # g where an acceleration is meant, else the gram
_GRAM = (Fraction("0.001"), (0, 1, 0, 0))
_PERCENT = (Fraction("0.01"), (0, 0, 0, 0))

_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*", re.DOTALL)
_FACTOR = re.compile(r"([A-Za-z]+|°|%|1)(?:\^?([+-]?\d))?")
_PLAIN = str.maketrans("²³µμ", "23uu")


def _parse(unit: str, wanted: tuple[int, ...] | None) -> tuple[Fraction, tuple[int, ...]] | None:
    """Size and powers of an expression such as N.m/rad or km/h; None if it is none."""
    size, powers = Fraction(1), [0, 0, 0, 0]
    sign = 1
    for part in re.split(r"([./*·\s]+)", unit.translate(_PLAIN)):
        if re.fullmatch(r"[./*·\s]+", part):
            sign = -1 if "/" in part else sign
            continue
        match = _FACTOR.fullmatch(part)
        if not match:
            return None
        name, power = match[1], int(match[2] or 1) * sign
        if name == "1":
            continue
        if name == "g":
            known = _GRAM if wanted and wanted[1] else _GRAVITY
        else:
            known = _PERCENT if name == "%" else _UNITS.get(name)
        if known is None:
            return None
        size *= known[0] ** power
        powers = [p + power * k for p, k in zip(powers, known[1])]
    return size, tuple(powers)


def fitting(unit: str) -> list[str]:
    """Units that people use for a quantity with this SI unit, the SI unit first."""
    powers = _parse(unit, None)[1]
    names = [unit] + [name for name in (*_UNITS, "km/h", "deg/s", "g", "%") if _parse(name, powers)[1] == powers]
    return list(dict.fromkeys(names))


def to_si(text: str, unit: str) -> float:
    """The number in SI of a text such as "8.5 g" for a quantity with this SI unit; a plain number is in SI."""
    match = _NUMBER.fullmatch(text)
    if not match:
        example = next((name for name in fitting(unit)[1:2]), unit)
        raise UserError(f"{text!r} is no number with a unit, such as {'0.5' if unit == '1' else f'1.5{example}'}")
    if abs(float(match[1])) == math.inf:
        raise UserError(f"{text!r} is too large")
    number, given = Fraction(match[1]) if float(match[1]) else Fraction(0), match[2]
    if given:
        wanted = _parse(unit, None)[1]
        found = _parse(given, wanted)
        if found is None or found[1] != wanted:
            units = fitting(unit)
            problem = "an unknown unit" if found is None else "the wrong unit"
            near = f"did you mean {(nearest(given, units) or units)[0]}? " if unit != "1" else ""
            others = ", ".join(units) if unit != "1" else "without unit, or in %"
            raise UserError(f"{text!r} has {problem}; {near}It may be {others}")
        number *= found[0]
    try:
        return float(number)
    except OverflowError:
        raise UserError(f"{text!r} is too large") from None


def from_si(value: float, unit: str) -> float:
    """The number in another unit, rounded once."""
    size = (_parse(unit, (0, 0, 0, 0)) or (Fraction(1),))[0]
    return float(Fraction(value) / size) if math.isfinite(value) else value


def show(value: float, unit: str, digits: int = 6) -> str:
    """The number in this unit, with the unit, for people."""
    return f"{from_si(value, unit):.{digits}g}" + ("" if unit == "1" else f" {unit}")
