"""The image for a Cortex-M3: within its budgets, and checked while QEMU runs it."""

import contextlib
import hashlib
import json
import shlex
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.cardshoe.cli.support import invoke
from tests.conformance.suites import suite
from tests.kit.length import SOAK
from tests.reference_shoe.building import FOLDER, PLAIN_WITHOUT_KEY, built, needs_cross_compiler, needs_emulator
from tests.reference_shoe.emulated import HOST, command, free_port
from tests.reference_shoe.hosts import frame
from tests.reference_shoe.stack import deepest_stack

pytestmark = needs_cross_compiler

FLASH_BYTES: Final = 16 * 1024
RAM_BYTES: Final = 8 * 1024
IN_FLASH: Final = (".text", ".data", ".digest")
IN_RAM: Final = (".stack", ".data", ".bss")
SHORT: Final = (
    "session.opens",
    "stream.acknowledges-at-once",
    "events.kept-until-acknowledged",
    "lock.unlocks-for-so-many",
    "power.power-restored-is-event-1",
    "roots.root-is-recalled",
)
TIMED: Final = {"stream.acknowledges-within-10-ms", "stream.complains-at-once"}

TOO_FAST: Final = {"frames.long-hiss"}
"""It sends as fast as 115200 baud. QEMU carries less where other programs run, and then the session is lost."""
HISS_BYTES: Final = 5000
PATIENCE_S: Final = 60.0
ACCEPT: Final = b"\x01\x02\x07"
"""Version, kind and the host's number, as on the line."""


def sections(image: Path) -> dict[str, int]:
    """The sections of an image, with their bytes."""
    shown = subprocess.run(
        ["arm-none-eabi-size", "-A", image], check=True, capture_output=True, text=True, timeout=30
    ).stdout
    rows = [line.split() for line in shown.splitlines() if line.startswith(".")]
    return {name: int(size) for name, size, *_ in rows}


@contextlib.contextmanager
def running(image: Path, port: int, memory: Path) -> Iterator[subprocess.Popen[str]]:
    """The image in QEMU, once it has started, until it is killed."""
    words = command(image, port, memory)
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert "settings" in process.stdout.readline()
            yield process
        finally:
            process.kill()


def test_the_budgets() -> None:
    found = sections(built("cortex-m3") / "shoe.elf")
    assert sum(found[name] for name in IN_FLASH) <= FLASH_BYTES
    assert sum(found[name] for name in IN_RAM) <= RAM_BYTES


def test_the_stack_suffices() -> None:
    """The deepest calls, and an interrupt there, fit; a recursion or a length that varies fails."""
    folder = built("cortex-m3")
    assert deepest_stack(folder) <= sections(folder / "shoe.elf")[".stack"]


def test_an_image_above_its_budget_does_not_link(tmp_path: Path) -> None:
    """The linker script is what checks: with one byte less than is used it fails."""
    found = sections(built("cortex-m3") / "shoe.elf")
    script = (FOLDER / "cortex-m3" / "mps2-an385.ld").read_text(encoding="utf-8")
    tight = tmp_path / "tight.ld"
    tight.write_text(script.replace("LENGTH = 8K", f"LENGTH = {sum(found[name] for name in IN_RAM) - 1}"))
    done = subprocess.run(
        ["make", f"BUILD={tmp_path}", f"LINKER_SCRIPT={tight}", "cortex-m3"],
        cwd=FOLDER,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0
    assert "region `RAM' overflowed" in done.stderr


def test_the_image_knows_its_digest() -> None:
    folder = built("cortex-m3")
    assert (folder / "digest.bin").read_bytes() == hashlib.sha256((folder / "shoe.bin").read_bytes()).digest()


@needs_emulator
@pytest.mark.timeout(900)  # the whole suite takes its two minutes, on a busy machine five
def test_the_suite_on_the_emulated_core(tmp_path: Path) -> None:
    """All checks but one in `make firmware`, some in `make test`: they take the page's own times."""
    port = free_port()
    start = shlex.join(command(built("cortex-m3") / "shoe.elf", port, tmp_path / "memory"))
    names = [check.name for check in suite("tdp").checks if check.name not in TOO_FAST] if SOAK else SHORT
    words = [word for name in names for word in ("--only", name)]
    result = invoke("conformance", f"socket://{HOST}:{port}", "--family", "tdp", "--start", start, "--json", *words)
    found = json.loads(result.stdout)
    wrong = [
        f"{one['name']}: expected {one['expected']}; got {one['got']}"
        for one in found["results"]
        if one["verdict"] in {"failed", "error"}
    ]
    assert wrong == []
    not_tried = {one["name"] for one in found["results"] if one["verdict"] == "skipped"}
    # Limits of 10 ms are not judged where a busy machine answers late.
    assert not_tried - TIMED == (PLAIN_WITHOUT_KEY if SOAK else set())


@needs_emulator
def test_a_long_hiss_on_the_emulated_core(tmp_path: Path) -> None:
    """Bytes without a delimiter overflow no buffer, however slowly they arrive: the frame behind them is read."""
    with contextlib.ExitStack() as stack:
        port = free_port()
        stack.enter_context(running(built("cortex-m3") / "shoe.elf", port, tmp_path / "memory"))
        line = stack.enter_context(socket.create_connection((HOST, port), PATIENCE_S))
        line.sendall(b"\xa5" * HISS_BYTES + frame(1, 0x0700, payload=bytes([1, 1, 4, 224, 0])))
        heard = b""
        while ACCEPT not in heard:
            heard += line.recv(1024)
    assert heard.index(ACCEPT) == len(b"\x00\x05"), "the delimiter, then the length of the run: its session has no zero"


@needs_emulator
def test_the_emulated_core_killed(tmp_path: Path) -> None:
    """The file behind its memory outlives `kill -9` of the emulator."""
    image = built("cortex-m3") / "shoe.elf"
    for boot in (1, 2, 3):
        with running(image, free_port(), tmp_path / "memory") as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("load\nstatus\n" if boot == 1 else "status\n")
            process.stdin.flush()
            answers = [process.stdout.readline() for _ in range(2 if boot == 1 else 1)]
        # PowerRestored of each start; and cover, cover, stack.
        assert answers[-1].startswith(f"ok: boot {boot}, stack 416, count 0, pending {boot + 3},"), answers
