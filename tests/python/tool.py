"""The command `spondyl`, run in this process or in one of its own."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from spondyl import cli

ENVIRONMENT = os.environ | {"COLUMNS": "100", "NO_COLOR": "1"}


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    error: str


def spondyl(capfd, *arguments: object) -> Outcome:
    """What the command does with these arguments."""
    capfd.readouterr()
    before, sys.argv = sys.argv, ["spondyl", *map(str, arguments)]
    try:
        with pytest.raises(SystemExit) as end:
            cli.main()
    finally:
        sys.argv = before
    said = capfd.readouterr()
    return Outcome(end.value.code or 0, said.out, said.err)


def start(*arguments: object, directory: Path) -> subprocess.Popen:
    """The command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "spondyl", *map(str, arguments)],
        cwd=directory,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
