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
from cardshoe.screens.view.parts import RoundView
from regulations.events.outputs import Refused

LIVES_S: Final = 60.0
MINUTE_S: Final = 60.0
A_MINUTE: Final = 12
"""New proposals per person and minute, approved ones excluded."""
EACH: Final = 4


class Foreseen(Struct, frozen=True, kw_only=True):
    """The effect of an act, from the open cards alone (reading G8).

    Attributes:
        refused: ``None``: accepted, as far as open cards show.
        is_partial: more follows once a face-down card is opened.
    """

    refused: Refused | None = None
    before: RoundView | None = None
    after: RoundView | None = None
    is_partial: bool = False


class ProposalMade(Struct, kw_only=True):
    """A waiting proposal; ``foreseen`` ``None``: not computed, not recorded."""

    proposal: str
    event: Named
    person: str
    seconds: float = LIVES_S
    foreseen: Foreseen | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    proposed: ProposalMade
    session: Session
    state: int
    ends_s: float

    @property
    def event(self) -> Named:
        """The act that was proposed."""
        return self.proposed.event


class Proposals:
    """All waiting proposals; not thread-safe."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s: Final = now_s
        self._open: Final[dict[str, Proposal]] = {}
        self._made: Final[dict[str, list[float]]] = {}

    def add(self, event: Named, session: Session, state: int) -> ProposalMade | AccessRefusal:
        """Queue an event; a known key returns the same proposal, or a refusal."""
        now = self._now_s()
        for name, one in list(self._open.items()):
            if one.ends_s <= now:
                del self._open[name]
            elif one.event.key == event.key is not msgspec.UNSET:
                if one.event == event and one.session is session and one.state == state:
                    one.proposed.seconds = one.ends_s - now
                    return one.proposed
                return key_reused()
        person = session.person.id
        recent = [at for at in self._made.get(person, ()) if at > now - MINUTE_S]
        if len(recent) >= A_MINUTE:
            return too_many(recent[0] + MINUTE_S - now)
        self._made[person] = [*recent, now]
        own = [name for name, one in self._open.items() if one.session.person.id == person]
        if len(own) >= EACH:
            del self._open[own[0]]
        name = secrets.token_urlsafe(16)
        proposed = ProposalMade(proposal=name, event=event, person=person)
        self._open[name] = Proposal(proposed, session, state, now + LIVES_S)
        return proposed

    def get(self, name: str) -> Proposal | None:
        """A waiting proposal."""
        found = self._open.get(name)
        return found if found is not None and self._now_s() < found.ends_s else None

    def drop(self, name: str) -> None:
        """Remove a proposal that can no longer be approved."""
        self._open.pop(name, None)

    def approved(self, name: str) -> None:
        """Remove an approved proposal from queue and count."""
        found = self._open.pop(name)
        made = self._made[found.session.person.id]
        made.pop(0)


def too_many(again_s: float) -> AccessRefusal:
    return AccessRefusal(
        code="busy",
        reason=f"{A_MINUTE} proposals in a minute, none approved",
        remedy="Confirm one, or wait.",
        again_s=again_s,
    )


def key_reused() -> AccessRefusal:
    return AccessRefusal(
        code="key_reused", field="$.key", reason="this key was used with another input", remedy="Use a new key."
    )
