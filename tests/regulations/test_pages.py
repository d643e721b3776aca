"""The pages in `docs/regulations` say what the machines run: each rule, option and payout with its article."""

from pathlib import Path
from typing import Final

import pytest

from cardshoe.table.rules.page import page
from regulations.games.registry import GAMES

PAGES: Final = Path(__file__).parent.parent.parent / "docs" / "regulations"


@pytest.mark.law
@pytest.mark.parametrize("game", GAMES)
def test_the_page_in_the_documentation_is_fresh(game: str) -> None:
    written = (PAGES / f"{game}.md").read_text("utf-8")
    assert written == page(GAMES[game]), f"run: cardshoe rules {game} --markdown > docs/regulations/{game}.md"
