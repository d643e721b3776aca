"""The law takes what `undo` proposes, and Tab offers what is allowed now."""

import msgspec
import pytest

from cardshoe.screens.view.view import TableView
from cardshoe.screens.words.currency import Currency, currency
from cardshoe.table.log.log_builder import Scribe
from cardshoe.table.log.snapshot import LogSummary
from cardshoe.table.terminal.completion import Completions, complete
from cardshoe.table.terminal.console import parse
from cardshoe.table.terminal.table_tracker import Follower
from regulations.events.inputs import AnyInput, Table

BACCARAT = Table(table_id="T-1", game="baccarat", decks=8, seats=7, equipment="shoe")
OPENING = ["shuffled croupier", "cut player", "cut_card_placed 14", "loaded 416", *(f"card {n}c" for n in "23456789")]
BETS = "bets 1:banker:100 3.2:tie:50.50"


class AtTable:
    """The law, and who follows it at the keyboard."""

    def __init__(self, table: Table = BACCARAT) -> None:
        self._scribe = Scribe(table)
        self.follower = Follower(table, Currency(), ["shoe"])
        self._past = LogSummary(view=TableView())
        self._past.note(self._scribe.opening)
        self.follower.begin(self._past.encoded(), lambda _: None)

    def type(self, *lines: str) -> bool:
        """Types lines; whether the last was taken."""
        is_taken = False
        for line in lines:
            event: AnyInput = self.follower.ask(lambda now, line=line: parse(line, now))  # type: ignore[misc,assignment]  # a lambda's defaults
            taken = self._scribe.take(msgspec.structs.replace(event, origin="person"))
            self._past.note(taken)
            self.follower([taken], self._past.encoded())
            is_taken = not taken.is_refused
        return is_taken


def filled(line: str) -> str:
    """A proposal as two persons complete it."""
    return line.replace("<person>", "7", 1).replace("<person>", "8").replace("<why>", "why").replace("<card>", "kd")


def test_bets_are_corrected_until_the_first_card_leaves() -> None:
    table = AtTable()
    table.type(*OPENING, BETS)
    proposed = table.follower.undo()
    assert proposed.line == 'bets_corrected 1:banker:100.00 3.2:tie:50.50 "<why>" by <person> <person>'
    assert "void not_begun" in proposed.says
    assert table.type(filled(proposed.line))
    table.type("card 9h")
    assert not table.type(filled(proposed.line))


def test_a_card_is_named_anew_in_a_misdeal() -> None:
    table = AtTable()
    table.type(*OPENING, BETS, "card 9h", "card 3d")
    first = table.follower.undo()
    assert first.line == 'misdeal "3♦ was entered wrongly"'
    assert "identify N 2=<card> by <person> <person>" in first.says
    assert table.type(first.line)
    second = table.follower.undo()
    assert second.line == "reassign 1 by <person> <person>"
    assert table.type(filled("identify 1 2=<card> by <person> <person>"))
    view = table.follower.ask(lambda now: [one.card for one in now.view.round.cards] if now.view.round else [])
    assert view == ["9H", "KD"]


def test_a_card_that_was_taken_for_a_hit_is_decided_otherwise() -> None:
    options = {"procedure": "second"}
    table = AtTable(Table(table_id="T-1", game="blackjack", decks=2, seats=7, equipment="shoe", options=options))
    table.type("shuffled croupier", "cut player", "cut_card_placed 60", "loaded 104", *["card null unseen=true"] * 2)
    table.type("bets 1:main:100 2:main:100", "card 9h", "card 8h", "card 9s", "card 2h", "card 8s", "card 3h")
    first = table.follower.undo()
    assert first.line == 'misdeal "3♥ was no hit"'
    assert "decision N <stand, double or split> by <croupier> <supervisor>" in first.says
    assert "identify N 6=<card> by <person> <person>" in first.says
    assert table.type(first.line)
    second = table.follower.undo()
    assert second.line == "decision 1 <stand, double or split> by <croupier> <supervisor>"
    assert "reassign 1 by <person> <person>" in second.says
    stood = second.line.replace("<stand, double or split>", "stand").replace("<croupier>", "7")
    assert table.type(stood.replace("<supervisor>", "8"))
    assert table.follower.ask(lambda now: [one.action for one in now.view.round.decisions] if now.view.round else [])


def test_a_card_that_a_hand_asked_for_is_named_anew() -> None:
    options = {"procedure": "second"}
    table = AtTable(Table(table_id="T-1", game="blackjack", decks=2, seats=7, equipment="shoe", options=options))
    table.type("shuffled croupier", "cut player", "cut_card_placed 60", "loaded 104", *["card null unseen=true"] * 2)
    table.type("bets 1:main:100", "card 9h", "card 9s", "card 2h", "decision 1 hit", "card 3h")
    assert table.follower.undo().line == 'misdeal "3♥ was entered wrongly"'
    assert table.type(table.follower.undo().line)
    assert table.follower.undo().line == "reassign 1 by <person> <person>"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], "nothing was typed since this program started"),
        (OPENING[:2], "the last entry was `cut`, and there is no correction for it: the next stack is prepared"),
        (OPENING, "no round is open: a card that was burned"),
    ],
)
def test_where_there_is_no_correction_it_says_why(lines: list[str], why: str) -> None:
    table = AtTable()
    table.type(*lines)
    proposed = table.follower.undo()
    assert proposed.line == ""
    assert why in proposed.says


def test_a_game_that_names_no_card_anew_has_no_correction() -> None:
    table = AtTable(Table(table_id="T-1", game="q_poker", decks=1, seats=7, equipment="shoe"))
    table.type("shuffled croupier", "cut croupier", "cut_card_placed 0", "loaded 52", "bets 1:ante:100", "card 9h")
    assert "renames no card (89/2004 art. 11.º-1)" in table.follower.undo().says


def test_what_tab_offers_is_what_is_allowed_now() -> None:
    table = AtTable()

    def offered(line: str) -> Completions:
        return table.follower.ask(lambda now: complete(line, now))

    assert offered("shuffled ") == Completions(["croupier", "shuffler"], "")
    assert offered("bet").words == ()
    table.type(*OPENING)
    assert offered("be") == Completions(["bets"], "ts ")
    assert offered("bets 1:ba").common == "nker"
    assert offered("bets 1:ti") == Completions(["1:tie:"], "e:")
    table.type(BETS, "card 9h")
    assert "bets_corrected" not in offered("").words
    table.type("misdeal x")
    assert set(offered("").words) >= {"reassign", "identify", "status", "undo"}
    assert "card" not in offered("").words
    assert offered("identify ").words == ["1", "misread", "by"]


@pytest.mark.parametrize("is_hit", [True, False])
def test_a_card_is_offered_while_a_hand_may_hit_if_the_card_is_its_hit(is_hit: bool) -> None:
    options = {"procedure": "second", "drawn_card_is_hit": is_hit}
    table = AtTable(Table(table_id="T-1", game="blackjack", decks=2, seats=7, equipment="shoe", options=options))
    table.type("shuffled croupier", "cut player", "cut_card_placed 60", "loaded 104", *["card null unseen=true"] * 2)
    table.type("bets 1:main:100", "card 9h", "card 9s", "card 2h")
    assert ("card" in table.follower.ask(lambda now: complete("", now)).words) is is_hit
    assert table.type("card 3h")
    assert table.follower.ask(lambda now: now.prompt.do) == ("decide" if is_hit else "resolve")


def test_currencies_have_their_digits() -> None:
    assert [currency(code).text(123456) for code in ("MOP", "JPY", "KWD")] == ["1,234.56", "123,456", "123.456"]
    assert [currency(code).example for code in ("MOP", "JPY", "KWD")] == ["50.50", "50", "50.500"]
    with pytest.raises(ValueError, match="'mop' is no currency of ISO 4217"):
        currency("mop")
