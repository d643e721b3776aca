"""Draw the packages' layers: `python -m tools.rooms [PACKAGE]`, default `cardshoe`."""

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = (
    "regulations", "protocols", "drivers", "conformance", "firmware_bridge", "sim", "cardshoe", "tests"
)  # fmt: skip


def arrows(package: str) -> dict[str, set[str]]:
    folder = ROOT / package.replace(".", "/")
    files = [path for path in folder.rglob("*.py") if path != folder / "__init__.py"]
    rooms = {path.relative_to(folder).parts[0].removesuffix(".py") for path in files}
    found: dict[str, set[str]] = {room: set() for room in rooms}
    for path in files:
        room = path.relative_to(folder).parts[0].removesuffix(".py")
        for name in _imported(ast.parse(path.read_text())):
            other = name.removeprefix(f"{package}.").partition(".")[0]
            if name.startswith(f"{package}.") and other in rooms and other != room:
                found[room].add(other)
    return found


def _imported(module: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def floors(imports: dict[str, set[str]]) -> list[list[str]]:
    height: dict[str, int] = {}
    for room in TopologicalSorter(imports).static_order():
        height[room] = max((height[one] + 1 for one in imports[room]), default=0)
    return [sorted(room for room in height if height[room] == floor) for floor in range(max(height.values()) + 1)]


def main() -> None:
    package = sys.argv[1] if sys.argv[1:] else "cardshoe"
    imports = arrows(package)
    drawn = floors(imports)
    for number, rooms in reversed(list(enumerate(drawn))):
        print(f"{number}: {', '.join(rooms)}")
    print(f"{package}: rooms={len(imports)} floors={len(drawn)} arrows={sum(map(len, imports.values()))} circles=0")
    for name in PACKAGES:
        texts = [path.read_text() for path in (ROOT / name).rglob("*.py")]
        print(f"{name}: files={len(texts)} lines={sum(len(text.splitlines()) for text in texts)}")


if __name__ == "__main__":
    main()
