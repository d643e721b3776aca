"""Verification of PINs, with lock-out and log events."""

import logging
from collections import Counter
from collections.abc import Callable
from typing import Final

from msgspec import UNSET

from cardshoe.persons.lockout import Lockout, Source
from cardshoe.persons.pins import Pins, fault_of_pin
from cardshoe.persons.refusal import AccessRefusal
from cardshoe.persons.registry import ID, Person, PersonSource, StaffRegistry
from cardshoe.process.exits import Stop
from regulations.events.notices import RefusedId, SignInsRefused

REPORT_S: Final = 60.0
"""Between two log lines about refused PINs; the first is immediate."""
LONGEST: Final = 64
IDS: Final = 16

logger: Final = logging.getLogger(__name__)


class PinChecker:
    """Verifies PINs, one at a time (the caller's duty)."""

    def __init__(
        self,
        known: PersonSource,
        pins: Pins,
        now_s: Callable[[], float],
        now: Callable[[], str],
        note: Callable[[SignInsRefused], object],
    ) -> None:
        self._known: Final = known
        self._pins: Final = pins
        self._now_s: Final = now_s
        self._now: Final = now
        self._note: Final = note
        self._lockout: Final = Lockout(now_s)
        self._refused = 0
        self._ids: Final[Counter[str]] = Counter()
        self._since = ""
        self._told_s = now_s() - REPORT_S

    def verify_pin(self, source: Source, person: str, pin: str) -> Person | AccessRefusal:
        """The person of a PIN; unknown, wrong and disabled give the same refusal."""
        person = person[: LONGEST + 1]
        if (left_s := self._lockout.left_s(source, person)) > 0:
            self._count(person)
            return AccessRefusal(
                code="locked",
                reason="too many wrong PINs were given",
                remedy=f"Try again in {left_s + 1:.0f} s.",
                again_s=left_s,
            )
        try:
            found = self._known.persons().get(person)
        except Stop as stop:
            logger.warning("sign-in is impossible: %s. %s", stop.what, stop.remedy)
            return unreadable()
        is_right = len(pin) <= LONGEST and self._pins.fits(None if found is None else found.pin, pin)
        if found is None or found.disabled or not is_right:
            self.wrong(source, person)
            return AccessRefusal(
                code="sign_in_refused",
                reason="no such person with this PIN",
                remedy="Check the id and type the PIN again. The administrator of the persons can set another PIN.",
            )
        self._lockout.right(source, person)
        self.report()
        return found

    def enrol(self, registry: StaffRegistry, person: str, pin: str) -> AccessRefusal | None:
        """Add a supervisor to an empty registry."""
        if ID.fullmatch(person) is None:
            return bad_id()
        if (fault := fault_of_pin(pin)) is not None:
            return AccessRefusal(code="bad_pin", reason=fault, remedy="Take another PIN.", field="$.pin")
        first = Person(id=person, role="supervisor", pin=self._pins.hashed(pin))
        try:
            # Whoever was added meanwhile stays, and this one is not.
            registry.change(lambda known: known.values() or [first])
            if registry.persons().get(person) == first:
                return None
        except Stop as stop:
            return AccessRefusal(code="no_persons", reason=stop.what, remedy=stop.remedy)
        return bad_code()

    def left_s(self, source: Source, person: str) -> float:
        return self._lockout.left_s(source, person)

    def wrong(self, source: Source, person: str) -> None:
        """Count a wrong PIN."""
        self._lockout.wrong(source, person)
        self._count(person)

    def due_s(self) -> float | None:
        """Seconds until the next log event about refusals; ``None``: no refusals."""
        return max(self._told_s + REPORT_S, self._now_s()) if self._refused else None

    def report(self) -> None:
        """Log the number of refusals."""
        if self._refused:
            ids = [RefusedId(person=person, count=count) for person, count in self._ids.most_common(IDS)]
            self._note(SignInsRefused(count=self._refused, since=self._since, ids=ids or UNSET))
            self._refused, self._told_s = 0, self._now_s()
            self._ids.clear()

    def _count(self, person: str) -> None:
        if not self._refused:
            self._since = self._now()
        self._refused += 1
        try:
            # Only IDs of persons are recorded: what else is typed there may be a PIN.
            if person in self._known.persons():
                self._ids[person] += 1
        except Stop:
            return


def unreadable() -> AccessRefusal:
    return AccessRefusal(
        code="no_persons",
        reason="the registry of persons cannot be read",
        remedy="`cardshoe persons list` says why.",
    )


def bad_id() -> AccessRefusal:
    return AccessRefusal(
        code="bad_id",
        reason="an id must have 1 to 64 letters, digits, `.`, `_` or `-`, and begin with a letter or digit",
        remedy="Take another id.",
        field="$.person",
    )


def bad_code() -> AccessRefusal:
    return AccessRefusal(
        code="bad_code",
        reason="this code is not valid, or has expired",
        remedy="A table without persons makes a new code at each start. `cardshoe persons add` adds further persons.",
        field="$.code",
    )
