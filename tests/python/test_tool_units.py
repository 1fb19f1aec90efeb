"""Quantities as people write them."""

import math

import pytest
from spondyl import models, units
from spondyl.errors import UserError


@pytest.mark.parametrize(("text", "unit", "value"), [
    ("8.5g", "m/s2", 83.385),
    ("250 g", "kg", 0.25),
    ("20 km/h", "m/s", 20 / 3.6),
    ("-20kph", "m/s", -20 / 3.6),
    ("105ms", "s", 0.105),
    ("2 min", "s", 120),
    ("30deg", "rad", math.pi / 6),
    ("-30°", "rad", -math.pi / 6),
    ("720 deg/s", "rad/s", 4 * math.pi),
    ("5 N.m", "N.m", 5),
    ("5N m", "N.m", 5),
    ("0.7 kNm", "N.m", 700),
    ("3 N/mm", "N/m", 3000),
    ("2 kN.s/m", "N.s/m", 2000),
    ("7 m/s^2", "m/s2", 7),
    ("7 m/s²", "m/s2", 7),
    ("3 µs", "s", 3e-6),
    ("0.3 kg m²", "kg.m2", 0.3),
    ("35 mm", "m", 0.035),
    ("5 %", "1", 0.05),
    (".5e-3", "N", 0.0005),
    ("+3.", "J", 3),
])  # fmt: skip
def test_to_si(text, unit, value):
    assert units.to_si(text, unit) == value


@pytest.mark.parametrize(("text", "unit", "hint"), [
    ("8.5 kg", "m/s2", "did you mean g?"),
    ("8.5 G", "m/s2", "did you mean g?"),
    ("3 mss", "s", "did you mean ms?"),
    ("3 m/s", "m", "wrong unit"),
    ("3 N/s", "N", "wrong unit"),
    ("3 kg", "1", "without unit"),
    ("fast", "m/s", "no number"),
    ("nan", "s", "no number"),
    ("", "s", "no number"),
    ("1;2", "s", "unknown unit"),
    ("5 N/", "N", "unknown unit"),
    ("1e400", "s", "too large"),
    ("1e308 km", "m", "too large"),
])  # fmt: skip
def test_refused(text, unit, hint):
    with pytest.raises(UserError, match=hint.replace("?", r"\?")):
        units.to_si(text, unit)


def test_every_unit_of_the_models_is_known_and_agrees_with_its_display_unit():
    found = 0
    for name in models.paths():
        for v in models.find(name).variables.values():
            if v.type == "Float64":
                assert units.to_si(f"1 {v.unit}", v.unit) == 1
                assert units.to_si(f"1 {v.display_unit}", v.unit) == pytest.approx(1 / v.factor, rel=1e-15)
                assert units.to_si(units.show(0.37, v.display_unit, 17), v.unit) == pytest.approx(0.37, rel=1e-15)
                found += 1
    assert found > 1000
