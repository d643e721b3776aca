"""Builds the reference shoe, once for all test processes, and says why where that cannot be."""

import fcntl
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.conformance.not_tried import NO_ATTESTATION, NO_DISPENSER, NO_EJECT, NO_SHUFFLE, NO_TLS

FOLDER: Final = Path(__file__).resolve().parents[2] / "reference" / "shoe"
BUILD: Final = FOLDER / "build"
BUILD_S: Final = 100.0
"""All of it takes some ten seconds of CPU."""

NO_MOTORS: Final = NO_DISPENSER | NO_EJECT | NO_SHUFFLE | {"machine.accepts-returns"}
"""The checks that this shoe cannot be asked."""
PLAIN_WITHOUT_KEY: Final = NO_MOTORS | NO_TLS | NO_ATTESTATION
"""Those that it cannot be asked on a plain line, without a key."""

_OPENSSL: Final = Path("/usr/include/openssl/ssl.h")

needs_compiler: Final = pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("make") is None or not _OPENSSL.exists(),
    reason="needs gcc, make and OpenSSL's headers (Debian: gcc, make, libssl-dev) to build the reference shoe",
)
needs_cross_compiler: Final = pytest.mark.skipif(
    None in map(shutil.which, ("arm-none-eabi-gcc", "make", "openssl")),
    reason="needs arm-none-eabi-gcc (Debian: gcc-arm-none-eabi), make and openssl",
)
needs_emulator: Final = pytest.mark.skipif(
    shutil.which("qemu-system-arm") is None, reason="needs qemu-system-arm (Debian: qemu-system-arm)"
)


@cache
def built(target: str) -> Path:
    """Build a target of the Makefile (``posix``, ``cortex-m3``); return the folder with what it makes."""
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            ["make", "--no-print-directory", target],
            cwd=FOLDER,
            check=False,
            capture_output=True,
            text=True,
            timeout=BUILD_S,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    return BUILD / target
