"""Checks of an FMU: FMPy's of the description, and what our FMUs promise of the binary."""

import zipfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spondyl import models
from spondyl.errors import ModelError, UserError
from spondyl.instance import Instance
from spondyl.models import Model
from spondyl.runners import worker_context

STEPS = 10


@dataclass(frozen=True)
class Check:
    what: str
    passed: bool
    note: str = ""


def validate(path: str | Path) -> list[Check]:
    """All checks; those of the binary run in a process of their own, which may crash."""
    model = models.read(Path(path))
    found = _description(model)
    with ProcessPoolExecutor(1, worker_context()) as executor:
        try:
            return found + executor.submit(_binary, str(model.path)).result()
        except BrokenProcessPool:
            return found + [Check("runs", False, "the binary crashed")]


def _description(model: Model) -> list[Check]:
    from fmpy import supported_platforms
    from fmpy.validation import validate_fmu

    problems = validate_fmu(str(model.path))
    with zipfile.ZipFile(model.path) as archive:
        broken = archive.testzip()
    bare = [v.name for v in model.variables.values() if not v.description]
    platforms = supported_platforms(str(model.path))
    return [
        Check("archive is sound", broken is None, broken or ""),
        Check("description is valid FMI 3.0 (FMPy)", not problems, "; ".join(problems)),
        Check("every variable has a description", not bare, ", ".join(bare)),
        Check("has binaries", bool(platforms), ", ".join(platforms)),
    ]


def _binary(path: str) -> list[Check]:
    model = models.read(Path(path))
    try:
        instance = Instance(model)
    except (ModelError, UserError) as error:
        return [Check("loads", False, str(error))]
    found = [Check("loads", True, f"FMI {instance.fmu.getVersion()}")]
    checks: list[tuple[str, Callable[[Model, Instance], str]]] = [
        (f"runs {STEPS} steps of {model.step:g} s, all values finite", _runs),
        ("repeats to the bit after reset", _repeats),
        ("repeats to the bit from a saved state", _rolls_back),
        ("repeats to the bit from a serialised state in another instance", _moves),
        ("refuses values that are not finite, and goes on", _refuses_nan),
    ]
    for what, check in checks:
        try:
            problem = check(model, instance)
        except ModelError as error:
            problem = str(error)
        found.append(Check(what, not problem, problem))
    instance.close()
    return found


def _advance(instance: Instance, first: int, count: int) -> np.ndarray:
    """The outputs after each of `count` steps from step `first` on."""
    step = instance.model.step
    outputs = instance.model.outputs()
    values = np.empty((count, len(outputs)))
    get, do_step = instance.getter(outputs), instance.stepper()
    for k in range(count):
        do_step((first + k) * step, step)
        values[k] = get()
    return values


def _fresh(instance: Instance) -> None:
    instance.reset()
    instance.start(2 * STEPS * instance.model.step)


def _runs(model: Model, instance: Instance) -> str:
    instance.start(2 * STEPS * model.step)
    values = _advance(instance, 0, STEPS)
    names = [v.name for v, column in zip(model.outputs(), values.T) if not np.isfinite(column).all()]
    return f"not finite: {', '.join(names)}" if names else ""


def _repeats(_model: Model, instance: Instance) -> str:
    _fresh(instance)
    first = _advance(instance, 0, STEPS)
    _fresh(instance)
    return _unequal(first, _advance(instance, 0, STEPS))


def _rolls_back(_model: Model, instance: Instance) -> str:
    _fresh(instance)
    _advance(instance, 0, STEPS)
    state = instance.fmu.getFMUState()
    first = _advance(instance, STEPS, STEPS)
    instance.fmu.setFMUState(state)
    instance.fmu.freeFMUState(state)
    return _unequal(first, _advance(instance, STEPS, STEPS))


def _moves(model: Model, instance: Instance) -> str:
    _fresh(instance)
    _advance(instance, 0, STEPS)
    state = instance.fmu.getFMUState()
    saved = instance.fmu.serializeFMUState(state)
    instance.fmu.freeFMUState(state)
    first = _advance(instance, STEPS, STEPS)
    with Instance(model) as other:
        other.start(2 * STEPS * model.step)
        state = other.fmu.deserializeFMUState(saved)
        other.fmu.setFMUState(state)
        other.fmu.freeFMUState(state)
        return _unequal(first, _advance(other, STEPS, STEPS))


def _refuses_nan(model: Model, instance: Instance) -> str:
    _fresh(instance)
    first = next(v for v in model.of("input") if v.type == "Float64")
    try:
        instance.set({first.name: float("nan")})
        instance.stepper()(0.0, model.step)
    except ModelError:
        pass
    else:
        return f"took NaN as {first.name}"
    _fresh(instance)
    _advance(instance, 0, 1)
    return ""


def _unequal(a: np.ndarray, b: np.ndarray) -> str:
    return "" if a.tobytes() == b.tobytes() else f"differs by up to {np.abs(a - b).max():.1e}"
