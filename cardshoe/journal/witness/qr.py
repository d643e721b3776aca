"""QR codes of signed notes in the terminal."""

import io
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from cardshoe.journal import Journal
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import Takeover, read_statement

if TYPE_CHECKING:
    import segno

BORDER: Final = 2

LINES_BELOW: Final = 2


def code_of(note: bytes) -> "segno.QRCode":
    import segno  # noqa: PLC0415  with XML and all, a tenth of a table's start, which needs no code

    return segno.make_qr(note, error="l", mode="byte", boost_error=False)


def columns_of(code: "segno.QRCode") -> int:
    return int(code.symbol_size(border=BORDER)[0])


def in_words(code: "segno.QRCode") -> str:
    out = io.StringIO()
    code.terminal(out, border=BORDER, compact=True)
    return out.getvalue().rstrip("\n")


class QrScreen:
    """Shows the newest signed note or key statement; ``size`` ``None``: any."""

    def __init__(
        self,
        say: Callable[[str], object],
        show: Callable[[str, str], object],
        size: Callable[[], tuple[int, int] | None],
        *,
        by_itself: bool = True,
    ) -> None:
        self._say: Final = say
        self._show: Final = show
        self._size: Final = size
        self._by_itself: Final = by_itself
        self._newest = b""
        self._takeover = b""

    def start(self, journal: Journal) -> None:
        """Subscribe to the journal's notes."""
        self._newest = journal.newest_note()
        journal.listen(self.submit)

    def submit(self, note: bytes) -> None:
        """Queue a note from the table's thread; codes are made in another."""
        self._newest = note
        said = read_statement(Note(note))
        if not isinstance(said, Takeover):
            return
        self._takeover = note
        if self._by_itself:
            threading.Thread(target=self.show, args=(note,), name="qr", daemon=True).start()
        else:
            self._say(f"key {said.epoch} takes over at entry {said.size - 1}: `qr key` shows it, for a photo")

    def show_newest(self) -> None:
        self._show_if_any(self._newest, "nothing is signed yet")

    def show_key(self) -> None:
        self._show_if_any(self._takeover, "no key has taken over since this program started; `qr` shows the newest")

    def _show_if_any(self, note: bytes, otherwise: str) -> None:
        if note:
            self.show(note)
        else:
            self._say(otherwise)

    def show(self, note: bytes) -> None:
        """Show a note, or the terminal size that it needs."""
        said = read_statement(Note(note))
        code = code_of(note)
        picture, there = in_words(code), self._size()
        needed = (columns_of(code), len(picture.splitlines()) + LINES_BELOW)
        if there is not None and (there[0] < needed[0] or there[1] < needed[1]):
            self._say(
                f"the QR code needs {needed[0]} columns and {needed[1]} lines, and here are {there[0]} and {there[1]}: "
                "make the window larger, or its letters smaller, and type `qr`"
            )
            return
        what = f"key {said.epoch} takes over" if isinstance(said, Takeover) else f"checkpoint {said.number}"
        self._show(picture, f"{what} at entry {said.size - 1}: a photo of this is a witness (docs/journal.md)")
