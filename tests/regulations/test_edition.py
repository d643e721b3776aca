"""The version of the rules rises when the rule tables change after a release."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import pytest

from regulations.games.registry import GAMES
from regulations.law.edition import RELEASED, RULES_VERSION
from regulations.law.rulebook import Rule, Rulebook


def fingerprint(books: Mapping[str, Rulebook]) -> str:
    """Hash the tables of all games, in their order; not the code behind guards, effects and conditions."""
    digest = hashlib.sha256()
    for game, book in sorted(books.items()):
        rows = [(name, asdict(row)) for name, rows in book.machines.items() for row in rows]
        rows += [("settle", {**asdict(payout), "holds": ""}) for payout in book.payouts]
        for table, told in rows:
            digest.update(f"{game} {table} {sorted(told.items())}\n".encode())
    return digest.hexdigest()


def changed(released: Mapping[int, str], version: int, books: Mapping[str, Rulebook]) -> bool:
    """True if the tables are others than this version was released with."""
    return version in released and released[version] != fingerprint(books)


BOOKS = {name: game.rulebook for name, game in GAMES.items()}


def test_no_table_changes_under_a_released_version() -> None:
    assert max(RELEASED, default=0) <= RULES_VERSION
    assert not changed(RELEASED, RULES_VERSION, BOOKS), (
        f"The rule tables are not those of version {RULES_VERSION}: raise RULES_VERSION (regulations/law/edition.py). "
        f"When that version is released, note its fingerprint there: {fingerprint(BOOKS)}"
    )


@pytest.mark.parametrize("game", GAMES)
def test_one_row_less_or_a_change_of_order_is_another_fingerprint(game: str) -> None:
    released = {1: fingerprint(BOOKS)}
    assert not changed(released, 1, BOOKS)
    book = BOOKS[game]
    tables: dict[str, Sequence[Rule]] = {**book.machines, "settle": book.payouts}
    for table, rules in tables.items():
        other = {**BOOKS, game: book.without(f"{table}:{rules[-1].id}")}
        assert changed(released, 1, other)
        assert not changed(released, 2, other)
