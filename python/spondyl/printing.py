"""Printing: tables that fit a terminal, plain columns when piped, progress on a terminal only."""

import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text


def paragraph(head: str, text: str) -> None:
    """A head and a text that wraps beside it on a terminal."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000
    print(textwrap.fill(text, width, initial_indent=f"{head:8}", subsequent_indent=" " * 8))


def warn(text: str) -> None:
    print(f"spondyl: warning: {text}", file=sys.stderr)


def table(heads: list[str], rows: list[list[str]], numbers: tuple[int, ...] = (), title: str = "") -> None:
    """The last column wraps where the terminal is narrow; columns named by `numbers` are right-aligned."""
    if title:
        print(f"\n{title}")
    if not sys.stdout.isatty():
        widths = [max(len(row[k]) for row in [heads, *rows]) for k in range(len(heads))]
        for row in [heads, *rows]:
            cells = [cell.rjust(w) if k in numbers else cell.ljust(w) for k, (cell, w) in enumerate(zip(row, widths))]
            print("  ".join(cells).rstrip())
        return
    shown = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    longest = max((len(row[0]) for row in rows), default=0)
    for k, head in enumerate(heads):
        shown.add_column(head, justify="right" if k in numbers else "left", overflow="fold", no_wrap=k == 0 and longest < 45)
    for row in rows:
        shown.add_row(*map(Text, row))
    Console().print(shown)


@contextmanager
def progress(what: str, total: float, done: float = 0) -> Iterator[Callable[[float], None]]:
    """A function that is told how far the work is, cheap to call; the bar goes away at the end."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    ) as bar:
        task = bar.add_task(what, total=total, completed=done)
        shown = done

        def advance(to: float) -> None:
            nonlocal shown
            if to - shown > 0.005 * total:
                shown = to
                bar.update(task, completed=to)

        yield advance
