"""States of both ends of a link (``docs/protocols/tdp.md``, section 5).

A pair missing in its table is ignored.
"""

from enum import Enum
from typing import Final


class Role(Enum):
    """The host opens sessions, the device accepts them."""

    HOST = "host"
    DEVICE = "device"


class LinkState(Enum):
    CLOSED = "closed"
    """Nothing is sent, everything is ignored."""
    OPENING = "opening"
    """Host: sends ``OPEN`` until it is accepted."""
    LISTENING = "listening"
    """Device: waits for ``OPEN``."""
    ACCEPTING = "accepting"
    """Device: waits for a frame that shows that the host knows it."""
    OPEN = "open"
    REOPENING = "reopening"
    """Device: an accepted session replaces the present one once confirmed."""


class LinkInput(Enum):
    OPENED = "opened"
    CLOSED = "closed"
    OFFER = "offer"
    """Device: an acceptable ``OPEN`` with a new number."""
    ANSWER = "answer"
    """Host: ``ACCEPT`` for the number that it opens."""
    CONFIRMATION = "confirmation"
    """Device: a frame of the session that it accepted last."""
    LOSS = "loss"
    """Silence, ``RESET``, lost line, or nothing acknowledged."""
    EXPIRY = "expiry"
    """Device: not confirmed in time, or withdrawn."""


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
