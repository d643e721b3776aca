"""A guard finds and changes nothing: it assigns to no attribute, nor to an element of one."""

import ast
import inspect
import textwrap
from collections.abc import Iterator

import pytest

from regulations.engine.rows import ParameterizedGuard
from tests.regulations.support.kits import ENFORCED
from tests.regulations.support.tracing import rulebook_of


def _assigned(function: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            yield from node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            yield node.target


def _is_of_others(target: ast.expr) -> bool:
    while isinstance(target, ast.Subscript):
        target = target.value
    return isinstance(target, ast.Attribute)


@pytest.mark.parametrize("game", ENFORCED)
def test_guards_change_nothing(game: str) -> None:
    guards = [guard for rows in rulebook_of(game).machines.values() for row in rows for guard in row.guard]
    methods = {guard.ask if isinstance(guard, ParameterizedGuard) else guard for guard in guards}
    assert len(methods) > 50
    for method in methods:
        tree = ast.parse(textwrap.dedent(inspect.getsource(method)))
        changed = [ast.unparse(one) for one in _assigned(tree) if _is_of_others(one)]
        assert changed == [], f"{method.__qualname__} assigns to {', '.join(changed)}"
