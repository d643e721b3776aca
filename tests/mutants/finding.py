"""Finds all mutants of a file, by what its syntax tree says.

- docstrings, annotations, type aliases, imports, decorators, class headers: nothing is decided by them;
- bodies of protocols: they are never run;
- f-strings and words with spaces: told to a person, whom other tests see told well;
- what an exception says, for the same reason; that it is raised is mutated;
- the names of rules of settlement, `also` articles, the articles of rows that only move a machine, and readings: they
  stand on the pages, whose tests ask for each beside its rule; an article that an output names is asked for by cases;
- `errors.py`, `guide.py`, `__str__`, and what chooses between two texts for a person: as above;
- ``strict=``: it says what is built, and changes no answer;
- `Game.readings` and what finds a rule by its name: pages and tests of tests ask it, no table does;
- what only a type checker reads; ``return None`` at the end of a function, which returns that without it.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.mutants.mutant import Edit, Mutant, in_one_line
from tests.mutants.words import Swaps

REPOSITORY: Final = Path(__file__).parent.parent.parent
LAW: Final = REPOSITORY / "regulations"
FOR_PERSONS: Final = frozenset({"guide.py", "readings.py", "errors.py"})
REMOVED: Final = "removed"

COMPARISONS: Final[dict[type[ast.cmpop], tuple[str, str]]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
ORDERED: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
ARITHMETIC: Final[dict[type[ast.operator], tuple[str, str]]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
}
BUILTINS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
EMPTY: Final = {
    **dict.fromkeys(("tuple", "Sequence", "Iterable", "Iterator", "Collection"), "()"),
    "list": "[]",
    "dict": "{}",
    "Mapping": "{}",
    "frozenset": "frozenset()",
    "set": "set()",
    "str": '""',
}
"""The value that a function returns in place of a collection."""
ON_PAGES: Final = frozenset({"also", "says", "detail", "title", "strict"})
"""Arguments that no answer of a table shows."""
MOVES: Final = {"move": 3, "take": 2}
"""Rows that tell nothing themselves, and where their article stands among their arguments."""
METHODS: Final = frozenset({"when", "do"})
"""Arguments of rows that name methods: one can be left out; another method in its place would be a different rule."""
UNMADE: Final = (ast.Import, ast.ImportFrom, ast.Assert, ast.JoinedStr, ast.Match)
TYPES: Final = frozenset({"TypeVar", "cast", "NewType"})
ASKED_BY_PAGES: Final = frozenset(
    {"Game.readings", "Row.answer", "Rulebook.machines", "Rulebook.rules", "Rulebook.name_of", "Rulebook.without"}
)
"""Names that no table asks for."""


def all_mutants(files: Iterable[Path] | None = None) -> list[Mutant]:
    """Every mutant of the law, or of some of its files, in a fixed order."""
    chosen = sorted(LAW.rglob("*.py")) if files is None else sorted(files)
    return [mutant for path in chosen if path.name not in FOR_PERSONS for mutant in mutants_of(path)]


def mutants_of(path: Path) -> list[Mutant]:
    """Every mutant of a file."""
    return Finder(path.relative_to(REPOSITORY).as_posix(), path.read_bytes()).found()


class Finder(ast.NodeVisitor):
    """Walks through one file."""

    def __init__(self, file: str, source: bytes) -> None:
        self._file: Final = file
        self._source: Final = source
        self._tree: Final = ast.parse(source)
        self._lines: Final = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._where: list[str] = []
        self._returns: list[ast.expr | None] = []
        self._lasts: set[ast.stmt] = set()
        self._found: list[Mutant] = []
        self._seen: Counter[tuple[str, ...]] = Counter()
        self._swaps: Final = Swaps()

    def found(self) -> list[Mutant]:
        """The mutants, in the order of the file."""
        self._statements(self._tree.body)
        for node, operator, where, other in self._swaps.found():
            self._where = where
            self._replace(operator, node, other)
        return sorted(self._found, key=lambda one: (one.line, one.edit.start, one.operator, one.after))

    # --- where things stand ------------------------------------------------------------------------------------------

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.lineno - 1] + node.col_offset, self._lines[node.end_lineno - 1] + node.end_col_offset

    def _text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self._span(node)
        return self._source[start:end].decode()

    def _add(self, operator: str, focus: ast.expr | ast.stmt, edit: Edit, after: str = "") -> None:
        assert focus.end_lineno is not None
        start, end = self._lines[focus.lineno - 1], self._lines[focus.end_lineno]
        before = in_one_line(self._source[start:end])
        if not after:
            changed = self._source[start : edit.start] + edit.text + self._source[edit.end : end]
            after = in_one_line(changed)
        where = ".".join(self._where) or "-"
        key = (operator, where, before, after)
        mutant = Mutant(
            file=self._file,
            operator=operator,
            where=where,
            line=focus.lineno,
            before=before,
            after=after,
            ordinal=self._seen[key],
            edit=edit,
        )
        self._seen[key] += 1
        self._found.append(mutant)

    def _replace(self, operator: str, node: ast.expr, text: str) -> None:
        self._add(operator, node, Edit(*self._span(node), text.encode()))

    def _remove(self, operator: str, node: ast.expr | ast.stmt, edit: Edit) -> None:
        self._add(operator, node, edit, after=f"{in_one_line(self._text(node).encode())} {REMOVED}")

    @contextmanager
    def _within(self, name: str) -> Iterator[None]:
        self._where = [*self._where, name]
        yield
        self._where = self._where[:-1]

    # --- statements --------------------------------------------------------------------------------------------------

    def _statements(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue  # a docstring, or `...`
            if _can_go(statement) and not (_is_none(statement) and statement in self._lasts):
                self._remove("statement", statement, Edit(*self._span(statement), b"pass"))
            self.visit(statement)

    def generic_visit(self, node: ast.AST) -> None:
        """Goes on below a node; statements in lists are looked at one by one."""
        if isinstance(node, UNMADE):
            return
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                self._statements(value)
            elif isinstance(value, list):
                for one in value:
                    if isinstance(one, ast.AST):
                        self.visit(one)
            elif isinstance(value, ast.AST):
                self.visit(value)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if not any("Protocol" in self._text(base) for base in node.bases):
            with self._within(node.name):
                self._statements(node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name == "__str__" or ".".join((*self._where, node.name)) in ASKED_BY_PAGES:
            return
        with self._within(node.name):
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if default is not None:
                    self.visit(default)
            self._returns.append(node.returns)
            self._lasts.add(node.body[-1])
            self._statements(node.body)
            self._returns.pop()

    def visit_Assign(self, node: ast.Assign) -> None:
        if not _is_type(node.value):
            self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and not self._text(node.target).endswith("_ALSO"):
            self.visit(node.value)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            return
        returns = self._returns[-1]
        kind = "" if returns is None else self._text(returns).strip('"').partition("[")[0]
        if kind == "bool":
            if not _says_no(node.value):
                self._replace("return", node.value, f"not ({self._text(node.value)})")
        elif (other := EMPTY.get(kind, "None")) != self._text(node.value):
            self._replace("return", node.value, other)
        self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Skip it: the text of an exception is for a person."""

    # --- conditions --------------------------------------------------------------------------------------------------

    def _condition(self, test: ast.expr) -> None:
        if not _says_no(test):
            self._replace("condition", test, f"(not ({self._text(test)}))")

    def visit_If(self, node: ast.If) -> None:
        if self._text(node.test) == "TYPE_CHECKING":
            return
        self._condition(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        if _is_said(node.body) and _is_said(node.orelse):
            return
        self._condition(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._condition(test)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for number, kind in enumerate(node.ops):
            start, end = self._span(operands[number])[1], self._span(operands[number + 1])[0]
            old, new = COMPARISONS[type(kind)]
            between = self._source[start:end].decode()
            self._add("comparison", node, Edit(start, end, between.replace(old, new, 1).encode()))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        begin, finish = self._span(node)
        spans = [self._span(one) for one in node.values]
        text = self._source[begin : spans[0][1]].decode()
        for (_, end), (start, stop) in zip(spans, [*spans[1:-1], (spans[-1][0], finish)], strict=False):
            text += self._source[end:start].decode().replace(old, new, 1) + self._source[start:stop].decode()
        self._add("boolean", node, Edit(begin, finish, text.encode()))
        for number, value in enumerate(node.values):
            kept = f" {old} ".join(f"({self._text(one)})" for one in node.values if one is not value)
            self._add("operand", node, Edit(begin, finish, kept.encode()), after=f"without {number}: {kept}")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._replace("not", node, f"bool({self._text(node.operand)})")
        elif isinstance(node.op, ast.USub):
            self._replace("sign", node, self._text(node.operand))
            return
        self.generic_visit(node)

    # --- values ------------------------------------------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> None:
        found = ARITHMETIC.get(type(node.op))
        if found is not None:
            start, end = self._span(node.left)[1], self._span(node.right)[0]
            between = self._source[start:end].decode()
            self._add("arithmetic", node, Edit(start, end, between.replace(*found, 1).encode()))
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        found = ARITHMETIC.get(type(node.op))
        if found is not None:
            start, end = self._span(node.target)[1], self._span(node.value)[0]
            between = self._source[start:end].decode()
            self._add("arithmetic", node, Edit(start, end, between.replace(*found, 1).encode()))
        self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._replace("flag", node, str(not node.value))
        elif isinstance(node.value, int):
            self._replace("constant", node, str(node.value + 1))
            self._replace("constant", node, str(node.value - 1))
        elif isinstance(node.value, str):
            self._swaps.hear(node, self._where)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if _is_state(node):
            self._swaps.hear_state(node, self._where)
        else:
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = self._text(node.func).rpartition(".")[2]
        if called in TYPES:
            return
        if called in BUILTINS:
            self._replace("builtin", node.func, BUILTINS[called])
        self.visit(node.func)
        on_pages = {("Payout", "name")}
        if any(keyword.arg == "bound" for keyword in node.keywords):
            on_pages.add(("Option", "article"))  # a refusal names the bound
        for number, argument in enumerate(node.args):
            if number != MOVES.get(called) and not (called == "_rule" and (number == 1 or number > 4)):
                self.visit(argument)
        for keyword in node.keywords:
            if keyword.arg in METHODS and isinstance(keyword.value, ast.Attribute):
                self._replace("method", keyword.value, "()")
            elif keyword.arg not in ON_PAGES and (called, keyword.arg) not in on_pages:
                self.visit(keyword.value)

    # --- what stands in a row ----------------------------------------------------------------------------------------

    def _elements(self, node: ast.Tuple | ast.List | ast.Set) -> None:
        text = self._text(node)
        loaded = isinstance(node, ast.Set) or isinstance(node.ctx, ast.Load)
        if loaded and text[0] in "([{" and len(node.elts) > isinstance(node, ast.Set) and _is_list(node.elts):
            for one in node.elts:
                kept = [self._text(other) for other in node.elts if other is not one]
                comma = "," if isinstance(node, ast.Tuple) and kept else ""
                changed = f"{text[0]}{', '.join(kept)}{comma}{text[-1]}"
                self._remove("entry", one, Edit(*self._span(node), changed.encode()))
        self.generic_visit(node)

    visit_Tuple = visit_List = visit_Set = _elements  # noqa: N815  the names that `ast` wants

    def visit_Dict(self, node: ast.Dict) -> None:
        text = self._text(node)
        if node.values and all(_is_said(value) for value in node.values):
            return
        for number, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
            kept = [
                f"{self._text(name)}: {self._text(other)}" if name is not None else f"**{self._text(other)}"
                for place, (name, other) in enumerate(zip(node.keys, node.values, strict=True))
                if place != number
            ]
            changed = f"{text[0]}{', '.join(kept)}{text[-1]}"
            self._remove("entry", key or value, Edit(*self._span(node), changed.encode()))
        self.generic_visit(node)


def _can_go(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Assign):
        return any(isinstance(target, ast.Attribute | ast.Subscript) for target in statement.targets)
    kinds = (ast.Expr, ast.AugAssign, ast.Raise, ast.Delete, ast.Continue, ast.Break, ast.Return)
    return isinstance(statement, kinds)


def _is_none(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Return)
        and isinstance(statement.value, ast.Constant)
        and statement.value.value is None
    )


def _is_type(value: ast.expr) -> bool:
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.BitOr) and _is_type(value.left) and _is_type(value.right)
    if isinstance(value, ast.Subscript):
        return isinstance(value.value, ast.Name)
    return isinstance(value, ast.Name) or (isinstance(value, ast.Constant) and value.value is None)


def _says_no(test: ast.expr) -> bool:
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return not isinstance(test.ops[0], ORDERED)
    return isinstance(test, ast.Constant) or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not))


def _is_state(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id in {"R", "S"} or node.value.id.endswith("State"))
        and node.attr.isupper()
    )


def _is_list(elements: Sequence[ast.expr]) -> bool:
    kinds = {ast.Call if isinstance(one, ast.Starred) else type(one) for one in elements}
    return len(kinds) == 1 and all(map(_is_entry, elements))


def _is_said(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and (not node.value or " " in node.value or node.value.endswith("."))
    return isinstance(node, ast.JoinedStr)


def _is_entry(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.Name):
        return node.id.isupper()
    if isinstance(node, ast.Tuple):
        return bool(node.elts)
    return isinstance(node, ast.Call | ast.Starred) or _is_state(node)
