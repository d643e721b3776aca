"""One TDP device at a table: messages up as events, acknowledgements and commands down."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from typing import Final

from drivers.discovery import port_maker
from drivers.errors import DeviceSilent, DriverError
from drivers.port import Port
from drivers.tdp import TdpDevice, open_device
from drivers.tdp_commands import PASSING, NoAnswer, TdpResult
from drivers.tdp_settings import TdpSettings
from firmware_bridge.admission.judge import refused
from firmware_bridge.bridge import Bridge
from firmware_bridge.errors import Denied
from firmware_bridge.families import Family
from firmware_bridge.interlock import ASKED, LETS_CARDS_OUT, Act, ActKind
from firmware_bridge.memory import Leaves
from firmware_bridge.report import Inbox, Report
from firmware_bridge.tdp.attesting import VERIFY_CODES, Attesting, Question
from firmware_bridge.tdp.faults import FAULTS, JOURNAL_DISAGREES
from firmware_bridge.tdp.orders import KNOWN, MOST, PATIENT, Orders, Refusal, command_of
from firmware_bridge.tdp.roots import TdpRoots
from firmware_bridge.tdp.session import IN_FLIGHT_MAX, TdpSession
from firmware_bridge.trust.codes import Code
from protocols.tdp.codes import RefusalReason
from protocols.tdp.events import DeviceEvent
from protocols.tdp.handshake import Security
from protocols.tdp.messages import Attestation, Heartbeat, Hello, Message, Refused, RootRemembered, Status
from protocols.tdp.tls import Untrusted
from regulations.events.inputs import AnyInput
from regulations.events.notices import DeviceNoted


class TdpBridge(Bridge[Message]):
    """A device behind a port, for a table.

    Args:
        device: the device's name in the log.
        port_name: where it is, a stable name (``drivers.port_names``).
        settings: of the port and of what secures it (``TdpSettings``).
        commands: what the profile allows the table to tell the device; nothing unless it says so.
        inbox: takes what the device says, from the port's thread; it must not wait.
        clock: seconds of a steady clock; a simulation that runs faster than life brings its own.
        make_port: returns a new, closed port for each opening, where the name is not looked up.

    Raises:
        BadSetting: an unknown key or an impossible value, or a certificate that cannot be read.
    """

    def __init__(  # three of them stand in the configuration, and two are for simulations
        self,
        device: str,
        port_name: str,
        settings: Mapping[str, object],
        commands: Collection[ActKind],
        inbox: Inbox,
        *,
        clock: Callable[[], float] = time.monotonic,
        make_port: Callable[[], Port] | None = None,
    ) -> None:
        super().__init__(device, commands, inbox)
        self._session: Final = TdpSession(device)
        self._orders: Final = Orders()
        chosen = TdpSettings.from_mapping(settings)
        maker = make_port or port_maker(port_name, chosen.line)
        self._clock: Final = clock
        self._granted: tuple[Act, ...] = ()
        """Acts that the table calls for and has granted, not used yet."""
        self._untaken = 0
        """Reports that the table has not taken yet: one of them may be a card, and then it calls for another."""
        self._is_owed = False
        """True if what is durable is to be told with the next call."""
        self._attesting: Final = Attesting()
        self._can_attest: Final = chosen.terms.security is not Security.PLAIN
        """True if the line is one on which a device has a key."""
        self._kept: list[tuple[Message, float]] = []
        """Messages that came while the device is being judged."""
        self._distrusted: Untrusted | None = None
        """The fault of its certificate when that was told last."""
        self._device: Final = TdpDevice(
            port_name,
            self,
            maker,
            chosen,
            on_time=self._time_passed,
            on_untrusted=self._untrusted,
            on_damage=self.damaged,
            clock=clock,
        )
        self._roots: Final = TdpRoots(device, self._device, self._journal_disagrees)

    @property
    def _link(self) -> TdpDevice:
        return self._device

    @property
    def _heard_by(self) -> TdpSession:
        return self._session

    @property
    def may_deal(self) -> bool:
        """True if the table may have it let cards out, and it does not count none in itself."""
        with self._guard:
            return super().may_deal and not self._session.is_empty

    @property
    def roots(self) -> TdpRoots:
        return self._roots

    # --- the table's side --------------------------------------------------------------------------------------------

    def made_durable(self, report: Report, entries: Sequence[int] = ()) -> None:
        """Let the device forget its report: the journal has it for good. The table calls anew after this."""
        with self._guard:
            self._knows(report.leaves)
            self._session.made_durable(report.events, entries)
            self._untaken -= 1
            self._orders.hold()
            key = self._session.acknowledgement
            self._is_owed = self._is_owed or key is not None
        if key is not None:
            self._device.acknowledge(key, at_once=False)

    def shoe_begun(self) -> None:
        """A shoe game begins: the device is asked to attest anew, and lets nothing out until that is judged."""
        with self._guard:
            # Nobody who judges would say anything new: then the log has what the session began with.
            events = self._judge_again() if self._admission.judges else []
            self._untaken += bool(events)
        self._device.wake()
        self._pass_on(events)

    def shoe_over(self) -> None:
        """The shoe game is over: the device's own count of what is left goes to the table."""
        with self._guard:
            events = self._session.stack_left()
            self._untaken += bool(events)
        super().shoe_over()
        self._pass_on(events)

    def card_entered(self) -> None:
        """A person entered a card that the device did not tell: it lets the next one out by a permit of its own."""
        with self._guard:
            self._orders.entered()

    def settled(self) -> None:
        """A person has dealt with what was wrong, a gap in the events perhaps."""
        super().settled()
        with self._guard:
            reports = [(events, self._leaves()) for events in self._session.settled()]
            self._untaken += len(reports)
        for events, leaves in reports:
            self._pass_on(events, leaves)

    def counters(self) -> dict[str, int]:
        """Events heard again, and times that events were missing."""
        with self._guard:
            return {"repeats": self._session.repeats, "gaps": self._session.gaps}

    def call(self, acts: Sequence[Act]) -> None:
        """Grants what the table calls for, and nothing that it called for before; it is told once, when it can be.

        Events that became durable before are acknowledged with it.
        """
        with self._guard:
            for act in self._granted:
                self.interlock.revoke(act)
            granted = [act for act in acts if self.interlock.grant(act)]
            must_lock = self._orders.call(granted)
            if self._orders.wanted is None:
                for act in granted:
                    self.interlock.revoke(act)
            self._granted = () if self._orders.wanted is None else tuple(granted)
            is_due, self._is_owed = self._orders.waits or self._is_owed, False
        if must_lock:
            self._lock()
        if not self._see_to_orders(self._clock()) and is_due:
            self._device.wake()

    def perform(self, act: Act) -> "Future[TdpResult]":
        """Sends a command, if the interlock has a permit for exactly this act; the permit is used up by the attempt.

        Returns:
            How it ends. Unless that is ``Done``, the interlock latches.

        Raises:
            Denied: there is no permit, or no such command, or a lock is not due, since there is no session; nothing was
                sent.
            DriverError: the device is not connected, or too many commands wait; nothing was sent.
        """
        if act.kind not in KNOWN:
            known = ", ".join(sorted(kind.value for kind in KNOWN))
            raise Denied(str(act), "TDP has no such command", f"There are: {known}.")
        if act.number > MOST.get(act.kind, act.number):
            raise Denied(str(act), "no device has such a number", f"Give 0 to {MOST[act.kind]}.")
        self.interlock.use(act)
        try:
            return self._send(act, None)
        except DeviceSilent as silent:
            if act.kind is not ActKind.LOCK:
                raise
            raise Denied(
                str(act), "there is no session, and without one the device is locked", "Nothing needs to be done."
            ) from silent

    # --- the port's side ---------------------------------------------------------------------------------------------

    def message(self, message: Message, now_s: float) -> None:
        if isinstance(message, Hello | RootRemembered):
            self._roots.hear(message)
        with self._guard:
            if self._keeps(message, now_s):
                return
            before = self._session.repeats
            events = self._understood() + self._session.hear(message, now_s) + self._shown(message)
            leaves = self._leaves() if events else None
            is_repeated = self._session.repeats > before
            self._untaken += bool(events)
            if isinstance(message, DeviceEvent) and events:
                self._orders.heard(message)
            elif isinstance(message, Status):
                self._orders.hurry()
        self._pass_on(events, leaves)
        if is_repeated:
            self._acknowledge()
        if isinstance(message, Hello):
            self._pass_kept()

    def _will_report(self, events: Sequence[AnyInput]) -> None:
        self._untaken += bool(events)

    def _over_budget(self) -> None:
        with self._guard:
            self._untaken += 1
        super()._over_budget()

    def lost(self, error: DriverError) -> None:
        self.interlock.latch(f"link lost: {error.problem}")
        with self._guard:
            self._orders.forget()
            self._attesting.over()
            self._kept.clear()
            events = self._session.lost()
            leaves = self._leaves()
            self._untaken += 1
        self._pass_on(events, leaves)

    def back(self) -> None:
        """A session is ready (called by the port's thread)."""
        number, certificate = self._device.session, self._device.peer_certificate
        with self._guard:
            events = self._well_again() + self._session.back()
            self._distrusted = None
            self._attesting.session(number, certificate)
            events += self._judge_again()
            leaves = self._leaves()
            self._untaken += bool(events)
        self._pass_on(events, leaves)

    def _pass_on(self, events: Sequence[AnyInput], leaves: Leaves | None = None) -> None:
        # Even one event goes as a report: what is durable must come back here to be acknowledged.
        if events:
            passing = self._admission.passing(events)
            self._count(passing)
            self._inbox(Report(self.name, tuple(passing), leaves))

    def _acknowledge(self) -> None:
        with self._guard:
            key = self._session.acknowledgement
        if key is not None:
            self._device.acknowledge(key)

    # --- whether it may be at the table ------------------------------------------------------------------------------

    @property
    def _asks(self) -> bool:
        """True if the device is asked to attest: it is judged, and its line is one on which it has a key."""
        return self._can_attest and self._admission.judges

    def _keeps(self, message: Message, now_s: float) -> bool:
        """Keep what is not to be heard before the device is judged; return whether that is so of a message."""
        keeps = self._admission.is_pending and isinstance(message, DeviceEvent | Heartbeat)
        if keeps and len(self._kept) < IN_FLIGHT_MAX:
            # More than a device keeps itself, which tells it again in the next session.
            self._kept.append((message, now_s))
        return keeps

    def _shown(self, message: Message) -> list[AnyInput]:
        """Take what the device shows of itself; the verdict, where it needs no question."""
        if isinstance(message, Attestation):
            self._attesting.answered(message)
        elif isinstance(message, Hello):
            self._attesting.hello = message
            if not (self._asks and self._admission.is_pending):
                return self._judge_again()
        return []

    def _judge_again(self) -> list[AnyInput]:
        """Begin to judge the device; the verdict, where it needs no question."""
        if self._asks:
            self._admission.begin()
            self._attesting.want()
            return []
        if self._attesting.hello is None:
            # Its line is plain: it is judged as soon as it says who it is.
            self._admission.begin()
            return []
        return self._admission.by_name(self._attesting.hello)

    def _see_to_judging(self) -> None:
        """Ask what is to be asked, and judge what was answered (called by the port's thread)."""
        with self._guard:
            question, answered = self._attesting.to_ask(), self._attesting.due()
            presented = None if answered is None else self._attesting.presented(answered)
            if question is not None:
                self._admission.begin()
        if question is not None:
            self._ask(question)
        if answered is None:
            return
        # Files are read for it: outside of the guard, for which the table's thread may wait.
        judgement = _NAMELESS if presented is None else self._admission.judge.attesting(presented)
        with self._guard:
            events = self._admission.judged(judgement, None if presented is None else presented.hello)
            self._untaken += 1
        self._pass_on(events)
        self._pass_kept()

    def _ask(self, question: Question) -> None:
        try:
            result = self._device.send_command(question.command)
        except DriverError:
            with self._guard:
                self._attesting.not_asked(question)
        else:
            result.add_done_callback(lambda done: self._attested(question, done))

    def _attested(self, question: Question, done: "Future[TdpResult]") -> None:
        with self._guard:
            self._attesting.ended(question, done)

    def _untrusted(self, untrusted: Untrusted) -> None:
        """There is no session, for TLS refuses the device's certificate: told once (called by the port's thread)."""
        with self._guard:
            if not self._admission.judges or untrusted == self._distrusted:
                return
            self._distrusted = untrusted
            code = VERIFY_CODES.get(untrusted.number, Code.UNKNOWN_ISSUER)
            events = self._admission.judged(refused("certificate", code, untrusted.text))
            self._untaken += 1
        self._pass_on(events)

    def _pass_kept(self) -> None:
        """Pass on what the device said while it was being judged, in its order."""
        with self._guard:
            if self._admission.is_pending:
                return
            kept, self._kept = self._kept, []
        for message, now_s in kept:
            self.message(message, now_s)

    # --- commands ----------------------------------------------------------------------------------------------------

    def _time_passed(self, now_s: float) -> bool:
        """See to what is due (called by the port's thread); return whether anything waits for time to pass."""
        with self._guard:
            if not (self._attesting.waits or self._orders.waits):
                return False
        self._see_to_judging()
        self._see_to_orders(now_s)
        with self._guard:
            return self._attesting.waits or self._orders.waits

    def _see_to_orders(self, now_s: float) -> bool:
        """Tells what is wanted, if it is time, and returns whether it did (both the table's thread and the port's)."""
        with self._guard:
            is_overdue = self._orders.is_overdue(now_s)
            act = self._due(now_s)
            try:
                if act is not None:
                    self.interlock.use(act)
            except Denied:  # latched meanwhile; whoever clears it makes the table call anew
                return False
            ticket = 0 if act is None else self._orders.telling(now_s)
        if is_overdue:
            self._fail(Act(ActKind.DISPENSE, 1), "overdue", "the cards have not come out")
        if act is None:
            return False
        try:
            self._send(act, ticket)
        except DriverError:
            with self._guard:
                self._orders.not_told(ticket)
                if self.interlock.grant(act):
                    self._granted = (act,)
            return False
        return True

    def _due(self, now_s: float) -> Act | None:
        """The act to tell now; none while the table has not taken all that the device has said."""
        act = self._orders.wanted
        if act is None or self._untaken or not self._session.is_caught_up or not self._orders.is_due(now_s):
            return None
        # A spare device: the cards come from another.
        return None if act.kind in LETS_CARDS_OUT and self._session.is_empty else act

    def _send(self, act: Act, ticket: int | None) -> "Future[TdpResult]":
        with self._guard:
            module = self._session.module_of(act.number)
        is_patient = act.kind in PATIENT
        result = self._device.send_command(lambda new_id: command_of(act, new_id, module), is_patient=is_patient)
        result.add_done_callback(lambda done: self._ended(act, ticket, done))
        return result

    def _lock(self) -> None:
        lock = Act(ActKind.LOCK)
        if not self.interlock.grant(lock):
            return
        try:
            self.perform(lock)
        except (Denied, DriverError):
            # Without a session the device is locked already.
            self.interlock.revoke(lock)

    def _ended(self, act: Act, ticket: int | None, done: "Future[TdpResult]") -> None:
        """A command that the device did not take stops the table, unless it was only busy."""
        error = done.exception()
        if error is not None:
            return  # The session was gone before it was sent, and that is told already.
        result = done.result()
        if isinstance(result, NoAnswer):
            with self._guard:
                self._orders.forget()
            if result.is_lost:
                self.interlock.latch(f"{act}: {result.why}; nobody knows whether it was done")
            else:
                self._fail(act, "not_answered", f"{result.why}; nobody knows whether it was done")
        elif isinstance(result, Refused):
            with self._guard:
                refusal = Refusal.FAILED
                if ticket is not None:
                    refusal = self._orders.refused(ticket, result.reason, self._clock())
                if refusal is Refusal.AGAIN and self.interlock.grant(act):
                    self._granted = (act,)
            reason = reason_name(result.reason)
            if act.kind in ASKED and result.reason in PASSING:
                # Nothing has happened, and whoever asked for it sees what the machine is busy with.
                self._note(f"{act.kind.value}_refused_{reason}")
            elif refusal is Refusal.FAILED:
                self._fail(act, f"refused_{reason}", f"refused, {reason}")

    def _note(self, note: str) -> None:
        with self._guard:
            self._untaken += 1
        self._pass_on([DeviceNoted(device=self.name, note=note)])

    def _fail(self, act: Act, code: str, why: str) -> None:
        """Holds everything back and has a person look."""
        self._stop_for(f"{act.kind.value}_{code}", f"{act}: {why}")

    def _journal_disagrees(self, why: str) -> None:
        self._stop_for(JOURNAL_DISAGREES, why)

    def _not_done(self, result: object) -> str | None:
        if isinstance(result, Refused):
            return f"refused: {reason_name(result.reason)}"
        return f"{result.why}: outcome unknown" if isinstance(result, NoAnswer) else None


_NAMELESS: Final = refused("identity", Code.NOT_ATTESTED, "the device has not said who it is")


def reason_name(reason: int) -> str:
    """A refusal's reason as the page names it, or its number."""
    return RefusalReason(reason).name.lower() if reason in tuple(RefusalReason) else str(reason)


def _warning(settings: Mapping[str, object]) -> str | None:
    if settings.get("security") != "plain":
        return None
    return "is set to plain TDP: anybody at the wire can read and forge its cards; for bring-up only"


FAMILY: Final = Family(
    name="tdp",
    summary="Shuffler, shuffler-dealer or shoe that speaks TDP/1, over USB, RS-232 or TCP",
    open=open_device,
    commands=tuple(kind for kind in ActKind if kind in KNOWN),
    line=lambda settings: TdpSettings.from_mapping(settings).line,
    make=TdpBridge,
    warning=_warning,
    faults=FAULTS,
    frames="protocols.tdp.frames:frames",
    suite="conformance.tdp.suite:SUITE",
    simulated="sim.kinds.tdp:KINDS",
)
