"""What several commands take: models, cases, and what is changed in them."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from spondyl import cases, models, settings
from spondyl import scenario as scenarios
from spondyl.errors import UserError
from spondyl.models import Model
from spondyl.scenario import Scenario


def _all_cases() -> list[str]:
    """For completion, which does not say which model stands before."""
    return [case for model in models.paths() for case in cases.names(model)]


ModelName = Annotated[
    str, typer.Argument(help="A model, or the path of its FMU.", show_default=False, autocompletion=models.paths)
]
CaseName = Annotated[
    str | None, typer.Option("--case", help="A named case of the model; see `spondyl cases`.", autocompletion=_all_cases)
]
Settings = Annotated[
    list[str], typer.Option("--set", metavar="NAME=VALUE", help="Sets a parameter or holds an input; repeatable.")
]
InputFile = Annotated[
    Path | None,
    typer.Option("--input", metavar="CSV", help="Inputs over time: first column time, heads `name` or `name \\[unit]`."),
]
Hold = Annotated[bool, typer.Option("--hold", help="Hold inputs between the rows of the CSV instead of going linearly.")]
Step = Annotated[str | None, typer.Option(help="Communication step, such as 1ms.", show_default=False)]
Until = Annotated[str | None, typer.Option(help="End, such as 0.3s.", show_default=False)]
Outputs = Annotated[
    list[str], typer.Option("--output", metavar="PATTERN", help="Outputs to keep, such as 'head_*'; repeatable. Without it, all.")
]


def scenario_of(
    model: str,
    case: str | None,
    assignments: list[str],
    input_: Path | None,
    hold: bool,
    step: str | None,
    until: str | None,
    output: list[str],
) -> tuple[Scenario, Model]:
    """What the arguments ask for: a case or a scenario file or the model as it is, and what is changed in it."""
    if model.endswith(".toml"):
        if case:
            raise UserError("a scenario has its case already: leave out --case")
        scenario = scenarios.read(Path(model))
        found = models.find(scenario.model)
    else:
        found = models.find(model)
        by_name = model == found.name
        scenario = cases.find(found.name, case).scenario if case else Scenario(found.name, found.until, found.step)
        scenario = replace(scenario, model=found.name if by_name else str(found.path))
    changed = settings.from_assignments(assignments, found)
    scenario = replace(scenario, settings=scenario.settings | changed)
    if input_ is not None:
        scenario = replace(scenario, input=input_, between="linear")
    if hold:
        if scenario.input is None:
            raise UserError("--hold says what an --input does between its rows, but there is none")
        scenario = replace(scenario, between="hold")
    if step:
        scenario = replace(scenario, step=scenarios.seconds(step, "--step"))
    if until:
        scenario = replace(scenario, until=scenarios.seconds(until, "--until"))
    if output:
        scenario = replace(scenario, outputs=tuple(output))
    return scenarios.checked(scenario, found), found
