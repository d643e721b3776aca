"""The table thread: one event at a time, and it alone writes.

event from the inbox -> regulation -> journal, durable -> only then: devices, permits, listeners
"""

import logging
import queue
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Protocol

import msgspec
from msgspec import UNSET

from cardshoe.journal import DiskSpace, DiskSpaceState, Journal, JournalError
from cardshoe.journal.witness.tasks import Task
from cardshoe.persons.pin_checker import unreadable
from cardshoe.persons.proposals import ProposalMade, key_reused
from cardshoe.persons.refusal import AccessRefusal
from cardshoe.process import collector
from cardshoe.process.clock import ClockWatch, boot_time_s, wall_time, went_back_s
from cardshoe.process.exits import Exit, Stop
from cardshoe.screens.view.encoding import EncodedView
from cardshoe.table.bridge_group import BridgeGroup
from cardshoe.table.inbox import Answer, PendingOperation, Waiting, Wanted
from cardshoe.table.log.foreseeing import foreseen
from cardshoe.table.log.house_day import HouseDay
from cardshoe.table.log.idempotency import KeyedInputs
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.reports import take_report, with_origin
from cardshoe.table.log.signing import SIGN_S, SigningTimes, is_momentous
from cardshoe.table.log.snapshot import begins_shoe
from cardshoe.table.log.table_journal import OpenLog
from cardshoe.table.permits import log_outcomes
from firmware_bridge.bridge import Bridge
from firmware_bridge.interlock import DeviceAction
from firmware_bridge.report import Report
from regulations.events import inputs
from regulations.events.inputs import (
    AnyInput,
    CardDrawn,
    Closed,
    Loaded,
    RoundClosed,
)
from regulations.events.notices import ClockStepped, SignedIn, SignedOut, TableOpened
from regulations.events.origins import name_of
from regulations.events.outputs import ShoeOver

logger: Final = logging.getLogger(__name__)

MIB: Final = 1024 * 1024
REST_S: Final = 1.0
RETRY_S: Final = 0.2
"""Devices answer in 0.1 s, or are silent after 0.5 s."""
HELD: Final = 4096
"""Reports held while a table is closed; more end it."""
Listener = Callable[[LoggedInput], None]
"""Receives durable entries in the table thread; must not wait."""
Succession = Callable[[Journal], None]
"""Receives, in the table thread, the new journal before its first entry, and the ended one."""
Viewer = Callable[[Sequence[LoggedInput], EncodedView | None], None]
"""Receives entries and view (``None`` after a defect) in the table thread, after device commands."""


class Stopping:
    """Ends the table thread after all earlier items of the inbox."""


Item = AnyInput | Report | DeviceAction | PendingOperation | Stopping | Task[Any]


class Incoming(Waiting[Item], Protocol):
    def put(self, item: Item) -> None:
        """Add an item; from any thread, returns at once."""


class Controller:
    """One table at work.

    Args:
        sign_s: maximum age of unsigned entries.
        day: gaming day, after which a new log begins; ``None``: only at closing.
        opening: why two people cannot open the closed table, ``None``: they can; default: a closed table ends.
    """

    def __init__(
        self,
        log: OpenLog,
        inbox: Incoming,
        now: Callable[[], str] = wall_time,
        monotonic: Callable[[], float] = time.monotonic,
        boot_s: Callable[[], float] = boot_time_s,
        sign_s: float = SIGN_S,
        *,
        day: HouseDay | None = None,
        opening: Callable[[], str | None] | None = None,
    ) -> None:
        self._log: Final = log
        self._opening: Final = opening
        self._held: Final[list[AnyInput | Report]] = []
        self._now: Final = now
        self._inbox: Final = inbox
        self._devices: Final = BridgeGroup(log, inbox.put)
        self._listeners: list[Listener] = []
        self._viewers: list[Viewer] = []
        self._closing = False
        self._lacking: DiskSpace | None = None
        self._signing: Final = SigningTimes(monotonic, sign_s)
        self._clock: Final = ClockWatch(boot_s)
        self._keyed: Final = KeyedInputs(log)
        self._day: Final = day
        self._successions: Final[list[Succession]] = []

    def attach(self, bridge: Bridge[Any]) -> None:
        """Add a device, before :meth:`run`."""
        self._devices.attach(bridge)

    def listen(self, listener: Listener) -> None:
        """Add a listener for durable inputs, before :meth:`run`."""
        self._listeners.append(listener)

    def show(self, viewer: Viewer) -> None:
        """Add a viewer, before :meth:`run`."""
        self._viewers.append(viewer)

    def succeed(self, succession: Succession) -> None:
        """Add a follower of log changes, before :meth:`run`."""
        self._successions.append(succession)

    def submit(self, event: AnyInput) -> None:
        """Queue a person's input, the least trusted origin; from any thread, returns at once."""
        self._inbox.put(msgspec.structs.replace(event, origin="person"))

    def note(self, event: AnyInput) -> None:
        """Queue the table's own input; from any thread, returns at once."""
        self._inbox.put(msgspec.structs.replace(event, origin="table"))

    def ask(self, act: DeviceAction) -> None:
        """Request an act of the devices, subject to the interlock."""
        self._inbox.put(act)

    def ask_and_wait(
        self, what: Wanted | Callable[[], Wanted | AccessRefusal | ProposalMade], answer: Callable[[Answer], None]
    ) -> None:
        """Like `submit` or `ask`, with an answer, unless the table ends first; from any thread."""
        self._inbox.put(PendingOperation(what, answer))

    def have_done(self, task: Task[Any]) -> None:
        """Queue work that uses the journal; from any thread, returns at once."""
        self._inbox.put(task)

    @property
    def closed_for_room(self) -> Stop | None:
        """The message for a table closed by a full disk; ``None``: another reason."""
        if self._lacking is None or not self._log.scribe.procedure.is_closed:
            return None
        return Stop(
            f"{self._log.journal.path.parent}: {self._lacking.free_bytes // MIB} MiB were free, so the table was "
            "closed after its last round",
            "Nothing is lost. Move closed journals or other files away from that disk, then start again: a new log "
            "begins.",
            Exit.JOURNAL,
        )

    def stop(self) -> None:
        """End :meth:`run` after the inbox is empty; from any thread."""
        self._inbox.put(Stopping())

    def run(self) -> None:
        """Handle events until the table closes or :meth:`stop`.

        After an error no more is acknowledged or published.

        Raises:
            JournalFailed: the disk failed.
        """
        with collector.between_rounds_only():
            self._look_at_the_clock()
            self._sign()
            self._devices.call(self._log.last)
            self._take_all()
            self._sign()

    def _take_all(self) -> None:
        while not self._is_closed or self._waits_for_opening:
            item = self._next_item()
            if item is None:
                self._devices.send_unsent()
            elif isinstance(item, Stopping):
                return
            elif isinstance(item, Task):
                item.run()
            elif isinstance(item, PendingOperation):
                self._answer(_asked(item.what), item.answer)
            elif not self._is_closed:
                self._take_item(item)
            elif not isinstance(item, DeviceAction | SignedIn | SignedOut):
                # Open sessions are recorded when a log begins.
                self._held.append(item)

    @property
    def _is_closed(self) -> bool:
        return self._log.scribe.procedure.is_closed

    @property
    def _waits_for_opening(self) -> bool:
        return self._opening is not None and self._lacking is None and len(self._held) < HELD

    def _take_item(self, item: AnyInput | Report | DeviceAction) -> None:
        if isinstance(item, DeviceAction):
            self._devices.do_as_asked(item, partial(log_outcomes, item))
        elif isinstance(item, Report):
            self.take_report(item)
        elif isinstance(question := self._take_or_ask(item), str):
            logger.warning("`loaded` was not taken: %s", question)

    def _open(self, event: TableOpened) -> LoggedInput | AccessRefusal:
        if not self._is_closed or self._opening is None:
            return AccessRefusal(code="not_permitted", reason="the table is not closed")
        ended = self._log.journal
        closed = msgspec.structs.replace(
            event,
            closed=ended.header.fingerprint,
            root=ended.root.hex(),
            entries=ended.last + 1,
            origin="table",
        )
        try:
            if (why := self._opening()) is not None:
                return _at_terminal(why)
            self._go_over()
        except (Stop, JournalError) as error:
            return _at_terminal(str(error))
        taken = self.take(closed)
        held, self._held[:] = [*self._held], []
        for item in held:
            self._take_item(item)
        return taken

    def _answer(self, what: Wanted | AccessRefusal | ProposalMade, answer: Callable[[Answer], None]) -> None:
        if isinstance(what, TableOpened):
            answer(self._open(what))
        elif self._is_closed and not isinstance(what, AccessRefusal):
            answer(AccessRefusal(code="not_permitted", reason="the table is closed", remedy="Open it at its screen."))
        elif isinstance(what, DeviceAction):
            self._devices.do_as_asked(what, answer)
        else:
            answer(self._answer_to(what))

    def _answer_to(self, what: AnyInput | AccessRefusal | ProposalMade) -> Answer:
        if isinstance(what, ProposalMade):
            self._foresee(what)
        if isinstance(what, AccessRefusal | ProposalMade):
            return what
        earlier = self._keyed.find(what, self._now())
        if earlier is not None:
            return key_reused() if earlier.is_other else earlier
        taken = self._take_or_ask(what)
        if isinstance(taken, LoggedInput):
            self._keyed.note(taken)
        return taken

    def _foresee(self, proposed: ProposalMade) -> None:
        if proposed.foreseen is not None:
            return
        self._log.past.settle()
        proposed.foreseen = foreseen(self._log.scribe, self._log.past.view, proposed.event, self._now())
        what, refused = msgspec.structs.replace(proposed.event, key=UNSET), proposed.foreseen.refused
        self.take(
            inputs.Proposed(
                person=proposed.person,
                act=name_of(what),
                what=what,
                refused=UNSET if refused is None else refused.code,
                origin="table",
            )
        )

    def _take_or_ask(self, event: AnyInput) -> LoggedInput | str:
        question = self._devices.asks_which(event) if isinstance(event, Loaded) else None
        return self.take(event) if question is None else question

    def _next_item(self) -> Item | None:
        waits = [RETRY_S] if self._devices.has_unsent else []
        due_s = self._signing.due_s(self._log.journal.unsigned)
        if due_s is not None:
            if due_s <= 0:
                self._sign()
            else:
                waits.append(due_s)
        if collector.is_due():
            collector.after_shoe()
        try:
            return self._inbox.get(timeout=0)
        except queue.Empty:
            collector.when_quiet()
        day_s = self._day_left_s()
        if day_s is not None:
            if day_s <= 0:
                self._begin_log()
            else:
                waits.append(day_s)
        try:
            return self._inbox.get(timeout=min(waits, default=None))
        except queue.Empty:
            return None

    def _day_left_s(self) -> float | None:
        if self._day is None or not self._log.may_end:
            return None
        left_s = self._day.left_s(self._log.journal.header.created_at, self._now())
        if left_s <= 0 and not self._devices.are_at_rest:
            return REST_S
        return left_s

    def _begin_log(self) -> None:
        """A crash in between leaves a closed log; the next start begins another.

        Raises:
            Stop, JournalError: there is no other, and no person can open one.
        """
        self.take(Closed(origin="table"))
        try:
            self._go_over()
        except (Stop, JournalError):
            if self._opening is None:
                raise
            logger.exception("no log begins, and the table is closed until two people open it")

    def _go_over(self) -> None:
        self._sign()
        ended = self._log.go_over(self._now())
        logger.info("%s: begun; %s is closed", self._log.journal.path, ended.path.name)
        for succession in self._successions:
            try:
                succession(ended)
            except Exception:  # the new log is in force, and the table goes on in it
                logger.exception("%s: something of the change of logs was not done", self._log.journal.path)
        if not self._successions:
            ended.close()
        for listener in self._listeners:
            listener(self._log.last)
        self._devices.call(self._log.last)
        self._show_view([self._log.last])
        self._sign()  # behind the view: clients know this log before its first signature
        self._devices.introduce()

    def take(self, event: AnyInput) -> LoggedInput:
        """Apply one event, durably; in the table thread alone."""
        return self._take_at(event, self._watched_now())

    def _take_at(self, event: AnyInput, now: str) -> LoggedInput:
        taken = self._log.scribe.take(with_origin(event, "person", now))
        self._log.journal.append([taken.entry], sign_at=now if is_momentous(taken) else None)
        self._spread([taken])
        return taken

    def _watched_now(self) -> str:
        now = self._now()
        step_s = self._clock.step_s(now)
        if step_s is not None:
            stepped = ClockStepped(seconds=step_s, origin="table")
            if self._is_closed:
                self._held.append(stepped)
            else:
                self._take_at(stepped, now)
        return now

    def _look_at_the_clock(self) -> None:
        now, last = self._watched_now(), self._log.last.event.at
        back_s = went_back_s(last, now) if self._log.recovered and isinstance(last, str) else None
        if back_s is not None:
            self._take_at(ClockStepped(seconds=back_s, origin="table"), now)

    def take_report(self, report: Report) -> None:
        """Apply a device message in one durable transaction, then acknowledge it."""
        now = self._watched_now()
        done = take_report(self._log.scribe, report, self._counted, now)
        taken = done.taken
        momentous = any(is_momentous(one) for one in taken)
        self._log.journal.append([one.entry for one in taken], sign_at=now if momentous else None)
        self._devices.made_durable(report, done.entries, is_processed=done.is_processed)
        self._spread(taken)

    def _begin_shoe(self, taken: Sequence[LoggedInput]) -> None:
        if any(begins_shoe(one, self._log.scribe.procedure) for one in taken):
            snapshot = self._log.past.snapshot(self._log.scribe)
            self._log.journal.begin_shoe(self._now(), None if snapshot is None else msgspec.json.encode(snapshot))
            self._devices.shoe_begun()

    def _counted(self, event: AnyInput) -> AnyInput:
        """A card with the count of all cards: devices miss cards entered after a jam."""
        if not (self._log.entered and isinstance(event, CardDrawn)) or event.number is UNSET or event.count is UNSET:
            return event
        return msgspec.structs.replace(event, count=event.count + self._log.entered)

    def _spread(self, taken: Sequence[LoggedInput]) -> None:
        for one in taken:
            self._log.last = one
            self._log.past.take(one)
            self._devices.tell(one)
            for listener in self._listeners:
                listener(one)
            self._keep_house(one)
        self._begin_shoe(taken)
        self._devices.call(taken[-1])
        self._show_view(taken)

    def _show_view(self, taken: Sequence[LoggedInput]) -> None:
        if self._viewers:
            view = self._log.past.encoded()
            for viewer in self._viewers:
                viewer(taken, view)

    def _sign(self) -> None:
        self._log.journal.sign(self._watched_now())

    def _keep_house(self, taken: LoggedInput) -> None:
        if self._log.scribe.procedure.is_mid_round:
            return
        self._log.past.settle()
        if taken.tells(ShoeOver):
            collector.after_shoe()
        elif isinstance(taken.event, RoundClosed):
            collector.after_round()
        if isinstance(taken.event, Closed):
            # Refused while an irregularity is open: asked again once something else has happened.
            self._closing = False
        elif not self._closing:
            self._ask_for_room()

    def _ask_for_room(self) -> None:
        room = self._log.journal.room()
        self._lacking = None if room.state is DiskSpaceState.ENOUGH else room
        if self._lacking is not None:
            logger.error(
                "the disk of the journal is nearly full, %d MiB are free in %s: the open round is finished, then the "
                "table closes. Nothing is lost. Move closed journals away, then start again.",
                room.free_bytes // MIB,
                self._log.journal.path.parent,
            )
            self._closing = True
            self.note(Closed())


def _asked(what: Wanted | Callable[[], Wanted | AccessRefusal | ProposalMade]) -> Wanted | AccessRefusal | ProposalMade:
    try:
        return what() if callable(what) else what
    except Stop:  # the registry of persons became unreadable while it was looked at
        return unreadable()


def _at_terminal(why: str) -> AccessRefusal:
    return AccessRefusal(code="at_terminal", reason=why, remedy="A technician must start the table at the terminal.")
