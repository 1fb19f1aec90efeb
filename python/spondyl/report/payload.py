"""The JSON that the page shows (python/report/README.md), and the page with it inside."""

import base64
import json
import math
from importlib import resources

import numpy as np

from spondyl import cases
from spondyl import scenario as scenarios
from spondyl.errors import UserError
from spondyl.results import Run

from .criteria import criteria
from .plots import plots
from .provenance import provenance, settings_of
from .published import published
from .scenes import channels_of, scene_of
from .subject import Subject

EMPTY = '<script type="application/json" id="payload">null</script>'


def payload(runs: list[Run]) -> dict:
    """Of one run, or of two to compare."""
    shown = [_run(Subject.of(run)) for run in runs]
    if len({run["label"] for run in shown}) < len(shown):
        for run, source in zip(shown, runs):
            run["label"] = f"{run['label']} ({source.directory.name})"
    models = dict.fromkeys(run["model"] for run in shown)
    labels = [run["label"] for run in shown if run["label"] not in models]
    return {"title": " and ".join(models) + (": " if labels else "") + " and ".join(labels), "runs": shown}


def page(runs: list[Run]) -> str:
    """One HTML file that needs nothing else."""
    template = resources.files("spondyl.report") / "page.html"
    if not template.is_file():
        raise UserError("the report's page is not built: run `npm ci && npm run build` in python/report")
    text = template.read_text(encoding="utf-8")
    if text.count(EMPTY) != 1:
        raise UserError("the report's page page.html has no place for data: build it again with `npm run build` in python/report")
    return text.replace(EMPTY, EMPTY.replace("null", embedded(payload(runs))))


def embedded(data: dict) -> str:
    """JSON that nothing inside can end, also not </script> or <!-- in a text of the user's."""
    text = json.dumps(_without_nan(data), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _run(subject: Subject) -> dict:
    run = subject.run
    scene, groups = scene_of(subject), plots(subject)
    needed = {name for kind in ("bodies", "links", "marks", "planes") for part in scene[kind] for name in channels_of(part)}
    needed |= {name for group in groups for name in group["channels"]}
    return {
        "label": run.label,
        "model": subject.model.name,
        "case": _case(subject),
        "status": run.message or run.status,
        "reached": run.reached,
        "settings": settings_of(subject),
        "time": _base64(run.time, "<f8"),
        "channels": [
            {
                "name": channel.name,
                "unit": channel.unit,
                "display_unit": channel.display_unit,
                "factor": channel.factor,
                "description": channel.description,
                "values": _base64(channel.values, "<f4"),
            }
            for channel in run.channels.values()
            if channel.name in needed or np.any(channel.values)  # what never happens need not be carried
        ],
        "scene": scene if any(map(channels_of, scene["bodies"])) else None,  # a base alone is no motion
        "criteria": criteria(subject),
        "published": published(subject),
        "plots": groups,
        "provenance": provenance(subject),
    }


def _case(subject: Subject) -> dict | None:
    name = subject.run.scenario.case
    if name is None or name not in cases.names(subject.model.name):
        return None
    case = cases.find(subject.model.name, name)
    meant = scenarios.checked(case.scenario, subject.model).settings
    changed = [s for s in settings_of(subject) if s["value"] != meant.get(s["name"], subject.default(s["name"]))]
    if not changed:
        return {"name": name, "title": case.title, "text": case.text}
    here = ", ".join(f"{s['name']} = {s['display']}" for s in changed)
    return {"name": name, "title": f"{case.title}, changed", "text": f"{case.text} Changed in this run: {here}."}


def _base64(values: np.ndarray, kind: str) -> str:
    return base64.b64encode(np.asarray(values).astype(kind).tobytes()).decode()


def _without_nan(value):
    """JSON has no NaN and no infinity: null."""
    if isinstance(value, dict):
        return {key: _without_nan(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
