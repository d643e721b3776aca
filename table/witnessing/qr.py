"""QR codes of signed notes in the terminal: a photo of the screen is a witness that needs no disk and no line."""

import io
import threading
from collections.abc import Callable
from typing import Final

import segno

from table.journal import Journal
from table.journal.proof.note import Note
from table.journal.proof.statements import Takeover, read_statement

BORDER: Final = 2
"""Light modules around a code. The standard asks for four; the terminal's own background is more of them."""


def code_of(note: bytes) -> segno.QRCode:
    """The code of a note: its bytes, UTF-8, as they were signed."""
    return segno.make_qr(note, error="l", mode="byte", boost_error=False)


def columns_of(code: segno.QRCode) -> int:
    """How wide a terminal must be for it."""
    return int(code.symbol_size(border=BORDER)[0])


def in_words(code: segno.QRCode) -> str:
    """The code as lines of half blocks."""
    out = io.StringIO()
    code.terminal(out, border=BORDER, compact=True)
    return out.getvalue().rstrip("\n")


class QrScreen:
    """Shows the newest signed note, and by itself each statement of a key that takes over.

    Args:
        say: prints lines, from any thread.
        columns: how wide the terminal is now; ``None``: it is none, and any width will do.
    """

    def __init__(self, say: Callable[[str], object], columns: Callable[[], int | None]) -> None:
        self._say: Final = say
        self._columns: Final = columns
        self._newest = b""

    def start(self, journal: Journal) -> None:
        """Begin to hear the journal's notes."""
        self._newest = journal.newest_note()
        journal.listen(self.take)

    def take(self, note: bytes) -> None:
        """Take a note; in the table's thread, so a code is made in another."""
        self._newest = note
        if isinstance(read_statement(Note(note)), Takeover):
            threading.Thread(target=self.show, args=(note,), name="qr", daemon=True).start()

    def show_newest(self) -> None:
        """Show the newest note."""
        if self._newest:
            self.show(self._newest)
        else:
            self._say("nothing is signed yet")

    def show(self, note: bytes) -> None:
        """Show a note, or say how wide the terminal must be for it."""
        said = read_statement(Note(note))
        code = code_of(note)
        needed, there = columns_of(code), self._columns()
        if there is not None and there < needed:
            self._say(f"the QR code of the newest signature needs {needed} columns, and there are {there}: type `qr`")
            return
        what = f"key {said.epoch} takes over" if isinstance(said, Takeover) else f"checkpoint {said.number}"
        self._say(f"{in_words(code)}\n{what} at entry {said.size - 1}: a photo of this is a witness (docs/journal.md)")
