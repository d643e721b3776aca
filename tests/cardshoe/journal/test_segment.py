"""The notes of a witness that a part of a journal must hold: at both edges, to the entry and to the key."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardshoe.journal.file.segment import Segment
from cardshoe.journal.proof.note import SigningKey
from cardshoe.journal.proof.statements import Checkpoint, Takeover

KEY = SigningKey("log", Ed25519PrivateKey.generate()).public
EDGE = (bytes(32),)
BEGINS, ENDS = 100, 200
REST = Segment(epoch=3, size=BEGINS, edge=EDGE)
ARCHIVE = Segment(epoch=3, size=BEGINS, edge=EDGE, archived=True)


def checkpoint(epoch: int, size: int) -> Checkpoint:
    return Checkpoint(origin="log", size=size, root=bytes(32), number=1, epoch=epoch, at="")


def takeover(epoch: int, size: int) -> Takeover:
    return Takeover(origin="log", epoch=epoch, size=size, root=bytes(32), key=KEY, at="")


END = takeover(5, ENDS)


@pytest.mark.parametrize(
    ("said", "in_rest", "in_archive"),
    [
        (checkpoint(2, BEGINS - 1), False, False),
        (checkpoint(2, BEGINS), False, False),  # the last one of the key before: over all that is retired
        (checkpoint(2, BEGINS + 1), True, True),  # that key's time was over: no retirement explains it
        (checkpoint(3, BEGINS), True, True),  # the first one of the part's own key, before its first entry
        (checkpoint(3, BEGINS + 1), True, True),
        (checkpoint(4, ENDS), True, True),  # the last one of the archive's last shoe game
        (checkpoint(5, ENDS), True, False),  # signed by the next key over the same entries
        (checkpoint(5, ENDS - 1), True, True),  # before that key's time: nothing explains it
        (checkpoint(6, ENDS + 1), True, False),
        (takeover(0, 1), True, True),
        (takeover(3, BEGINS), True, True),
        (takeover(5, ENDS), True, True),  # with this one the archive ends
        (takeover(6, ENDS), True, False),  # another stack was loaded at once
        (takeover(6, ENDS + 1), True, False),
        (takeover(6, ENDS - 1), True, True),
    ],
)
def test_what_each_part_must_hold(said: Checkpoint | Takeover, *, in_rest: bool, in_archive: bool) -> None:
    assert (REST.holds(said), ARCHIVE.holds(said, END)) == (in_rest, in_archive)
    assert Segment().holds(said)
