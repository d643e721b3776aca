"""The protocol page is normative, so what it shows is checked: vectors, types, states, constants, questions."""

import re
from pathlib import Path

from drivers.tdp_commands import JUMP, REPLY_TIMEOUT_S
from protocols.tdp import timing
from protocols.tdp.codec import COMMAND_FIRST
from protocols.tdp.endpoint import AFTER_FAILURE_S
from protocols.tdp.exactly_once import ANSWERS_MAX, OUTBOX_MAX, RESERVE
from protocols.tdp.framing import Kind
from protocols.tdp.rows import COMMANDS, EVENTS, REPORTS, ROWS
from protocols.tdp.states import DEVICE, HOST
from sim.tdp.roots import LOGS_MAX
from tests.vectors.tdp import golden

PAGE = (Path(__file__).parents[3] / "docs/protocols/tdp.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\d+)\. [^\n]*\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def test_the_vectors_shown_are_the_golden_ones() -> None:
    shown = set(re.findall(r"^\| ([^|]+) \| `([0-9A-F ]+)` \|$", SECTIONS["13"], re.MULTILINE))
    expected = {(vector.name, vector.wire) for vector in golden.FRAMES + golden.MESSAGES}
    expected |= {(vector.name, vector.raw) for vector in golden.REFUSED if vector.raw}
    assert shown == expected


def test_kinds_and_types_are_those_of_the_code() -> None:
    found = re.findall(r"^\| `([0-9A-F]{2})` \| `(\w+)` \|", SECTIONS["3"], re.MULTILINE)
    assert {(int(code, 16), name) for code, name in found} == {(kind.value, kind.name) for kind in Kind}
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


def test_the_reasons_of_a_refusal_stand_once_each_in_the_order_decided() -> None:
    assert re.findall(r"^\| (\d+) \|", SECTIONS["10"], re.MULTILINE) == [
        *("1", "2", "5", "6", "4", "3", "8", "7"),
        *("11", "12"),
    ]
