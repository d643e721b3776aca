"""The floor's list of persons, byte by byte: one form, one key, one table."""

import random
from typing import Final

import pytest

from cardshoe.journal.proof.note import BadNote, sign
from cardshoe.persons.signed_list import SignedList
from tests.cardshoe.persons.lists import AT, TABLE, UNTIL, Signer

HASH: Final = "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA"
TEXT: Final = (
    "cardshoe/persons\n"
    '"T-1"\n'
    "41 2026-11-24T06:00:00.000000Z 2026-12-08T06:00:00.000000Z\n"
    f'{{"id":"anna","role":"supervisor","pin":"{HASH}"}}\n'
    '{"id":"carl","role":"croupier","disabled":true}\n'
)
SIGNER: Final = Signer()
OTHER: Final = Signer(2)


def read(text: str, table: str | None = TABLE, signer: Signer = SIGNER) -> SignedList:
    return SignedList.read(sign(text, signer.key), SIGNER.key.public, table)


def test_a_list_is_what_the_document_says() -> None:
    found = read(TEXT)
    assert (found.table, found.version, found.issued, found.until) == ("T-1", 41, AT, UNTIL)
    assert {name: (one.role, one.pin, one.disabled) for name, one in found.persons.items()} == {
        "anna": ("supervisor", HASH, False),
        "carl": ("croupier", "", True),
    }
    assert found.signed(SIGNER.key) == sign(TEXT, SIGNER.key)


def test_a_table_is_told_of_its_own_persons_and_of_all_who_are_disabled() -> None:
    lines = [
        f'{{"id":"anna","role":"supervisor","pin":"{HASH}"}}',
        f'{{"id":"bea","role":"croupier","pin":"{HASH}","tables":["T-2"]}}',
        '{"id":"carl","role":"croupier","disabled":true,"tables":["T-2"]}',
        f'{{"id":"dora","role":"croupier","pin":"{HASH}","tables":["T-1","T-2"]}}',
        f'{{"id":"emma","role":"regulator","pin":"{HASH}","tables":[]}}',
    ]
    whole = read(f"cardshoe/persons\nnull\n7 {AT} {UNTIL}\n" + "".join(line + "\n" for line in lines), None)
    own = whole.for_table("T-1")
    assert [one.id for one in own.entries] == ["anna", "carl", "dora"]
    assert "T-2" not in own.text
    assert SignedList.read(own.signed(SIGNER.key), SIGNER.key.public, "T-1") == own


@pytest.mark.parametrize(
    ("table", "signer", "reason"),
    [("T-2", SIGNER, "another table"), (None, SIGNER, "another table"), (TABLE, OTHER, "no signature|key")],
)
def test_another_table_s_list_and_another_floor_s_are_refused(table: str | None, signer: Signer, reason: str) -> None:
    with pytest.raises(BadNote, match=reason):
        read(TEXT, table, signer)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cardshoe/persons\n", "cardshoe/mark\n"),
        ("41 ", "041 "),
        ("41 ", "0 "),
        ("41 ", "4\u0661 "),
        ("41 ", "9999999999999999 "),
        ("11-24T", "13-24T"),
        ("000000Z 2026", "000000Z  2026"),
        ('"anna"', '"carl"'),
        ('"anna"', '"zoe"'),
        ('"anna"', '"an na"'),
        ('"anna"', '"\\u0061nna"'),
        ('"anna"', '"anna\\n"'),
        ('"supervisor"', '"root"'),
        ('"supervisor"', '"supervisor" '),
        ("argon2id", "argon2i"),
        ("m=8,", "m=99999999,"),
        (f',"pin":"{HASH}"', ""),
        (',"disabled":true', ""),
        (',"disabled":true', f',"pin":"{HASH}","disabled":true'),
        (',"disabled":true', ',"disabled":true,"second_factor":"x"'),
        (',"disabled":true', ',"disabled":true,"tables":["T-1"]'),
        (',"disabled":true', ',"disabled":true,"disabled":true'),
        ('{"id":"carl"', '{"id":"carl","id":"carl"'),
    ],
)
def test_what_is_written_in_another_way_is_refused_although_it_is_signed(old: str, new: str) -> None:
    assert old in TEXT
    with pytest.raises(BadNote):
        read(TEXT.replace(old, new, 1))


def test_no_byte_of_a_list_can_be_another_and_none_can_be_missing(seed: int) -> None:
    data = sign(TEXT, SIGNER.key)
    chance = random.Random(seed)
    for length in range(len(data)):
        with pytest.raises(BadNote):
            SignedList.read(data[:length], SIGNER.key.public, TABLE)
    for _ in range(500):
        at = chance.randrange(len(data))
        altered = data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]
        with pytest.raises(BadNote):
            SignedList.read(altered, SIGNER.key.public, TABLE)
    with pytest.raises(BadNote, match="signed by other keys"):
        SignedList.read(sign(TEXT, SIGNER.key, OTHER.key), SIGNER.key.public, TABLE)
    with pytest.raises(BadNote, match="more than"):
        SignedList.read(data + b"x" * (1 << 21), SIGNER.key.public, TABLE)
