"""Proof of single entries without the journal.

The signature must be by the key of the entries' own shoe game (checkpoint, or certificate of its successor): a later
key could have signed another past.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Final

import msgspec

from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.signatures import Numbered
from cardshoe.journal.proof.statements import Checkpoint, Takeover

FORM: Final = "cardshoe/journal/5"
"""The form of a proof's file."""


Line = Annotated[str, msgspec.Meta(pattern=r"\A[^\n]+\Z")]
"""A line of an entry: a line feed in it would split another entry into the same bytes."""


class ProvedEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of a proof.

    Attributes:
        path: the audit path of RFC 6962 section 2.1.1, each hash in hexadecimal digits.
    """

    entry: int
    lines: list[Line]
    path: list[str]


class EntryProof(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of a proof's file, as JSON.

    Attributes:
        header: the journal's header, its entry 0.
        checkpoint: the checkpoint; empty if the last of the statements takes its place.
        round: the round that is proved; ``None``: one entry alone.
        entries: what is proved, in order, without gap; of a round all entries, and the one before, which shows that
            none is left out.
    """

    proof: str
    header: str
    keys: list[str]
    checkpoint: str
    round: int | None
    entries: list[ProvedEntry]


class Unproved(Exception):
    """No one signature of the right key covers the entries."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def covering(
    first: int, last: int, takeovers: Sequence[Takeover], checkpoints: Iterable[Numbered]
) -> Checkpoint | Takeover:
    """The first statement that their own key signed about a tree with these entries.

    Raises:
        Unproved: no statement covers them.
    """
    epoch = max(one.epoch for one in takeovers if one.size <= first)
    following = takeovers[epoch + 1] if epoch + 1 < len(takeovers) else None
    if following is not None and following.size <= last:
        raise Unproved(
            f"a new shoe game began with entry {following.size}; prove the entries before and from there apart"
        )
    for _, data in checkpoints:
        found = Checkpoint.read(Note(data))
        if found.epoch == epoch and found.size > last:
            return found
    if following is None:
        raise Unproved("they are not under a signature yet; wait for the end of the round")
    return following
