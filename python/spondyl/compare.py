"""Two runs side by side: settings, injury criteria, and where channels differ most."""

from dataclasses import dataclass

import numpy as np

from spondyl.errors import UserError
from spondyl.models import CRITERIA
from spondyl.results import Channel, Run

NUMERICS = ("solver_", "energy_error")  # channels that tell of the solver, not of the body


@dataclass(frozen=True)
class Difference:
    channel: Channel  # of the first run
    size: float  # largest absolute difference, SI
    share: float  # of the channel's range over both runs
    time: float  # s
    first: float
    second: float


def settings(a: Run, b: Run) -> list[tuple[str, str, str]]:
    """What is not set alike: name, here, there."""

    def told(run: Run) -> dict[str, object]:
        return {
            "model": run.scenario.model,
            "case": run.scenario.case,
            "until": run.scenario.until,
            "step": run.scenario.step,
            "input": run.scenario.provenance.get("input_sha256", "")[:12],
        } | run.scenario.settings

    first, second = told(a), told(b)
    return [
        (name, _text(first.get(name)), _text(second.get(name)))
        for name in dict.fromkeys([*first, *second])
        if first.get(name) != second.get(name)
    ]


def _text(value: object) -> str:
    return "default" if value in (None, "") else f"{value:.9g}" if isinstance(value, float) else str(value)


def criteria(a: Run, b: Run) -> list[tuple[Channel, float, float]]:
    """Largest values of the criteria that both runs have, in SI."""
    return [
        (a.channels[name], float(a.channels[name].values.max()), float(b.channels[name].values.max()))
        for name in CRITERIA
        if name in a.channels and name in b.channels
    ]


def channels(a: Run, b: Run) -> list[Difference]:
    """Channels that both runs have, those that differ most first. The second run is interpolated to the times of the
    first if it has others; only the time that both cover counts. What tells of the solver comes last."""
    common = [name for name in a.channels if name in b.channels]
    if not common:
        raise UserError(f"{a.directory} and {b.directory} have no channel in common")
    time = a.time[a.time <= b.time[-1] + 1e-12]
    same_times = np.array_equal(time, b.time[: len(time)])
    found = []
    for name in common:
        first = a.channels[name].values[: len(time)]
        second = b.channels[name].values
        second = second[: len(time)] if same_times else np.interp(time, b.time, second)
        gap = np.abs(first - second)
        k = int(np.argmax(gap))
        extent = max(first.max(), second.max()) - min(first.min(), second.min())
        share = gap[k] / extent if extent > 0 else 0.0
        found.append(Difference(a.channels[name], float(gap[k]), float(share), float(time[k]), float(first[k]), float(second[k])))
    return sorted(found, key=lambda d: (d.channel.name.startswith(NUMERICS), -d.share))
