"""The recipe of docs/ci.md, as a pipeline would run it."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from example import EXAMPLES

RECIPE = EXAMPLES / "ci"


@pytest.fixture
def check(fmu_path, tmp_path):
    """Runs check.sh on a copy of the cases, with this Python in place of a new environment."""
    cases = tmp_path / "cases"
    shutil.copytree(RECIPE / "cases", cases)
    environment = os.environ | {"ENVIRONMENT": str(Path(sys.executable).parents[1])}

    def run(*arguments):
        return subprocess.run([RECIPE / "check.sh", fmu_path.parent, cases, *arguments], env=environment, capture_output=True, text=True)

    run.cases = cases
    return run


def test_results_are_what_is_stored(check):
    done = check()
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("  ok ") == sum(len(tomllib.loads(file.read_text())["tolerance"]) for file in RECIPE.glob("cases/*.toml"))


def test_another_pulse_is_found(check):
    case = check.cases / "whiplash-8.5g.toml"
    case.write_text(case.read_text().replace("[tolerance]", "pulse_peak = 83.4\n[tolerance]"))
    done = check()
    assert done.returncode == 1
    assert "OFF head_angle" in done.stdout and "whiplash" in done.stdout
    assert re.search(r"^\d outputs differ", done.stderr, re.MULTILINE)


def test_results_are_stored_anew(check):
    results = check.cases / "whiplash-8.5g.csv"
    results.unlink()
    missing = check()
    assert missing.returncode == 1 and "--store" in missing.stderr and "Traceback" not in missing.stderr
    assert check("--store").returncode == 0
    assert results.read_text().splitlines()[0] == (RECIPE / "cases" / results.name).read_text().splitlines()[0]
    assert check().returncode == 0


@pytest.mark.parametrize(
    "old, new, said",
    [
        ('fmu = "CervicalSpine"', 'fmu = "Spine"', "Spine.fmu"),
        ("stop_time = 0.3", "stop_time =", "whiplash-8.5g.toml: Invalid value"),
        ("stop_time = 0.3", "", "stop_time is missing"),
        ("head_angle", "head_angel", "no variable head_angel"),
    ],
)
def test_mistakes_in_a_case_get_one_line(check, old, new, said):
    case = check.cases / "whiplash-8.5g.toml"
    case.write_text(case.read_text().replace(old, new))
    done = check()
    assert done.returncode == 1
    assert said in done.stderr and len(done.stderr.splitlines()) == 1
