"""The states of both ends of a link (``docs/protocols/tdp.md``, section 5). A pair missing in its table is ignored."""

from enum import Enum
from typing import Final


class Role(Enum):
    """Which end this is. The host opens sessions, the device accepts them."""

    HOST = "host"
    DEVICE = "device"


class LinkState(Enum):
    """State of a link."""

    CLOSED = "closed"
    """Nothing is sent, everything is ignored."""
    OPENING = "opening"
    """Host: sends ``OPEN`` until it is accepted."""
    LISTENING = "listening"
    """Device: waits for ``OPEN``."""
    ACCEPTING = "accepting"
    """Device: has accepted; waits for a frame that shows that the host knows it."""
    OPEN = "open"
    """The session is established."""
    REOPENING = "reopening"
    """Device: a session is established, and an accepted one replaces it once confirmed."""


class LinkInput(Enum):
    """Inputs that may change a state."""

    OPENED = "opened"
    """The application opens the link."""
    CLOSED = "closed"
    """The application closes the link."""
    OFFER = "offer"
    """Device: an acceptable ``OPEN`` with a new number came."""
    ANSWER = "answer"
    """Host: ``ACCEPT`` for the number that it is opening came."""
    CONFIRMATION = "confirmation"
    """Device: a frame of the session that it accepted last came."""
    LOSS = "loss"
    """The session is lost: silence, ``RESET``, lost line, or nothing acknowledged."""
    EXPIRY = "expiry"
    """Device: what it accepted was not confirmed in time, or was withdrawn."""


HOST: Final[dict[tuple[LinkState, LinkInput], LinkState]] = {
    (LinkState.CLOSED, LinkInput.OPENED): LinkState.OPENING,
    (LinkState.OPENING, LinkInput.ANSWER): LinkState.OPEN,
    (LinkState.OPENING, LinkInput.CLOSED): LinkState.CLOSED,
    (LinkState.OPEN, LinkInput.LOSS): LinkState.OPENING,
    (LinkState.OPEN, LinkInput.CLOSED): LinkState.CLOSED,
}

DEVICE: Final[dict[tuple[LinkState, LinkInput], LinkState]] = {
    (LinkState.CLOSED, LinkInput.OPENED): LinkState.LISTENING,
    (LinkState.LISTENING, LinkInput.OFFER): LinkState.ACCEPTING,
    (LinkState.LISTENING, LinkInput.CLOSED): LinkState.CLOSED,
    (LinkState.ACCEPTING, LinkInput.OFFER): LinkState.ACCEPTING,
    (LinkState.ACCEPTING, LinkInput.CONFIRMATION): LinkState.OPEN,
    (LinkState.ACCEPTING, LinkInput.EXPIRY): LinkState.LISTENING,
    (LinkState.ACCEPTING, LinkInput.CLOSED): LinkState.CLOSED,
    (LinkState.OPEN, LinkInput.OFFER): LinkState.REOPENING,
    (LinkState.OPEN, LinkInput.LOSS): LinkState.LISTENING,
    (LinkState.OPEN, LinkInput.CLOSED): LinkState.CLOSED,
    (LinkState.REOPENING, LinkInput.OFFER): LinkState.REOPENING,
    (LinkState.REOPENING, LinkInput.CONFIRMATION): LinkState.OPEN,
    (LinkState.REOPENING, LinkInput.EXPIRY): LinkState.OPEN,
    (LinkState.REOPENING, LinkInput.LOSS): LinkState.ACCEPTING,
    (LinkState.REOPENING, LinkInput.CLOSED): LinkState.CLOSED,
}

TABLES: Final = {Role.HOST: HOST, Role.DEVICE: DEVICE}

CARRIES_DATA: Final = frozenset({LinkState.OPEN, LinkState.REOPENING})
"""The states in which a session stands."""
