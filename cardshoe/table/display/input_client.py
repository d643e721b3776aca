"""Send inputs to the table over a live connection.

Tokens are valid on that connection only: when it ends, all sessions end.
"""

import asyncio
import itertools
from collections.abc import Callable
from typing import Final, cast, get_args

import msgspec

from cardshoe.persons.request_sources import PinsWaiting
from cardshoe.table.display.table_link import TableLink
from cardshoe.table.live import messages as says
from cardshoe.table.live.client import Outcome
from cardshoe.table.live.messages import written
from cardshoe.table.live.place import NotLive, TablePlace
from cardshoe.table.live.session import LiveError

WAITING: Final = 32
PINS: Final = 4
PINS_AFAR: Final = 2
ANSWER_S: Final = 5.0
ACT_S: Final = 20.0
BUSY_S: Final = 2.0
_WITH_PIN: Final = (says.SignIn, says.Approve, says.Enrol)
_OUTCOMES: Final = get_args(Outcome)


class NotAnswered(Exception):
    """The table does not answer; the outcome is unknown, its log has it."""


class InputClient:
    """Carries inputs, without access to PINs or permissions."""

    def __init__(self, place: TablePlace, ended: Callable[[], None]) -> None:
        self._place: Final = place
        self._ended: Final = ended
        self._numbers: Final = itertools.count(1)
        self._turn: Final = asyncio.Lock()
        self._pins: Final = PinsWaiting(PINS, PINS_AFAR)
        self._now: TableLink | None = None
        self._waiting: Final[dict[str, asyncio.Future[Outcome]]] = {}
        self._task: asyncio.Task[None] | None = None

    async def ask(self, request: says.Personal) -> Outcome:
        """Send a message and wait for its answer.

        Raises:
            NotAnswered: the table does not answer.
        """
        named = msgspec.structs.replace(request, id=str(next(self._numbers)))
        source = request.source if isinstance(request, _WITH_PIN) else None
        if source is None:
            return await self._asked(named)
        if self._pins.is_full(source):
            return _busy(named)
        with self._pins.waits(source):
            return await self._asked(named)

    async def _asked(self, named: says.Personal) -> Outcome:
        async with self._turn:
            link = self._now or await self._connected()
        if len(self._waiting) >= WAITING:
            return _busy(named)
        if len(message := written(named)) > says.LINE_MAX:
            return _too_long(named)
        answer = asyncio.get_running_loop().create_future()
        self._waiting[named.id] = answer
        link.send(message)
        try:
            return await asyncio.wait_for(answer, ACT_S if isinstance(named, says.SayAct) else ANSWER_S)
        except TimeoutError:
            link.close()
            raise NotAnswered("the table does not answer") from None

    async def close(self) -> None:
        """End the connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _connected(self) -> TableLink:
        try:
            self._now = await TableLink.to(self._place)
        except LiveError as error:
            raise NotAnswered(error.reason) from error
        except (NotLive, OSError) as error:
            raise NotAnswered(str(error)) from error
        self._task = asyncio.create_task(self._look_after(self._now))
        return self._now

    async def _look_after(self, link: TableLink) -> None:
        try:
            while True:
                for said in await link.heard(None):
                    self._hand_over(said)
        except LiveError:
            pass  # whoever waits is told
        finally:
            self._now = None
            link.close()
            waiting = [*self._waiting.values()]
            self._waiting.clear()
            for answer in waiting:
                if not answer.done():
                    answer.set_exception(NotAnswered("the table has gone"))
            self._ended()

    def _hand_over(self, said: says.Said) -> None:
        if isinstance(said, _OUTCOMES):
            answer = self._waiting.pop(said.id, None)
            if answer is not None and not answer.done():
                answer.set_result(cast("Outcome", said))


def _busy(request: says.Personal) -> says.RequestDeclined:
    return says.RequestDeclined(
        id=request.id,
        code="busy",
        field="$",
        reason="too many inputs are waiting",
        remedy="Try again.",
        again_s=BUSY_S,
    )


def _too_long(request: says.Personal) -> says.RequestDeclined:
    return says.RequestDeclined(
        id=request.id,
        code="malformed",
        field="$",
        reason=f"the input is longer than {says.LINE_MAX} bytes as the table log writes it",
        remedy="Send a shorter one.",
    )
