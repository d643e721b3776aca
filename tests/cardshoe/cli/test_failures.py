"""Errors of the packages below, as a command ends with them."""

import tomllib
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement

from cardshoe.cli.failures import EXTRA_OF, explained
from cardshoe.process.exits import Exit

ROOT: Final = Path(__file__).resolve().parents[3]


def test_each_library_of_an_extra_is_named_with_it() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    brought = {
        (Requirement(text).name.removesuffix("-py").removesuffix("-plus").replace("-", "_"), extra)
        for extra in ("table", "floor", "update")
        for text in extras[extra]
        if not text.startswith("cardshoe[")
    }
    assert brought == set(EXTRA_OF.items())


@pytest.mark.parametrize(("module", "extra"), [("psycopg.rows", "floor"), ("uvicorn", "table"), ("smp.header", "update")])
def test_a_missing_library_is_named_with_its_extra(module: str, extra: str) -> None:
    stop = explained(ModuleNotFoundError(f"No module named {module!r}", name=module))
    assert stop is not None
    assert (stop.what, stop.code) == (
        f"this needs the library {module.partition('.')[0]}, which is not installed",
        Exit.FAILURE,
    )
    assert stop.remedy == f"Install the extra: pip install 'cardshoe[{extra}]'."


def test_a_missing_module_of_no_extra_is_a_defect() -> None:
    assert explained(ModuleNotFoundError("No module named 'nothing'", name="nothing")) is None
    assert explained(ModuleNotFoundError("without a name")) is None
