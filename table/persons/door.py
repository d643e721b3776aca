"""Looks at PINs: whose they are, whether they may be tried now, and what is to be said of those that were wrong."""

import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

from regulations.events.notices import SignInsRefused
from table.persons.pins import Pins, fault_of_pin
from table.persons.refusal import Refusal
from table.persons.registry import ID, Known, Person, Registry
from table.process.exits import Stop

REPORT_S: Final = 60.0
"""Seconds between two lines of the log that tell how many were refused; the first is told at once."""
LONGEST: Final = 64
"""Signs of a PIN or code that is worth looking at."""
TRIES: Final = 5
"""Wrong PINs in a row after which an id is locked out."""
FIRST_S: Final = 60.0
"""Seconds of the first lock-out; each wrong PIN after it doubles them."""
LONGEST_S: Final = 900.0
"""Seconds of the longest lock-out."""
IN_ALL: Final = 30
"""Wrong PINs of whomever, within `WITHIN_S`, after which all are locked out."""
WITHIN_S: Final = 300.0
ALL_S: Final = 60.0
KNOWN: Final = 1_024
"""Ids that are remembered, of nobody as well as of persons: who tries must not learn which there are."""

logger: Final = logging.getLogger(__name__)


class Lockout:
    """Says who may not even try a PIN for a while: each id by itself, and all of them.

    Args:
        now_s: a clock that only goes forward, in seconds.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s: Final = now_s
        self._wrong: Final[OrderedDict[str, tuple[int, float]]] = OrderedDict()
        """By id: how often in a row, and until when it is locked out."""
        self._lately: Final[deque[float]] = deque(maxlen=IN_ALL)
        self._all_until_s = 0.0

    def left_s(self, person: str) -> float:
        """Seconds until a PIN of this id is looked at again; 0: now."""
        until_s = self._wrong.get(person, (0, 0.0))[1]
        return max(0.0, max(until_s, self._all_until_s) - self._now_s())

    def wrong(self, person: str) -> None:
        """Notes a wrong PIN."""
        now = self._now_s()
        count = self._wrong.pop(person, (0, 0.0))[0] + 1
        over = count - TRIES
        self._wrong[person] = (count, 0.0 if over < 0 else now + min(FIRST_S * 2.0 ** min(over, 16), LONGEST_S))
        if len(self._wrong) > KNOWN:
            self._wrong.popitem(last=False)
        self._lately.append(now)
        if len(self._lately) == IN_ALL and now - self._lately[0] <= WITHIN_S:
            self._all_until_s = now + ALL_S
            self._lately.clear()

    def right(self, person: str) -> None:
        """Forgets what was wrong before."""
        self._wrong.pop(person, None)


class Door:
    """Verifies PINs; whoever calls sees to it that they are looked at one at a time.

    Args:
        known: who is known.
        pins: compares.
        now_s: a clock that only goes forward, in seconds.
        now: the wall clock, RFC 3339, UTC.
        note: takes what the log is told of refusals.
    """

    def __init__(
        self,
        known: Known,
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
        self._since = ""
        self._told_s = now_s() - REPORT_S

    def look(self, person: str, pin: str) -> Person | Refusal:
        """Whose PIN this is; no answer tells an unknown id from a wrong PIN or one who is disabled.

        Args:
            person: the id.
            pin: as it was given.
        """
        person = person[: LONGEST + 1]
        if (left_s := self._lockout.left_s(person)) > 0:
            self._count()
            return Refusal(
                code="locked",
                reason="too many wrong PINs were given",
                remedy=f"Try again in {left_s + 1:.0f} s.",
                again_s=left_s,
            )
        try:
            found = self._known.persons().get(person)
        except Stop as stop:
            logger.warning("nobody can sign in: %s. %s", stop.what, stop.remedy)
            return unreadable()
        is_right = len(pin) <= LONGEST and self._pins.fits(None if found is None else found.pin, pin)
        if found is None or found.disabled or not is_right:
            self.wrong(person)
            return Refusal(
                code="sign_in_refused",
                reason="no such person with this PIN",
                remedy="Check the id and type the PIN again. The administrator of the persons can set another PIN.",
            )
        self._lockout.right(person)
        self.report()
        return found

    def enrol(self, registry: Registry, person: str, pin: str) -> Refusal | None:
        """Adds a supervisor to a registry that has nobody."""
        if ID.fullmatch(person) is None:
            return bad_id()
        if (fault := fault_of_pin(pin)) is not None:
            return Refusal(code="bad_pin", reason=fault, remedy="Take another PIN.", field="$.pin")
        first = Person(id=person, role="supervisor", pin=self._pins.hashed(pin))
        try:
            # Whoever was added meanwhile stays, and this one is not.
            registry.change(lambda known: known.values() or [first])
            if registry.persons().get(person) == first:
                return None
        except Stop as stop:
            return Refusal(code="no_persons", reason=stop.what, remedy=stop.remedy)
        return bad_code()

    def left_s(self, person: str) -> float:
        """Seconds until this id may try again."""
        return self._lockout.left_s(person)

    def wrong(self, person: str) -> None:
        """Notes that somebody was wrong."""
        self._lockout.wrong(person)
        self._count()

    def due_s(self) -> float | None:
        """When the log is to be told of refusals; ``None``: there were none."""
        return max(self._told_s + REPORT_S, self._now_s()) if self._refused else None

    def report(self) -> None:
        """Tells the log how many were refused."""
        if self._refused:
            self._note(SignInsRefused(count=self._refused, since=self._since))
            self._refused, self._told_s = 0, self._now_s()

    def _count(self) -> None:
        if not self._refused:
            self._since = self._now()
        self._refused += 1


def unreadable() -> Refusal:
    """The answer where the registry cannot be read: then nobody may do anything that needs a name."""
    return Refusal(
        code="no_persons",
        reason="the registry of persons cannot be read",
        remedy="`cardshoe persons list` says why.",
    )


def bad_id() -> Refusal:
    """The answer to an id that can be nobody's."""
    return Refusal(
        code="bad_id",
        reason="an id must have 1 to 64 letters, digits, `.`, `_` or `-`, and begin with a letter or digit",
        remedy="Take another id.",
        field="$.person",
    )


def bad_code() -> Refusal:
    """The answer to a code that is not valid, or no longer."""
    return Refusal(
        code="bad_code",
        reason="this code is not valid, or has expired",
        remedy="A table without persons makes a new code at each start. `cardshoe persons add` adds further persons.",
        field="$.code",
    )
