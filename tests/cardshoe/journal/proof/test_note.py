"""Signed notes against the example of the specification and against a second implementation."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from cardshoe.journal.proof.note import BadNote, Note, SigningKey, VerifyKey, sign
from cardshoe.journal.proof.statements import Checkpoint, Takeover, read_statement
from tests.cardshoe.journal import c2sp

NAME = "cardshoe/journal/0011"
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = SigningKey(NAME, PRIVATE)
OTHER = SigningKey(NAME, Ed25519PrivateKey.from_private_bytes(bytes(32)))

# The note and the key that golang.org/x/mod/sumdb/note documents, from which the specification was made.
PUBLISHED_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PUBLISHED = """If you think cryptography is the answer to your problem,
then you don't know what your problem is.

\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
"""

texts = st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20), min_size=1, max_size=5).map(
    lambda lines: "\n".join(lines) + "\n"
)


def test_the_published_note() -> None:
    key = VerifyKey.parse(PUBLISHED_KEY)
    note = Note(PUBLISHED.encode())
    note.check(key)
    assert note.text.endswith("what your problem is.\n")
    assert str(key) == PUBLISHED_KEY
    assert c2sp.verified_text(PUBLISHED.encode(), {"PeterNeumann": [key.raw]})[0] == note.text


@given(text=texts)
def test_what_we_sign_another_verifies(text: str) -> None:
    data = sign(text, KEY, OTHER)
    found, signers = c2sp.verified_text(data, {NAME: [KEY.public.raw, OTHER.public.raw]})
    assert (found, signers) == (text, {KEY.public.raw, OTHER.public.raw})
    note = Note(data)
    assert note.text == text
    note.check(KEY.public)
    note.check(OTHER.public)


@given(text=texts, data=st.data())
def test_no_byte_of_a_note_can_be_altered(text: str, data: st.DataObject) -> None:
    note = bytearray(sign(text, KEY))
    note[data.draw(st.integers(0, len(note) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(BadNote):
        Note(bytes(note)).check(KEY.public)


def test_a_key_that_did_not_sign() -> None:
    with pytest.raises(BadNote, match="not signed by the key"):
        Note(sign("text\n", KEY)).check(OTHER.public)


def test_a_signature_that_was_cut_is_not_whole() -> None:
    whole = sign("text\n", KEY)
    assert Note(whole).is_whole
    cut = base64.b64encode(base64.b64decode(whole.split()[-1])[:-3])
    assert not Note(whole.replace(whole.split()[-1], cut)).is_whole


@pytest.mark.parametrize(
    "data",
    [b"", b"text\n", b"text\n\n", b"text\n\nname sig\n", "a\n\n\u2014 n !!\n".encode(), "a\n\n\u2014 n AAAA\n".encode(),
     "a\tb\n\n\u2014 n AAAAAAAA\n".encode(), b"\xff\n\n",
     "a\n\n\u2014 n AAAAAAB=\n".encode(), ("a\n\n" + "\u2014 n AAAAAAAA\n" * 17).encode()],
)  # fmt: skip
def test_what_is_no_note(data: bytes) -> None:
    with pytest.raises(BadNote):
        Note(data)


@pytest.mark.parametrize(
    "text", ["", "name", "name+00000000+AA==", PUBLISHED_KEY.replace("c74f", "c74e"),
             PUBLISHED_KEY.replace("Peter", "Pe r"),
             "n+00000000+" + base64.b64encode(b"\x01short").decode(), "+" + PUBLISHED_KEY],
)  # fmt: skip
def test_what_is_no_key(text: str) -> None:
    with pytest.raises(BadNote):
        VerifyKey.parse(text)


def test_keys_are_compared_by_name_and_value() -> None:
    assert VerifyKey.parse(str(KEY.public)) == KEY.public
    assert len({KEY.public, VerifyKey.parse(str(KEY.public)), OTHER.public}) == 2
    assert KEY.public != "key"


CHECKPOINT = Checkpoint(origin=NAME, size=12, root=bytes(32), number=3, epoch=1, at="2026-01-05T10:00:00.000000Z")
TAKEOVER = Takeover(origin=NAME, epoch=1, size=12, root=bytes(32), key=OTHER.public, at=CHECKPOINT.at)


def test_a_checkpoint_is_one_of_the_specification() -> None:
    text, _ = c2sp.verified_text(CHECKPOINT.signed(KEY), {NAME: [KEY.public.raw]})
    origin, size, root, extensions = c2sp.checkpoint(text)
    assert (origin, size, root) == (NAME, 12, bytes(32))
    assert extensions == ["checkpoint 3 key 1 at 2026-01-05T10:00:00.000000Z"]


def test_statements_come_back() -> None:
    assert read_statement(Note(CHECKPOINT.signed(KEY))) == CHECKPOINT
    assert read_statement(Note(TAKEOVER.signed(KEY, OTHER))) == TAKEOVER
    with pytest.raises(ValueError, match="invalid literal"):
        c2sp.checkpoint(TAKEOVER.text())  # nobody takes it for a checkpoint


@pytest.mark.parametrize(
    "text",
    ["a\n", f"{NAME}\n012\nAA==\n", CHECKPOINT.text().replace("\n12\n", "\n012\n"), CHECKPOINT.text() + "more\n",
     CHECKPOINT.text().replace("A=\n", "B=\n"), CHECKPOINT.text().replace("A" * 43 + "=", "AA=="),
     TAKEOVER.text().replace("key 1", "key 01"), TAKEOVER.text().replace("+", "-")],
)  # fmt: skip
def test_what_says_nothing_of_ours(text: str) -> None:
    with pytest.raises(BadNote):
        read_statement(Note(sign(text, KEY)))
