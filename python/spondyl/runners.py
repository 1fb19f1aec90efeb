"""Where the tasks of a sweep run: a pool of processes on this machine, or the workers of a Dask cluster.

Both take the tasks lazily, a few a worker at a time, and give rows as they are finished.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from spondyl.errors import UserError
from spondyl.sweep import failed, run_tasks

TRIES = 3  # how often a task may take its worker down with it
AHEAD = 2  # groups of tasks a worker that wait or run
GROUP = 0.05  # s of computing in a group of tasks: far more than handing it over costs, less than a loss would hurt
DASK_TIMEOUT = 10  # s until a scheduler must have answered

Rows = Iterator[str]  # lines of JSON, one or several at a time


class _Groups:
    """Takes tasks in groups that keep a worker busy for about GROUP seconds, as far as is known from those before."""

    def __init__(self, todo: Iterator[int]):
        self.todo, self.size = iter(todo), 1

    def take(self) -> tuple[int, ...]:
        return tuple(islice(self.todo, self.size))

    def learn(self, tasks: tuple[int, ...], seconds: float) -> None:
        self.size = max(1, int(GROUP * len(tasks) / max(seconds, 1e-6)))


def in_pool(packed: bytes, todo: Iterator[int], jobs: int) -> Rows:
    groups, waiting = _Groups(todo), {}
    executor = _executor(jobs)
    try:
        while True:
            lost: list[int] = []
            while len(waiting) < AHEAD * jobs and not lost and (tasks := groups.take()):
                try:
                    waiting[executor.submit(run_tasks, packed, tasks)] = tasks
                except BrokenProcessPool:
                    lost += tasks
            if not waiting and not lost:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done if waiting else ():
                tasks = waiting.pop(future)
                try:
                    rows, seconds = future.result()
                except BrokenProcessPool:
                    lost += tasks
                else:
                    groups.learn(tasks, seconds)
                    yield rows
            if lost:  # a worker died and took the pool along; nobody knows whose task it was
                executor.shutdown(cancel_futures=True)
                lost += [task for tasks in waiting.values() for task in tasks]
                waiting.clear()
                yield from _one_by_one(packed, sorted(lost))
                executor = _executor(jobs)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def worker_context() -> multiprocessing.context.BaseContext:
    """Workers are copies of a process that has imported what they need and nothing else: quick, and free of our threads."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["spondyl.sweep"])
    return context


def _executor(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, worker_context(), _begin_worker)


def _begin_worker() -> None:
    """A worker leaves Ctrl-C to its parent, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def follow_parent() -> None:
        multiprocessing.parent_process().join()
        os._exit(1)

    threading.Thread(target=follow_parent, daemon=True).start()


def _one_by_one(packed: bytes, tasks: list[int]) -> Rows:
    """Tasks one of which was perhaps the death of its worker."""
    executor = _executor(1)
    for task in tasks:
        for _ in range(TRIES):
            try:
                yield executor.submit(run_tasks, packed, (task,)).result()[0]
                break
            except BrokenProcessPool:
                executor.shutdown()
                executor = _executor(1)
        else:
            yield failed(task, f"the worker died {TRIES} times")
    executor.shutdown()


def on_dask(packed: bytes, todo: Iterator[int], address: str) -> Rows:
    try:
        from distributed import Client, KilledWorker, as_completed
    except ImportError:
        raise UserError("--scheduler needs the package distributed: pip install 'spondyl[dask]'") from None
    try:
        client = Client(address, timeout=DASK_TIMEOUT)
    except (OSError, ValueError) as error:
        raise UserError(f"no Dask scheduler answers at {address} ({error})") from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise UserError(f"the Dask scheduler at {address} has no workers")
        groups, waiting, running = _Groups(todo), {}, as_completed()

        def submit() -> None:
            if tasks := groups.take():
                future = client.submit(run_tasks, packed, tasks, pure=False)
                waiting[future.key] = tasks
                running.add(future)

        for _ in range(AHEAD * threads):
            submit()
        for future in running:
            tasks = waiting.pop(future.key)
            try:
                rows, seconds = future.result()
            except KilledWorker as error:
                rows = "".join(failed(task, str(error)) for task in tasks)
            except ModuleNotFoundError as error:
                raise UserError(
                    f"the Dask workers have no package {error.name}: install spondyl there, in the same version"
                ) from None
            else:
                groups.learn(tasks, seconds)
            submit()
            yield rows
