"""Executors run units, survive their workers and end with their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, as_completed, wait
from typing import Any

import pytest

from sensemaking.adapters.executors import (
    SCHEDULER,
    DaskExecutor,
    ProcessExecutor,
    SerialExecutor,
    ThreadExecutor,
    process_executor,
)
from sensemaking.adapters.machine import default_processes, free_memory, usable_cores
from sensemaking.errors import ConfigError, InputError, SensemakingError

Made = ThreadExecutor | ProcessExecutor | SerialExecutor
MAKERS: dict[str, Callable[[], Made]] = {
    "serial": SerialExecutor,
    "threads": lambda: ThreadExecutor(2),
    "processes": lambda: ProcessExecutor(2),
}


@pytest.fixture(params=MAKERS, scope="module")
def executor(request: pytest.FixtureRequest) -> Iterator[Made]:
    made = MAKERS[request.param]()
    yield made
    made.close()


@pytest.fixture
def processes() -> Iterator[ProcessExecutor]:
    made = ProcessExecutor(2)
    yield made
    made.close()


def square(number: int) -> int:
    return number * number


def fail(name: str) -> None:
    raise InputError(f"{name} cannot be read")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def is_interrupt_ignored() -> bool:
    return signal.getsignal(signal.SIGINT) == signal.SIG_IGN


def sleep_and_tell(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def test_units_return_what_they_make(executor: Made) -> None:
    futures = {executor.submit(square, number): number for number in range(20)}
    assert {futures[one]: one.result() for one in as_completed(futures, timeout=60)} == {
        number: number * number for number in range(20)
    }


def test_a_units_error_comes_to_who_asks_and_harms_no_other(executor: Made) -> None:
    failing = executor.submit(fail, "a.pdf")
    with pytest.raises(InputError, match=r"a\.pdf cannot be read"):
        failing.result(60)
    assert isinstance(failing.exception(), InputError)
    assert executor.submit(square, 3).result(60) == 9


def test_it_says_how_many_run_at_once(executor: Made) -> None:
    assert executor.n_workers == (1 if isinstance(executor, SerialExecutor) else 2)


def test_serial_units_are_done_when_submit_returns() -> None:
    executor = SerialExecutor()
    assert executor.submit(square, 4).done()
    executor.close()


def test_a_unit_in_line_can_be_cancelled(processes: ProcessExecutor) -> None:
    futures = [processes.submit(sleep_and_tell, 0.3) for _ in range(12)]
    last = futures[-1]
    assert last.cancel()
    assert last.cancelled()
    assert last in wait(futures, timeout=60).done
    with pytest.raises(CancelledError):
        last.result()
    assert len({one.result() for one in futures[:-1]}) == 2


def test_a_dead_worker_is_explained_and_replaced(processes: ProcessExecutor) -> None:
    with pytest.raises(SensemakingError, match="worker process ended unexpectedly.*Resume"):
        processes.submit(die).result(60)
    assert processes.submit(square, 5).result(60) == 25


def test_units_beside_a_dying_one_are_explained_too(processes: ProcessExecutor) -> None:
    beside = [processes.submit(sleep_and_tell, 60.0), processes.submit(die)]
    for one in beside:
        with pytest.raises(SensemakingError, match="Everything done so far is kept"):
            one.result(60)


def test_workers_leave_interrupts_to_their_parent(processes: ProcessExecutor) -> None:
    assert processes.submit(is_interrupt_ignored).result(60)


def test_workers_started_from_a_thread_outlive_it(processes: ProcessExecutor) -> None:
    found: list[int] = []
    thread = threading.Thread(
        target=lambda: found.append(processes.submit(sleep_and_tell, 0.0).result(60))
    )
    thread.start()
    thread.join()
    time.sleep(0.2)
    pids = {processes.submit(sleep_and_tell, 0.1).result(60) for _ in range(4)}
    assert set(found) & pids


PARENT = """
import os, sys, time
from tests.adapters.test_executors import sleep_and_tell
from sensemaking.adapters.executors import ProcessExecutor
if __name__ == "__main__":
    executor = ProcessExecutor(2)
    first = [executor.submit(sleep_and_tell, 0.5) for _ in range(2)]
    pids = {one.result() for one in first}
    try:
        executor.submit(sleep_and_tell, 60)
        # The signal may come as soon as this line is out.
        print(*pids, flush=True)
        executor.submit(sleep_and_tell, 60).result()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        os._exit(3)
"""


@pytest.fixture
def parent(tmp_path: Any) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    started = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
        start_new_session=True,
    )
    assert started.stdout is not None
    yield started, [int(one) for one in started.stdout.readline().split()]
    started.kill()
    started.communicate()


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pids: list[int]) -> bool:
    give_up = time.monotonic() + 10
    while any(is_alive(pid) for pid in pids) and time.monotonic() < give_up:
        time.sleep(0.05)
    return not any(is_alive(pid) for pid in pids)


needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc")


@needs_proc
def test_workers_end_with_a_killed_parent(
    parent: tuple[subprocess.Popen[str], list[int]],
) -> None:
    process, workers = parent
    assert len(workers) == 2
    assert all(is_alive(pid) for pid in workers)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert wait_until_gone(workers)


@needs_proc
def test_ctrl_c_reaches_the_parent_alone(parent: tuple[subprocess.Popen[str], list[int]]) -> None:
    process, workers = parent
    # As a terminal does: to the whole group.
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(20) == 3
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.read() == "interrupted\n"
    assert "Traceback" not in process.stderr.read()
    assert wait_until_gone(workers)


def test_a_cluster_needs_its_package_or_its_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SCHEDULER, "tcp://127.0.0.1:9")
    with pytest.raises(ConfigError, match="tcp://127.0.0.1:9.*unset SENSEMAKING_SCHEDULER"):
        process_executor()


def test_without_a_scheduler_work_stays_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SCHEDULER, raising=False)
    executor = process_executor(3)
    assert isinstance(executor, ProcessExecutor)
    assert executor.n_workers == 3
    executor.close()


def test_a_cluster_runs_units() -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    how = {"n_workers": 1, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(**how, host="127.0.0.1", protocol="tcp") as cluster:
        executor = DaskExecutor(cluster.scheduler_address)
        assert executor.n_workers >= 1
        assert executor.submit(square, 6).result(30) == 36
        executor.close()


def test_workers_fit_the_machine() -> None:
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)
    assert 1 <= default_processes() <= 8
    memory = free_memory()
    assert memory is None or memory > 0
