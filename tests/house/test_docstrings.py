"""Public methods have a docstring, of their own or a base (ruff knows no bases), or a name that says it."""

import ast
from collections.abc import Iterator, Mapping, Sequence

from tests.house.files import PACKAGES, ROOT, our_modules, place

Method = ast.FunctionDef | ast.AsyncFunctionDef
Classes = Mapping[str, Sequence[ast.ClassDef]]
"""By name: two of one name are both looked at."""
PLAIN = """
add banker begin bets build cancel card cards check clear close command commands connect count counters cut deal
device disconnect double draw end errors events exchange fetch find flush fold hand hands host id line lines load
lock message messages name open parse path play player port press rank read receive release remove reopen replay
reset restore resume role round run send session settings shoe shuffle size snapshot split start status stop
surrender unload upload wagers wait wake write
"""
"""Verbs of streams, files and threads and nouns of the table: such a method needs no sentence."""
GUARD_ANSWERS = frozenset({"bool", "str | None", "Found", "Subject | None"})


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


def is_named_in_full(method: Method) -> bool:
    """True for a name of several words, a plain one, and a guard without arguments."""
    arguments = method.args
    is_plain = not (arguments.args[1:] or arguments.kwonlyargs or arguments.vararg or arguments.kwarg)
    is_guard = method.returns is not None and ast.unparse(method.returns) in GUARD_ANSWERS
    return "_" in method.name or method.name in PLAIN.split() or (is_plain and is_guard)


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
        if not method.name.startswith("_") and not ast.get_docstring(method) and not is_named_in_full(method)
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
    def meter(self): ...
    def next_card(self): ...
class Angel(other.Shoe[int]):
    def draw(self): ...
    def meter(self): ...
    def close(self): ...
    def is_empty(self) -> bool: ...
    def holds(self, card) -> bool: ...
    def _own(self): ...
try: pass
except E:
    def made():
        class Nested:
            def shuffle(self): """Mixes them."""
class Box(Nested):
    def shuffle(self): ...
'''
    assert untold({"a.py": ast.parse(text)}) == ["a.py:4: Shoe.meter", "a.py:8: Angel.meter", "a.py:11: Angel.holds"]
