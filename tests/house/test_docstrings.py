"""Every public method says what it does, unless it overrides one that does (ruff's D102 knows no bases)."""

import ast
from collections.abc import Iterator, Mapping, Sequence

from tests.house.files import PACKAGES, ROOT, our_modules, place

Method = ast.FunctionDef | ast.AsyncFunctionDef
Classes = Mapping[str, Sequence[ast.ClassDef]]
"""By name: two of one name are both looked at."""


def methods_of(one: ast.ClassDef) -> Iterator[Method]:
    return (method for method in one.body if isinstance(method, Method))


def classes_in(node: ast.AST) -> Iterator[ast.ClassDef]:
    """All, however deep; expressions, which are most of a module and hold none, are not entered."""
    for one in ast.iter_child_nodes(node):
        if isinstance(one, ast.ClassDef):
            yield one
        if isinstance(one, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from classes_in(one)


def is_said_by_base(one: ast.ClassDef, name: str, classes: Classes, seen: frozenset[str] = frozenset()) -> bool:
    for written in one.bases:
        base = ast.unparse(written.value if isinstance(written, ast.Subscript) else written).rpartition(".")[2]
        if base in seen:
            continue
        for candidate in classes.get(base, ()):
            if candidate is one:
                continue
            if any(method.name == name and ast.get_docstring(method) for method in methods_of(candidate)):
                return True
            if is_said_by_base(candidate, name, classes, seen | {base}):
                return True
    return False


def untold(modules: Mapping[str, ast.Module]) -> list[str]:
    """Public methods of public classes without a docstring, their own or a base's."""
    classes: dict[str, list[ast.ClassDef]] = {}
    for module in modules.values():
        for one in classes_in(module):
            classes.setdefault(one.name, []).append(one)
    return [
        f"{name}:{method.lineno}: {one.name}.{method.name}"
        for name, module in modules.items()
        for one in module.body
        if isinstance(one, ast.ClassDef) and not one.name.startswith("_")
        for method in methods_of(one)
        if not method.name.startswith("_") and not ast.get_docstring(method)
        if not any(ast.unparse(decorator).endswith((".setter", "overload")) for decorator in method.decorator_list)
        if not is_said_by_base(one, method.name, classes)
    ]


def test_public_methods_say_what_they_do_or_their_base_does() -> None:
    paths = [path for path in our_modules() if path.relative_to(ROOT).parts[0] in PACKAGES]
    assert untold({place(path): ast.parse(path.read_text()) for path in paths}) == []


def test_one_that_says_nothing_is_found() -> None:
    text = '''
class Shoe:
    def draw(self): """A card."""
    def load(self): ...
class Angel(other.Shoe[int]):
    def draw(self): ...
    def load(self): ...
    def _own(self): ...
try: pass
except E:
    def made():
        class Nested:
            def shuffle(self): """Mixes them."""
class Box(Nested):
    def shuffle(self): ...
'''
    assert untold({"a.py": ast.parse(text)}) == ["a.py:4: Shoe.load", "a.py:7: Angel.load"]
