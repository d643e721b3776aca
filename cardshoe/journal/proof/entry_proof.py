"""Proof of single entries without the journal.

Signed by the key of the entries' own shoe game: a later key could have signed another past.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Final

import msgspec

from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.signatures import Numbered
from cardshoe.journal.proof.statements import Checkpoint, Takeover

FORM: Final = "cardshoe/journal/5"


Line = Annotated[str, msgspec.Meta(pattern=r"\A[^\n]+\Z")]
"""A line feed would split another entry into the same bytes."""


class ProvedEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of a proof; ``path``: audit path of RFC 6962 section 2.1.1, hexadecimal."""

    entry: int
    lines: list[Line]
    path: list[str]


class EntryProof(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of a proof's file, as JSON.

    Attributes:
        header: entry 0.
        checkpoint: empty if the last statement replaces it.
        round: ``None``: one entry alone.
        entries: without gap; of a round, with the entry before, which shows completeness.
    """

    proof: str
    header: str
    keys: list[str]
    checkpoint: str
    round: int | None
    entries: list[ProvedEntry]


class Unproved(Exception):
    """No signature of the right key covers the entries."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def covering(
    first: int, last: int, takeovers: Sequence[Takeover], checkpoints: Iterable[Numbered]
) -> Checkpoint | Takeover:
    """The first statement of their own key about a tree with these entries.

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
