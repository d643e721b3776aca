"""The line editor of a terminal: fixed prompt, history, completion, status line.

History stays in memory: lines contain people and sealed cards.
"""

import asyncio
import contextlib
import errno
import io
import sys
import termios
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import IO, Final, Literal, TextIO, cast

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application, in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output.vt100 import Vt100_Output

from cardshoe.table.terminal.completion import Completions
from cardshoe.table.terminal.formatting import COLUMNS, fitted
from cardshoe.table.terminal.printing import write_out

ENDING_S: Final = 1.0
HINT_LINES: Final = 3
End = Literal["taken", "keyboard", "interrupt"]
_GONE: Final = frozenset({errno.EIO, errno.ENXIO, errno.EPIPE, errno.ENOTTY})


class LineEditor:
    def __init__(self, complete: Callable[[str], Completions], status: Callable[[], str]) -> None:
        self._complete: Final = complete
        self._status: Final = status
        self._pinned: Sequence[str] = ()
        self._hint: Sequence[str] = ()
        self._hidden: str | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pending: Final[set[Future[None]]] = set()
        self._guard: Final = threading.Lock()
        self._ended: Final = threading.Event()
        self._screen: Final = asyncio.Lock()
        self._before: Final = termios.tcgetattr(sys.stdin.fileno())
        keys = KeyBindings()
        keys.add(Keys.ControlI)(self._tab)
        self._output: Final = Vt100_Output.from_pty(cast("TextIO", _Unbuffered(sys.stdout)))
        self._session: Final[PromptSession[str]] = PromptSession(
            self._message,
            bottom_toolbar=lambda: [("", f" {self._status()}"[:COLUMNS])],
            key_bindings=keys,
            erase_when_done=True,
            reserve_space_for_menu=0,
            complete_while_typing=False,
            output=self._output,
            is_password=Condition(lambda: self._hidden is not None),
        )
        # A terminal that does not say where its cursor is has no status line. Asked for once, nobody need be warned.
        self._session.app.renderer.cpr_not_supported_callback = None

    # --- in the console's thread -------------------------------------------------------------------------------------

    def run(self, take: Callable[[str], bool]) -> End:
        """Read lines until one ends it, Ctrl-D, Ctrl-C or :meth:`stop`; ``take`` must not wait."""
        try:
            return asyncio.run(self._run(take))
        finally:
            self._ended.set()

    async def _run(self, take: Callable[[str], bool]) -> End:
        app = self._session.app

        def accept(buffer: Buffer) -> bool:
            self._hint = ()
            # The library keeps a byte that is no UTF-8, as of a terminal that writes Big5, as half a surrogate pair.
            text = buffer.text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            if self._hidden is not None:
                buffer.reset()  # the history is kept of what is there when this returns
                lines = [text]
            else:
                lines = [line for line in text.splitlines() if line.strip()]
            if not all(map(take, lines)):
                app.exit(result="")
            return False

        self._session.default_buffer.accept_handler = accept
        self._session.default_buffer.on_text_changed += lambda _: self._forget_hint()
        with self._guard:
            if self._ended.is_set():  # stopped before it began, as where a start fails at once
                return "taken"
            self._loop = asyncio.get_running_loop()
        try:
            await self._session.prompt_async(handle_sigint=False, set_exception_handler=False)
        except EOFError:
            return "keyboard"
        except OSError as error:
            if error.errno not in _GONE:
                raise
            return "keyboard"  # the terminal is gone, and nothing can be drawn on it any more
        except KeyboardInterrupt:
            return "interrupt"
        finally:
            with self._guard:
                self._loop = None
                pending = list(self._pending)  # a write that ends meanwhile leaves the set
            # Writes that wait are printed: a loop that has ended would let their threads wait.
            await asyncio.gather(*map(asyncio.wrap_future, pending), return_exceptions=True)
        return "taken"

    def fill(self, line: str) -> None:
        """Prefill the next line."""
        buffer = self._session.default_buffer
        self._in_loop(lambda: buffer.set_document(Document(line)))

    def hide(self, prompt: str | None) -> None:
        """Hide the next line, with a prompt; `None`: show again."""
        self._hidden = prompt
        self._session.app.invalidate()

    def page(self, picture: str, below: str) -> None:
        """Show a page until a key is pressed."""
        self._in_loop(lambda: self._session.app.create_background_task(self._show_page(picture, below)))

    async def _show_page(self, picture: str, below: str) -> None:
        keys = KeyBindings()
        keys.add(Keys.Any)(lambda event: event.app.exit())
        text = FormattedTextControl(ANSI(f"{picture}\n{below}  (any key: back)"), show_cursor=False)
        page: Application[None] = Application(
            Layout(Window(text)), full_screen=True, key_bindings=keys, output=self._output
        )
        async with self._screen, in_terminal():
            await page.run_async(handle_sigint=False, set_exception_handler=False)

    # --- from any thread ---------------------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Print above the typed line; returns once written."""
        with self._guard:
            written = None if self._loop is None else asyncio.run_coroutine_threadsafe(self._above(data), self._loop)
            if written is not None:
                self._pending.add(written)
        if written is None:
            write_out(sys.stdout, data)
            return
        try:
            written.result()
        finally:
            with self._guard:
                self._pending.discard(written)

    def pin(self, lines: Sequence[str]) -> bool:
        """Pin lines above the typed one; ``False`` after the end of typing."""
        self._pinned = lines
        self._session.app.invalidate()
        return not self._ended.is_set()

    def stop(self) -> None:
        """End :meth:`run` as soon as possible."""
        self._in_loop(self._exit)
        self._ended.wait(ENDING_S)

    def restore(self) -> None:
        """Restore the terminal."""
        # A terminal that is gone (the connection broke) has no state to restore.
        with contextlib.suppress(termios.error):
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, self._before)

    def _in_loop(self, act: Callable[[], object]) -> None:
        with self._guard:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(act)
            else:
                self._ended.set()

    def _exit(self) -> None:
        if self._session.app.is_running and not self._session.app.is_done:
            self._session.app.exit(result="")

    # --- drawing -----------------------------------------------------------------------------------------------------

    async def _above(self, data: bytes) -> None:
        # Not by the library's `run_in_terminal`: the terminal echoes what is typed in it, and heeds Ctrl-S.
        async with self._screen:
            app = self._session.app
            if not app.is_running:
                write_out(sys.stdout, data)
                return
            await app.renderer.wait_for_cpr_responses()
            app.renderer.erase()
            write_out(sys.stdout, data)
            app.renderer.request_absolute_cursor_position()
            app.invalidate()

    def _message(self) -> StyleAndTextTuples:
        above = "".join(f"{line}\n" for line in self._hint)
        return [("", above), ("bold", "".join(f"{line}\n" for line in self._pinned)), ("", self._hidden or "> ")]

    def _tab(self, event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if self._hidden is not None:
            return
        found = self._complete(buffer.document.text_before_cursor)
        if found.common:
            buffer.insert_text(found.common)
        elif found.words:
            self._hint = fitted("  ".join(found.words))[:HINT_LINES]
            event.app.invalidate()

    def _forget_hint(self) -> None:
        self._hint = ()


class _Unbuffered(io.TextIOBase):
    """Unbuffered standard output.

    A thread waiting in Python's buffer would abort the interpreter at its end.
    """

    def __init__(self, stream: IO[str]) -> None:
        super().__init__()
        self._stream: Final = stream

    def fileno(self) -> int:
        return self._stream.fileno()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def write(self, text: str) -> int:
        try:
            write_out(self._stream, text.encode("utf-8", "replace"))
        except OSError as error:
            if error.errno not in _GONE:
                raise
            # The library may draw before it reads that the terminal is gone: reading ends the editor.
        return len(text)
