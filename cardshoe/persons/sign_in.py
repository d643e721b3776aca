"""Sign-in: one thread verifies PINs, one at a time."""

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import Final, Self, TypeVar

import msgspec

from cardshoe.persons.lockout import Source
from cardshoe.persons.pin_checker import PinChecker, unreadable
from cardshoe.persons.pins import Pins
from cardshoe.persons.refusal import AccessRefusal
from cardshoe.persons.registry import Person, PersonSource
from cardshoe.persons.sessions import AT_ONCE, Session, Sessions, SignInPlace
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Stop
from regulations.events.notices import SignedIn, SignedOut, SignInsRefused
from regulations.events.vocabulary import Role, SignedOutBecause

WAITING: Final = 8
"""Waiting PINs; more indicate an attack."""
BUSY_S: Final = 2.0
LOOK_S: Final = 2.0

logger: Final = logging.getLogger(__name__)
CameT = TypeVar("CameT")


class SignedInto(msgspec.Struct, frozen=True, kw_only=True):
    """A new session; ``idle_s`` ``None``: no limit of silence."""

    session: str
    person: str
    role: Role
    idle_s: float | None


class SignInService:
    """Sign-in and sign-out of staff; from any thread."""

    def __init__(
        self,
        known: PersonSource,
        note: Callable[[SignedIn | SignedOut | SignInsRefused], object],
        pins: Pins | None = None,
        now_s: Callable[[], float] = time.monotonic,
        now: Callable[[], str] = wall_time,
    ) -> None:
        self.known: Final = known
        self._note_session: Final = note
        self._now_s: Final = now_s
        self._guard: Final = threading.RLock()
        self._pins: Final = PinChecker(known, pins or Pins(), now_s, now, note)
        """Guarded by `_looking`: verifying is slow, so `_guard` is free meanwhile."""
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

    def later(self, job: Callable[[], CameT], answer: Callable[[CameT | AccessRefusal], object]) -> None:
        """Run a job in the PIN thread; ``answer`` gets its result there, or a refusal at once."""

        def answered() -> None:
            came: CameT | AccessRefusal
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
        """End expired sessions and record refusals; the thread does so itself."""
        with self._guard:
            try:
                self._sessions.expire(self.known.persons())
            except Stop:
                return  # nobody may do anything meanwhile; who asks is told
        with self._looking:
            due_s = self._pins.due_s()
            if due_s is not None and due_s <= self._now_s():
                self._pins.report()

    def sign_in(self, at: SignInPlace, person: str, pin: str, source: Source) -> SignedInto | AccessRefusal:
        found = self.verify_pin(person, pin, source)
        if isinstance(found, AccessRefusal):
            return found
        with self._guard:
            here = self._sessions.at_client(at.client)
            if len(here) >= AT_ONCE:
                self._sessions.end(here[0], "gone")
            token, session = self._sessions.begin(found, at)
            self._note_session(SignedIn(person=found.id, role=found.role, place=at.place))
        return SignedInto(session=token, person=found.id, role=found.role, idle_s=session.idle_s)

    def record_sessions(self) -> None:
        with self._guard:
            for one in self._sessions.open:
                self._note_session(SignedIn(person=one.person.id, role=one.person.role, place=one.at.place))

    def verify_pin(self, person: str, pin: str, source: Source) -> Person | AccessRefusal:
        with self._looking:
            return self._pins.verify_pin(source, person, pin)

    def session(self, client: int, token: str, *, heard: bool = False) -> SignedInto | AccessRefusal:
        """The person of a session; only ``heard`` acts prolong it."""
        with self._guard:
            if (refusal := self._refused_after_expiry()) is not None:
                return refusal
            session = self._sessions.of(token, client)
            if session is None:
                return nobody(client)
            if heard:
                session.heard_s = self._now_s()
            person = session.person
            return SignedInto(session=token, person=person.id, role=person.role, idle_s=session.idle_s)

    def sign_out(self, client: int, token: str) -> AccessRefusal | None:
        with self._guard:
            session = self._sessions.of(token, client)
            if session is None:
                return nobody(client)
            self._sessions.end(session, "asked")
            return None

    def left(self, client: int) -> None:
        """End the sessions of a closed connection."""
        with self._guard:
            for session in self._sessions.at_client(client):
                self._sessions.end(session, "gone")

    # --- below -------------------------------------------------------------------------------------------------------

    def _refused_after_expiry(self) -> AccessRefusal | None:
        try:
            self._sessions.expire(self.known.persons())
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
                    self._pins.report()
                return
            try:
                job()
                self.tick()
                wait_s = self._wait_s()
            except Exception:
                logger.exception("who is signed in could not be looked at; it is tried again")
                wait_s = LOOK_S

    def _wait_s(self) -> float:
        with self._guard:
            ends = [one for one in (self._sessions.next_end_s(), self._pins.due_s()) if one is not None]
        return min([LOOK_S, *(max(0.01, end - self._now_s()) for end in ends)])


def not_permitted(reason: str, remedy: str) -> AccessRefusal:
    return AccessRefusal(code="not_permitted", reason=reason, remedy=remedy)


def nobody(client: int) -> AccessRefusal:
    how = "`login ID`, then the PIN." if client == 0 else "Sign in with id and PIN."
    return not_permitted("no person is signed in here", how)


def not_checked() -> AccessRefusal:
    return AccessRefusal(
        code="not_checked",
        reason="the PIN could not be checked",
        remedy="Try again. If it fails again, tell the technician: the error is in the program's log.",
    )


def busy() -> AccessRefusal:
    return AccessRefusal(
        code="busy", reason="too many PINs wait to be checked", remedy="Try again in a few seconds.", again_s=BUSY_S
    )
