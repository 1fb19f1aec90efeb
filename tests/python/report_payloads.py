"""Data of real runs in the form that the report's page is given: python/report/README.md."""

import base64
import csv
import json
from pathlib import Path

import fmpy
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "python/spondyl/report/page.html"
SPINE = ["C7", "C6", "C5", "C4", "C3", "C2", "C1", "head"]
LEVELS = ["C7T1", "C6C7", "C5C6", "C4C5", "C3C4", "C2C3", "C1C2", "C0C1"]


def encoded(values, kind) -> str:
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()


def page_with(payload, path: Path) -> Path:
    empty = '<script type="application/json" id="payload">null</script>'
    page = PAGE.read_text(encoding="utf-8")
    assert page.count(empty) == 1
    path.write_text(page.replace(empty, empty.replace("null", json.dumps(payload).replace("</", "<\\/"))), encoding="utf-8")
    return path


def spine_run(fmu: Path, label="whiplash-8.5g", **values) -> dict:
    """The whiplash of CervicalSpine; further parameters as values."""
    settings = {"pulse_shape": 2, **values}
    run = simulated(fmu, label, 0.3, 1e-3, settings)
    run["scene"] = {
        "dimension": 2,
        "bodies": [_trunk(), *map(_vertebra, SPINE)],
        "links": [_ligament(level, kind) for level in LEVELS for kind in ("ALL", "ISL")],
        "marks": [
            {
                "label": f"{level} joint",
                "body": body,
                "point": _joint(body),
                "force": [f"{level}_axial_force", f"{level}_shear_force"],
            }
            for level, body in zip(LEVELS, SPINE)
        ],
        "planes": [],
    }
    run["plots"] = [
        {"title": "Head", "channels": ["head_angle", "head_acceleration_x", "head_acceleration_z"]},
        {"title": "Angles of the levels", "channels": [f"{level}_angle" for level in LEVELS]},
        {"title": "Anterior ligaments", "channels": [f"{level}_ALL_force" for level in LEVELS]},
    ]
    run["case"] = {
        "name": "whiplash-8.5g",
        "title": "Whiplash at 8.5 g",
        "text": "The seat is pushed forward by a triangle of 105 ms, as in a rear impact; nothing holds the head.",
    }
    run["criteria"] = [
        _criterion(run, name, limit)
        for name, limit in [("HIC15", 700), ("NIC_max", 15), ("Nij", 1), ("LNL", 3), ("head_a3ms", 784.5), ("BrIC", None)]
    ]
    run["published"] = [
        {"what": "Largest extension of the head", "paper": "140 ms", "here": "about 132 ms", "note": "read from a figure"},
        {"what": "S shape of the neck", "paper": "50 to 75 ms", "here": None, "note": None},
    ]
    return run


def human_run(fmu: Path, label="fall") -> dict:
    """The fall of Human17 from lying 0.5 m above the ground."""
    run = simulated(fmu, label, 0.6, 5e-3, {"posture": 3, "start_position_z": 0.631, "plane1_active": True})
    table = _table("Human17", "bodies")
    run["scene"] = {
        "dimension": 3,
        "bodies": [
            {
                "name": name,
                "position": [f"{name}_position_{axis}" for axis in "xyz"],
                "orientation": [f"{name}_orientation_{axis}" for axis in "wxyz"],
                "shapes": [
                    {"kind": "ellipsoid", "centre": _numbers(row, "ellipsoid"), "semi_axes": _numbers(row, "semi_axis")}
                ],
            }
            for name, row in table.items()
        ],
        "marks": [
            {
                "label": f"{name} contact",
                "body": name,
                "point": [0, 0, 0],
                "force": [f"{name}_contact_force_{axis}" for axis in "xyz"],
                "arrow": True,
            }
            for name in table
        ],
        "planes": [
            {"label": "ground", "point": [0, 0, 0], "normal": [0, 0, 1], "force": [f"plane1_force_{axis}" for axis in "xyz"]}
        ],
    }
    run["plots"] = [
        {"title": "Ground force", "channels": ["plane1_force_z"]},
        {"title": "Energy", "channels": ["kinetic_energy", "potential_energy"]},
    ]
    run["criteria"] = [_criterion(run, "HIC15", 700)]
    return run


def simulated(fmu: Path, label: str, until: float, step: float, settings: dict) -> dict:
    """All outputs of a run."""
    description = fmpy.read_model_description(str(fmu), validate=False)
    outputs = [variable for variable in description.modelVariables if variable.causality == "output"]
    result = fmpy.simulate_fmu(
        str(fmu),
        stop_time=until,
        output_interval=step,
        start_values=settings,
        output=[variable.name for variable in outputs],
    )
    displays = {
        (unit.name, display.name): display.factor for unit in description.unitDefinitions for display in unit.displayUnits
    }
    channels = []
    for variable in outputs:
        unit = variable.unit
        display = variable.displayUnit
        channels.append(
            {
                "name": variable.name,
                "unit": unit,
                "display_unit": display or unit,
                "factor": displays.get((unit, display), 1.0),
                "description": variable.description,
                "values": encoded(result[variable.name], "<f4"),
            }
        )
    return {
        "label": label,
        "model": description.modelName,
        "status": "complete",
        "reached": float(result["time"][-1]),
        "settings": [{"name": name, "value": value} for name, value in settings.items()],
        "time": encoded(result["time"], "<f8"),
        "channels": channels,
        "provenance": [["model", f"{description.modelName} {description.version or ''}"], ["step", f"{step} s"]],
    }


def last(run: dict, name: str) -> float:
    return float(samples(run, name)[-1])


def samples(run: dict, name: str) -> np.ndarray:
    """In the unit that the page shows."""
    channel = next(channel for channel in run["channels"] if channel["name"] == name)
    return np.frombuffer(base64.b64decode(channel["values"]), "<f4") * channel["factor"]


def _criterion(run: dict, name: str, limit) -> dict:
    value = last(run, name)
    return {
        "name": name,
        "value": value,
        "unit": "1",
        "limit": limit,
        "share": value / limit if limit else None,
        "meaning": f"What {name} means, in a sentence that says when people are hurt.",
        "source": "a standard",
    }


def _table(model: str, name: str) -> dict:
    """Rows of a table of the data, by their first column."""
    lines = (ROOT / "resources" / model / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader((line for line in lines if not line.startswith("#")), skipinitialspace=True)
    return {row["body"]: row for row in rows}


def _numbers(row: dict, quantity: str, axes="xyz") -> list:
    """In metres."""
    found = []
    for axis in axes:
        column = next(name for name in row if name.startswith(f"{quantity}_{axis} ["))
        found.append(float(row[column]) * (1e-3 if "[mm]" in column else 1))
    return found


def _from_centre(body: str, quantity: str) -> list:
    row = _table("CervicalSpine", "bodies")[body]
    (x, z), (cx, cz) = _numbers(row, quantity, "xz"), _numbers(row, "centre", "xz")
    return [x - cx, 0, z - cz]


def _joint(body: str) -> list:
    cx, cz = _numbers(_table("CervicalSpine", "bodies")[body], "centre", "xz")
    return [-cx, 0, -cz]


def _vertebra(body: str) -> dict:
    """A box about the ligament's point and a triangle to the spinous process; the head is a circle."""
    (fx, _, fz), (tx, _, tz), (jx, _, jz) = _from_centre(body, "ALL"), _from_centre(body, "ISL"), _joint(body)
    back, half = 2 * jx - fx, abs(fz - jz)
    shapes = [
        {"kind": "polygon", "points": [[back, jz], [fx, jz], [fx, jz + 2 * half], [back, jz + 2 * half]]},
        {
            "kind": "polygon",
            "points": [[back, jz + 1.6 * half], [tx, tz + 0.003], [tx, tz - 0.003], [back, jz + 0.6 * half]],
        },
    ]
    if body == "head":
        skull = _numbers(_table("CervicalSpine", "head")["head"], "skull", "xz")
        centre = [skull[0] + jx, 0, skull[1] + jz]
        shapes = [{"kind": "ellipsoid", "centre": centre, "semi_axes": [0.095, 0.075, 0.095]}]
    return {
        "name": body,
        "position": [f"{body}_position_x", 0, f"{body}_position_z"],
        "angle": f"{body}_angle",
        "angle_zero": 0,
        "shapes": shapes,
    }


def _trunk() -> dict:
    """What carries the chain: at rest in the sled."""
    return {
        "name": "T1",
        "position": [-0.0037, 0, -0.0102],
        "angle": 0.436,
        "shapes": [{"kind": "capsule", "from": [0, 0, 0], "to": [-0.04, 0, 0], "radius": 0.006}],
    }


def _ligament(level: str, kind: str) -> dict:
    below, above = level[:2], level[2:]
    upper = "head" if below == "C0" else below
    if above == "T1":
        base = _table("CervicalSpine", "base")["T1"]
        x, z = _numbers(base, kind, "xz")
        start = {"body": "T1", "point": [x, 0, z]}
    else:
        start = {"body": above, "point": _from_centre(above, kind)}
    return {
        "label": f"{level} {kind}",
        "kind": "ligament",
        "from": start,
        "to": {"body": upper, "point": _from_centre(upper, kind)},
        "force": f"{level}_{kind}_force",
    }
