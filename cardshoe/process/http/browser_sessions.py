"""Browser sessions: an opaque cookie for each, with the table's token."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final

from regulations.events.vocabulary import Role

COOKIE: Final = "cardshoe_session"
BROWSER: Final = "cardshoe_browser"
BROWSER_S: Final = 180 * 24 * 3600
"""Seconds that a browser keeps the cookie by which it is known again."""
BROWSERS_EACH: Final = 8
"""Browsers remembered per person at most; further ones replace that person's own oldest."""
VISIT: Final = "cardshoe.visit"
"""Key in the scope of a request: its `BrowserSession`, or ``None``; set by an earlier layer."""
AT_ONCE: Final = 64
"""As many as the table keeps of one connection; it has ended the eldest by then."""


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """A session of the display.

    Attributes:
        token: the table's; it never leaves this process.
        idle_s: seconds without an act that end it; ``None``: unlimited.
        csrf: the token that a page must send along.
    """

    token: str
    person: str
    role: Role
    idle_s: float | None
    csrf: str
    suspended: "BrowserSession | None" = None

    def is_ours(self, csrf: str) -> bool:
        """True if the token from a page is this session's."""
        return hmac.compare_digest(self.csrf.encode(), csrf.encode("utf-8", "surrogatepass"))


class TrustedBrowsers:
    """Browsers in which somebody has signed in before; nothing of them is on a disk.

    The cookie outlives the session, so that wrong PINs of others at the same address do not lock this browser out.
    """

    def __init__(self) -> None:
        self._known: Final[dict[str, str]] = {}

    def name_of(self, cookie: str | None) -> str | None:
        """The name of the browser of a cookie; ``None`` without an earlier sign-in."""
        name = _hashed(cookie or "").hex()
        return name if name in self._known else None

    def came(self, cookie: str | None, person: str) -> str | None:
        """Notes a sign-in.

        Returns:
            The cookie that the browser must keep; ``None``: it has one.
        """
        name, fresh = self.name_of(cookie), None
        if name is None:
            fresh = secrets.token_urlsafe(32)
            name = _hashed(fresh).hex()
        self._known.pop(name, None)
        own = [one for one, whose in self._known.items() if whose == person]
        for one in own[: len(own) - BROWSERS_EACH + 1]:
            del self._known[one]
        self._known[name] = person
        return fresh


class BrowserSessions:
    """All sessions; nothing of them is on a disk."""

    def __init__(self) -> None:
        self._open: Final[dict[bytes, BrowserSession]] = {}

    def begin(
        self, token: str, person: str, role: Role, idle_s: float | None, suspended: BrowserSession | None = None
    ) -> tuple[str, BrowserSession]:
        """A session with a fresh cookie: one that a browser came with never becomes a session's."""
        if len(self._open) >= AT_ONCE:
            del self._open[next(iter(self._open))]
        cookie = secrets.token_urlsafe(32)
        visit = BrowserSession(token, person, role, idle_s, secrets.token_urlsafe(32), suspended)
        self._open[_hashed(cookie)] = visit
        return cookie, visit

    def resume(self, ended: BrowserSession) -> tuple[str, BrowserSession] | None:
        """End a session and resume the suspended one with a fresh cookie; ``None``: none."""
        self.end(ended)
        back = ended.suspended
        return None if back is None else self.begin(back.token, back.person, back.role, back.idle_s)

    def of(self, cookie: str | None) -> BrowserSession | None:
        """The session of a cookie."""
        return None if cookie is None else self._open.get(_hashed(cookie))

    def end(self, visit: BrowserSession) -> None:
        """Forgets a session."""
        for cookie in [cookie for cookie, one in self._open.items() if one is visit]:
            del self._open[cookie]

    def end_all(self) -> None:
        """Forgets all: the table has ended them."""
        self._open.clear()


def _hashed(cookie: str) -> bytes:
    return hashlib.sha256(cookie.encode("utf-8", "surrogatepass")).digest()
