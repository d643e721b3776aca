"""The table of what the page asks for is complete: no MUST, no rule, no check is missing, and it is what is shown."""

import re
from pathlib import Path

from tests.conformance.musts import MUSTS, names, page
from tests.conformance.wrong import UNTRIED, wrong_devices

DOCS = Path(__file__).parents[2] / "docs" / "protocols"
PAGE = (DOCS / "tdp.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\d+)\. [^\n]*\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
ONE_LINE = {number: " ".join(text.split()) for number, text in SECTIONS.items()}


def test_each_row_quotes_its_section() -> None:
    missing = [must.says for must in MUSTS if " ".join(must.says.split()) not in ONE_LINE[must.section]]
    assert missing == []


def test_every_must_of_the_page_has_a_row() -> None:
    for number, text in ONE_LINE.items():
        for found in re.finditer(r"\bMUST\b", text):
            rows = [must for must in MUSTS if must.section == number]
            at = [(text.find(" ".join(must.says.split())), len(" ".join(must.says.split()))) for must in rows]
            held = any(0 <= begin <= found.start() < begin + length for begin, length in at)
            assert held, text[found.start() - 80 : found.end() + 80]


def test_every_numbered_rule_has_a_row() -> None:
    rules = re.findall(r"^- \*\*([DHCR]\d)\.\*\*", SECTIONS["12"], re.MULTILINE)
    assert rules == [must.says[4:6] for must in MUSTS if must.section == "12"]


def test_every_check_has_a_row_and_every_row_a_check_or_a_reason() -> None:
    named = {check for must in MUSTS for check in must.checks}
    assert named == names()
    assert [must.says for must in MUSTS if not must.checks and not must.unseen] == []


def test_the_tests_that_it_names_are_there() -> None:
    root = DOCS.parents[1]
    named = {path for must in MUSTS for path in re.findall(r"`(tests/[^`]+)`", must.unseen)}
    assert named
    assert [path for path in named if not (root / path).exists()] == []


def test_every_row_with_a_check_has_a_wrong_device() -> None:
    caught = wrong_devices()
    assert names() - set(caught) == UNTRIED


def test_the_page_of_the_table_is_the_table() -> None:
    assert (DOCS / "tdp-musts.md").read_text(encoding="utf-8") == page(), "python -m tests.conformance.musts"
