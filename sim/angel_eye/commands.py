"""Bytes from the host at the shoe (docs/protocols/angel-eye.md, sections 7 to 9)."""

from collections.abc import Callable
from typing import Final, Protocol

from protocols.angel_eye.codec import encode_reply
from protocols.angel_eye.decoder import CommandDecoder
from protocols.angel_eye.messages import Ack, Command, CommandType, Nak, NakCode, Rejected, Reply
from protocols.garbage import Garbage

_LOCKED: Final = {1: False, 2: True}
_CONFIRM: Final = 0


class CommandTarget(Protocol):
    """Each method returns True if the act could be done."""

    def refusal(self) -> NakCode | None:
        """Why no command can be taken now."""

    def lock(self, *, locked: bool) -> bool:
        """Lock or unlock."""

    def clear_error(self, code: int | None = None) -> bool:
        """Clear one error."""

    def confirm_round(self) -> bool:
        """Confirm the round with the shoe's own verdict."""


class CommandHandler:
    def __init__(self, shoe: CommandTarget, reply: Callable[[bytes], None]) -> None:
        self._shoe = shoe
        self._reply = reply
        self._decoder = CommandDecoder()

    def receive(self, data: bytes) -> None:
        for item in self._decoder.feed(data):
            if isinstance(item, Garbage):
                continue  # not answered, as section 8 says
            answer = Nak(item.code) if isinstance(item, Rejected) else self._reply_to(item)
            self._reply(encode_reply(answer))

    def reset(self) -> None:
        self._decoder.reset()

    def _reply_to(self, command: Command) -> Reply:
        if (code := self._shoe.refusal()) is not None:
            return Nak(code)
        match command.type:
            case CommandType.LOCK:
                if command.data not in _LOCKED:
                    return Nak(NakCode.FORMAT)
                return _reply(done=self._shoe.lock(locked=_LOCKED[command.data]))
            case CommandType.CLEAR_ERROR:
                return _reply(done=self._shoe.clear_error(command.data))
            case CommandType.CONFIRM_ROUND:
                if command.data != _CONFIRM:
                    return Nak(NakCode.FORMAT)
                return _reply(done=self._shoe.confirm_round())


def _reply(*, done: bool) -> Reply:
    return Ack() if done else Nak(NakCode.OTHER)
