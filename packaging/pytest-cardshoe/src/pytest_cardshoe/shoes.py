"""The shoe of a test: simulated, or real with a person or rig."""

import json
import select
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

import pytest

from pytest_cardshoe.control import Control, Data
from pytest_cardshoe.errors import CardshoeFailure, ProcessEnded, Silent
from pytest_cardshoe.person import ask
from pytest_cardshoe.processes import Launch, Process

__tracebackhide__ = True  # a failure is shown where the test asked for it, not where it was found

CARDS_PER_DECK: Final = 52
REPORT_S: Final = 2.0
_LOOK_S: Final = 0.01


@dataclass(frozen=True, slots=True)
class ShoeDraw:
    """The result of a pull.

    Attributes:
        cards: empty: unknown.
        told: report of each; `None`: not reported.
    """

    cards: tuple[str, ...] = ()
    told: tuple[str | None, ...] = ()
    cut_card: bool = False
    empty: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeOptions:
    """The shoe of `@pytest.mark.cardshoe(...)`; `device` `None`: the default, or the bench's."""

    device: str | None = None
    decks: int = 8
    speed: float = 20.0
    wire: str = "pty"
    shuffle: str = "uniform"
    arguments: Sequence[str] = field(default=())


class Shoe(Protocol):
    """Any shoe."""

    @property
    def family(self) -> str:
        """Family in `table.toml`."""

    @property
    def port(self) -> str:
        """Port in `table.toml`."""

    @property
    def settings(self) -> Mapping[str, object]:
        """`settings` in `table.toml`."""

    @property
    def decks(self) -> int:
        """Number of decks."""

    @property
    def is_simulated(self) -> bool:
        """True if it is."""

    @property
    def control(self) -> Control | None:
        """The control channel; `None`: none."""

    def load(self, *cards: str) -> int:
        """Shuffle and load all cards, the cut card before the last 14; return their number.

        Args:
            cards: come out first, such as `8S`; `?`: any card.
        """

    def draw(self, count: int = 1) -> ShoeDraw:
        """Pull cards, one at a time."""

    def arrange(self, *cards: str) -> None:
        """Let these cards come next, such as `8S`; `?`: any card."""

    def press(self, outcome: str) -> None:
        """Press a result button: `player`, `banker` or `tie`."""


class ControlledShoe:
    """The commands of a control channel."""

    def __init__(self, control: Control, decks: int, patience_s: float) -> None:
        self.control: Final = control
        self.decks: Final = decks
        self._patience_s: Final = patience_s

    def do(self, command: str, *arguments: str | int) -> Data:
        """Execute any command of the channel (`help` lists them)."""
        return self.control.do(command, *arguments)

    def load(self, *cards: str) -> int:
        """Shuffle and load all cards, the cut card before the last 14; return their number."""
        return int(self.do("load", *(("cards", *cards) if cards else ()))["cards"])

    def draw(self, count: int = 1) -> ShoeDraw:
        """Pull `count` cards, each once the table unlocks it."""
        drawn = ShoeDraw()
        for _ in range(count):
            done = self.do("draw")
            if done["empty"] and self._becomes_free():
                done = self.do("draw")
            drawn = ShoeDraw(
                (*drawn.cards, *done["cards"]),
                (*drawn.told, *done["told"]),
                drawn.cut_card or done["cut_card"],
                done["empty"],
            )
        return drawn

    def arrange(self, *cards: str) -> None:
        """Let these cards come next, such as `8S`; `?`: any card."""
        self.do("arrange", *cards)

    def press(self, outcome: str) -> None:
        """Press a result button."""
        self.do("press", outcome)

    def state(self) -> Data:
        """The device as data: cards left, faults, plugged or not."""
        return self.do("status")

    def replay(self) -> None:
        """Replay the recording of a shoe `replay`, to its end.

        Raises:
            Silent: the host does not send the recorded bytes.
        """
        self.do("start")
        deadline_s = time.monotonic() + self._patience_s
        while (state := self.state())["left"]:
            if time.monotonic() > deadline_s:
                raise Silent("the recording", "its end", self._patience_s, [str(state)])
            select.select([], [], [], _LOOK_S)

    def report(self) -> str:
        """The last commands, the device's state, and its last bytes."""
        parts = ["--- commands", *(self.control.history or ["none"])]
        for title, command in (("state", "status"), ("bytes", "tape")):
            try:
                said = self.control.do(command, patience_s=REPORT_S)["said"]
            except CardshoeFailure as error:
                parts.append(f"--- {title}: {error}")
            else:
                parts += [f"--- {title}", *said.split("; ")]
        return "\n".join(parts)

    def _becomes_free(self) -> bool:
        deadline_s = time.monotonic() + self._patience_s
        while (state := self.state()).get("can_draw") is False and state["cards_left"]:
            if time.monotonic() > deadline_s:
                raise Silent("the device", "that the table lets a card out", self._patience_s, [str(state)])
            select.select([], [], [], _LOOK_S)
        return bool(state.get("can_draw"))


class SimulatedShoe(ControlledShoe):
    is_simulated: Final = True

    def __init__(
        self,
        options: ShoeOptions,
        launch: Launch,
        port: Path,
        seed: int,
        *,
        on_start: Callable[[Process], None],
    ) -> None:
        device = options.device or "angel-eye"
        wire = ("--pty", str(port)) if options.wire == "pty" else ("--tcp", "127.0.0.1:0")
        # A socket of the file system: it works where a project's tests may open no other (pytest-socket).
        control = port.parent / f"{port.name}.control"
        common = ("--control", f"unix:{control.name}", "--ready-json", "--end-with-input")
        numbers = ("--seed", str(seed), "--decks", str(options.decks), "--speed", str(options.speed))
        shuffle = ("--shuffle", options.shuffle)
        arguments = [launch.command, "sim", device, *wire, *common, *numbers, *shuffle, *options.arguments]
        self.process: Final = Process(f"simulated {device}", arguments, launch, port.parent)
        on_start(self.process)
        self.about: Final = self._ready()
        self.family: Final = str(self.about["family"])
        self.port: Final = str(self.about["port"])
        super().__init__(Control(f"unix:{control}", launch.patience_s, launch.note), options.decks, launch.patience_s)
        self.settings: Final[Mapping[str, object]] = self.about.get("settings", {})
        if launch.records:
            self.control.watch("card", "cut_card", "loaded", "fault", "fault_cleared", "plugged", "unplugged", "bytes")

    def _ready(self) -> dict[str, Any]:
        try:
            heard = self.process.expect("that it is ready")
            while heard.is_error:
                heard = self.process.expect("that it is ready")
            about = json.loads(heard.line)
        except (ProcessEnded, ValueError) as error:
            self.process.end()
            raise CardshoeFailure(f"{self.process.title} did not start: {self.process.errors() or error}") from error
        if not isinstance(about, dict):
            raise CardshoeFailure(f"{self.process.title} said {heard.line!r} instead of where it is")
        return about

    def close(self) -> None:
        """End it.

        Raises:
            ProcessEnded: exit code other than 0.
        """
        try:
            if self.process.code is None:
                self.do("about")  # brings what happened until now into the recording
        finally:
            self.control.close()
            code = self.process.end("quit")
        if code != 0:
            raise ProcessEnded(self.process.title, code, self.process.errors())


class RealShoe:
    """A shoe on the bench, at which a person acts."""

    is_simulated: Final = False
    control: Final = None

    def __init__(self, port: str, family: str, settings: Mapping[str, object], decks: int) -> None:
        self.port: Final = port
        self.family: Final = family
        self.settings: Final = settings
        self.decks: Final = decks

    def load(self, *cards: str) -> int:
        """Ask for all cards to be loaded; return their number."""
        count = self.decks * CARDS_PER_DECK
        first = f", {' '.join(cards)} first (?: any card)" if cards else ""
        ask(f"shuffle {self.decks} decks, put the cut card before the last 14 cards, load all {count} cards{first}")
        return count

    def draw(self, count: int = 1) -> ShoeDraw:
        """Ask for cards to be drawn; the shoe reports them to the table."""
        ask("draw 1 card" if count == 1 else f"draw {count} cards, one at a time")
        return ShoeDraw()

    def arrange(self, *cards: str) -> None:
        """Skip the test: a person cannot reach into a stack."""
        pytest.skip(f"wants {' '.join(cards)} next, which a real shoe cannot arrange: load them, or name a rig")

    def press(self, outcome: str) -> None:
        """Ask for a result button to be pressed."""
        ask(f"press the button {outcome}")


class RigShoe(ControlledShoe):
    """A shoe on the bench, with a rig on the control channel."""

    is_simulated: Final = False

    def __init__(
        self,
        port: str,
        family: str,
        settings: Mapping[str, object],
        control: Control,
        decks: int,
        patience_s: float,
    ) -> None:
        super().__init__(control, decks, patience_s)
        self.settings: Final = settings
        self.port: Final = port
        self.family: Final = family
