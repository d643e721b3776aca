"""The table thread: one event at a time, and it alone writes.

event from the inbox -> regulation -> journal, durable -> only then: the devices hear of it, permits are granted, and
whoever listens is told. Everything in the inbox is an event of the table log, from whatever thread it came. Whose it is
the way says by which it came: :meth:`Controller.submit` and the bare inbox are persons', who are trusted least, a
``Report`` is its device's, and :meth:`Controller.note` is the table's own.
"""

import logging
import queue
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, Final, Protocol

import msgspec
from msgspec import UNSET

from cardshoe.journal import Room, RoomState
from cardshoe.journal.witness.tasks import Task
from cardshoe.persons.proposals import Proposed, key_reused
from cardshoe.persons.refusal import Refusal
from cardshoe.process import collector
from cardshoe.process.clock import ClockWatch, boot_time_s, wall_time, went_back_s
from cardshoe.process.exits import Exit, Stop
from cardshoe.screens.view.encoding import EncodedView
from cardshoe.table.inbox import Answer, Asked, Waiting, Wanted
from cardshoe.table.log.idempotency import KeyedInputs
from cardshoe.table.log.log_builder import Taken
from cardshoe.table.log.reports import take_report, with_origin
from cardshoe.table.log.signing import SIGN_S, SigningTimes, is_momentous
from cardshoe.table.log.snapshot import begins_shoe, enters_card
from cardshoe.table.log.table_journal import OpenLog
from cardshoe.table.permits import Permits, UnderWay, called_for, gather, log_outcomes
from drivers.errors import CommandOutstanding, DriverError
from firmware_bridge.bridge import Bridge
from firmware_bridge.errors import Denied
from firmware_bridge.interlock import ASKED, DeviceAction, DeviceActionKind
from firmware_bridge.report import Report
from regulations.events.inputs import (
    AnyInput,
    CardDrawn,
    Closed,
    DeviceReadmitted,
    Loaded,
    Resolve,
    RoundClosed,
    Void,
)
from regulations.events.notices import ClockStepped
from regulations.events.outputs import ShoeOver

logger: Final = logging.getLogger(__name__)

MIB: Final = 1024 * 1024
RETRY_S: Final = 0.2
"""Seconds until a lock or unlock is tried again that a device could not be told: one that has a command before it to
answer does so within 0.1 s, and counts as silent after 0.5 s; one that is lost may come back at any time."""
HELD_ACTS: Final = frozenset({DeviceActionKind.LOCK, DeviceActionKind.UNLOCK})
"""Acts that stay right until the other one is: the rest belong to their moment, and a person can do them by hand."""


Listener = Callable[[Taken], None]
"""Hears what was taken and is durable; called in the table thread, so it must not wait for anything."""
Viewer = Callable[[Sequence[Taken], EncodedView | None], None]
"""Hears the same once the devices have their next commands: all that came together, and the view after it, ``None``
where a defect has ended that. Called in the table thread as well."""


class Stopping:
    """Ends the table thread once everything before it in the inbox is taken."""


Item = AnyInput | Report | DeviceAction | Asked | Stopping | Task[Any]
"""The kinds of entries in the inbox."""


class Incoming(Waiting[Item], Protocol):
    """Where events come in."""

    def put(self, item: Item) -> None:
        """Puts a thing in, from any thread; returns at once."""


class Controller:
    """One table at work.

    Args:
        log: the table's log.
        inbox: where events come in, from any thread.
        now: the wall clock, RFC 3339, UTC.
        monotonic: a clock that only goes forward, in seconds.
        boot_s: the same, and it goes on while the computer sleeps.
        sign_s: seconds after which what is not signed yet is.
    """

    def __init__(
        self,
        log: OpenLog,
        inbox: Incoming,
        now: Callable[[], str] = wall_time,
        monotonic: Callable[[], float] = time.monotonic,
        boot_s: Callable[[], float] = boot_time_s,
        sign_s: float = SIGN_S,
    ) -> None:
        self._log: Final = log
        self._now: Final = now
        self._inbox: Final = inbox
        self._bridges: dict[str, Bridge[Any]] = {}
        self._listeners: list[Listener] = []
        self._viewers: list[Viewer] = []
        self._permits: Final = Permits(known=not log.recovered)
        self._closing = False
        self._lacking: Room | None = None
        """The room there was when the table was told to close for want of it."""
        self._signing: Final = SigningTimes(monotonic, sign_s)
        self._clock: Final = ClockWatch(boot_s)
        self._keyed: Final = KeyedInputs(log.journal, log.scribe)
        self._unsent: dict[str, DeviceAction] = {}
        """By device: the held act that it could not be told yet."""
        self._out_of_reach: set[str] = set()
        """Devices of which was said that they cannot be told: once, until one is told something again."""

    def attach(self, bridge: Bridge[Any]) -> None:
        """Adds a device; before :meth:`run`."""
        self._bridges[bridge.name] = bridge

    def listen(self, listener: Listener) -> None:
        """Adds somebody who hears what was taken; before :meth:`run`."""
        self._listeners.append(listener)

    def show(self, viewer: Viewer) -> None:
        """Adds somebody who is shown the table; before :meth:`run`."""
        self._viewers.append(viewer)

    def submit(self, event: AnyInput) -> None:
        """Puts what a person says into the inbox; from any thread, returns at once."""
        self._inbox.put(msgspec.structs.replace(event, origin="person"))

    def note(self, event: AnyInput) -> None:
        """Puts what the table itself says into the inbox; from any thread, returns at once."""
        self._inbox.put(msgspec.structs.replace(event, origin="table"))

    def ask(self, act: DeviceAction) -> None:
        """A person asks that the devices do something; it passes the interlock like everything else."""
        self._inbox.put(act)

    def ask_and_hear(
        self, what: Wanted | Callable[[], Wanted | Refusal | Proposed], answer: Callable[[Answer], None]
    ) -> None:
        """As `submit` or `ask`, for somebody who waits for what comes of it; from any thread, returns at once.

        Args:
            what: see `Asked`.
            answer: see `Asked`. It hears nothing if the table ends before.
        """
        self._inbox.put(Asked(what, answer))

    @property
    def closed_for_room(self) -> Stop | None:
        """The message for a table that closed because the disk was nearly full; ``None``: it did not close for that."""
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
        """Ends :meth:`run` once what is in the inbox is taken; from any thread."""
        self._inbox.put(Stopping())

    def run(self) -> None:
        """Takes events until the table is closed or :meth:`stop` is called.

        Raises:
            JournalFailed: the disk failed. Nothing was acknowledged or published after that.
        """
        with collector.between_rounds_only():
            self._look_at_the_clock()
            self._sign()
            self._call(self._log.last)
            self._take_all()
            self._sign()

    def _take_all(self) -> None:
        while not self._log.scribe.procedure.is_closed:
            item = self._next_item()
            if item is None:
                self._tell_unsent()
            elif isinstance(item, Stopping):
                return
            elif isinstance(item, DeviceAction):
                self._do_as_asked(item, partial(log_outcomes, item))
            elif isinstance(item, Report):
                self.take_report(item)
            elif isinstance(item, Task):
                item.run()
            elif isinstance(item, Asked):
                self._answer(item.what() if callable(item.what) else item.what, item.answer)
            elif isinstance(question := self._take_or_ask(item), str):
                logger.warning("`loaded` was not taken: %s", question)

    def _answer(self, what: Wanted | Refusal | Proposed, answer: Callable[[Answer], None]) -> None:
        if isinstance(what, DeviceAction):
            self._do_as_asked(what, answer)
        else:
            answer(self._answer_to(what))

    def _answer_to(self, what: AnyInput | Refusal | Proposed) -> Answer:
        if isinstance(what, Refusal | Proposed):
            return what
        earlier = self._keyed.find(what)
        if earlier is not None:
            return key_reused() if earlier.is_other else earlier
        taken = self._take_or_ask(what)
        if isinstance(taken, Taken):
            self._keyed.note(taken)
        return taken

    def _take_or_ask(self, event: AnyInput) -> Taken | str:
        """Takes a person's input; of a stack of which nobody knows where it is, what is to be asked first."""
        question = self._asks_which(event) if isinstance(event, Loaded) else None
        return self.take(event) if question is None else question

    def _do_as_asked(self, act: DeviceAction, answer: Callable[[dict[str, str | None]], object]) -> None:
        """Tells the devices what a person asks for; but cards that are dealt from now are not shuffled.

        Args:
            act: what is asked for.
            answer: receives, in the table's thread and once all have ended, by device: why it was not done; ``None``:
                it was.
        """
        dealt_from = self._log.loaded_by if self._log.scribe.procedure.is_dealt_from else None
        said: dict[str, str | None] = {}
        under_way: dict[str, UnderWay] = {}
        for bridge in self._bridges.values():
            if act.kind is DeviceActionKind.SHUFFLE and bridge.name == dealt_from:
                said[bridge.name] = "its cards are being dealt. End the shoe game first."
                continue
            bridge.interlock.grant(act)
            came = self._perform_at(bridge, act)
            if isinstance(came, Future):
                under_way[bridge.name] = came, bridge.outcome
            else:
                said[bridge.name] = came
        gather(under_way, said, lambda work: self._inbox.put(Task(work)), answer)

    def _asks_which(self, loaded: Loaded) -> str | None:
        """The question to ask before a stack that a person loaded is accepted; ``None``: nothing to ask.

        It would be dealt from every device that holds cards.
        """
        if loaded.device is not UNSET:
            known = ", ".join(self._bridges) or "none"
            return None if loaded.device in self._bridges else f"there is no device {loaded.device}; there is {known}"
        could = [name for name, bridge in self._bridges.items() if bridge.may_deal]
        if len(could) <= 1:
            return None
        says = f"`loaded {loaded.cards} device={could[0]}`"
        return f"cards may lie in {' and '.join(could)}. Say which is dealt from, such as {says}"

    def _next_item(self) -> Item | None:
        """The inbox's next thing; ``None`` if it is time to sign, or to try again what a device could not be told."""
        waits = [RETRY_S] if self._unsent else []
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
        try:
            return self._inbox.get(timeout=min(waits, default=None))
        except queue.Empty:
            return None

    def take(self, event: AnyInput) -> Taken:
        """Takes one event, all the way; only ever called from the table thread."""
        return self._take_at(event, self._watched_now())

    def _take_at(self, event: AnyInput, now: str) -> Taken:
        taken = self._log.scribe.take(with_origin(event, "person", now))
        self._log.journal.append([taken.entry], sign_at=now if is_momentous(taken) else None)
        self._spread([taken])
        return taken

    def _watched_now(self) -> str:
        """Now; if the clock was set since it was looked at last, the log says so first."""
        now = self._now()
        step_s = self._clock.step_s(now)
        if step_s is not None:
            self._take_at(ClockStepped(seconds=step_s, origin="table"), now)
        return now

    def _look_at_the_clock(self) -> None:
        """Begins to watch it. A log that is taken up may end at a time that has not come yet."""
        now, last = self._watched_now(), self._log.last.event.at
        back_s = went_back_s(last, now) if self._log.recovered and isinstance(last, str) else None
        if back_s is not None:
            self._take_at(ClockStepped(seconds=back_s, origin="table"), now)

    def take_report(self, report: Report) -> None:
        """Takes what one message of a device means, all of it in one durable transaction, then has it acknowledged."""
        now = self._watched_now()
        done = take_report(self._log.scribe, report, self._counted, now)
        taken = done.taken
        momentous = any(is_momentous(one) for one in taken)
        self._log.journal.append([one.entry for one in taken], sign_at=now if momentous else None)
        bridge = self._bridges.get(report.device)
        if bridge is not None:
            bridge.made_durable(report, done.entries)
            if not done.is_processed:
                bridge.shut_out()
        self._spread(taken)

    def _begin_shoe(self, taken: Sequence[Taken]) -> None:
        """Where a shoe game began, the journal goes on with another key, and keeps where the table stands now.

        The devices are judged anew, and what they are stands in the log of each shoe.
        """
        if any(begins_shoe(one, self._log.scribe.procedure) for one in taken):
            snapshot = self._log.past.snapshot(self._log.scribe)
            self._log.journal.begin_shoe(self._now(), None if snapshot is None else msgspec.json.encode(snapshot))
            for bridge in self._bridges.values():
                bridge.shoe_begun()

    def _counted(self, event: AnyInput) -> AnyInput:
        """A card with the count of all cards that are out.

        A device that numbers its events counts what it saw itself. A card that a person took out of a jam and entered
        is not among them; which came first, only this thread knows.
        """
        if not (self._log.entered and isinstance(event, CardDrawn)) or event.number is UNSET or event.count is UNSET:
            return event
        return msgspec.structs.replace(event, count=event.count + self._log.entered)

    def _spread(self, taken: Sequence[Taken]) -> None:
        """Pass durable answers to devices and listeners, then to viewers with the view, which is folded but once."""
        for one in taken:
            self._log.last = one
            self._tell_devices(one)
            for listener in self._listeners:
                listener(one)
            self._keep_house(one)
        self._begin_shoe(taken)
        self._call(taken[-1])
        if self._viewers:
            view = self._log.past.encoded()
            for viewer in self._viewers:
                viewer(taken, view)

    def _tell_devices(self, taken: Taken) -> None:
        event = taken.event
        self._log.past.take(taken)
        if isinstance(event, Loaded) and not taken.is_refused:
            for bridge in self._bridges.values():
                bridge.stack_loaded()
        if enters_card(taken):
            for bridge in self._bridges.values():
                bridge.card_entered()
        if taken.tells(ShoeOver):
            for bridge in self._bridges.values():
                bridge.shoe_over()
        if isinstance(event, DeviceReadmitted) and not taken.is_refused and event.device in self._bridges:
            self._bridges[event.device].readmitted()
        if isinstance(event, Resolve | Void) and taken.prompt.do != "resolve":
            # A person has dealt with what was wrong: what latched the interlock with it is dealt with too.
            for bridge in self._bridges.values():
                bridge.settled()
        self._permit(taken)

    def _permit(self, taken: Taken) -> None:
        for act in self._permits.after(taken):
            self._grant(act)
            self._perform(act)

    def _call(self, taken: Taken) -> None:
        """Has the devices do what the prompt calls for; of several that could, the one whose stack is dealt from."""
        called = called_for(taken.prompt, self._log.scribe.procedure.due_in_a_row)
        for bridge in self._bridges.values():
            bridge.call(called if self._log.loaded_by in (None, bridge.name) else ())

    def _grant(self, act: DeviceAction) -> None:
        for bridge in self._bridges.values():
            bridge.interlock.grant(act)

    def _perform(self, act: DeviceAction) -> None:
        for bridge in self._bridges.values():
            self._perform_at(bridge, act)

    def _perform_at(self, bridge: Bridge[Any], act: DeviceAction) -> "Future[Any] | str":
        """Sends a command; returns how it ends, or why it was not sent. A person's own request is answered."""
        if act.kind in HELD_ACTS:
            self._unsent.pop(bridge.name, None)
        try:
            ends = bridge.perform(act)
        except Denied as denied:
            # Most tables allow no commands at all.
            if act.kind not in ASKED:
                logger.debug("%s: %s", bridge.name, denied)
            return str(denied)
        except DriverError as error:
            bridge.interlock.revoke(act)
            if act.kind in HELD_ACTS:
                self._unsent[bridge.name] = act
            self._say_unsent(bridge.name, act, error)
            return f"{error.problem}. {error.remedy}"
        self._out_of_reach.discard(bridge.name)
        return ends

    def _say_unsent(self, name: str, act: DeviceAction, error: DriverError) -> None:
        """Tells a person, of what is tried again once for each outage."""
        if act.kind in ASKED:
            return
        if act.kind not in HELD_ACTS:
            logger.warning("%s: %s was not sent: %s. %s", name, act, error.problem, error.remedy)
        elif not isinstance(error, CommandOutstanding) and name not in self._out_of_reach:
            self._out_of_reach.add(name)
            logger.warning(
                "%s: %s is not sent until the device is back: %s. %s", name, act, error.problem, error.remedy
            )

    def _sign(self) -> None:
        self._log.journal.sign(self._watched_now())

    def _tell_unsent(self) -> None:
        for name, act in list(self._unsent.items()):
            bridge = self._bridges[name]
            bridge.interlock.grant(act)
            self._perform_at(bridge, act)

    def _keep_house(self, taken: Taken) -> None:
        """Between rounds: garbage, and whether the disk has room for another round.

        Below the limit of free space the open round is finished and no further one is opened.
        """
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
        self._lacking = None if room.state is RoomState.ENOUGH else room
        if self._lacking is not None:
            logger.error(
                "the disk of the journal is nearly full, %d MiB are free in %s: the open round is finished, then the "
                "table closes. Nothing is lost. Move closed journals away, then start again.",
                room.free_bytes // MIB,
                self._log.journal.path.parent,
            )
            self._closing = True
            self.note(Closed())
