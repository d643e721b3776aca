"""The options on pytest's command line."""

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

SIMULATED: Final = "sim"
PATIENCE_S: Final = 30.0
"""Enough for a loaded machine; only failing tests wait so long."""
SEEDS: Final = 2**32


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Values of the options; `hardware`: port of a real shoe, `None`: simulated."""

    hardware: str | None
    family: str
    device_settings: Mapping[str, object]
    control: str | None
    command: str | None
    seed: int
    patience_s: float
    record: Path | None
    replay: Path | None

    def seed_of(self, nodeid: str) -> int:
        """The test's own seed, whichever other tests run."""
        digest = hashlib.sha256(f"{self.seed}:{nodeid}".encode()).digest()
        return int.from_bytes(digest[:4], "big")

    def header(self) -> str:
        """The header line of a run."""
        where = "a simulated shoe" if self.hardware is None else f"the {self.family} at {self.hardware}"
        parts = [f"cardshoe: {where}", f"seed {self.seed} (repeat with --cardshoe-seed={self.seed})"]
        if self.record is not None:
            parts.append(f"recording into {self.record}")
        if self.replay is not None:
            parts.append(f"replaying {self.replay}")
        return ", ".join(parts)


SETTINGS: Final = pytest.StashKey[Settings]()


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("cardshoe", "cardshoe: a table and its shoe")
    group.addoption(
        "--cardshoe-hw",
        metavar="sim|PORT|URL",
        default=SIMULATED,
        help="the shoe: `sim` (the default), or the port of a real one, such as /dev/serial/by-id/… or socket://…",
    )
    group.addoption("--cardshoe-family", metavar="NAME", default="angel_eye", help="the real shoe's family (angel_eye)")
    group.addoption(
        "--cardshoe-setting",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="a setting of the real shoe's port, such as baud=9600; may be repeated",
    )
    group.addoption(
        "--cardshoe-control",
        metavar="ADDRESS",
        help="a rig at the real shoe that takes control lines: HOST:PORT or unix:PATH; without it a person is asked",
    )
    group.addoption("--cardshoe-command", metavar="PATH", help="the `cardshoe` command")
    group.addoption("--cardshoe-seed", metavar="N", type=int, help="the seed of a run, to repeat it")
    group.addoption(
        "--cardshoe-patience",
        metavar="SECONDS",
        type=float,
        default=PATIENCE_S,
        help=f"how long to wait for an answer ({PATIENCE_S:g})",
    )
    group.addoption("--cardshoe-record", metavar="FILE", help="record all traffic in a new file")
    group.addoption(
        "--cardshoe-replay", metavar="FILE", help="replay the table logs of a recording instead of using a shoe"
    )


def configure(config: pytest.Config) -> None:
    option = config.option
    is_worker = hasattr(config, "workerinput")
    if option.cardshoe_seed is None:
        # Put back, so that the workers of pytest-xdist get the same one with the other options.
        option.cardshoe_seed = random.randrange(SEEDS)  # noqa: S311  # chosen to be printed, not to be kept secret
    hardware = None if option.cardshoe_hw == SIMULATED else option.cardshoe_hw
    # Absolute, since a worker may stand elsewhere.
    option.cardshoe_record = _absolute(config, option.cardshoe_record)
    option.cardshoe_replay = _absolute(config, option.cardshoe_replay)
    settings = Settings(
        hardware=hardware,
        family=option.cardshoe_family,
        device_settings=dict(map(_setting, option.cardshoe_setting)),
        control=option.cardshoe_control,
        command=option.cardshoe_command,
        seed=option.cardshoe_seed,
        patience_s=option.cardshoe_patience,
        record=_path(option.cardshoe_record),
        replay=_path(option.cardshoe_replay),
    )
    # `dist` is an option of pytest-xdist, "no" without workers.
    if hardware is not None and (is_worker or getattr(option, "dist", "no") != "no"):
        raise pytest.UsageError("--cardshoe-hw: there is one shoe, so run in one process (-n 0)")
    if settings.control is not None and hardware is None:
        raise pytest.UsageError("--cardshoe-control is for a rig at a real shoe: name that with --cardshoe-hw=PORT")
    if settings.record is not None and settings.replay is not None:
        raise pytest.UsageError("--cardshoe-record and --cardshoe-replay are not to be used together")
    if settings.replay is not None and not settings.replay.is_file():
        raise pytest.UsageError(f"--cardshoe-replay: there is no file {settings.replay}")
    config.stash[SETTINGS] = settings
    config.addinivalue_line(
        "markers", "cardshoe(device=…, decks=…, speed=…, wire=…, shuffle=…, arguments=[…]): the shoe that a test wants"
    )


def _setting(text: str) -> tuple[str, object]:
    key, sign, value = text.partition("=")
    if not (key and sign):
        raise pytest.UsageError(f"--cardshoe-setting {text!r} is not KEY=VALUE, such as baud=9600")
    return key, int(value) if value.isascii() and value.isdigit() else value


def _absolute(config: pytest.Config, text: str | None) -> str | None:
    return None if text is None else str((config.invocation_params.dir / text).absolute())


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)
