"""The keyboard of a running table, line by line."""

import logging
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from cardshoe.journal.witness.qr import QrScreen
from cardshoe.persons.proposals import ProposalMade
from cardshoe.persons.refusal import AccessRefusal
from cardshoe.process.free_text import terminal_text
from cardshoe.table.inbox import Answer, Wanted
from cardshoe.table.staff_service import Persons
from cardshoe.table.terminal import console, signing_in
from cardshoe.table.terminal.formatting import Voice
from cardshoe.table.terminal.help import help_on, help_text
from cardshoe.table.terminal.input_context import Situation
from cardshoe.table.terminal.output_queue import Screen
from cardshoe.table.terminal.signing_in import SigningIn
from cardshoe.table.terminal.status import status_text
from cardshoe.table.terminal.status_line import options_text
from cardshoe.table.terminal.table_tracker import Follower
from cardshoe.table.terminal.text import prompt_text
from cardshoe.table.terminal.typing_in import Echo, typed_lines
from firmware_bridge.interlock import DeviceAction
from regulations.events.errors import MalformedLine
from regulations.events.inputs import AnyInput

if TYPE_CHECKING:
    from cardshoe.table.terminal.editor import LineEditor

logger: Final = logging.getLogger(__name__)

QUIT: Final = frozenset({"quit", "exit"})
ANSWER_S: Final = 5.0
KEYBOARD_ENDED: Final = (
    "the keyboard has ended (Ctrl-D): nothing more can be typed here. The table keeps running; SIGTERM ends it."
)


class Table(Protocol):
    def submit(self, event: AnyInput) -> None:
        """Queue a person's input."""

    def ask(self, act: DeviceAction) -> None:
        """Request an act of the devices."""

    def ask_and_wait(
        self, what: Wanted | Callable[[], Wanted | AccessRefusal | ProposalMade], answer: Callable[[Answer], None]
    ) -> None:
        """Both, with an answer."""

    def stop(self) -> None:
        """End the table between two events."""


class Keyboard:
    """Reads typed lines; their end does not stop the table.

    Args:
        editor: ``None``: plain standard input.
        persons: ``None``: everyone at the keyboard may act.
    """

    def __init__(
        self,
        table: Table,
        follower: Follower,
        screen: Screen,
        qr: QrScreen | None,
        editor: "LineEditor | None" = None,
        persons: Persons | None = None,
    ) -> None:
        self._table: Final = table
        self._follower: Final = follower
        self._screen: Final = screen
        self._qr: Final = qr
        self._editor: Final = editor
        self._persons: Final = persons
        self._echo: Final = Echo()
        self._signing: Final = SigningIn(persons, screen.say, self._hide)
        self._questions: Final[dict[str, Callable[[str], object]]] = {
            "help": self._help,
            "status": lambda _: screen.say(follower.ask(standing_text)),
            "options": lambda _: screen.say(follower.ask(options_text)),
            "undo": lambda _: self._undo(),
            "qr": self._show_qr,
            **{command: partial(self._signing.begin, command) for command in signing_in.COMMANDS},
        }

    def run(self) -> None:
        """Read lines in a thread until the end or a stop."""
        if self._editor is not None:
            end = self._editor.run(self._take_typed)
            if end == "interrupt":
                self._table.stop()
            elif end == "keyboard":
                self._screen.say(KEYBOARD_ENDED)
                self._screen.say(self._follower.ask(lambda now: prompt_text(now.prompt)))
            return
        goes_on = all(self.take(line) for line in typed_lines(self._screen.say))
        if goes_on and sys.stdin is not None and sys.stdin.isatty():
            self._screen.say(KEYBOARD_ENDED)

    def _take_typed(self, line: str) -> bool:
        if not self._signing.is_asking:
            self._screen.say(f"> {line}")
        return self.take(line)

    def take(self, line: str) -> bool:
        """Handle a line; True: read on."""
        try:
            return self._take(line)
        except Exception:
            # Whoever is at the keyboard must not lose it by one line.
            logger.exception("a typed line could not be taken")
            self._screen.say("not accepted: the program failed at this line; its log has details. Type the next line.")
            return True

    def _take(self, line: str) -> bool:
        text = line.strip()
        if self._signing.is_asking:
            self._signing.take(text)
            return True
        if not text:
            return True
        if text in QUIT:
            self._table.stop()
            return False
        word, _, rest = text.partition(" ")
        if (question := self._questions.get(word)) is not None:
            question(rest.strip())
            return True
        try:
            wanted = self._follower.ask(lambda now: console.parse(text, now))
        except MalformedLine as error:
            told = error
            self._screen.say(self._follower.ask(lambda now: console.not_understood(text, told, now)))
            return True
        if (persons := self._persons) is not None:
            self._ask(lambda: persons.refuses(0, wanted) or wanted)
        elif self._editor is None:
            # Lines of a pipe come at once: what a later one means, and is told, hangs on the answers before it.
            self._ask(wanted)
        elif isinstance(wanted, DeviceAction):
            self._table.ask_and_wait(wanted, self._show_outcome)
        else:
            self._table.submit(wanted)
        return True

    def _ask(self, what: Wanted | Callable[[], Wanted | AccessRefusal | ProposalMade]) -> None:
        answered = threading.Event()

        def hear(came: Answer) -> None:
            self._show_outcome(came)
            answered.set()

        self._table.ask_and_wait(what, hear)
        answered.wait(ANSWER_S)

    def _show_outcome(self, came: Answer) -> None:
        if isinstance(came, AccessRefusal | str):
            self._screen.say(f"not taken: {terminal_text(str(came))}")
        elif isinstance(came, dict):
            lines = [terminal_text(f"{name}: {why or 'done'}") for name, why in came.items()]
            self._screen.say("\n".join(lines) or "no device")

    def _hide(self, prompt: str | None) -> None:
        if self._editor is not None:
            self._editor.hide(prompt)
        else:
            self._echo.show(is_shown=prompt is None)
            if prompt is not None:
                self._screen.say(prompt)

    def _help(self, about: str) -> None:
        self._screen.say(self._follower.ask(lambda now: help_on(about, now) if about else help_text(now)))

    def _undo(self) -> None:
        proposed = self._follower.undo()
        if not proposed.line:
            self._screen.say(proposed.says)
        elif self._editor is None:
            self._screen.say(f"{proposed.says}\nfill in and type:\n  {proposed.line}")
        else:
            self._screen.say(f"{proposed.says}\nfill in what stands in <>, then Enter:")
            self._editor.fill(proposed.line)

    def _show_qr(self, which: str) -> None:
        if self._qr is None:
            self._screen.say("QR codes are not shown with --json")
        elif which == "key":
            self._qr.show_key()
        else:
            self._qr.show_newest()


def standing_text(now: Situation) -> str:
    return status_text(now.view, voice=Voice(now.currency))
