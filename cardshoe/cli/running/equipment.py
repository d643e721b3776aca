"""The equipment of a running table for its technician: links, and the checks of ``cardshoe doctor``, made beside it."""

import contextlib
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Self

import msgspec

from cardshoe.process.clock import wall_time
from cardshoe.table.live.child import ENVIRONMENT
from cardshoe.table.live.equipment import Check, EquipmentStatus, LinkFault, LinkStatus
from cardshoe.table.service.builds import Build
from cardshoe.table.setup.config import DeviceSection
from drivers.link_health import LinkHealth
from firmware_bridge.bridge import Bridge

AGAIN_S: Final = 60.0
"""Seconds after which the checks are made again if they are asked for."""
NICENESS: Final = 19
CARDSHOE: Final = (sys.executable, "-P", "-c", "from cardshoe.cli import main; main()")
LISTEN_S: Final = 10
COUNTS: Final = (
    *("connections", "losses", "bytes_in", "frames", "events", "replies", "stray_replies", "repeats", "garbage_bytes"),
)
_checks: Final = msgspec.json.Decoder(dict[str, Any])


class EquipmentReport:
    """Answers with the equipment's state, in the live socket's thread; while a ``with`` block runs.

    Args:
        devices: as configured.
        bridges: of them, in the same order.
        path: of the configuration, for its checks; ``None``: those of the machine.
        clock: seconds, monotonic: that of the devices.
        command: of the checks.
    """

    def __init__(
        self,
        devices: Sequence[DeviceSection],
        bridges: Sequence[Bridge[Any]],
        path: Path | None,
        clock: Callable[[], float] = time.monotonic,
        command: Sequence[str] = CARDSHOE,
    ) -> None:
        self._devices: Final = devices
        self._bridges: Final = bridges
        table = [] if path is None else [str(path)]
        self._advised: Final = [*table, "--listen", str(LISTEN_S)] if table else []
        self._clock: Final = clock
        self._command: Final = (*command, "doctor", *table, "--json")
        self._output: Final = tempfile.TemporaryFile()  # noqa: SIM115  closed by `__exit__`
        self._child: subprocess.Popen[bytes] | None = None
        self._began_s = float("-inf")
        self._checks: list[Check] = []
        self._checked_at = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.wait()
        self._output.close()

    def __call__(self) -> EquipmentStatus:
        """The equipment now; the checks are made again if the last are old, and are in a later answer."""
        self._look()
        now_s = self._clock()
        build = Build.running()
        successor = None if build is None else build.successor()
        return EquipmentStatus(
            links=[
                _link(one, bridge.health(), now_s) for one, bridge in zip(self._devices, self._bridges, strict=True)
            ],
            checks=self._checks,
            checked_at=self._checked_at,
            is_checking=self._child is not None,
            next_build="" if successor is None else successor.about.name,
            command=shlex.join(["cardshoe", "doctor", *self._advised]),
        )

    def _look(self) -> None:
        if self._child is not None and self._child.poll() is not None:
            self._child = None
            self._output.seek(0)
            with contextlib.suppress(msgspec.MsgspecError):
                found = _checks.decode(self._output.read())
                self._checks = msgspec.convert(found.get("findings", []), list[Check])
                self._checked_at = wall_time()
        if self._child is None and self._clock() - self._began_s >= AGAIN_S:
            self._output.seek(0)
            self._output.truncate()
            self._began_s = self._clock()
            with contextlib.suppress(OSError):
                self._child = subprocess.Popen(  # noqa: S603  our own interpreter with our own program
                    self._command,
                    stdin=subprocess.DEVNULL,
                    stdout=self._output,
                    stderr=subprocess.DEVNULL,
                    env={name: os.environ[name] for name in ENVIRONMENT if name in os.environ},
                    start_new_session=True,
                )
                os.setpriority(os.PRIO_PROCESS, self._child.pid, NICENESS)


def _link(one: DeviceSection, health: LinkHealth, now_s: float) -> LinkStatus:
    since_s = health.connected_since_s
    return LinkStatus(
        device=one.name,
        family=one.family,
        port=one.port,
        stage=health.rung.name.lower(),
        advice=health.advice(),
        connected_s=None if since_s is None else now_s - since_s,
        counts={name: getattr(health, name) for name in COUNTS},
        faults=[
            LinkFault(ago_s=now_s - error.at_s, reason=error.reason, length=error.length)
            for error in reversed(health.errors)
        ],
    )
