"""Browser sessions: an opaque cookie each, with the table's token."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, replace
from typing import Final

from regulations.events.vocabulary import Role

COOKIE: Final = "cardshoe_session"
BROWSER: Final = "cardshoe_browser"
BROWSER_S: Final = 180 * 24 * 3600
"""Lifetime of the cookie of a known browser."""
BROWSERS_EACH: Final = 8
"""Remembered browsers per person; more replace that person's oldest."""
VISIT: Final = "cardshoe.visit"
AT_ONCE: Final = 64


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """A session of the display.

    Attributes:
        token: the table's; it never leaves this process.
        idle_s: seconds until it ends; ``None``: unlimited.
        csrf: the token that a page must send.
    """

    token: str
    person: str
    role: Role
    idle_s: float | None
    csrf: str
    suspended: "BrowserSession | None" = None

    def is_ours(self, csrf: str) -> bool:
        return hmac.compare_digest(self.csrf.encode(), csrf.encode("utf-8", "surrogatepass"))


class TrustedBrowsers:
    """Browsers with an earlier sign-in, in memory alone.

    The cookie outlives the session: others' wrong PINs do not lock this browser out.
    """

    def __init__(self) -> None:
        self._known: Final[dict[str, str]] = {}

    def name_of(self, cookie: str | None) -> str | None:
        name = _hashed(cookie or "").hex()
        return name if name in self._known else None

    def came(self, cookie: str | None, person: str) -> str | None:
        """Record a sign-in; return the cookie to set, ``None``: it has one."""
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
    """All browser sessions, in memory alone."""

    def __init__(self) -> None:
        self._open: Final[dict[bytes, BrowserSession]] = {}

    def begin(
        self, token: str, person: str, role: Role, idle_s: float | None, suspended: BrowserSession | None = None
    ) -> tuple[str, BrowserSession]:
        """A session with a fresh cookie, never one that the browser sent."""
        if len(self._open) >= AT_ONCE:
            del self._open[next(iter(self._open))]
        cookie = secrets.token_urlsafe(32)
        visit = BrowserSession(token, person, role, idle_s, secrets.token_urlsafe(32), suspended)
        self._open[_hashed(cookie)] = visit
        return cookie, visit

    def suspend(self, visit: BrowserSession, token: str, person: str, role: Role, idle_s: float | None) -> None:
        """Suspend a new session under an open one; it resumes when that ends."""
        below = BrowserSession(token, person, role, idle_s, secrets.token_urlsafe(32))
        for cookie in [cookie for cookie, one in self._open.items() if one is visit]:
            self._open[cookie] = replace(visit, suspended=below)

    def resume(self, ended: BrowserSession) -> tuple[str, BrowserSession] | None:
        """End a session and resume the suspended one with a fresh cookie; ``None``: none."""
        self.end(ended)
        back = ended.suspended
        return None if back is None else self.begin(back.token, back.person, back.role, back.idle_s)

    def of(self, cookie: str | None) -> BrowserSession | None:
        """The session of a cookie."""
        return None if cookie is None else self._open.get(_hashed(cookie))

    def end(self, visit: BrowserSession) -> None:
        """End a session."""
        for cookie in [cookie for cookie, one in self._open.items() if one is visit]:
            del self._open[cookie]

    def end_all(self) -> None:
        self._open.clear()


def _hashed(cookie: str) -> bytes:
    return hashlib.sha256(cookie.encode("utf-8", "surrogatepass")).digest()
