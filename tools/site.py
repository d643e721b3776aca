"""Build the documentation site: `python -m tools.site` (or `make docs`), into `build/site`.

Exit code 1 if a link or fragment leads nowhere.
"""

import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.metadata import version
from itertools import pairwise
from os.path import normpath, relpath
from pathlib import Path, PurePosixPath
from typing import Final

import jinja2
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tools.check_docs import anchor
from tools.commands import command_reference
from tools.fields import field_reference
from tools.pages import ROOT, pages

INDEX: Final = PurePosixPath("docs/index.html")
SITE: Final = ROOT / "build" / "site"
FOLDERS: Final = {
    "docs": "Guides and reference",
    "docs/regulations": "Regulations",
    "docs/protocols": "Protocols of devices",
    "": "Project",
    "packaging": "Packages and services",
    "docs/adr": "Decisions",
}

_PARSER: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*:")


@dataclass(slots=True)
class Page:
    path: PurePosixPath
    title: str = ""
    body: str = ""
    anchors: set[str] = field(default_factory=set)
    links: list[tuple[PurePosixPath, str]] = field(default_factory=list)
    sections: list[tuple[str, str, str]] = field(default_factory=list)


def build(root: Path, site: Path, generated: Mapping[str, str]) -> list[str]:
    found = [page.relative_to(root).as_posix() for page in pages(root) if page.relative_to(root).parts[0] != "tests"]
    built = {
        page.path: page
        for name in found
        for page in [_page(name, (root / name).read_text(encoding="utf-8") + generated.get(name, ""), root)]
    }
    built[INDEX] = _page("docs/index.md", _index(list(built.values())), root)
    shutil.rmtree(site, ignore_errors=True)
    site.mkdir(parents=True)
    template = jinja2.Environment(autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined).from_string(
        (ROOT / "tools" / "site.html").read_text(encoding="utf-8")
    )
    shutil.copy(ROOT / "tools" / "site.css", site)
    for page in built.values():
        _write(site, page.path, template, page.title, page.body)
    for path in {path for page in built.values() for path, _ in page.links} - set(built):
        _write_file(root, site, path, template)
    sections = [
        (f"{relpath(page.path, INDEX.parent)}#{fragment}", f"{page.title}: {heading}", text.lower())
        for page in built.values()
        if page.path != INDEX
        for fragment, heading, text in page.sections
    ]
    (site / "search.js").write_text(f"const SECTIONS = {json.dumps(sections, ensure_ascii=False)};", encoding="utf-8")
    return [f"{page.path}: {problem}" for page in built.values() for problem in _problems(page, built, site)]


def _page(name: str, text: str, root: Path) -> Page:
    page = Page(PurePosixPath(name).with_suffix(".html"))
    tokens = _PARSER.parse(text)
    parts: list[tuple[str, str, list[str]]] = [("", "", [])]
    for token, inner in pairwise([*tokens, Token("", "", 0)]):
        if token.type == "heading_open":
            fragment = anchor(inner.content, page.anchors)
            page.anchors.add(fragment)
            token.attrSet("id", fragment)
            plain = "".join(child.content for child in inner.children or [])
            page.title = page.title or plain
            parts.append((fragment, plain, []))
        parts[-1][2].append(token.content)
        for child in token.children or []:
            for attribute in ("href", "src"):
                target = child.attrGet(attribute)
                if target is not None and not _ADDRESS.match(str(target)):
                    child.attrSet(attribute, _linked(page, name, str(target), root))
    page.sections = [(fragment, heading, " ".join(words)) for fragment, heading, words in parts if any(words)]
    page.body = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return page


def _linked(page: Page, name: str, target: str, root: Path) -> str:
    path_part, _, fragment = target.partition("#")
    path = PurePosixPath(normpath(PurePosixPath(name).parent / path_part)) if path_part else PurePosixPath(name)
    if (root / path).is_dir():
        path = path / "README.md" if (root / path / "README.md").exists() else INDEX.with_suffix(".md")
    if path.suffix == ".md":
        path = path.with_suffix(".html")
    elif path.suffix not in (".png", ".html"):
        path = path.with_name(f"{path.name}.html")
    page.links.append((path, fragment))
    relative = relpath(path, page.path.parent)
    return f"{relative}#{fragment}" if fragment else relative


def _index(found: Sequence[Page]) -> str:
    # The text of the first page: every page by its title, under the folder that it is in.
    lines = ["# cardshoe", "", "SEARCH", "", "Start with [the overview](../README.md).", ""]
    placed: dict[str, list[Page]] = {folder: [] for folder in FOLDERS}
    for page in found:
        parent = next(str(above) for above in page.path.parents if str(above) in placed or str(above) == ".")
        placed[parent.removeprefix(".")].append(page)
    for folder, title in FOLDERS.items():
        lines += ["", f"## {title}", ""] if placed[folder] else []
        links = {page.title: relpath(page.path.with_suffix(".md"), INDEX.parent) for page in placed[folder]}
        lines += [f"- [{title}]({link})" for title, link in links.items()]
    return "\n".join(lines)


_SEARCH: Final = (
    '<p><input id="search" type="search" placeholder="Search: words of one section" aria-label="Search"></p>'
    '<ul id="found"></ul>'
)


def _write(site: Path, path: PurePosixPath, template: jinja2.Template, title: str, body: str) -> None:
    (site / path.parent).mkdir(parents=True, exist_ok=True)
    up = "../" * len(path.parent.parts)
    search = path == INDEX
    text = template.render(
        title=title,
        place=path.with_suffix(""),
        up=up,
        version=version("cardshoe"),
        search=search,
        body=body.replace("<p>SEARCH</p>", _SEARCH) if search else body,
    )
    (site / path).write_text(text, encoding="utf-8")


def _write_file(root: Path, site: Path, path: PurePosixPath, template: jinja2.Template) -> None:
    source = root / (path if path.suffix == ".png" else path.with_suffix(""))
    if not source.is_file():
        return  # the link is reported
    if path.suffix == ".png":
        (site / path.parent).mkdir(parents=True, exist_ok=True)
        shutil.copy(source, site / path)
        return
    text = escape(source.read_text(encoding="utf-8"))
    _write(site, path, template, source.name, f"<h1>{escape(source.name)}</h1><pre>{text}</pre>")


def _problems(page: Page, built: Mapping[PurePosixPath, Page], site: Path) -> Iterator[str]:
    for path, fragment in page.links:
        if not (site / path).is_file():
            yield f"links to {path}, which the site lacks"
        elif fragment and path in built and fragment not in built[path].anchors:
            yield f"links to {path}#{fragment}; that page has no such heading"


def main() -> int:
    problems = build(ROOT, SITE, {"docs/cli.md": command_reference(), "docs/table-log.md": field_reference()})
    for problem in problems:
        print(problem)
    print(f"{SITE.relative_to(ROOT) / INDEX}: open it in a browser")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
