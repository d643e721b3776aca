"""What the journal knows of a device: made of its events one by one, or taken up from where it once stood.

A session is a memory as well. Beside the one that listens, each bridge has a second one that is told only what is
durable: the first may be ahead of the journal, and what a crash takes away must not be remembered.
"""

from typing import ClassVar, Protocol

import msgspec

from regulations.events.inputs import AnyInput


class Memory(Protocol):
    """What is remembered of one device."""

    form: ClassVar[type[msgspec.Struct]]
    """Of what :meth:`snapshot` gives."""

    def replay(self, event: AnyInput) -> None:
        """Takes up an input of the journal, in its order; one that was not refused."""

    def replay_refused(self, event: AnyInput) -> None:
        """Takes up an input that the regulation refused when it came."""

    def shoe_over(self) -> None:
        """The shoe game is over."""

    def snapshot(self) -> msgspec.Struct | None:
        """What is remembered, to be written, once a new stack is in and while no card of it is out.

        No card may be in it: it is stored for all to read. ``None`` if what is remembered cannot be said without.
        """

    def restore(self, snapshot: bytes) -> None:
        """Restores what :meth:`snapshot` gave, as JSON.

        Raises:
            msgspec.ValidationError: another version wrote it, or another family; nothing was taken up.
        """

    def heard_from(self) -> int | None:
        """The first number in the journal of what must be heard again besides the snapshot; ``None``: nothing."""
        return None

    def recall(self, event: AnyInput) -> None:
        """Hears again, in order, an input from before the snapshot, from :meth:`heard_from` on."""
