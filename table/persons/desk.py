"""What the table's process asks of persons: who is there, what they may say, and what two of them agree on.

PINs are looked at one at a time in a thread of their own. What may be said is decided where it is taken, in the table's
thread, so that nothing changes between the look and the act.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import Final, Self

import msgspec

from firmware_bridge.interlock import Act
from regulations.events.inputs import AnyInput
from regulations.events.notices import (
    ClockStepped,
    DeviceNoted,
    SignedIn,
    SignedOut,
    SignInsRefused,
    SupervisorCalled,
    WitnessBehind,
    WitnessCurrent,
)
from regulations.events.origins import name_of
from regulations.events.vocabulary import Role, SignedOutBecause
from table.clock import wall_time
from table.exits import Stop
from table.log.scribe import Taken
from table.persons.door import Door, bad_code, unreadable
from table.persons.first import FirstCode
from table.persons.permissions import PERMISSIONS, Named, Permission, persons_of, takes_two
from table.persons.pins import Pins
from table.persons.proposals import Proposals, Proposed
from table.persons.refusal import Refusal
from table.persons.registry import Person, Registry
from table.persons.sessions import AT_ONCE, At, Session, Sessions

WAITING: Final = 8
"""PINs that wait to be looked at; more are somebody's attempt to keep the others out."""
BUSY_S: Final = 2.0
"""Seconds in which most of the PINs that wait are looked at."""
_NOTICES: Final = (
    *(ClockStepped, DeviceNoted, SignedIn, SignedOut, SignInsRefused, SupervisorCalled, WitnessBehind, WitnessCurrent),
)
"""Inputs after which a table stands as before."""

logger: Final = logging.getLogger(__name__)


class SignedInto(msgspec.Struct, frozen=True, kw_only=True):
    """A session that has begun.

    Attributes:
        session: its token, told this once.
        person: whose.
        role: what the person may do.
        idle_s: seconds of silence that end it; ``None``: none do.
    """

    session: str
    person: str
    role: Role
    idle_s: float | None


class Persons:
    """The persons of a table; its methods may be called from any thread.

    Args:
        registry: who is known.
        note: puts what the log is told into the table's inbox.
        pins: compares PINs.
        now_s: a clock that only goes forward, in seconds.
        now: the wall clock, RFC 3339, UTC.
    """

    def __init__(
        self,
        registry: Registry,
        note: Callable[[AnyInput], object],
        pins: Pins | None = None,
        now_s: Callable[[], float] = time.monotonic,
        now: Callable[[], str] = wall_time,
    ) -> None:
        self.registry: Final = registry
        self._note: Final = note
        self._now_s: Final = now_s
        self._guard: Final = threading.RLock()
        self._door: Final = Door(registry, pins or Pins(), now_s, now, note)
        """Used by whoever holds `_looking`; a PIN takes its time, and nobody who holds `_guard` waits for one."""
        self._looking: Final = threading.Lock()
        self._sessions: Final = Sessions(now_s, self._ended)
        self._proposals: Final = Proposals(now_s)
        self._state = 0
        self.first: Final = FirstCode(now_s)
        self._waiting: Final[queue.Queue[Callable[[], object] | None]] = queue.Queue(WAITING)
        self._thread: Final = threading.Thread(target=self._run, name="persons", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._waiting.put(None)
        self._thread.join()
        self.first.spend()

    def __call__(self, taken: Taken) -> None:
        """Notes how the table stands; a listener of its controller."""
        if not (taken.is_refused or isinstance(taken.event, _NOTICES)) and isinstance(taken.prompt.seq, int):
            self._state = taken.prompt.seq

    def later(self, job: Callable[[], object]) -> bool:
        """Has something done in the thread that looks at PINs; ``False``: too much waits there."""
        try:
            self._waiting.put_nowait(job)
        except queue.Full:
            return False
        return True

    def tick(self) -> None:
        """Ends what time ends, and tells the log of refusals; the thread does so by itself."""
        with self._guard:
            try:
                self._sessions.look(self.registry.persons())
            except Stop:
                return  # nobody may do anything meanwhile; who asks is told
        with self._looking:
            due_s = self._door.due_s()
            if due_s is not None and due_s <= self._now_s():
                self._door.report()

    # --- who is there; PINs are looked at here -----------------------------------------------------------------------

    def sign_in(self, at: At, person: str, pin: str) -> SignedInto | Refusal:
        """Signs a person in; takes as long as a PIN does.

        Args:
            at: where.
            person: the id.
            pin: as it was given.
        """
        found = self.look(person, pin)
        if isinstance(found, Refusal):
            return found
        with self._guard:
            here = self._sessions.at_client(at.client)
            if len(here) >= AT_ONCE:
                self._sessions.end(here[0], "gone")
            token, session = self._sessions.begin(found, at)
            self._note(SignedIn(person=found.id, role=found.role, place=at.place))
        return SignedInto(session=token, person=found.id, role=found.role, idle_s=session.idle_s)

    def look(self, person: str, pin: str) -> Person | Refusal:
        """Whose PIN this is; takes as long as a PIN does, and signs nobody in."""
        with self._looking:
            return self._door.look(person, pin)

    def enrol(self, person: str, pin: str, code: str) -> Refusal | None:
        """Adds the first supervisor, with the code of a table that knows nobody."""
        with self._looking:
            if self._door.left_s("") > 0 or not self.first.fits(code):
                self._door.wrong("")
                return bad_code()
            refusal = self._door.enrol(person, pin)
            if refusal is None:
                self.first.spend()
            return refusal

    def session(self, client: int, token: str) -> SignedInto | Refusal:
        """Whose session this is; to ask is not to say something, and keeps none alive."""
        with self._guard:
            if (refusal := self._looked()) is not None:
                return refusal
            session = self._sessions.of(token, client)
            if session is None:
                return nobody(client)
            person = session.person
            return SignedInto(session=token, person=person.id, role=person.role, idle_s=session.idle_s)

    def sign_out(self, client: int, token: str) -> Refusal | None:
        """Ends a session, where it was begun."""
        with self._guard:
            session = self._sessions.of(token, client)
            if session is None:
                return nobody(client)
            self._sessions.end(session, "asked")
            return None

    def sign_out_of_terminal(self, person: str = "") -> Refusal | None:
        """Ends the sessions at the terminal, or one person's."""
        with self._guard:
            found = [one for one in self._sessions.at_client(0) if person in ("", one.person.id)]
            for session in found:
                self._sessions.end(session, "asked")
            return None if found else nobody(0)

    def left(self, client: int) -> None:
        """Ends the sessions of a connection that has ended."""
        with self._guard:
            for session in self._sessions.at_client(client):
                self._sessions.end(session, "gone")

    # --- what they may say; in the table's thread --------------------------------------------------------------------

    def refuses(self, client: int, what: AnyInput | Act, token: str | None = None) -> Refusal | None:
        """Why this may not be said; ``None``: it may.

        Args:
            client: the connection that says it; 0: the terminal.
            what: the input, or what is asked of the devices.
            token: of the session that says it; at the terminal those who are signed in there do.
        """
        name = what.kind.value if isinstance(what, Act) else name_of(what)
        permission = PERMISSIONS.get(name)
        if permission is None:
            return _never(name)
        with self._guard:
            if (refusal := self._looked()) is not None:
                return refusal
            if not isinstance(what, Named):
                # Whoever is at the terminal may say what needs no name, as at a table without persons.
                return None if client == 0 else self._heard_of(client, token, name, permission)
            if client == 0:
                return self._named_at_terminal(what, name, permission)
            return self._named_by(client, token, what, name, permission)

    def propose(self, client: int, token: str | None, event: AnyInput) -> Proposed | Refusal:
        """Has an act of two persons wait for the second."""
        name = name_of(event)
        if not isinstance(event, Named) or not takes_two(event):
            return not_permitted(f"`{name}` needs no second person", "Say it as an input.")
        with self._guard:
            if (refusal := self._looked() or self._heard_of(client, token, name, PERMISSIONS[name])) is not None:
                return refusal
            session = self._sessions.of(token or "", client)
            by = set(persons_of(event) or ())
            if session is None or session.person.id not in by or len(by) > 2:  # noqa: PLR2004  # two persons
                return not_permitted("who proposes stands in `by`, alone or with who is to approve", "Name both.")
            return self._proposals.add(event, session, self._state)

    def approved(self, client: int, name: str, approver: Person, token: str | None = None) -> Named | Refusal:
        """The event of a proposal, once: for who approves has just shown a PIN.

        Args:
            client: the connection that says so; only where it was proposed.
            name: the proposal's id.
            approver: who approves.
            token: of the session at whose screen it is approved, which must be the proposer's; ``None``: a connection
                that is one screen.
        """
        with self._guard:
            if (refusal := self._looked()) is not None:
                return refusal
            found = self._proposals.get(name)
            session = None if found is None else found.session
            here = session is not None and session.at.client == client and self._sessions.is_open(session)
            if token is not None:
                here = here and self._sessions.of(token, client) is session
            if found is None or not here:
                return Refusal(
                    code="no_proposal",
                    field="$.proposal",
                    reason="no such proposal waits here",
                    remedy="Propose it again; it waits for 60 s, for who is on this screen.",
                )
            if found.state != self._state:
                self._proposals.drop(name)
                return Refusal(
                    code="state_changed",
                    field="$.proposal",
                    reason="something has happened at the table since this was proposed",
                    remedy="Look at the table, then propose it again.",
                )
            event, proposer = found.event, found.session.person
            if approver.id == proposer.id:
                return Refusal(
                    code="same_person",
                    field="$.person",
                    reason="who proposed this cannot approve it",
                    remedy="A second person gives id and PIN.",
                )
            expected = set(persons_of(event) or ()) - {proposer.id}
            is_current = self.registry.persons().get(approver.id) == approver
            if not is_current or (expected and expected != {approver.id}):
                return not_permitted("another person was named to approve this", "That person gives id and PIN.")
            refusal = _pair_refused(name_of(event), PERMISSIONS[name_of(event)], [proposer, approver])
            if refusal is not None:
                return refusal
            self._proposals.drop(name)
            return event if expected else msgspec.structs.replace(event, by=[*event.by, approver.id])

    # --- below -------------------------------------------------------------------------------------------------------

    def _looked(self) -> Refusal | None:
        try:
            self._sessions.look(self.registry.persons())
        except Stop as stop:
            logger.warning("nobody may do what needs a name: %s. %s", stop.what, stop.remedy)
            return unreadable()
        return None

    def _heard_of(self, client: int, token: str | None, name: str, permission: Permission) -> Refusal | None:
        session = self._sessions.of(token or "", client)
        if session is None:
            return nobody(client)
        session.heard_s = self._now_s()
        if session.person.role not in permission.says:
            return _not_of_role(name, session.person, permission)
        return None

    def _named_by(
        self, client: int, token: str | None, event: Named, name: str, permission: Permission
    ) -> Refusal | None:
        if (refusal := self._heard_of(client, token, name, permission)) is not None:
            return refusal
        session = self._sessions.of(token or "", client)
        if session is None or set(persons_of(event) or ()) != {session.person.id}:
            return not_permitted(
                "`by` names others than who is signed in here, or nobody", "Propose it; the second person approves."
            )
        return None

    def _named_at_terminal(self, event: Named, name: str, permission: Permission) -> Refusal | None:
        here = {one.person.id: one for one in self._sessions.at_client(0)}
        by = dict.fromkeys(persons_of(event) or ())
        missing = [one for one in by if one not in here]
        if missing or not by:
            who = " and ".join(missing) or "nobody"
            return not_permitted(
                f"`by` names {who[:80]}, who {'are' if len(missing) > 1 else 'is'} not signed in here",
                " then ".join(f"`login {one[:40]}`" for one in missing) + ", then type the line again."
                if missing
                else "`login ID`, then type the line with `by ID`.",
            )
        persons = [here[one].person for one in by]
        for one in by:
            here[one].heard_s = self._now_s()
        return _pair_refused(name, permission, persons, takes_two=takes_two(event))

    def _ended(self, session: Session, because: SignedOutBecause) -> None:
        self._note(SignedOut(person=session.person.id, place=session.at.place, because=because))

    def _run(self) -> None:
        while True:
            with self._guard:
                ends = [one for one in (self._sessions.next_end_s(), self._door.due_s()) if one is not None]
            wait_s = max(0.01, min(ends) - self._now_s()) if ends else None
            try:
                job = self._waiting.get(timeout=wait_s)
            except queue.Empty:
                self.tick()
                continue
            if job is None:
                with self._looking:
                    self._door.report()
                return
            try:
                job()
            except Exception:
                # One who signs in must not take the others' way in with them.
                logger.exception("a sign-in failed; nobody was signed in by it")
            self.tick()


def not_permitted(reason: str, remedy: str) -> Refusal:
    """The answer to what this person, or nobody, may say here."""
    return Refusal(code="not_permitted", reason=reason, remedy=remedy)


def nobody(client: int) -> Refusal:
    """The answer where nobody is signed in."""
    how = "`login ID`, then the PIN." if client == 0 else "Sign in with id and PIN."
    return not_permitted("nobody is signed in here", how)


def busy() -> Refusal:
    """The answer where too many PINs wait."""
    return Refusal(
        code="busy", reason="too many PINs wait to be looked at", remedy="Try again in a few seconds.", again_s=BUSY_S
    )


def _never(name: str) -> Refusal:
    return not_permitted(f"no person says `{name}`", "Leave it to devices and the table.")


def _not_of_role(name: str, person: Person, permission: Permission) -> Refusal:
    roles = " or ".join(sorted(permission.says))
    return not_permitted(f"`{name}` is not for a {person.role}", f"A {roles} signs in and says it.")


def _pair_refused(
    name: str, permission: Permission, persons: list[Person], *, takes_two: bool = True
) -> Refusal | None:
    """Why these may not answer for an event; whether they are enough says the law."""
    for person in persons:
        if person.role not in permission.says:
            return _not_of_role(name, person, permission)
    if takes_two and len(persons) > 1 and not any(person.role in permission.confirms for person in persons):
        roles = " or ".join(sorted(permission.confirms))
        return not_permitted(f"one of those who answer for `{name}` must be a {roles}", f"Call a {roles}.")
    return None
