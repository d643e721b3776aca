"""A sample configuration for any game: the first game's is written by hand, the others' follow from their law."""

from collections.abc import Iterator
from importlib import resources
from typing import Final

from cardshoe.screens.words.currency import MOP
from cardshoe.table.rules.text import value_text
from regulations.games.registry import NAMES
from regulations.play.context.game import Game

BY_HAND: Final = NAMES[0]
"""The game of ``example.toml``, which explains every key and shows a device."""


def sample(game: Game) -> str:
    """The text of a table.toml for a game, with every option and its article."""
    written = resources.files("cardshoe.table.setup").joinpath("example.toml").read_text("utf-8")
    return written if game.law.game == BY_HAND else "\n".join(_lines(game)) + "\n"


def _lines(game: Game) -> Iterator[str]:
    law = game.law
    first, material = next(iter(law.equipment.items()))
    yield f"# table.toml: one table of {law.title}, as `cardshoe run` reads it. Keys behind a single # are optional."
    yield "# `cardshoe config example` explains the keys about devices as well."
    yield ""
    yield "[table]"
    yield "# The house's name of the table; it stands in every log and names the journals."
    yield 'id = "B-101"'
    yield f"# The game, by {law.edition}."
    yield f'game = "{law.game}"'
    yield "# Dealing equipment, and the decks of 52 cards that go with it:"
    for name, one in law.equipment.items():
        fewest, most = one.decks
        decks = f"{fewest} or more" if most is None else f"{fewest} to {most}" if most > fewest else f"{fewest}"
        yield f'#   "{name}": {decks} ({law.articles.decks})'
    yield f'equipment = "{first}"'
    yield f"decks = {material.decks[0]}"
    yield f"# Players' places: {law.seats} or more ({law.articles.seats})."
    yield f"seats = {law.seats}"
    yield "# The currency of what is typed and shown, by its code of ISO 4217; logs hold minor units."
    yield f'# currency = "{MOP}"'
    yield "# How croupiers pick up the cards of a round (docs/table-log.md); `cardshoe analyse` finds more with it."
    yield '# pick_up = "player_first"'
    yield ""
    yield "[journal]"
    yield "# The folder of the journals; relative to this file. It should lie on a local disk."
    yield 'folder = "journals"'
    yield ""
    yield "# What is left to the house; what is left out has the value that is shown here."
    yield "[options]"
    for option in law.options:
        only = f"; only with {' or '.join(option.on)}" if option.on else ""
        yield f"# {option.allowed} ({option.article}){only}"
        yield f"# {option.name} = {value_text(option.default)}"
