"""Where a run comes from, so that somebody else can repeat it."""

from spondyl import scenario as scenarios
from spondyl import settings
from spondyl.results import SCENARIO

from .subject import Subject

NAMES = {
    "spondyl": "spondyl",
    "fmu": "FMU",
    "fmu_sha256": "FMU, SHA-256",
    "data_set": "data set",
    "data_sha256": "custom data, SHA-256",
    "input_sha256": "input, SHA-256",
    "solver": "solver",
    "relative_tolerance": "relative tolerance",
    "absolute_tolerance": "absolute tolerance",
    "fmpy": "FMPy",
    "python": "Python",
    "platform": "computed on",
}


def provenance(subject: Subject) -> list[list[str]]:
    run, scenario = subject.run, subject.run.scenario
    known = scenario.provenance or scenarios.provenance(scenario, subject.model)
    rows = [["model", f"{subject.model.name} {known.get('model_version', subject.model.version)}"]]
    if scenario.case:
        rows.append(["case", scenario.case])
    rows += [[words, known[key]] for key, words in NAMES.items() if key in known]
    rows.append(["run", f"{scenario.until:g} s, communication step {scenario.step:g} s, {len(run.time)} points"])
    for name, words in (("solver_steps", "solver steps"), ("solver_rejections", "rejected steps")):
        if subject.has(name):
            rows.append([words, f"{subject.channel(name)[-1]:.0f}"])
    rows += [["changed since the run", change] for change in scenarios.differences(scenario, subject.model)]
    rows.append(["to rerun", f"spondyl run {SCENARIO}"])
    return rows


def settings_of(subject: Subject) -> list[dict]:
    """What the scenario sets, for the page."""
    rows = []
    for name, value in subject.run.scenario.settings.items():
        variable = subject.model.variables[name]
        rows.append({"name": name, "value": value, "unit": variable.unit, "display": settings.show(variable, value)})
    return rows
