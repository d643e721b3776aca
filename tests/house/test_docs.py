"""tools/check_docs.py finds links that lead nowhere and commands that do not exist."""

import re
from pathlib import Path

import click
import pytest

from tools import check_docs, wrap_docs
from tools.pages import pages

ROOT = Path(__file__).resolve().parent.parent.parent


@click.group()
@click.option("--config")
def cli(config: str) -> None: ...


@cli.command()
@click.option("--rounds", type=int)
def demo(rounds: int) -> None: ...


@cli.group()
def sim() -> None: ...


@sim.command(name="angel-eye")
@click.option("--pty")
@click.argument("place", required=False)
def angel_eye(pty: str, place: str) -> None: ...


def links(folder: Path, text: str) -> list[str]:
    page = folder / "page.md"
    page.write_text(text)
    return list(check_docs.problems_of_links(page, folder))


def commands(folder: Path, text: str) -> list[str]:
    page = folder / "page.md"
    page.write_text(f"```console\n{text}\n```\n")
    return list(check_docs.problems_of_commands(page, folder, cli, {"demo", "test"}))


def test_the_pages_of_this_repository_link_well() -> None:
    assert pages(ROOT)
    assert [problem for page in pages(ROOT) for problem in check_docs.problems_of_links(page, ROOT)] == []


@pytest.mark.parametrize(
    "text",
    [
        "[a](other.md)",
        "[a](other.md#a-heading-with-code)",
        "# Here\n\n[a](#here)",
        "# Here\n\n# Here\n\n[a](#here-1)",
        "[a](https://example.invalid/nowhere)",
        "`[a](nowhere.md)`",
        "```\n[a](nowhere.md)\n```",
    ],
)
def test_good_links_pass(tmp_path: Path, text: str) -> None:
    (tmp_path / "other.md").write_text("## A heading, with `code`\n")
    assert links(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[a](nowhere.md)", "page.md:1: nowhere.md does not exist"),
        ("see\n![a](nowhere.png)", "page.md:2: nowhere.png does not exist"),
        ("[a]: nowhere.md", "page.md:1: nowhere.md does not exist"),
        ("[a](../shared/x.md)", "page.md:1: ../shared/x.md points outside the repository"),
        ("[a](other.md#nothing)", "page.md:1: other.md has no heading #nothing"),
        ("[a](#nothing)", "page.md:1: page.md has no heading #nothing"),
    ],
)
def test_links_that_lead_nowhere_are_said(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "other.md").write_text("# Heading\n")
    assert links(tmp_path, text) == [problem]


@pytest.mark.parametrize(
    "line",
    [
        "$ make demo",
        '$ make demo ARGS="--rounds 5"',
        "$ make -j2 demo test",
        "$ cardshoe demo --rounds 5",
        "$ .venv/bin/cardshoe sim angel-eye --pty=./shoe | less",
        "$ HOME=/tmp cardshoe --config x demo  # comment --nothing",
        "$ cardshoe --help",
        "$ cardshoe sim angel-eye some-file",
        "output: make nothing",
    ],
)
def test_good_commands_pass(tmp_path: Path, line: str) -> None:
    assert commands(tmp_path, line) == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("$ make nothing", "page.md:2: the Makefile has no target nothing"),
        ("$ cardshoe nothing", "page.md:2: cardshoe has no command nothing"),
        ("$ cardshoe sim nothing", "page.md:2: cardshoe sim has no command nothing"),
        ("$ cardshoe demo --nothing 5", "page.md:2: cardshoe demo has no option --nothing"),
        ("$ cardshoe 'demo", "page.md:2: not a shell command (No closing quotation): $ cardshoe 'demo"),
    ],
)
def test_commands_that_do_not_exist_are_said(tmp_path: Path, line: str, problem: str) -> None:
    assert commands(tmp_path, line) == [problem]


def test_other_code_blocks_are_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```sh\n$ make nothing\n```\n")
    assert list(check_docs.problems_of_commands(page, tmp_path, cli, set())) == []


def test_a_decision_that_the_index_lacks_or_names_otherwise(tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "adr"
    folder.mkdir(parents=True)
    (folder / "0001-one.md").write_text("# 1. One\n")
    (folder / "0002-two.md").write_text("# ADR 2: Two\n")
    assert len(list(check_docs.problems_of_index(tmp_path))) == 2
    (folder / "README.md").write_text("| 1 | [One](0001-one.md) |\n| 2 | [Another](0002-two.md) |\n")
    assert list(check_docs.problems_of_index(tmp_path)) == [
        "docs/adr/README.md: lacks the row | 2 | [Two](0002-two.md) |"
    ]
    (folder / "README.md").write_text("| 1 | [One](0001-one.md) |\n| 2 | [Two](0002-two.md) |\n")
    assert list(check_docs.problems_of_index(tmp_path)) == []


def test_two_decisions_with_one_number(tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "adr"
    folder.mkdir(parents=True)
    for name in ("0001-one.md", "0001-two.md"):
        (folder / name).write_text("# 1. One\n")
    (folder / "README.md").write_text("| 1 | [One](0001-one.md) |\n| 1 | [One](0001-two.md) |\n")
    assert list(check_docs.problems_of_index(tmp_path)) == [
        "docs/adr/0001-two.md: 0001-one.md has its number; take the next free one"
    ]


def test_a_page_with_too_many_words_is_named(tmp_path: Path) -> None:
    limit = check_docs.LENGTHS["README.md"]
    (tmp_path / "README.md").write_text("word " * limit)
    assert list(check_docs.problems_of_length(tmp_path)) == []
    (tmp_path / "README.md").write_text("word " * (limit + 1))
    [problem] = check_docs.problems_of_length(tmp_path)
    assert problem.startswith(f"README.md: {limit + 1} words, allowed {limit}")


def test_a_decision_with_too_many_words_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "adr"
    folder.mkdir(parents=True)
    (folder / "0001-one.md").write_text("word " * check_docs.DECISION_LENGTH)
    (folder / "README.md").write_text("word " * (check_docs.DECISION_LENGTH + 1))
    assert list(check_docs.problems_of_length(tmp_path)) == []
    (folder / "0001-one.md").write_text("word " * (check_docs.DECISION_LENGTH + 1))
    [problem] = check_docs.problems_of_length(tmp_path)
    assert problem.startswith("docs/adr/0001-one.md: 301 words, allowed 300")


def test_no_page_and_no_remedy_has_an_index_choose_what_runs_at_a_table() -> None:
    """Installed anew by its name or from its sources, cardshoe brings `crcmod` beside the locked `crcmod-plus`."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "packaging").rglob("*.md")]
    texts = [*pages, *(ROOT / "drivers").rglob("*.py"), *(ROOT / "cardshoe").rglob("*.py")]
    asked = re.compile(r"(?:pip|pipx|uv tool) install (?:-\S+ )*['\"]?(?:cardshoe(?![-\w])|\.(?![/\w]))")
    found = {
        (str(path.relative_to(ROOT)), line)
        for path in texts
        for line in path.read_text().splitlines()
        if asked.search(line) and "are not for tables" not in line
    }
    assert found == set()


LONG = "word " * 30


def test_a_long_paragraph_is_wrapped_and_named() -> None:
    text = f"# Title\n\n- {LONG}\n  goes on\n> {LONG}\n"
    wrapped = wrap_docs.wrapped(text)
    assert max(map(len, wrapped.splitlines())) <= wrap_docs.WIDTH
    assert [line[:4] for line in wrapped.splitlines()] == ["# Ti", "", "- wo", "  wo", "> wo", "> wo"]
    assert "".join(wrapped.split()).replace(">", "") == "".join(text.split()).replace(">", "")
    assert list(wrap_docs.too_long(text)) == [3, 5]
    assert (wrap_docs.wrapped(wrapped), list(wrap_docs.too_long(wrapped))) == (wrapped, [])


@pytest.mark.parametrize(
    "text",
    [
        f"| {LONG} |",
        f"```\n{LONG}\n```",
        f"    {LONG}",
        f"# {LONG}",
        f"`{LONG.strip()}`",
        f"[{LONG.strip()}](page.md)",
        f"[a]: https://example.invalid/{LONG.replace(' ', '')}",
        "short\nlines\nstay",
    ],
)
def test_what_has_no_other_form_stays(text: str) -> None:
    assert wrap_docs.wrapped(f"{text}\n") == f"{text}\n"
    assert list(wrap_docs.too_long(text)) == []


def test_no_line_begins_a_list_that_was_none() -> None:
    text = f"{LONG[:115]}two - three 1. four # five\n"
    assert [line.split()[0] for line in wrap_docs.wrapped(text).splitlines()] == ["word", "three"]
