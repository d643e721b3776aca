"""Results of a round in words, and each wager's win or loss."""

from collections.abc import Iterator

from msgspec import UNSET

from cardshoe.screens.words.currency import Currency
from cardshoe.table.terminal.formatting import article_text, card_text, cards_text, whose_text, words_text
from regulations.events.outputs import CARRIED, SettledWager
from regulations.events.results import HandShown, Result


def result_text(result: Result) -> Iterator[str]:
    hands = [_hand(one) for one in result.shown()]
    if result.headline:
        yield f"  {result.headline}{article_text(result)}"
        yield f"    {'   '.join(hands)}"
    else:
        yield f"  {hands[0]}{article_text(result)}"
        yield from (f"    {hand}" for hand in hands[1:])


def _hand(one: HandShown) -> str:
    cards, first, rest = cards_text(one.cards), card_text(one.cards[0]), cards_text(one.cards[1:])
    text = f"{whose_text(one.owner, one.seat or UNSET, one.hand or UNSET)} "
    text += one.says.format(cards=cards, first=first, rest=rest)
    return f"{text} {_outcome(one)}".rstrip() if one.seat else text


def _outcome(one: HandShown) -> str:
    return ", ".join(f"bettor {who} {words_text(what)}" if who else words_text(what) for who, what in one.endings)


def settled_text(wager: SettledWager, currency: Currency) -> str:
    if wager.stake is UNSET or wager.net is UNSET:
        stake, net = "1", _pays_text(wager)
    else:
        stake = currency.text(wager.stake)
        net = CARRIED if wager.is_carried else currency.text(wager.net, signed=True)
    who = "all   " if wager.seat is UNSET else f"seat {wager.seat}"
    more = "".join(f", {name} {number}" for name, number in (("hand", wager.hand), ("bettor", wager.id)) if number > 1)
    more += f", residue {wager.residue}" if wager.residue is not UNSET else ""
    return f"{who} {wager.bet:<12}{stake:>10} → {net:>10}{more}   [{wager.article}]"


def _pays_text(wager: SettledWager) -> str:
    if wager.pays is UNSET or wager.is_carried or wager.pays.startswith(("-", "0")):
        return str(wager.pays)
    return f"+{wager.pays}"
