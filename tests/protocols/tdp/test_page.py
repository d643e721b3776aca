"""The protocol page is normative, so what it shows is checked: vectors, types, states, constants, questions."""

import re
from enum import IntEnum, IntFlag
from pathlib import Path

import pytest

from drivers.tdp_commands import JUMP, REPLY_TIMEOUT_S
from protocols.errors import FrameError
from protocols.tdp import timing
from protocols.tdp.codec import COMMAND_FIRST, decode_message
from protocols.tdp.codes import (
    BootReason,
    BootState,
    Capability,
    Condition,
    DeviceState,
    Face,
    FaultCode,
    Lamp,
    LampMode,
    RefusalReason,
)
from protocols.tdp.commands import NEEDED
from protocols.tdp.endpoint import AFTER_FAILURE_S
from protocols.tdp.exactly_once import ANSWERS_MAX, OUTBOX_MAX, RESERVE
from protocols.tdp.framing import FrameKind
from protocols.tdp.handshake import ResetReason, Security, Terms, encode_answer, encode_offer
from protocols.tdp.rows import COMMANDS, EVENTS, REPORTS, ROWS
from protocols.tdp.states import DEVICE, HOST
from sim.tdp.memory import LOGS_MAX
from tests.vectors.tdp import golden

PAGE = (Path(__file__).parents[3] / "docs/protocols/tdp.md").read_text(encoding="utf-8")
VECTORS = (Path(__file__).parents[3] / "docs/protocols/tdp-vectors.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\d+)\. [^\n]*\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def test_the_vectors_shown_are_the_golden_ones() -> None:
    text = SECTIONS["13"] + VECTORS
    shown = set(re.findall(r"^\| ([^|]+) \| `([0-9A-F ]+)` \|$", text, re.MULTILINE))
    expected = {(vector.name, vector.wire) for vector in golden.FRAMES + golden.MESSAGES}
    expected |= {(vector.name, vector.raw) for vector in golden.REFUSED if vector.raw}
    assert shown == expected


def test_kinds_and_types_are_those_of_the_code() -> None:
    found = re.findall(r"^\| `([0-9A-F]{2})` \| `(\w+)` \|", SECTIONS["3"], re.MULTILINE)
    assert {(int(code, 16), name) for code, name in found} == {(kind.value, kind.name) for kind in FrameKind}
    for section, rows in (("8", REPORTS), ("9", EVENTS), ("10", COMMANDS)):
        found = re.findall(r"^\| `([0-9A-F]{2})` \| `(\w+)` \|", SECTIONS[section], re.MULTILINE)
        assert [(int(code, 16), name) for code, name in found] == [(row.kind, row.message.__name__) for row in rows]


def test_the_fields_shown_are_those_of_the_code() -> None:
    for row in ROWS:
        line = re.search(rf"^\| `{row.kind:02X}` \| `{row.message.__name__}` \| (.*) \|$", PAGE, re.MULTILINE)
        assert line
        named = [field.name for field in row.fields] + ([row.tail.name] if row.tail else [])
        named = [name for name in named if row not in EVENTS or name not in {"boot", "number"}]
        at = 0
        for name in named:
            words = name.removesuffix("_s").replace("_", " ")
            if (row.kind, name) == (0x1C, "reason"):
                words = "boot reason"
            assert words in line[1][at:], f"{row.message.__name__}.{name}"
            at = line[1].index(words, at) + len(words)


def test_the_tables_of_states_are_those_of_the_code() -> None:
    host, device = SECTIONS["5"].split("Device:")
    for text, table in ((host, HOST), (device, DEVICE)):
        shown = set(re.findall(r"^\| ([A-Z]+) \| ([A-Z]+)[^|]* \| ([A-Z]+) \|$", text, re.MULTILINE))
        assert shown == {(state.name, happened.name, to.name) for (state, happened), to in table.items()}


def test_the_constants_are_those_of_the_code() -> None:
    shown = dict(re.findall(r"^\| `(\w+)` \| ([\d.]+)(?: s)? \|", SECTIONS["6"], re.MULTILINE))
    assert {name: float(value) for name, value in shown.items()} == {
        name: value for name, value in vars(timing).items() if name.isupper() and not name.startswith("_")
    }


def test_every_question_referred_to_exists() -> None:
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", SECTIONS["16"], re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert {int(number) for number in re.findall(r"\(Q(\d+)\)", PAGE)} <= set(numbers)


def test_the_numbers_of_the_rules_are_those_of_the_code() -> None:
    rules = dict(re.findall(r"^- \*\*([DHCR]\d)\.\*\* (.*?)(?=^- |^\*\*|\Z)", SECTIONS["12"], re.MULTILINE | re.DOTALL))
    assert list(rules) == [
        *(f"D{n}" for n in range(1, 8)),
        *(f"H{n}" for n in range(1, 7)),
        *(f"C{n}" for n in range(1, 5)),
        *(f"R{n}" for n in range(1, 6)),
    ]
    assert f"keeps {OUTBOX_MAX} events" in rules["D5"]
    assert f"holds {RESERVE} of these places" in rules["D6"]
    assert f"more than {RESERVE} are free" in rules["D6"]
    assert f"last {ANSWERS_MAX} answers" in rules["C2"]
    assert f"last {LOGS_MAX} logs" in rules["R1"]
    assert JUMP >= 1_000_000
    assert "a million more" in rules["C1"]
    referred_to = re.findall(r"\b([DHCR]\d)\b", re.sub(r"`[^`]*`|^    .*$", "", PAGE, flags=re.MULTILINE))
    assert set(referred_to) == set(rules)


def test_the_times_of_the_applications_are_those_of_the_code() -> None:
    shown = dict(re.findall(r"^\| ([a-z][^|]*) \| ([\d.]+) s \|", SECTIONS["10"], re.MULTILINE))
    assert float(shown["host: answer to a command"]) == REPLY_TIMEOUT_S
    assert REPLY_TIMEOUT_S == 2 * timing.SILENCE_S
    assert next(float(value) for name, value in shown.items() if "TLS" in name) == AFTER_FAILURE_S


def test_commands_begin_where_the_page_says() -> None:
    assert f"type `{COMMAND_FIRST:02X}` to `FF`" in SECTIONS["10"]
    assert all(row.kind >= COMMAND_FIRST for row in COMMANDS if row.message.__name__ != "EventAcknowledged")
    assert all(row.kind < COMMAND_FIRST for row in REPORTS + EVENTS)


def test_the_reasons_of_a_refusal_stand_in_the_order_decided() -> None:
    reasons = re.findall(r"^\| (\d+) \|", SECTIONS["10"].split("**Reasons**")[1], re.MULTILINE)
    # Reasons 1 and 2 stand twice: what cannot be read is seen before the id, what the device cannot do after it.
    assert reasons == ["1", "2", "9", "10", "1", "2", "5", "6", "4", "3", "8", "7", "11", "12"]
    assert {int(reason) for reason in reasons} == set(map(int, RefusalReason))


LISTS: dict[tuple[str, str], type[IntEnum] | type[IntFlag]] = {
    ("8", "boot reason"): BootReason,
    ("8", "capabilities"): Capability,
    ("8", "state"): DeviceState,
    ("8", "conditions"): Condition,
    ("8", "boot state"): BootState,
    ("8", "reason of `Refused`"): RefusalReason,
    ("9", "face"): Face,
    ("9", "fault code"): FaultCode,
}
LENIENT = {"boot reason", "reason of `Refused`", "fault code"}


def words(name: str) -> list[str]:
    """The words of a name of the code, or of the page; what stands there in brackets only explains."""
    text = re.sub(r"\(.*?\)", "", name.lower())
    return [word for word in re.findall(r"[a-z0-9]+", text) if word not in {"a", "over"}]


@pytest.mark.parametrize(("section", "name"), LISTS)
def test_the_lists_of_numbers_are_those_of_the_code(section: str, name: str) -> None:
    found = re.search(rf"^\| {re.escape(name)} \((open|closed|bits)\) \| (.*) \|$", SECTIONS[section], re.MULTILINE)
    assert found
    kind = LISTS[section, name]
    shown = {int(number): words(text) for number, text in re.findall(r"(\d+) ([a-z][^,]*)", found[2])}
    is_bits = issubclass(kind, IntFlag)
    # By its members, so that a second name for a number is seen.
    numbers = {key: one.value.bit_length() - 1 if is_bits else one.value for key, one in kind.__members__.items()}
    assert sorted(numbers.values()) == sorted(shown)
    for key, number in numbers.items():
        assert is_bits == (found[1] == "bits")
        assert not is_bits or kind[key].value == 1 << number
        # The page may say more than the code: "card stuck at entry", "keeps events over a power cut".
        left = iter(shown[number])
        assert all(word in left for word in words(key)), (key, shown[number])
    if not is_bits:
        assert (found[1] == "open") == (name in LENIENT)


def test_lamps_and_their_modes_are_those_of_the_code() -> None:
    row = re.search(r"^\| `57` .*lamp u8 \((.*?); closed\).*mode u8 \((.*?); closed\)", SECTIONS["10"], re.MULTILINE)
    assert row
    for text, kind in ((row[1], Lamp), (row[2], LampMode)):
        shown = {name.upper(): int(number) for number, name in re.findall(r"(\d+) (\w+)", text)}
        assert shown == {name: one.value for name, one in kind.__members__.items()}


@pytest.mark.parametrize(
    ("kind", "at", "number", "is_open"),
    [
        (0x05, 5, 200, True),  # a reason
        (0x19, 9, 200, True),  # a fault
        (0x1C, 17, 200, True),  # a boot reason
        (0x01, 145 - 6, 200, True),  # a boot reason in Hello: before it stand all but reason and capabilities
        (0x02, 1, 7, False),  # a state
        (0x10, 15, 3, False),  # a face
        (0x07, 73, 3, False),  # a boot state
    ],
)
def test_open_lists_are_read_on_and_closed_ones_are_not(kind: int, at: int, number: int, *, is_open: bool) -> None:
    raw = next(bytes.fromhex(vector.wire)[2:] for vector in golden.MESSAGES if bytes.fromhex(vector.wire)[2] == kind)
    altered = raw[:at] + bytes([number]) + raw[at + 1 :]
    try:
        decode_message(altered)
    except FrameError:
        assert not is_open
    else:
        assert is_open


def test_the_table_of_what_is_needed_is_that_of_the_code() -> None:
    text = SECTIONS["10"].split("**Needed.**")[1].split("**Reasons**")[0]
    shown = {
        name: Capability(1 << int(bit))
        for bit, names in re.findall(r"^\| (\d+) [^|]+\| (.*) \|$", text, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", names)
    }
    assert shown == {command.__name__: able for command, able in NEEDED.items()}


def test_the_reasons_of_a_reset_are_those_of_the_code() -> None:
    shown = set(re.findall(r"^\| (\d) \| ([a-z]+)", SECTIONS["4"].split("**`RESET`**")[1], re.MULTILINE))
    names = {"unknown": "UNKNOWN_SESSION", "closed": "CLOSED", "no": "VERSION", "other": "SECURITY", "lost": "LOST"}
    assert {(int(number), names[word]) for number, word in shown} == {
        (one.value, name) for name, one in ResetReason.__members__.items()
    }


def test_the_layouts_of_open_and_accept_are_those_of_the_code() -> None:
    offered = Terms(window=3, payload_max=200, security=Security.TLS13)
    rows = re.findall(
        r"^\| (\d) \| ([a-z ]+) \|", SECTIONS["4"].split("**`OPEN`**")[1].split("**`RESET`**")[0], re.MULTILINE
    )
    assert rows == [
        ("0", "lowest version"),
        ("1", "highest version"),
        ("2", "window"),
        ("3", "payload"),
        ("4", "security"),
    ]
    assert encode_offer(offered) == bytes([1, 1, 3, 200, 1])
    assert encode_answer(offered) == bytes([1, 3, 200, 1])
