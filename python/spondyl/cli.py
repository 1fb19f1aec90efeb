"""The command `spondyl`: arguments and printing."""

import os
import re
import shlex
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Annotated, NoReturn

import typer

from spondyl import __version__, cases, models, printing, settings, units
from spondyl import scenario as scenarios
from spondyl.arguments import CaseName, Hold, InputFile, ModelName, Outputs, Settings, Step, Until, scenario_of
from spondyl.errors import ModelError, UserError, unknown
from spondyl.models import Variable

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="""
Multibody models of the human spine and body: run, compare, sweep, report.

Values are written as "8.5g", "20 km/h", "105ms", "30deg"; a plain number is in SI. Enumerations are words, truths are
true or false, on or off.

[bold]Start here[/bold]: spondyl list, then spondyl run CervicalSpine --case whiplash-8.5g
""",
)


def main() -> NoReturn:
    """Runs the command. What the user did wrong is one line and exit code 2, what the FMU cannot do exit code 1."""
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except UserError as error:
        _fail(str(error), 2)
    except OSError as error:
        _fail(f"{error.filename or ''}: {error.strerror or error}".removeprefix(": "), 2)
    except ModelError as error:
        _fail(str(error), 1)
    except (KeyboardInterrupt, typer.Abort):
        _fail("interrupted", 130)
    except Exception as error:
        if hasattr(error, "format_message"):  # how typer says that arguments are wrong; the class differs between its versions
            _fail(_usage(error), 2) if error.format_message() else sys.exit(2)  # the latter has shown the help
        if os.environ.get("SPONDYL_TRACEBACK"):
            raise
        _fail(f"a fault of spondyl, {type(error).__name__}: {error}; SPONDYL_TRACEBACK=1 shows where", 1)


def _fail(message: str, code: int) -> NoReturn:
    print("spondyl:", " ".join(message.split()), file=sys.stderr)
    sys.exit(code)


def _usage(error: Exception) -> str:
    """typer's message in one line, with the command that was perhaps meant."""
    message = " ".join(error.format_message().split())
    wrong = re.match(r"No such command '(.*?)'", message)
    names = getattr(getattr(getattr(error, "ctx", None), "command", None), "commands", {})
    return str(unknown("command", wrong[1], names)) if wrong else message


def _print_version(asked: bool) -> None:
    if asked:
        print(f"spondyl {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")] = False,
) -> None:
    pass


# -- what there is


@app.command("list")
def list_models() -> None:
    """The models and their cases."""
    rows = [
        [model.name, model.description, ", ".join(cases.names(model.name))]
        for model in (models.read(path) for path in models.paths().values())
    ]
    if not rows:
        models.find("")  # says where it looked
    printing.table(["model", "what it is", "cases"], rows)


@app.command("cases")
def list_cases(
    model: Annotated[str | None, typer.Argument(help="Only of this model.", show_default=False)] = None,
    case: Annotated[str | None, typer.Argument(help="All about this case.", show_default=False)] = None,
) -> None:
    """The named cases; with MODEL and CASE, what a case is and sets."""
    if model and case:
        of = models.find(model)
        found = cases.find(of.name, case)
        for head, text in (
            ("case", found.title),
            ("what", found.text),
            ("source", found.source),
            ("until", units.show(found.scenario.until, "s")),
            ("step", units.show(found.scenario.step, "s")),
        ):
            printing.paragraph(head, text)
        held = ((of.settable(name), value) for name, value in found.scenario.settings.items())
        rows = [[v.name, settings.show(v, settings.parse(v, value))] for v, value in held]
        rows += [[name, str(values)] for name, values in (found.scenario.input or {}).items()]
        printing.table(["name", "value"], rows, title="sets")
        return
    names = [models.find(model).name] if model else list(models.paths())
    found = [cases.find(name, case) for name in names for case in cases.names(name)]
    printing.table(
        ["model", "case", "until", "title"],
        [[c.scenario.model, c.name, units.show(c.scenario.until, "s"), c.title] for c in found],
        (2,),
    )


@app.command()
def describe(
    model: ModelName,
    pattern: Annotated[
        str | None, typer.Argument(help="Only names with this in them, or like head_*.", show_default=False)
    ] = None,
    inputs: Annotated[bool, typer.Option("--inputs", help="Inputs.")] = False,
    outputs: Annotated[bool, typer.Option("--outputs", help="Outputs.")] = False,
    parameters: Annotated[bool, typer.Option("--parameters", help="Parameters.")] = False,
) -> None:
    """Inputs, outputs and parameters of a model, with units, start values and ranges.

    Example: spondyl describe CervicalSpine pulse
    """
    found = models.find(model)
    chosen = [c for c, asked in (("input", inputs), ("output", outputs), ("parameter", parameters)) if asked]
    chosen = chosen or ["input", "parameter", "output"]
    matching = [v for v in found.variables.values() if v.causality in chosen and _matches(v.name, pattern)]
    if not matching:
        raise unknown(
            f"variable of {found.name}", pattern or "", [v.name for v in found.variables.values() if v.causality in chosen]
        )
    for causality in chosen:
        variables = [v for v in matching if v.causality == causality]
        if not variables:
            continue
        title = f"{causality}s of {found.name}"
        if causality == "output":
            printing.table(["name", "unit", "what it is"], [[v.name, _unit(v), v.description] for v in variables], title=title)
        else:
            printing.table(
                ["name", "unit", "start", "range", "what it is"],
                [[v.name, _unit(v), settings.show(v, v.start), _range(v), v.description] for v in variables],
                title=title,
            )


def _matches(name: str, pattern: str | None) -> bool:
    from fnmatch import fnmatchcase

    return pattern is None or fnmatchcase(name.lower(), pattern.lower() if "*" in pattern else f"*{pattern.lower()}*")


def _unit(v: Variable) -> str:
    if v.type != "Float64":
        return v.type.lower()
    return "" if v.unit == "1" else v.unit if v.unit == v.display_unit else f"{v.unit}, {v.display_unit}"


def _range(v: Variable) -> str:
    if v.items:
        return ", ".join(v.items)
    if v.type == "Boolean":
        return "true, false"
    if v.minimum is None or v.maximum is None:
        return ""
    return f"{units.from_si(v.minimum, v.display_unit):.4g} to {units.show(v.maximum, v.display_unit, 4)}"


# -- running


@app.command()
def run(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL | SCENARIO.toml",
            show_default=False,
            autocompletion=models.paths,
            help="A model, the path of an FMU, or a scenario.toml to run again.",
        ),
    ],
    case: CaseName = None,
    set_: Settings = [],
    input_: InputFile = None,
    hold: Hold = False,
    step: Step = None,
    until: Until = None,
    output: Outputs = [],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the results; by default named after model and case.", show_default=False)
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace results that are in the folder.")] = False,
) -> None:
    """Runs a model and writes scenario.toml, results.csv and results.parquet.

    Examples:

    spondyl run CervicalSpine --case whiplash-8.5g

    spondyl run CervicalSpine --set pulse_shape=triangle --set pulse_peak=5g --until 0.5s

    spondyl run LumbarSpine --input load.csv --output 'L4L5_*' --out loaded

    spondyl run CervicalSpine-whiplash-8.5g/scenario.toml --out again
    """
    from spondyl.run import run as simulate

    scenario, found = scenario_of(model, case, set_, input_, hold, step, until, output)
    for difference in scenarios.differences(scenario, found):
        printing.warn(f"this will not repeat exactly: {difference}")
    directory = out or Path(f"{found.name}-{scenario.case}" if scenario.case else found.name)
    _check_room(directory, overwrite)

    stopped = False

    def stop(_signal: int, _frame: FrameType | None) -> None:
        nonlocal stopped
        stopped = True
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a second Ctrl-C does not wait

    before = signal.signal(signal.SIGINT, stop)
    began = time.perf_counter()
    with printing.progress(scenario.case or found.name, scenario.until) as progress:
        done = simulate(scenario, found, directory, lambda: stopped, progress)
    signal.signal(signal.SIGINT, before)

    if not done.message:
        print(
            f"{found.name}{', ' + scenario.case if scenario.case else ''}: {done.reached:g} s in {scenario.steps} steps, "
            f"{time.perf_counter() - began:.2g} s of time"
        )
        rows = [
            [c.name, f"{c.shown.max():.4g}", "" if c.display_unit == "1" else c.display_unit]
            for c in (done.channels[name] for name in found.criteria() if name in done.channels)
        ]
        if rows:
            printing.table(["criterion", "largest", "unit"], rows, (1,))
    print(f"results  {directory}\nreport   spondyl report {shlex.quote(str(directory))}")
    if done.message and stopped:
        _fail(f"stopped at {done.reached:g} s; the part until then is in {directory}", 130)
    if done.message:
        _fail(f"{done.message} (stopped at {done.reached:g} s; the part until then is in {directory})", 1)


def _check_room(directory: Path, overwrite: bool) -> None:
    if directory.is_dir() and not any(directory.iterdir()):
        return
    if not directory.exists():
        above = next(parent for parent in directory.absolute().parents if parent.exists())
        if not above.is_dir() or not os.access(above, os.W_OK):
            raise UserError(f"{directory} cannot be made: {above} is no folder that can be written to")
        return
    if not overwrite:
        raise UserError(f"{directory} exists already; name another folder with --out, or --overwrite it")
    if not (directory / "scenario.toml").is_file():
        raise UserError(f"{directory} exists and holds no results, so it is not overwritten")


# -- looking at results


@app.command()
def report(
    directories: Annotated[
        list[Path], typer.Argument(metavar="DIR [DIR2]", show_default=False, help="One folder of results, or two to compare.")
    ],
    out: Annotated[Path | None, typer.Option(help="The file; by default DIR/report.html.", show_default=False)] = None,
) -> None:
    """Writes a page with summary, animation and plots of a run, or of two beside each other."""
    if len(directories) > 2:
        raise UserError(f"a report shows one run or two, not {len(directories)}")
    _write_report(directories, out or directories[0] / "report.html")


def _write_report(directories: list[Path], path: Path) -> None:
    from spondyl import results

    runs = [results.read(directory) for directory in directories]
    from spondyl import report as pages

    print(f"report  {pages.write(runs, path)}")


@app.command()
def compare(
    a: Annotated[Path, typer.Argument(metavar="A", show_default=False, help="A folder of results.")],
    b: Annotated[Path, typer.Argument(metavar="B", show_default=False, help="Another.")],
    rows: Annotated[int, typer.Option(min=1, help="How many channels to show.")] = 15,
    report: Annotated[Path | None, typer.Option(metavar="FILE", show_default=False, help="Also writes a page of both.")] = None,
) -> None:
    """What differs between two runs: settings, criteria, and the channels that differ most, with the time of it."""
    from spondyl import compare as comparing
    from spondyl import results

    first, second = results.read(a), results.read(b)
    differences = comparing.channels(first, second)
    for run in (first, second):
        if run.status != "complete":
            printing.warn(f"{run.directory} ends early, at {run.reached:g} s")
    different = comparing.settings(first, second)
    if different:
        printing.table(["setting", "A", "B"], [list(row) for row in different], title=f"A = {a}, B = {b}")
    found = comparing.criteria(first, second)
    if found:
        printing.table(
            ["criterion", "A", "B", "B - A", "unit"],
            [[c.name, *(f"{x * c.factor:.5g}" for x in (p, q, q - p)), _shown_unit(c.display_unit)] for c, p, q in found],
            (1, 2, 3),
            title="Largest values of the criteria",
        )
    changed = [d for d in differences if d.size > 0]
    if not changed:
        print(f"all {len(differences)} channels are equal")
    else:
        printing.table(
            ["channel", "A", "B", "|B - A|", "of range", "at", "unit"],
            [
                [
                    d.channel.name,
                    *(f"{x * d.channel.factor:.4g}" for x in (d.first, d.second, d.size)),
                    f"{100 * d.share:.3g} %",
                    f"{1e3 * d.time:.4g} ms",
                    _shown_unit(d.channel.display_unit),
                ]
                for d in changed[:rows]
            ],
            (1, 2, 3, 4, 5),
            title=f"Largest differences, {min(rows, len(changed))} of {len(changed)} channels that differ",
        )
    if report:
        _write_report([a, b], report)


def _shown_unit(unit: str) -> str:
    return "" if unit == "1" else unit


# -- many runs


@app.command()
def sweep(
    model: ModelName,
    over: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=FIRST:LAST:NUMBER",
            show_default=False,
            help="What varies: a range with both ends, or a list a,b,c; repeatable for all combinations.",
        ),
    ],
    case: CaseName = None,
    set_: Settings = [],
    input_: InputFile = None,
    hold: Hold = False,
    step: Step = None,
    until: Until = None,
    output: Outputs = [],
    jobs: Annotated[int, typer.Option(min=1, help="Processes on this machine.")] = os.cpu_count() or 1,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", show_default=False, help="Dask scheduler, such as tcp://host:8786; instead of processes here."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the results; a sweep that is in it already is continued.", show_default=False)
    ] = None,
) -> None:
    """Runs all combinations of some settings; one row each, with criteria, extremes and final values.

    The same command again continues a sweep that was stopped.

    Example: spondyl sweep CervicalSpine --case whiplash-8.5g --over pulse_peak=2.5g:50g:20 --over pulse_duration=50ms,105ms
    """
    from functools import partial

    from spondyl import runners, sweep_folder
    from spondyl import sweep as sweeping

    scenario, found = scenario_of(model, case, set_, input_, hold, step, until, output)
    job = sweeping.job(scenario, [sweeping.axis(text, found) for text in over], found)
    directory = out or Path(f"{found.name}-{scenario.case}-sweep" if scenario.case else f"{found.name}-sweep")
    done = sweep_folder.open_or_make(directory, job, found)
    if done:
        print(f"{len(done)} of {job.tasks} runs are there already")
    runner = partial(runners.on_dask, address=scheduler) if scheduler else partial(runners.in_pool, jobs=jobs)
    began, stopped = time.perf_counter(), False
    try:
        with printing.progress(f"{job.tasks} runs", job.tasks, len(done)) as progress:
            sweep_folder.run(job, directory, done, runner, progress)
    except KeyboardInterrupt:
        stopped = True
    rows = sweep_folder.gather(directory, job, found)
    new, seconds = len(rows) - len(done), time.perf_counter() - began
    failures = [row for row in rows if row["status"] != "complete"]
    print(f"{len(rows)} of {job.tasks} runs, {new} of them now in {seconds:.3g} s, {new / seconds:.3g} a second")
    for row in failures[:5]:
        values = ", ".join(
            f"{name} = {settings.show(found.variables[name], value)}" for name, value in job.settings_of(row["task"]).items()
        )
        printing.warn(f"{values}: {row['status']}")
    if len(failures) > 5:
        printing.warn(f"{len(failures)} runs failed; column status of the results says why")
    print(f"results  {directory / sweep_folder.CSV}, {directory / sweep_folder.PARQUET}")
    if stopped:
        _fail("stopped; the same command goes on from here", 130)


# -- an FMU


@app.command()
def validate(fmu: Annotated[Path, typer.Argument(metavar="MODEL.fmu", show_default=False, help="The FMU to check.")]) -> None:
    """Checks an FMU: its description, and that the binary loads, runs, and repeats to the bit."""
    from spondyl.validate import validate as check

    results = check(str(fmu) if fmu.suffix == ".fmu" or fmu.exists() else models.find(str(fmu)).path)
    printing.table(["check", "result", ""], [[r.what, "ok" if r.passed else "FAILED", r.note] for r in results])
    if not all(r.passed for r in results):
        _fail(f"{fmu} has faults", 1)
