"""Weaker settings and other file layers are reached by the tests alone; no configuration or path leads there."""

import ast
from collections.abc import Iterator
from pathlib import Path

import apsw
import msgspec
import pytest

from cardshoe.journal import Journal
from cardshoe.journal.file.store import Store
from cardshoe.table.setup.config import JournalSection
from tests.cardshoe.journal.samples import HEADER, entry, stored
from tests.powercut.layer import Folder, under
from tests.powercut.recorder import Recorder, witnessed

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("regulations", "protocols", "drivers", "firmware_bridge", "sim", "cardshoe")
WEAKER = ("synchronous", 1)


def product(word: str) -> Iterator[tuple[str, ast.Module]]:
    """The modules of the product in which a word occurs."""
    for package in PRODUCT:
        for path in sorted((ROOT / package).rglob("*.py")):
            if word in (text := path.read_text()):
                yield str(path.relative_to(ROOT)), ast.parse(text)


def used(name: str) -> set[str]:
    """The modules of the product in which a name or an attribute is used; its definition is no use."""
    return {
        module
        for module, tree in product(name)
        for node in ast.walk(tree)
        if (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.Attribute) and node.attr == name)
        or (isinstance(node, ast.ImportFrom) and name in {one.name for one in node.names})
    }


def test_no_product_code_changes_a_setting_or_a_file_layer() -> None:
    assert used("demand") == set()
    for settings in "LOCK_SETTINGS", "SETTINGS", "FILE_SETTINGS", "apply_settings":
        assert used(settings) <= {"cardshoe/journal/file/database.py", "cardshoe/journal/file/store.py"}
    assert used("VFS") == used("vfs") == used("set_default_vfs") == used("VFSFile") == set()
    calls = [
        node
        for _, tree in product("Connection")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "apsw.Connection"
    ]
    assert [[keyword.arg for keyword in call.keywords] for call in calls] == [["flags"]] * 3
    flags = sorted(ast.unparse(call.keywords[0].value) for call in calls)
    assert flags == ["apsw.SQLITE_OPEN_READWRITE", "apsw.SQLITE_OPEN_READWRITE", "read_only"]


def test_nothing_in_the_configuration_weakens_the_journal() -> None:
    where = ("folder", "day_begins", "witness", "witness_tls", "witness_key", "metrics", "sealing_key")
    assert JournalSection.__struct_fields__ == where, "does what was added leave durability alone?"
    with pytest.raises(msgspec.ValidationError, match="synchronous"):
        msgspec.convert({"folder": "journals", "synchronous": "off"}, JournalSection)


def test_a_name_that_looks_like_an_address_is_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("file:b-101.journal?vfs=unix-none&nolock=1&psow=0")
    with Journal.create(path, HEADER) as journal:
        journal.append([entry(1)])
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    assert len(stored(path)) == 1


def test_the_tests_own_constructor_does_reach_it(tmp_path: Path) -> None:
    recorder = Recorder()
    folder = Folder(tmp_path, recorder)
    path = tmp_path / "b-101.journal"
    found = []
    with under(folder):
        for weakened in ((), (WEAKER,)):
            journals = witnessed(recorder, *weakened)
            with journals.open(path) if path.exists() else journals.create(path, HEADER) as journal:
                assert isinstance(journal.store, Store)
                found.append(journal.store.setting("synchronous"))
    assert found == [2, 1]
    assert "powercut" not in apsw.vfs_names()  # the layer has gone with its block
