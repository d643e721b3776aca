"""tools/site.py writes pages that open from a folder, and names links that lead nowhere."""

import re
from pathlib import Path

from cardshoe.cli.group import COMMANDS
from tools.commands import command_reference
from tools.site import build


def repository(folder: Path, **texts: str) -> Path:
    for name, text in {"README.md": "# Overview\n", **texts}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_links_lead_to_the_pages_files_and_pictures_of_the_site(tmp_path: Path) -> None:
    page = "# Page\n\n[a](../README.md#overview) [b](../code.py) ![c](one.png) [d](sub) [e](#page) [f](https://x.invalid/y)\n"
    root = repository(
        tmp_path / "root",
        **{"docs/page.md": page, "docs/sub/README.md": "# Sub\n", "code.py": "a < b\n", "docs/one.png": ""},
    )
    site = tmp_path / "site"
    assert build(root, site, {}) == []
    html = (site / "docs/page.html").read_text()
    found = re.findall(r'(?:href|src)="([^"]+)"', html.partition("<main>")[2])
    wanted = ["../README.html#overview", "../code.py.html", "one.png", "sub/README.html", "page.html#page"]
    assert found == [*wanted, "https://x.invalid/y"]
    assert "a &lt; b" in (site / "code.py.html").read_text()
    assert (site / "docs/one.png").is_file()
    index = (site / "docs/index.html").read_text()
    assert all(f'href="{link}"' in index for link in ("page.html", "sub/README.html", "../README.html"))


def test_links_that_lead_nowhere_are_named(tmp_path: Path) -> None:
    root = repository(tmp_path / "root", **{"docs/page.md": "# Page\n\n[a](gone.md) [b](../README.md#gone)\n"})
    assert build(root, tmp_path / "site", {}) == [
        "docs/page.html: links to docs/gone.html, which the site lacks",
        "docs/page.html: links to README.html#gone; that page has no such heading",
    ]


def test_lists_behind_a_paragraph_and_generated_text_are_on_the_page(tmp_path: Path) -> None:
    root = repository(tmp_path / "root", **{"docs/cli.md": "# Commands\n\nTwo:\n- one\n- two\n"})
    assert build(root, tmp_path / "site", {"docs/cli.md": "\n## cardshoe run\n\n| a |\n|---|\n| `N\\|M` |\n"}) == []
    html = (tmp_path / "site/docs/cli.html").read_text()
    for part in ("<li>two</li>", '<h2 id="cardshoe-run">', "<code>N|M</code>"):
        assert part in html
    assert '["cli.html#cardshoe-run", "Commands: cardshoe run"' in (tmp_path / "site/search.js").read_text()


def test_the_reference_has_every_command_with_its_options() -> None:
    reference = command_reference()
    assert sorted(re.findall(r"^## cardshoe (\S+)$", reference, flags=re.MULTILINE)) == sorted(COMMANDS)
    log = reference.partition("## cardshoe log\n")[2].partition("\n## ")[0]
    assert (
        "| `--irregularity CODE` | Irregularities of this code, such as card\\_not\\_due, and their resolution. |"
        in log
    )
    assert "### cardshoe journal prove\n" in reference
