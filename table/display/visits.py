"""Who is signed in at the pages: a cookie for each, which says nothing by itself, and the table's token behind it."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final

from regulations.events.vocabulary import Role

COOKIE: Final = "cardshoe_session"
AT_ONCE: Final = 64
"""As many as the table keeps of one connection; it has ended the eldest by then."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A session as the display has it.

    Attributes:
        token: the table's; it never leaves this process.
        person: whose.
        role: what the person was at the sign-in; what is permitted the table knows.
        idle_s: seconds of silence that end it; ``None``: none do.
        csrf: what a page must send along, so that it is one of ours.
    """

    token: str
    person: str
    role: Role
    idle_s: float | None
    csrf: str

    def is_ours(self, csrf: str) -> bool:
        """True if the token from a page is this session's."""
        return hmac.compare_digest(self.csrf.encode(), csrf.encode("utf-8", "surrogatepass"))


class Visits:
    """All sessions; nothing of them is on a disk."""

    def __init__(self) -> None:
        self._open: Final[dict[bytes, Visit]] = {}

    def begin(self, token: str, person: str, role: Role, idle_s: float | None) -> tuple[str, Visit]:
        """A session with a fresh cookie: one that a browser came with never becomes a session's."""
        if len(self._open) >= AT_ONCE:
            del self._open[next(iter(self._open))]
        cookie = secrets.token_urlsafe(32)
        visit = Visit(token, person, role, idle_s, secrets.token_urlsafe(32))
        self._open[_hashed(cookie)] = visit
        return cookie, visit

    def of(self, cookie: str | None) -> Visit | None:
        """The session of a cookie."""
        return None if cookie is None else self._open.get(_hashed(cookie))

    def end(self, visit: Visit) -> None:
        """Forgets a session."""
        for cookie in [cookie for cookie, one in self._open.items() if one is visit]:
            del self._open[cookie]

    def end_all(self) -> None:
        """Forgets all: the table has ended them."""
        self._open.clear()


def _hashed(cookie: str) -> bytes:
    return hashlib.sha256(cookie.encode("utf-8", "surrogatepass")).digest()
