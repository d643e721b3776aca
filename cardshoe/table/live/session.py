"""The client's protocol state, without the connection."""

from typing import Final

from cardshoe.table.live import messages as says
from cardshoe.table.live.messages import VERSION, read_said

MESSAGE_MAX: Final = 16 * 1024 * 1024


class LiveError(Exception):
    """An unexpected answer, or the end of the connection.

    Attributes:
        code: of `Error`; ``lost``: broken; ``bye``: table ended; ``version``: other protocol; ``malformed``:
            not a table's message.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(f"{reason} ({code})")
        self.code = code
        self.reason = reason


class LiveSession:
    """The messages of one connection; ``hello`` ``None`` before the first."""

    def __init__(self) -> None:
        self.hello: says.Hello | None = None
        self._rest = b""
        self._heard: list[says.Said] = []
        self._end: tuple[str, str] | None = None

    def receive(self, data: bytes | None) -> None:
        """Take received bytes; empty: closed by the table; ``None``: silence."""
        if not data:
            self._end = self._end or ("lost", "the table does not answer" if data is None else "the table has gone")
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if self._end is None:
                self._take(line)
        if len(self._rest) > MESSAGE_MAX:
            self._end = self._end or ("malformed", "the table sent too much at once")

    def heard(self) -> list[says.Said]:
        """Known messages since the last call; empty: receive more."""
        found, self._heard = self._heard, []
        if not found:
            self._check()
        return found

    def greeting(self) -> says.Hello | None:
        """The table's first message; ``None``: receive more."""
        if self.hello is None:
            self._check()
        return self.hello

    def _check(self) -> None:
        if self._end is not None:
            raise LiveError(*self._end)

    def _take(self, line: bytes) -> None:
        try:
            said = read_said(line)
        except ValueError as error:
            self._end = "malformed", f"this is not a table's message: {error}"
            return
        match said:
            case says.Error() if said.code != "subscribed":  # which ends nothing, and is a sign of life
                self._end = said.code, said.reason
            case says.Bye():
                self._end = "bye", "the table was closed" if said.reason == "closed" else "the table was stopped"
            case says.Hello() if self.hello is None and said.live == VERSION:
                self.hello = said
            case _ if self.hello is None:
                self._end = "version", f"the table speaks a version other than {VERSION}"
            case None:
                pass
            case _:
                self._heard.append(said)
