"""The registry cannot be edited unseen: every changed byte is found, and so is an end that was cut off."""

import random

import pytest

from firmware_bridge.trust.acts import ApprovalAct, FoundingAct, ProposalAct, RevocationAct, decode
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import RegistryDamaged, TrustError
from firmware_bridge.trust.facts import RegistryHead
from firmware_bridge.trust.registry import FILE, Registry
from tests.firmware_bridge.trust.houses import House, angel_eye, shuffler
from tests.firmware_bridge.trust.sticks import NOW, key_from


@pytest.fixture
def full(house: House) -> House:
    """A registry with every kind of line."""
    house.enrol()
    house.enrol(angel_eye())
    house.site.withdraw(
        house.site.propose(shuffler("SN-5", key_from("x").private, "x"), house.anna, NOW).id, house.anna, NOW
    )
    house.site.revoke("device", "shuffler-1", "stolen", house.carla, NOW)
    return house


def lines(house: House) -> list[bytes]:
    return (house.folder / FILE).read_bytes().splitlines()


def write(house: House, changed: list[bytes]) -> None:
    (house.folder / FILE).write_bytes(b"".join(line + b"\n" for line in changed))


def test_every_changed_bit_is_found_in_its_line_or_the_next(full: House, seed: int) -> None:
    chance, data = random.Random(seed), (full.folder / FILE).read_bytes()
    for _ in range(300):
        at = chance.randrange(len(data) - 1)
        changed = bytearray(data)
        changed[at] ^= 1 << chance.randrange(7)
        (full.folder / FILE).write_bytes(changed)
        number = data[:at].count(b"\n") + 1
        with pytest.raises(RegistryDamaged) as caught:
            full.site.registry()
        assert caught.value.code is TrustCode.REGISTRY_ALTERED
        assert caught.value.seq in (number, number + 1), (at, number)


@pytest.mark.parametrize("number", range(7))
def test_a_line_taken_out_doubled_or_swapped(full: House, number: int) -> None:
    held = lines(full)
    edits = [held[:number] + held[number + 1 :], held[: number + 1] + held[number:]]
    if number:
        edits.append([*held[: number - 1], held[number], held[number - 1], *held[number + 1 :]])
    for edit in edits:
        write(full, edit)
        with pytest.raises(RegistryDamaged) as caught:
            full.site.registry()
        assert caught.value.code is TrustCode.REGISTRY_ALTERED


def test_the_cut_off_end_is_seen_by_whoever_was_there_before(full: House) -> None:
    """Without its last line the stolen device is enrolled: the lines that are left hold."""
    head = full.registry.head
    write(full, lines(full)[:-1])
    assert [one.matter.name for one in full.registry.book.current()] == ["shuffler-1", "shoe"]
    with pytest.raises(RegistryDamaged) as caught:
        full.site.registry(head)
    assert caught.value.code is TrustCode.REGISTRY_WENT_BACK
    assert caught.value.who == "keeper of the site authority"


def test_another_history_is_seen_by_whoever_was_there_before(full: House) -> None:
    head = full.registry.head
    write(full, lines(full)[:-1])
    full.site.revoke("device", "shoe", "x", full.anna, NOW)
    with pytest.raises(RegistryDamaged, match=r"^registry_went_back: "):
        full.site.registry(head)
    full.registry.must_contain(full.registry.head)


@pytest.mark.parametrize("text", ["", "x", "7", "7:", "7:zz", "7:abcd", f"7:{'0 ' * 64}", f"-7:{'0' * 64}"])
def test_what_is_no_head(text: str) -> None:
    with pytest.raises(ValueError, match="is not the head of a registry"):
        RegistryHead.parse(text)


def test_a_head_is_read_as_it_is_written(full: House) -> None:
    assert RegistryHead.parse(str(full.registry.head)) == full.registry.head


@pytest.mark.parametrize("data", [b"", b"\n", b"{}\n", b"\xff\n", b"[" * 5000 + b"\n", b'{"seq":1}\n'])
def test_what_is_no_registry(house: House, data: bytes) -> None:
    (house.folder / FILE).write_bytes(data)
    with pytest.raises(RegistryDamaged):
        house.site.registry()


def test_a_torn_last_line(full: House) -> None:
    data = (full.folder / FILE).read_bytes()
    (full.folder / FILE).write_bytes(data[:-1])
    with pytest.raises(RegistryDamaged, match="its last line has no end"):
        full.site.registry()


def test_there_is_no_registry(house: House) -> None:
    (house.folder / FILE).unlink()
    with pytest.raises(TrustError, match=r"^file_unreadable: "):
        house.site.registry()


def test_a_line_by_a_tool_of_one_s_own_that_breaks_a_rule(full: House) -> None:
    """One person signs what two must: the reader finds it, however well it is signed."""
    registry = full.registry
    proposed = ProposalAct(matter=shuffler("SN-3", key_from("y").private, "y"), until="2026-11-21T12:10:00Z")
    first = registry.signed(proposed, full.anna, NOW)
    write(full, [*lines(full), first])
    alone = full.registry
    second = alone.signed(ApprovalAct(proposal=alone.head.seq, digest=alone.head.digest), full.anna, NOW)
    write(full, [*lines(full), second])
    with pytest.raises(RegistryDamaged) as caught:
        full.site.registry()
    assert (caught.value.seq, "cannot approve it" in caught.value.what) == (10, True)


def test_a_line_signed_with_another_s_key(full: House) -> None:
    forged = full.registry.signed(RevocationAct(what="device", name="shoe", reason="x"), key_from("mallory"), NOW)
    as_anna = forged.replace(b'"by":"mallory"', b'"by":"anna"')
    write(full, [*lines(full), as_anna])
    with pytest.raises(RegistryDamaged, match="is not signed by the key of anna"):
        full.site.registry()


def test_a_site_is_founded_once(full: House) -> None:
    again = decode(lines(full)[0]).act
    assert isinstance(again, FoundingAct)
    with pytest.raises(TrustError, match="founded once"):
        full.registry.add(again, full.anna, NOW)
    with pytest.raises(RegistryDamaged):
        Registry(full.site.authority, lines(full)[1:])


def test_a_line_written_in_another_way(full: House) -> None:
    held = lines(full)
    write(full, [held[0].replace(b'"seq":1', b'"seq": 1'), *held[1:]])
    with pytest.raises(RegistryDamaged, match="written in another way"):
        full.site.registry()
