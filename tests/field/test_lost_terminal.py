"""A terminal that is gone, as when ssh breaks, ends the table in order: exit 0, and no traceback."""

import fcntl
import os
import pty
import select
import subprocess
import termios
from pathlib import Path

import pytest

from tests.kit.command import PATIENCE_S
from tests.kit.forked import CARDSHOE
from tests.kit.running_table import journal_of, lines_of, write_config


@pytest.mark.parametrize("plain", [False, True], ids=["line editor", "plain"])
def test_a_lost_terminal_ends_the_table_in_order(tmp_path: Path, *, plain: bool) -> None:
    config = write_config(tmp_path, None)
    ours, theirs = pty.openpty()
    with (tmp_path / "errors").open("wb") as errors:
        table = subprocess.Popen(
            [CARDSHOE, "run", *(["--plain"] if plain else []), config],
            stdin=theirs,
            stdout=theirs,
            stderr=errors,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  no threads here: the kernel must know whose terminal it is
            env={**os.environ, "TERM": "xterm"},
        )
    os.close(theirs)
    try:
        shown = b""
        while b"huffle" not in shown:
            assert select.select([ours], [], [], PATIENCE_S)[0], shown
            shown += os.read(ours, 65536)
        os.close(ours)  # the kernel sends SIGHUP
        assert table.wait(PATIENCE_S) == 0
    finally:
        table.kill()
        table.wait()
    assert "Traceback" not in (tmp_path / "errors").read_text()
    assert lines_of(journal_of(tmp_path))
