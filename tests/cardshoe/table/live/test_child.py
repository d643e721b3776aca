"""A process beside the table's that cannot be started, or dies before it is told anything, is started again."""

import contextlib
import os
import queue
import resource
import subprocess
import sys
from collections.abc import Iterator
from logging.handlers import QueueHandler
from pathlib import Path
from typing import Final

import pytest

from cardshoe.table.live import child as children
from cardshoe.table.live.child import SAID_LINES, Child

PATIENCE_S: Final = 60.0
LIVES: Final = """
import sys
print("it lives", file=sys.stderr, flush=True)
sys.stdin.buffer.read()
"""


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> "Iterator[queue.SimpleQueue[str]]":
    """What was logged."""
    monkeypatch.setattr(children, "AGAIN_S", (0.05, 0.05))
    records: queue.SimpleQueue[str] = queue.SimpleQueue()
    handler = QueueHandler(records)
    handler.enqueue = lambda record: records.put(record.getMessage())  # type: ignore[method-assign]  # only to hear it
    children.logger.addHandler(handler)
    yield records
    children.logger.removeHandler(handler)


@contextlib.contextmanager
def no_descriptors() -> Iterator[None]:
    """This process can open nothing more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def reaching(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module of a test is no module of ours: it is found by a path that children of a table do not get."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *filter(None, sys.path)]))
    monkeypatch.setattr(children, "ENVIRONMENT", (*children.ENVIRONMENT, "PYTHONPATH"))


def test_one_that_cannot_be_started_is_started_once_there_is_room(
    tmp_path: Path, said: "queue.SimpleQueue[str]", monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "it_lives.py").write_text(LIVES)
    reaching(tmp_path, monkeypatch)
    with contextlib.ExitStack() as held:
        with no_descriptors():
            held.enter_context(Child("display", "it_lives", b"{}"))
            assert "cannot be started: Too many open files" in said.get(timeout=PATIENCE_S)
        while said.get(timeout=PATIENCE_S) != "display: it lives":
            continue


def test_packages_of_our_names_in_the_working_folder_break_no_child(
    tmp_path: Path, said: "queue.SimpleQueue[str]", monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "it_imports.py").write_text(
        "import sys, drivers, regulations\nsys.stderr.write('imported\\n')\nsys.stdin.buffer.read()\n"
    )
    for name in ("drivers", "regulations"):
        (tmp_path / "project" / name).mkdir(parents=True)
        (tmp_path / "project" / name / "__init__.py").write_text("raise RuntimeError('of another project')\n")
    reaching(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path / "project")
    with Child("display", "it_imports", b"{}"):
        assert said.get(timeout=PATIENCE_S) == "display: imported"


def test_of_a_flood_that_one_says_the_table_logs_a_part(
    tmp_path: Path, said: "queue.SimpleQueue[str]", monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "it_floods.py").write_text('import sys\nsys.stderr.write("no\\n" * 5_000)\nsys.stdin.buffer.read()\n')
    reaching(tmp_path, monkeypatch)
    with Child("display", "it_floods", b"{}"):
        assert [said.get(timeout=PATIENCE_S) for _ in range(SAID_LINES)] == ["display: no"] * SAID_LINES
    assert said.get(timeout=PATIENCE_S) == f"display: {5_000 - SAID_LINES} further lines were left out"


def test_what_one_that_died_never_read_ends_nothing(said: "queue.SimpleQueue[str]") -> None:
    with subprocess.Popen(["/bin/true"], stdin=subprocess.PIPE) as dead:
        dead.wait()
        child = Child("display", "nothing", b"{}")
        assert dead.stdin is not None
        child._tell(dead.stdin)  # noqa: SLF001  it is told by chance before it has died, or after
        assert said.get(timeout=PATIENCE_S) == "the display ended before it received its settings"
        child._let_go(dead)  # noqa: SLF001  as above: it may end before it is let go
        assert dead.stdin.closed
