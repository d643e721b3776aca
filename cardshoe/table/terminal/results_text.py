"""The result of a round in words: that of each game, and what each wager wins or loses."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from msgspec import UNSET

from cardshoe.screens.words.currency import Currency
from cardshoe.table.terminal.formatting import article_text, card_text, cards_text, whose_text, words_text
from regulations.events import results
from regulations.events.outputs import CARRIED, SettledWager


def _baccarat(result: results.BaccaratResult) -> list[str]:
    hands = "   ".join(
        f"{side} {points} ({cards_text(cards)})"
        for side, points, cards in (
            ("player", result.points.player, result.cards.player),
            ("banker", result.points.banker, result.cards.banker),
        )
    )
    winner = "TIE" if result.outcome == "tie" else f"{result.outcome.upper()} wins"
    extras = ["natural"] if result.natural else []
    extras += [f"{side} pair" for side in result.pairs]
    more = f" ({', '.join(extras)})" if extras else ""
    return [f"  {winner}{more}{article_text(result)}", f"    {hands}"]


def _seats(lines: Iterator[str], result: results.Result) -> Iterable[str]:
    """The croupier's or banker's hand with the article, then each seat's."""
    return (f"  {next(lines)}{article_text(result)}", *(f"    {line}" for line in lines))


def _blackjack(result: results.BlackjackResult) -> Iterator[str]:
    croupier = result.croupier
    extra = " BLACKJACK" if croupier.blackjack else " bust" if croupier.bust else ""
    yield f"croupier {croupier.points}{extra} ({cards_text(croupier.cards)})"
    for hand in result.hands:
        whose = whose_text("seat", hand.seat, hand.hand)
        yield f"{whose} {hand.points} ({cards_text(hand.cards)}) {words_text(hand.outcome)}"


def _casino_war(result: results.CasinoWarResult) -> Iterator[str]:
    war = f", challenged {cards_text(result.croupier_war)}" if result.croupier_war is not UNSET else ""
    yield f"croupier {card_text(result.croupier)}{war}"
    for seat in result.seats:
        cards = cards_text([seat.card, *(seat.war if seat.war is not UNSET else ())])
        yield f"seat {seat.seat} {cards} {_outcomes(seat)}"


def _q_poker(result: results.QPokerResult) -> Iterator[str]:
    croupier = result.croupier
    plays = "" if croupier.qualifies else ", does not qualify"
    yield f"croupier {words_text(croupier.category)} ({cards_text(croupier.cards)}){plays}"
    for seat in result.seats:
        hand = f"{words_text(seat.category)} ({cards_text(seat.cards)})"
        yield f"seat {seat.seat} {hand} {_outcomes(seat)}".rstrip()


def _outcomes(seat: results.WarSeat | results.PokerSeat) -> str:
    if seat.bettors is not UNSET:
        return ", ".join(f"bettor {bettor.id} {words_text(bettor.outcome)}" for bettor in seat.bettors)
    return "" if seat.outcome is UNSET else words_text(seat.outcome)


def _three_card(result: results.ThreeCardResult) -> Iterator[str]:
    banker = result.banker
    points = "three figures" if banker.points is None else str(banker.points)
    yield f"banker {points}, combination {banker.combination} ({cards_text(banker.cards)})"
    for seat in result.seats:
        yield f"seat {seat.seat} combination {seat.combination} ({cards_text(seat.cards)}) {words_text(seat.outcome)}"


def settled_text(wager: SettledWager, currency: Currency) -> str:
    """The result of a wager: what was at risk, what is won or lost, by which article."""
    if wager.stake is UNSET or wager.net is UNSET:
        stake, net = "1", _pays_text(wager)
    else:
        stake = currency.text(wager.stake)
        net = CARRIED if wager.is_carried else currency.text(wager.net, signed=True)
    who = "all   " if wager.seat is UNSET else f"seat {wager.seat}"
    more = "".join(f", {name} {number}" for name, number in (("hand", wager.hand), ("bettor", wager.id)) if number > 1)
    more += f", residue {wager.residue}" if wager.residue is not UNSET else ""
    return f"{who} {wager.bet:<12}{stake:>10} → {net:>11}{more}   [{wager.article}]"


def _pays_text(wager: SettledWager) -> str:
    """The win or loss of one unit first put down: ``+3/2``, ``-1``, ``0``, ``carried``."""
    if wager.pays is UNSET or wager.is_carried or wager.pays.startswith(("-", "0")):
        return str(wager.pays)
    return f"+{wager.pays}"


RESULT_TEXT: Final[dict[type, Callable[[Any], Iterable[str]]]] = {
    results.BaccaratResult: _baccarat,
    results.BlackjackResult: lambda o: _seats(_blackjack(o), o),
    results.CasinoWarResult: lambda o: _seats(_casino_war(o), o),
    results.QPokerResult: lambda o: _seats(_q_poker(o), o),
    results.ThreeCardResult: lambda o: _seats(_three_card(o), o),
}
"""By the kind of result: the lines that tell it."""
