"""A sample configuration for any game."""

import re
from importlib import resources
from typing import Final

from cardshoe.screens.words.currency import MOP
from cardshoe.table.rules.text import value_text
from firmware_bridge.families import families, family_named
from regulations.games.registry import NAMES
from regulations.play.context.game import Game

BY_HAND: Final = NAMES[0]
_FAMILY: Final = re.compile(r'(?<=^family = )"\w+"', re.MULTILINE)
_KEY: Final = re.compile(r"^# (?=\w+ = )")
_ABOUT_A_GAME: Final = re.compile(r"^(?:# table\.toml:|\[table\]|\[options\])", re.MULTILINE)


def sample(game: Game) -> str:
    written = resources.files("cardshoe.table.setup").joinpath("example.toml").read_text("utf-8")
    if game.law.game == BY_HAND:
        return written
    parts = written.rstrip("\n").split("\n\n")
    shared = [said for part in parts if not _ABOUT_A_GAME.search(part) and (said := _for_game(part, game))]
    journal, terminal, *others = shared
    return "\n\n".join([_table(game), journal, terminal, _options(game), *others]) + "\n"


def _for_game(part: str, game: Game) -> str:
    if "[[authorisation]]" in part and not any(option.authorised for option in game.law.options):
        return ""
    if "[[device]]" not in part:
        return part
    family = next(name for name in families() if not family_named(name).games)
    lines = _FAMILY.sub(f'"{family}"', part).split("\n")
    lines = [line if line.startswith("#") else f"# {line}" for line in lines]
    return "\n".join(_KEY.sub("#   ", line) for line in lines)


def _table(game: Game) -> str:
    law = game.law
    first, material = next(iter(law.equipment.items()))
    lines = [
        f"# table.toml: one table of {law.title}, as `cardshoe run` reads it. Keys behind a single # are optional.",
        "",
        "[table]",
        "# The house's name of the table; it stands in every log and names the journals.",
        'id = "B-101"',
        f"# The game, by {law.edition}.",
        f'game = "{law.game}"',
        "# Dealing equipment, and the decks of 52 cards that go with it:",
    ]
    for name, one in law.equipment.items():
        fewest, most = one.decks
        decks = f"{fewest} or more" if most is None else f"{fewest} to {most}" if most > fewest else f"{fewest}"
        lines.append(f'#   "{name}": {decks} ({law.articles.decks})')
    lines += [
        f'equipment = "{first}"',
        f"decks = {material.decks[0]}",
        f"# Players' places: {law.seats} or more ({law.articles.seats}).",
        f"seats = {law.seats}",
        "# The currency of what is typed and shown, by its code of ISO 4217; logs hold minor units.",
        f'# currency = "{MOP}"',
        "# How croupiers pick up the cards of a round (docs/table-log.md); `cardshoe analyse` finds more with it.",
        '# pick_up = "player_first"',
    ]
    return "\n".join(lines)


def _options(game: Game) -> str:
    lines = ["# What is left to the house; what is left out has the value that is shown here.", "[options]"]
    for option in game.law.options:
        only = f"; only with {' or '.join(option.on)}" if option.on else ""
        lines += [
            f"# {option.allowed} ({option.article}){only}",
            f"# {option.name} = {value_text(option.default)}",
        ]
    return "\n".join(lines)
