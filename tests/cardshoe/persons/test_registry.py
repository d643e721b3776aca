"""PINs that are taken, the registry's file, and who is locked out for how long."""

from pathlib import Path
from typing import Literal, get_args

import pytest
from argon2 import PasswordHasher, extract_parameters

from cardshoe.persons.lockout import (
    FIRST_S,
    KNOWN,
    LONGEST_S,
    OF_ID,
    OF_SOURCE,
    SOURCE_S,
    TERMINAL,
    TRIES,
    Kind,
    Lockout,
    Source,
)
from cardshoe.persons.pins import Pins, fault_of_pin
from cardshoe.persons.registry import StaffRegistry
from cardshoe.process.exits import Stop
from tests.cardshoe.cli.support import answered, invoke
from tests.cardshoe.persons.support import CHEAP, PINS, ROLES, WRONG, Clock, registry_in


@pytest.mark.parametrize("pin", ["835917", "112358", "190284736501", "000001"])
def test_a_pin_is_taken(pin: str) -> None:
    assert fault_of_pin(pin) is None


@pytest.mark.parametrize(
    "pin",
    ["", "83591", "1902847365012", "83591a", "٨٣٥٩١٧", "835917\n", "000000", "121212", "123123", "123456", "987654"],
)
def test_a_pin_is_not_taken(pin: str) -> None:
    assert fault_of_pin(pin) is not None


def test_no_hash_fits_another_pin_or_nobody() -> None:
    kept = CHEAP.hashed("835917")
    assert kept.startswith("$argon2id$")
    assert CHEAP.fits(kept, "835917")
    assert not CHEAP.fits(kept, "835918")
    assert not CHEAP.fits(None, "no person has this one")
    assert not CHEAP.fits("no hash", "835917")


def test_nobodys_pin_takes_as_long_to_compare_as_anybodys() -> None:
    compared = []

    class Compares(PasswordHasher):
        def verify(self, kept: str | bytes, pin: str | bytes) -> Literal[True]:
            compared.append(str(kept))
            return super().verify(kept, pin)

    hasher = Compares(time_cost=2, memory_cost=64, parallelism=2, hash_len=24, salt_len=12)
    pins = Pins(hasher)
    assert not pins.fits(None, "835917")
    assert extract_parameters(compared[0]) == extract_parameters(pins.hashed("835917"))
    assert compared[0] != Pins(hasher).hashed("835917")


def test_a_change_by_another_process_is_seen_and_what_is_no_registry_refused(tmp_path: Path) -> None:
    registry, other = registry_in(tmp_path), StaffRegistry(tmp_path / "persons.toml")
    assert registry.persons() == other.persons()
    assert set(other.persons()) == set(ROLES)
    other.change(lambda known: [known["sara"]])
    assert set(registry.persons()) == {"sara"}
    whole = registry.path.read_text()
    for wrong in (
        whole + whole.partition("\n\n")[2], whole.replace('"sara"', '"s a"'), whole + 'second_factor = "x"\n',
        whole.replace("supervisor", "manager"), "[", "person = 1",
    ):  # fmt: skip
        registry.path.write_text(wrong)
        with pytest.raises(Stop, match="persons"):
            StaffRegistry(registry.path).persons()
    assert [path.name for path in tmp_path.iterdir()] == ["persons.toml"]


def test_an_id_waits_twice_as_long_each_time_and_a_source_with_many_wrong_waits() -> None:
    clock = Clock()
    lockout, here = Lockout(clock), Source("127.0.0.1", "here")
    waits = []
    for _ in range(TRIES + 6):
        lockout.wrong(here, "sara")
        waits.append(lockout.left_s(here, "sara"))
    assert waits[: TRIES + 2] == [*[0.0] * (TRIES - 1), FIRST_S, 2 * FIRST_S, 4 * FIRST_S]
    assert (waits[-1], lockout.left_s(here, "cara")) == (LONGEST_S, 0.0)
    lockout.right(here, "sara")
    assert lockout.left_s(here, "sara") == 0.0
    for number in range(OF_SOURCE - TRIES - 6):
        lockout.wrong(here, f"p{number}")
    assert lockout.left_s(here, "cara") == SOURCE_S
    clock.s += SOURCE_S
    assert lockout.left_s(here, "cara") == 0.0


def test_wrong_pins_count_by_source_and_by_id_and_never_against_another_kind() -> None:
    lockout = Lockout(Clock())
    kinds: tuple[Kind, ...] = get_args(Kind)
    for number in range(OF_ID):
        afar = Source(f"198.51.100.{number}", "remote")
        assert lockout.left_s(afar, "sara") == 0.0
        lockout.wrong(afar, "sara")
    # Each address has tried once; the ID is locked at every address, and nowhere else.
    waits = {kind: lockout.left_s(Source("203.0.113.1", kind), "sara") for kind in kinds}
    assert waits == {**dict.fromkeys(kinds, 0.0), "remote": FIRST_S}
    assert lockout.left_s(Source("198.51.100.1", "remote"), "cara") == 0.0
    # What is remembered has a bound, and many sources do not end the lock of an ID.
    for number in range(3 * KNOWN):
        lockout.wrong(Source(f"2001:db8:{number:x}::/64", "remote"), "carl")
    assert lockout.left_s(Source("203.0.113.1", "remote"), "sara") == FIRST_S
    lockout.right(TERMINAL, "sara")
    assert lockout.left_s(Source("203.0.113.1", "remote"), "sara") == FIRST_S


def test_the_commands_refuse_what_would_be_wrong_and_change_nothing(tmp_path: Path) -> None:
    registry = registry_in(tmp_path)
    before = registry.path.read_bytes()
    good, bad, open_ = tmp_path / "good", tmp_path / "bad", tmp_path / "open"
    for file, pin, mode in ((good, PINS["sara"], 0o600), (bad, "123456", 0o600), (open_, WRONG, 0o644)):
        file.touch(mode)
        file.chmod(mode)
        file.write_text(pin)
    add = ("--role", "croupier", "--file", registry.path, "--pin-file")
    for arguments, word in (
        (("add", "sara", *add, good), "already"), (("add", "s a", *add, good), "not a valid id"),
        (("add", "new", *add, bad), "easy to guess"), (("add", "new", *add, open_), "chmod 600"),
        (("pin", "new", "--file", registry.path, "--pin-file", good), "there is no person"),
        (("disable", "new", "--file", registry.path), "there is no person"),
        (("pin", "sara", "--file", registry.path), "there is no terminal to ask at"),
    ):  # fmt: skip
        done = answered("persons", *arguments)
        assert (done.returncode, word in done.stderr.decode()) == (2, True), done.stderr
    assert registry.path.read_bytes() == before
    invoke("persons", "disable", "sara", "--file", registry.path)
    invoke("persons", "pin", "cara", "--file", registry.path, "--pin-file", good)
    assert registry.persons()["sara"].disabled
    assert registry.persons()["cara"].pin != registry.persons()["sara"].pin
