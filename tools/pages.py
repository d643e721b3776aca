"""Our Markdown files, and the generated ones."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Folders whose Markdown is not ours.
SKIPPED = {".venv", ".cache", ".git", "node_modules", "dist", "build"}


def pages(root: Path) -> list[Path]:
    return sorted(page for page in root.rglob("*.md") if not SKIPPED & set(page.relative_to(root).parts))


def is_generated(page: Path, root: Path) -> bool:
    return page.is_relative_to(root / "docs" / "regulations") or page == root / "docs" / "mutants.md"
