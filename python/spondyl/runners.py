"""Where the tasks of a sweep run: a pool of processes on this machine, or the workers of a Dask cluster.

Both take the tasks lazily, a few a worker at a time, and give rows in the order in which they are finished.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from spondyl.errors import UserError
from spondyl.sweep import failed, run_task

TRIES = 3  # how often a task may take its worker down with it
AHEAD = 3  # tasks a worker that wait or run
DASK_TIMEOUT = 10  # s until a scheduler must have answered


def in_pool(packed: bytes, todo: Iterator[int], jobs: int) -> Iterator[str]:
    waiting: dict[Future, int] = {}
    executor = _executor(jobs)
    try:
        while True:
            lost = []
            for task in islice(todo, AHEAD * jobs - len(waiting)):
                try:
                    waiting[executor.submit(run_task, packed, task)] = task
                except BrokenProcessPool:
                    lost.append(task)
            if not waiting and not lost:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done if waiting else ():
                task = waiting.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    lost.append(task)
            if lost:  # a worker died and took the pool along; nobody knows whose task it was
                executor.shutdown(cancel_futures=True)
                lost += waiting.values()
                waiting.clear()
                for task in sorted(lost):
                    yield _alone(packed, task)
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


def _alone(packed: bytes, task: int) -> str:
    """A task that was perhaps the death of its worker, in a process of its own."""
    for _ in range(TRIES):
        with _executor(1) as executor:
            try:
                return executor.submit(run_task, packed, task).result()
            except BrokenProcessPool:
                continue
    return failed(task, f"the worker died {TRIES} times")


def on_dask(packed: bytes, todo: Iterator[int], address: str) -> Iterator[str]:
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
        task_of: dict = {}
        running = as_completed()

        def submit(count: int) -> None:
            for task in islice(todo, count):
                future = client.submit(run_task, packed, task, pure=False)
                task_of[future.key] = task
                running.add(future)

        submit(AHEAD * threads)
        for future in running:
            task = task_of.pop(future.key)
            try:
                yield future.result()
            except KilledWorker as error:
                yield failed(task, str(error))
            except ModuleNotFoundError as error:
                raise UserError(f"the Dask workers have no package {error.name}: install spondyl there, in the same version") from None
            submit(1)
