"""The floor's list of persons (``docs/persons.md``): as bytes of anybody, and as text that a floor's key has signed."""

from collections.abc import Iterable
from typing import Final

from cardshoe.journal.proof.note import BadNote, sign
from cardshoe.persons.signed_list import SignedList
from tests.cardshoe.persons.lists import TABLE, Signer
from tests.fuzz.target import Target, must

SIGNED: Final = b"\x01"
"""Before a text that is signed; before any other byte is what a stranger has put there."""
_SIGNER: Final = Signer()
_OTHER: Final = Signer(2)
_LONG: Final = 5000
_TEXT: Final = (
    b'cardshoe/persons\n"T-1"\n41 2026-11-24T06:00:00.000000Z 2026-12-08T06:00:00.000000Z\n'
    b'{"id":"anna","role":"supervisor","pin":"$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA"}\n'
    b'{"id":"carl","role":"croupier","disabled":true}\n'
)


def check_list(data: bytes) -> None:
    """A list: ``BadNote``, or what is written again as the same; what its key did not sign is never one."""
    is_signed = data[:1] == SIGNED
    note = sign(data[1:].decode("utf-8", "replace"), _SIGNER.key) if is_signed else data[1:]
    try:
        issued = SignedList.read(note, _SIGNER.key.public, TABLE)
    except BadNote as error:
        must(error.reason, "the error says nothing")
        return
    assert is_signed, "a list was believed that nobody signed"
    assert issued.signed(_SIGNER.key) == note, "a list is written otherwise than it was read"
    assert issued.table == TABLE
    assert len(issued.persons) == len(issued.entries)
    assert all(one.disabled or one.pin for one in issued.entries)


def _seeds() -> Iterable[bytes]:
    return [
        SIGNED + _TEXT,
        SIGNED + _TEXT.replace(b'"T-1"', b"null"),
        SIGNED + _TEXT.replace(b"{", b"{" * 3000, 1)[:_LONG],
        SIGNED + _TEXT.replace(b"41", b"9" * 4000, 1),
        SIGNED + _TEXT.replace(b'"T-1"', b"[" * 3000)[:_LONG],
        SIGNED + _TEXT[: _TEXT.index(b"{")],
        b"\x00" + sign(_TEXT.decode(), _OTHER.key),
        b"\x00" + sign(_TEXT.decode(), _SIGNER.key)[:-9],
        b"\x00" + _TEXT,
    ]


TARGETS: Final = {
    "persons-list": Target(
        check_list, _seeds, 150, _LONG, words=(b'{"id":"', b'"role":"', b',"tables":[', b',"disabled":true', b"\n\n")
    ),
}
