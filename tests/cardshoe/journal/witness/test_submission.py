"""The body of a request, as c2sp.org/tlog-witness has it."""

import base64

import pytest

from cardshoe.journal.proof.note import BadNote
from cardshoe.journal.witness.submission import MAX_PROOF, Submission

NOTE = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— a AAAAAAAA\n".encode()
BODY = (
    b"old 20852014\nPlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\njrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=\n\n"
) + NOTE
"""The beginning of the specification's example."""


def test_the_example_of_the_specification() -> None:
    found = Submission.decode(BODY)
    assert (found.old, len(found.path), found.note) == (20852014, 2, NOTE)
    assert found.path[0].hex().startswith("3e544d0abc07a6a846aeea6e7b42fb83")
    assert found.encoded() == BODY


def test_nothing_held_and_no_proof() -> None:
    assert Submission(0, [], NOTE).encoded() == b"old 0\n\n" + NOTE
    assert Submission.decode(b"old 0\n\n" + NOTE) == Submission(0, [], NOTE)


NODE = base64.b64encode(bytes(32)) + b"\n"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "not `old SIZE`"),
        (b"old 1\n", "not `old SIZE`"),
        (b"old 01\n\n" + NOTE, "not `old SIZE`"),
        (b"old -1\n\n" + NOTE, "not `old SIZE`"),
        (b"old 1 \n\n" + NOTE, "not `old SIZE`"),
        (b"old " + b"9" * 19 + b"\n\n" + NOTE, "not `old SIZE`"),
        ("old \u0661\n\n".encode() + NOTE, "not `old SIZE`"),
        (b"\n\nold 1\n\n" + NOTE, "not `old SIZE`"),
        (b"old 1\nAAAA\n\n" + NOTE, "with 3 bytes"),
        (b"old 1\nno base64\n\n" + NOTE, "not base64"),
        (b"old 1\n\xff\n\n" + NOTE, "not base64"),
        (b"old 1\n" + NODE * (MAX_PROOF + 1) + b"\n" + NOTE, "more than 63"),
    ],
)
def test_what_is_no_such_body(body: bytes, reason: str) -> None:
    with pytest.raises(BadNote, match=reason):
        Submission.decode(body)


def test_the_longest_proof_is_read() -> None:
    assert len(Submission.decode(b"old 1\n" + NODE * MAX_PROOF + b"\n" + NOTE).path) == MAX_PROOF
