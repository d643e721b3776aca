"""Boots the Linux of ../shared/uml with a script as its only task, and hands back what the script told."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import SHARED
from tests.kernel.guest.telling import MARK

ROOT: Final = Path(__file__).resolve().parent.parent.parent
UML_RUN: Final = SHARED / "uml" / "uml-run"
UDEVD: Final = Path("/lib/systemd/systemd-udevd")
SYSTEM_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
BOOT_LIMIT_S: Final = 90
"""Seconds after which a machine is stopped; a boot with all its checks takes 5 to 10 on an idle computer."""

INIT: Final = """\
#!/bin/sh
export PATH={path} PYTHONPATH={root} PYTHONDONTWRITEBYTECODE=1 HOME=/run TMPDIR=/run
mount -t proc proc /proc; mount -t sysfs sys /sys
mountpoint -q /dev || mount -t devtmpfs dev /dev
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts; mount -t tmpfs tmpfs /dev/shm; mount -t tmpfs tmpfs /run
echo 1 > /proc/sys/kernel/printk  # what the kernel says would stand between what the script says
ip link set lo up
mkdir -p /run/udev/rules.d
{udevd} --daemon
cd /run
{python} -m {module}
echo "exit code $?"
echo o > /proc/sysrq-trigger
sleep 10
"""


def _missing() -> str:
    if not UML_RUN.is_file():
        return "needs ../shared/uml next to the repository"
    wanted = {"usbip": "usbip", "xz": "xz-utils", "ip": "iproute2"}
    lacking = [package for tool, package in wanted.items() if shutil.which(tool, path=SYSTEM_PATH) is None]
    if not UDEVD.exists():
        lacking.append("udev")
    if not any(Path("/usr/lib").glob("*/libusb-1.0.so.0")):
        lacking.append("libusb-1.0-0")
    return f"needs apt-get install {' '.join(lacking)}" if lacking else ""


MISSING: Final = _missing()


def needs_kernel(test: Callable[..., None]) -> Callable[..., None]:
    """Marks a test that boots: skipped, with the reason, where that is not possible."""
    for mark in (pytest.mark.kernel, pytest.mark.shared, pytest.mark.skipif(bool(MISSING), reason=MISSING)):
        test = mark(test)
    return test


def boot(module: str, folder: Path) -> dict[str, object]:
    """Boot, run ``module`` of ``tests.kernel.guest`` to its end, and return what it told, by name.

    Raises:
        AssertionError: the module failed or did not end; the message holds all that the machine said.
    """
    # Under the name that the tests were started with: the machine's python may be another one.
    init = folder / "init"
    init.write_text(
        INIT.format(
            path=SYSTEM_PATH,
            root=shlex.quote(str(ROOT)),
            udevd=UDEVD,
            python=shlex.quote(sys.executable),
            module=f"tests.kernel.guest.{module}",
        )
    )
    init.chmod(0o755)
    machine = subprocess.run(
        [UML_RUN, init],
        env=os.environ | {"T": str(BOOT_LIMIT_S)},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    said = machine.stdout + machine.stderr
    assert "exit code 0" in said, f"{module} failed, or did not end within {BOOT_LIMIT_S} s:\n{said}"
    return told(said)


def told(said: str) -> dict[str, object]:
    """The findings among the lines of a console."""
    findings: dict[str, object] = {}
    for line in said.splitlines():
        if line.startswith(MARK):
            name, value = json.loads(line.removeprefix(MARK))
            assert name not in findings, f"{name} was told twice"
            findings[name] = value
    return findings
