"""The configuration of a table, as ``cardshoe config example`` explains it."""

from collections.abc import Iterable
from typing import Final

from cardshoe.table.setup.config import BadConfig, load
from cardshoe.table.setup.sample import sample
from regulations.games.registry import GAMES
from tests.fuzz.target import Target, must
from tests.fuzz.targets.files import written

_AT: Final = "2026-11-21T10:00:00.000000Z"
_LONG: Final = 8000
"""Bytes of an input: enough for what readers that call themselves, and Python's whole numbers, do not bear."""
_NESTED: Final = b"[" * 4000
_CONFIG_WORDS: Final = (b"[table]", b"[[device]]", b'family = "', b"[options]", b"'''", b"1979-05-27", b"inf", b"[[[[")


def check_config(data: bytes) -> None:
    """A configuration: ``BadConfig`` that says what is wrong, or a table that can be opened."""
    path = written(data)
    try:
        config = load(path, _AT)
    except BadConfig as error:
        must(
            all(one.reason for one in error.faults) and str(path) in str(error),
            "the error does not say what is wrong, or where",
        )
        return
    assert config.table.table_id


def _parts(text: str) -> Iterable[bytes]:
    lines = text.encode().splitlines(keepends=True)
    halves = [lines] if len(text.encode()) <= _LONG else [lines[: len(lines) // 2], lines[len(lines) // 2 :]]
    return map(b"".join, halves)


def _config_seeds() -> Iterable[bytes]:
    return [
        *(part for game in GAMES.values() for part in _parts(sample(game))),
        b"[table]\nid = 1\n",
        b"a = [1, {b = 2}]\n",
        b"a = " + _NESTED,
    ]


TARGETS: Final = {"config": Target(check_config, _config_seeds, 200, _LONG, words=_CONFIG_WORDS)}
