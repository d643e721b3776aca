"""Acts of two people: proposed, then approved on the same screen within a minute."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Struct

from cardshoe.persons.permissions import Named
from cardshoe.persons.refusal import AccessRefusal
from cardshoe.persons.sessions import Session

LIVES_S: Final = 60.0
EACH: Final = 4
"""Waiting proposals of one person; more replace the oldest."""


class Proposed(Struct, frozen=True, kw_only=True):
    """A proposal that waits for its second person.

    Attributes:
        seconds: for which it waits.
    """

    proposal: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal that waits for approval."""

    event: Named
    session: Session
    state: int
    ends_s: float


class Proposals:
    """All that wait; the caller makes sure that no other thread calls at the same time.

    Args:
        now_s: a clock that only goes forward, in seconds.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s: Final = now_s
        self._open: Final[dict[str, Proposal]] = {}

    def add(self, event: Named, session: Session, state: int) -> Proposed | AccessRefusal:
        """Has an event wait; one with the same key is the same, or refused.

        One person's proposals never end those of another.
        """
        now = self._now_s()
        for name, one in list(self._open.items()):
            if one.ends_s <= now:
                del self._open[name]
            elif one.event.key == event.key is not msgspec.UNSET:
                if one.event == event and one.session is session and one.state == state:
                    return Proposed(proposal=name, seconds=one.ends_s - now)
                return key_reused()
        own = [name for name, one in self._open.items() if one.session.person.id == session.person.id]
        if len(own) >= EACH:
            del self._open[own[0]]
        name = secrets.token_urlsafe(16)
        self._open[name] = Proposal(event, session, state, now + LIVES_S)
        return Proposed(proposal=name, seconds=LIVES_S)

    def get(self, name: str) -> Proposal | None:
        """One that still waits."""
        found = self._open.get(name)
        return found if found is not None and self._now_s() < found.ends_s else None

    def drop(self, name: str) -> None:
        """Forgets one: it was approved, or can no longer be."""
        self._open.pop(name, None)


def key_reused() -> AccessRefusal:
    """The answer to a key that came with something else before."""
    return AccessRefusal(
        code="key_reused", field="$.key", reason="this key was used with another input", remedy="Use a new key."
    )
