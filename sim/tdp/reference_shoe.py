"""The reference shoe's C firmware as a process of its own (docs/reference-firmware.md)."""

import json
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from protocols.tdp.codes import FaultCode
from regulations.events.cards import Card
from sim.draws import Draw, PulledCard, ShoeMisuse
from sim.magazine import CUT_CARD, Item, Magazine

SEED_MAX: Final = (1 << 31) - 1
"""The largest seed that the program takes; the smallest is 1."""
END_S: Final = 5.0
"""Until the process ends after its input."""

_OK: Final = "ok: "
_MAY_DRAW: Final = re.compile(r"may draw (\d+)")
_FAULTS: Final = re.compile(r"faults((?: \d+)*)")


class ReferenceShoe(Magazine):
    def __init__(self, program: Path, serial_number: str, seed: int) -> None:
        super().__init__()
        command = [str(program), "--tcp", "127.0.0.1:0", "--serial", serial_number, "--seed", str(seed)]
        self._process: Final = subprocess.Popen(  # noqa: S603  the program that was built here
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        greeting = self._read()
        if not greeting:
            self.close()
            raise OSError(f"{program} ended with exit code {self._process.returncode}")
        told: dict[str, Any] = json.loads(greeting)
        self.port: Final[str] = told["port"]
        self.settings: Final[dict[str, object]] = told["settings"]

    # --- a device, as hands know it ---------------------------------------------------------------------------------

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        super().load(cards, cut_card_behind)
        words: list[str] = list(cards)
        if cut_card_behind is not None:
            words.insert(len(cards) - cut_card_behind, "CUT")
        self._do(" ".join(["load cards", *words]))

    def unload(self) -> list[Card]:
        cards = super().unload()
        if cards:
            self._do("load cards")
        return cards

    def draw(self) -> Draw:
        if not self._send_line("draw").startswith(_OK):
            return Draw()
        item: Item | None = self.draw_item()
        if item is None or item is CUT_CARD:
            return Draw(cut_card=True)
        return Draw(cards=(PulledCard(item, item),))

    # --- a machine, as a croupier meets it --------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        return False

    @property
    def can_draw(self) -> bool:
        found = _MAY_DRAW.search(self._send_line("status"))
        return found is not None and int(found[1]) > 0 and self.next is not None

    @property
    def faults(self) -> tuple[FaultCode, ...]:
        """The faults that hold."""
        found = _FAULTS.search(self._send_line("status"))
        return () if found is None else tuple(FaultCode(int(code)) for code in found[1].split())

    def power_on(self) -> None:
        self._send_line("restore-power")

    def power_cycle(self) -> None:
        self._send_line("cut-power")
        self._do("restore-power")

    def turn_key(self, position: int) -> None:
        self._send_line(f"key {position}")

    def close_cover(self) -> None:
        self._send_line("cover close")

    def press_clear(self) -> None:
        self._do("press clear")

    def remedy(self, code: FaultCode) -> list[Card]:
        """Take a stuck card out under the cover; return it."""
        if code is not FaultCode.STUCK_AT_EXIT:
            return []
        self._do("clear")
        card = self.draw_item()
        return [] if card is None or card is CUT_CARD else [card]

    # --- a line, for the station that runs everything simulated -----------------------------------------------------

    def fds(self) -> Sequence[int]:
        """The process moves its bytes itself."""
        return ()

    def pump(self) -> None:
        """Nothing waits here."""

    def on_wake(self, wake: Callable[[], None]) -> None:
        """Nothing wakes here."""

    def close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    # --- lines ------------------------------------------------------------------------------------------------------

    def _do(self, line: str) -> None:
        answer = self._send_line(line)
        if not answer.startswith(_OK):
            raise ShoeMisuse(f"{line[:20]!r}: {answer}")

    def _send_line(self, line: str) -> str:
        if self._process.stdin is None:
            return ""
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        answer = self._read()
        if not answer:
            raise ShoeMisuse(f"the reference shoe has ended, at {line[:20]!r}")
        return answer

    def _read(self) -> str:
        return "" if self._process.stdout is None else self._process.stdout.readline().strip()
