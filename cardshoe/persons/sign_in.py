"""Who is signed in: PINs are looked at one at a time in a thread of their own, and sessions end when they must."""

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import Final, Self, TypeVar

import msgspec

from cardshoe.persons.lockout import Source
from cardshoe.persons.pin_checker import Door, unreadable
from cardshoe.persons.pins import Pins
from cardshoe.persons.refusal import Refusal
from cardshoe.persons.registry import Known, Person
from cardshoe.persons.sessions import AT_ONCE, At, Session, Sessions
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Stop
from regulations.events.notices import SignedIn, SignedOut, SignInsRefused
from regulations.events.vocabulary import Role, SignedOutBecause

WAITING: Final = 8
"""PINs that wait to be looked at; more are somebody's attempt to keep the others out."""
BUSY_S: Final = 2.0
"""Seconds in which most of the PINs that wait are looked at."""
LOOK_S: Final = 2.0
"""Seconds after which it is looked who is known, also where nobody asks: who was disabled is signed out by then."""

logger: Final = logging.getLogger(__name__)
CameT = TypeVar("CameT")


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


class Entrance:
    """Where persons sign in and out; its methods may be called from any thread.

    Args:
        known: who is known.
        note: takes what is to be recorded of who signed in and out, and how many were refused.
        pins: compares PINs.
        now_s: a clock that only goes forward, in seconds.
        now: the wall clock, RFC 3339, UTC.
    """

    def __init__(
        self,
        known: Known,
        note: Callable[[SignedIn | SignedOut | SignInsRefused], object],
        pins: Pins | None = None,
        now_s: Callable[[], float] = time.monotonic,
        now: Callable[[], str] = wall_time,
    ) -> None:
        self.known: Final = known
        self._note_session: Final = note
        self._now_s: Final = now_s
        self._guard: Final = threading.RLock()
        self._door: Final = Door(known, pins or Pins(), now_s, now, note)
        """Used by whoever holds `_looking`; a PIN takes its time, and nobody who holds `_guard` waits for one."""
        self._looking: Final = threading.Lock()
        self._sessions: Final = Sessions(now_s, self._ended)
        self._waiting: Final[queue.Queue[Callable[[], object] | None]] = queue.Queue(WAITING)
        self._thread: Final = threading.Thread(target=self._run, name="persons", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._waiting.put(None)
        self._thread.join()

    def later(self, job: Callable[[], CameT], answer: Callable[[CameT | Refusal], object]) -> None:
        """Has something done in the thread that looks at PINs.

        Args:
            job: looks at a PIN.
            answer: hears once what it gave, in that thread, or why there is nothing; at once if too much waits there.
        """

        def answered() -> None:
            came: CameT | Refusal
            try:
                came = job()
            except Exception:
                # One who signs in must not take the others' way in with them.
                logger.exception("a PIN could not be checked")
                came = not_checked()
            answer(came)

        try:
            self._waiting.put_nowait(answered)
        except queue.Full:
            answer(busy())

    def tick(self) -> None:
        """Ends what time ends, and has refusals recorded; the thread does so by itself."""
        with self._guard:
            try:
                self._sessions.look(self.known.persons())
            except Stop:
                return  # nobody may do anything meanwhile; who asks is told
        with self._looking:
            due_s = self._door.due_s()
            if due_s is not None and due_s <= self._now_s():
                self._door.report()

    def sign_in(self, at: At, person: str, pin: str, source: Source) -> SignedInto | Refusal:
        """Signs a person in; takes as long as a PIN does.

        Args:
            at: where.
            person: the id.
            pin: as it was given.
            source: where wrong PINs are counted.
        """
        found = self.look(person, pin, source)
        if isinstance(found, Refusal):
            return found
        with self._guard:
            here = self._sessions.at_client(at.client)
            if len(here) >= AT_ONCE:
                self._sessions.end(here[0], "gone")
            token, session = self._sessions.begin(found, at)
            self._note_session(SignedIn(person=found.id, role=found.role, place=at.place))
        return SignedInto(session=token, person=found.id, role=found.role, idle_s=session.idle_s)

    def tell_again(self) -> None:
        """Has it recorded who is signed in, for a log that begins."""
        with self._guard:
            for one in self._sessions.open:
                self._note_session(SignedIn(person=one.person.id, role=one.person.role, place=one.at.place))

    def look(self, person: str, pin: str, source: Source) -> Person | Refusal:
        """Whose PIN this is; takes as long as a PIN does, and signs nobody in."""
        with self._looking:
            return self._door.look(source, person, pin)

    def session(self, client: int, token: str, *, heard: bool = False) -> SignedInto | Refusal:
        """Whose session this is.

        Args:
            client: where it was begun.
            token: of the session.
            heard: whether the person does something by it; only to ask keeps none alive.
        """
        with self._guard:
            if (refusal := self._looked()) is not None:
                return refusal
            session = self._sessions.of(token, client)
            if session is None:
                return nobody(client)
            if heard:
                session.heard_s = self._now_s()
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

    def left(self, client: int) -> None:
        """Ends the sessions of a connection that has ended."""
        with self._guard:
            for session in self._sessions.at_client(client):
                self._sessions.end(session, "gone")

    # --- below -------------------------------------------------------------------------------------------------------

    def _looked(self) -> Refusal | None:
        try:
            self._sessions.look(self.known.persons())
        except Stop as stop:
            logger.warning("no act that needs a person is possible: %s. %s", stop.what, stop.remedy)
            return unreadable()
        return None

    def _ended(self, session: Session, because: SignedOutBecause) -> None:
        self._note_session(SignedOut(person=session.person.id, place=session.at.place, because=because))

    def _run(self) -> None:
        wait_s = 0.0
        while True:
            job: Callable[[], object] | None = self.tick
            with contextlib.suppress(queue.Empty):
                job = self._waiting.get(timeout=wait_s)
            if job is None:
                with self._looking:
                    self._door.report()
                return
            try:
                job()
                self.tick()
                wait_s = self._wait_s()
            except Exception:
                logger.exception("who is signed in could not be looked at; it is tried again")
                wait_s = LOOK_S

    def _wait_s(self) -> float:
        """Seconds until something ends by itself, or is due."""
        with self._guard:
            ends = [one for one in (self._sessions.next_end_s(), self._door.due_s()) if one is not None]
        return min([LOOK_S, *(max(0.01, end - self._now_s()) for end in ends)])


def not_permitted(reason: str, remedy: str) -> Refusal:
    """The answer to what this person, or nobody, may say here."""
    return Refusal(code="not_permitted", reason=reason, remedy=remedy)


def nobody(client: int) -> Refusal:
    """The answer where nobody is signed in."""
    how = "`login ID`, then the PIN." if client == 0 else "Sign in with id and PIN."
    return not_permitted("nobody is signed in here", how)


def not_checked() -> Refusal:
    """The answer where a defect, or want of memory, kept a PIN from being looked at."""
    return Refusal(
        code="not_checked",
        reason="the PIN could not be checked",
        remedy="Try again. If it fails again, tell the technician: the error stands in the program's log.",
    )


def busy() -> Refusal:
    """The answer where too many PINs wait."""
    return Refusal(
        code="busy", reason="too many PINs wait to be checked", remedy="Try again in a few seconds.", again_s=BUSY_S
    )
