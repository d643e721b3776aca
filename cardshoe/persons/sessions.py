"""Sessions: opaque tokens, stored as hashes, each bound to a place."""

import hashlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from cardshoe.persons.permissions import IDLE_S
from cardshoe.persons.registry import Person
from regulations.events.vocabulary import Place, SignedOutBecause

AT_ONCE: Final = 64


@dataclass(frozen=True, slots=True)
class SignInPlace:
    """A place of sign-in; ``client`` 0: the terminal, else a connection."""

    place: Place
    client: int = 0


@dataclass(slots=True)
class Session:
    person: Person
    at: SignInPlace
    heard_s: float

    @property
    def idle_s(self) -> float | None:
        return IDLE_S[self.at.place][self.person.role]


class Sessions:
    """Sessions of a table; not thread-safe."""

    def __init__(self, now_s: Callable[[], float], ended: Callable[[Session, SignedOutBecause], None]) -> None:
        self._now_s: Final = now_s
        self._ended: Final = ended
        self._open: Final[dict[bytes, Session]] = {}

    def begin(self, person: Person, at: SignInPlace) -> tuple[str, Session]:
        """Sign a person in; the token is new and random."""
        for session in self.at_client(at.client):
            if session.person.id == person.id and session.at == at:
                self.end(session, "again")
            elif person.role == session.person.role == "croupier" and session.at == at and at.place != "own_screen":
                self.end(session, "relieved")
        token = secrets.token_urlsafe(32)
        session = Session(person, at, self._now_s())
        self._open[_hashed(token)] = session
        return token, session

    def of(self, token: str, client: int) -> Session | None:
        """The session of a token, valid only at its client."""
        session = self._open.get(_hashed(token))
        return session if session is not None and session.at.client == client else None

    @property
    def open(self) -> list[Session]:
        """Open sessions, oldest first."""
        return list(self._open.values())

    def at_client(self, client: int) -> list[Session]:
        return [one for one in self._open.values() if one.at.client == client]

    def is_open(self, session: Session) -> bool:
        return any(one is session for one in self._open.values())

    def end(self, session: Session, because: SignedOutBecause) -> None:
        """End a session."""
        for token in [token for token, one in self._open.items() if one is session]:
            del self._open[token]
            self._ended(session, because)

    def expire(self, known: Mapping[str, Person]) -> None:
        """End sessions of changed people and silent ones."""
        now = self._now_s()
        for session in list(self._open.values()):
            if known.get(session.person.id) != session.person:
                self.end(session, "changed")
            elif session.idle_s is not None and now - session.heard_s >= session.idle_s:
                self.end(session, "idle")

    def next_end_s(self) -> float | None:
        return min((one.heard_s + one.idle_s for one in self._open.values() if one.idle_s is not None), default=None)


def _hashed(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
