"""Data of real runs as the report's page is given it (python/report/README.md), with plots and criteria that tests know."""

import base64
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from spondyl import cases, models, run, scenario
from spondyl.report.payload import EMPTY, embedded, payload

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "python/spondyl/report/page.html"
LEVELS = ["C7T1", "C6C7", "C5C6", "C4C5", "C3C4", "C2C3", "C1C2", "C0C1"]


def encoded(values, kind) -> str:
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()


def page_with(data, path: Path) -> Path:
    page = PAGE.read_text(encoding="utf-8")
    assert page.count(EMPTY) == 1
    path.write_text(page.replace(EMPTY, EMPTY.replace("null", embedded(data))), encoding="utf-8")
    return path


def spine_run(label="whiplash-8.5g", **settings) -> dict:
    """The whiplash of CervicalSpine; further settings as values."""
    data = simulated("CervicalSpine", "whiplash-8.5g", label, settings=settings)
    head = body_of(data, "head")
    # an ellipse, which no other body has, is easily found and measured
    head["shapes"] = [{"kind": "ellipsoid", "centre": [0.01, 0, 0.02], "semi_axes": [0.095, 0.075, 0.095]}]
    data["plots"] = [
        {"title": "Head", "channels": ["head_angle", "head_acceleration_x", "head_acceleration_z"]},
        {"title": "Angles of the levels", "channels": [f"{level}_angle" for level in LEVELS]},
        {"title": "Anterior ligaments", "channels": [f"{level}_ALL_force" for level in LEVELS]},
    ]
    data["criteria"] = [
        _criterion(data, name, limit)
        for name, limit in [("HIC15", 700), ("NIC_max", 15), ("Nij", 1), ("LNL", 3), ("head_a3ms", 784.5), ("BrIC", None)]
    ]
    data["published"] = [
        {"what": "Largest extension of the head", "paper": "140 ms", "here": "about 132 ms", "note": "read from a figure"},
        {"what": "S shape of the neck", "paper": "50 to 75 ms", "here": None, "note": None},
    ]
    return data


def human_run() -> dict:
    """The fall of Human17."""
    return simulated("Human17", "fall", "fall", until=0.6, step=5e-3)


def simulated(model: str, case: str, label: str, settings=None, **changes) -> dict:
    found, asked = models.find(model), cases.find(model, case).scenario
    asked = replace(asked, settings=asked.settings | (settings or {}), **changes)
    with tempfile.TemporaryDirectory() as directory:
        done = run.run(scenario.checked(asked, found), found, Path(directory))
    return payload([done])["runs"][0] | {"label": label}


def body_of(run: dict, name: str) -> dict:
    return next(body for body in run["scene"]["bodies"] if body["name"] == name)


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
