"""Runs a scenario."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from spondyl import inputs, results
from spondyl.errors import ModelError
from spondyl.inputs import Table
from spondyl.instance import Instance
from spondyl.models import Model, Variable
from spondyl.scenario import Scenario


def _never() -> bool:
    return False


def _nothing(_time: float) -> None:
    pass


def simulate(
    instance: Instance,
    scenario: Scenario,
    outputs: list[Variable],
    table: Table | None = None,
    stop: Callable[[], bool] = _never,
    progress: Callable[[float], None] = _nothing,
) -> tuple[np.ndarray, str]:
    """The outputs at the communication points reached, a row a point, and why it ended early ("" if it did not).

    The instance is fresh or reset. A run that does not even start is a ModelError. Outputs at a point belong to the
    inputs at that point; during a step a linear input has its value at the middle of the step.
    """
    times = scenario.times()
    values = np.empty((len(times), len(outputs)))
    put, at_points, at_middles = None, None, None
    if table is not None:
        put, at_points = instance.setter(table.variables), table.at(times)
        at_middles = table.at(times[:-1] + 0.5 * np.diff(times)) if table.between == "linear" else None
    get, step = instance.getter(outputs), instance.stepper()

    instance.set(scenario.settings)
    if put:
        put(at_points[0])
    instance.start(scenario.until)
    values[0] = get()
    sizes, times = np.diff(times).tolist(), times.tolist()  # the loop is quicker with plain numbers
    for k, size in enumerate(sizes):
        if stop():
            return values[: k + 1], "stopped by the user"
        if at_middles is not None:
            put(at_middles[k])
        try:
            step(times[k], size)
            if put:
                put(at_points[k + 1])
            values[k + 1] = get()
        except ModelError as error:
            return values[: k + 1], str(error)
        progress(times[k + 1])
    return values, ""


def run(
    scenario: Scenario,
    model: Model,
    directory: Path,
    stop: Callable[[], bool] = _never,
    progress: Callable[[float], None] = _nothing,
) -> results.Run:
    """Runs a checked scenario and writes its folder, also when it ended early."""
    outputs = model.outputs(scenario.outputs)
    table = None if scenario.input is None else inputs.load(scenario.input, scenario.between, model)
    with Instance(model) as instance:
        values, message = simulate(instance, scenario, outputs, table, stop, progress)
    time = scenario.times()[: len(values)]
    channels = {v.name: results.channel(v, column) for v, column in zip(outputs, values.T)}
    if table is not None:
        channels |= {v.name: results.channel(v, column) for v, column in zip(table.variables, table.at(time).T)}
    status = "interrupted" if message else "complete"
    done = results.Run(directory, scenario, time, channels, status, float(time[-1]), message)
    results.write(done, model, table)
    return done
