"""The felt of a table as a drawing needs it: whose place is where, what lies there, what comes there next."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final, Literal

from msgspec import UNSET, Struct

from cardshoe.screens.felt.action_buttons import lies_open
from cardshoe.screens.view import TableView
from cardshoe.screens.view.law import result_of, sheet_of
from cardshoe.screens.view.parts import LyingCard, Profile, WagerView
from cardshoe.screens.words.currency import Currency
from regulations.events.cards import Card
from regulations.events.outputs import SettledWager
from regulations.events.vocabulary import Holder

Face = Literal["open", "down", "next", "empty"]


class Slot(Struct, frozen=True, kw_only=True):
    """A place for a card.

    Attributes:
        position: in the hand, from 1.
        face: what is there.
        card: where it lies open.
        down: of the next card, whether it is laid face down.
        by_hand: whether a person entered it, and no device.
    """

    position: int
    face: Face
    card: Card | None = None
    down: bool = False
    by_hand: bool = False


class Chip(Struct, frozen=True, kw_only=True):
    """A wager at its place.

    Attributes:
        key: names it on the page.
        bet: the kind of wager.
        bettor: on the seat, from 1.
        stake: as an amount; empty where the table is not told the stakes.
        outcome: of its settlement, ``""`` before it.
        net: what it is paid or loses, as an amount, or of one unit.
    """

    key: str
    bet: str
    bettor: int
    stake: str
    outcome: Literal["", "win", "lose", "even", "carried"] = ""
    net: str = ""


class Hand(Struct, frozen=True, kw_only=True):
    """The cards of one hand.

    Attributes:
        key: names it on the page.
        owner: whose they are.
        seat: of a seat's: its number, else 0.
        number: of the seat's hand, from 1.
        slots: the places.
        is_due: whether the prompt is about it.
        points: of its cards, once the result tells them.
        endings: once the result tells them: as `HandShown.endings`.
    """

    key: str
    owner: Holder
    seat: int = 0
    number: int = 1
    slots: Sequence[Slot] = ()
    is_due: bool = False
    points: int | None = None
    endings: Sequence[tuple[int, str]] = ()


class Seat(Struct, frozen=True, kw_only=True):
    """A place of players.

    Attributes:
        number: from 1.
        plays: whether a wager lies there.
        is_due: whether the prompt is about it.
        hands: its cards; in baccarat none.
        chips: its wagers.
    """

    number: int
    plays: bool
    is_due: bool
    hands: Sequence[Hand]
    chips: Sequence[Chip]


class Felt(Struct, frozen=True, kw_only=True):
    """The felt.

    Attributes:
        tops: hands at the top: player and banker, or the house.
        seats: from 1.
        loose: settlements that name no seat, of baccarat without told stakes.
    """

    tops: Sequence[Hand]
    seats: Sequence[Seat]
    loose: Sequence[Chip]


def felt_of(view: TableView, currency: Currency) -> Felt:
    """The felt of a table; of the last round while none is open.

    Args:
        view: of a table whose profile is known.
        currency: in which amounts are shown.

    Raises:
        TypeError: the profile is not known.
    """
    if view.profile is None:
        raise TypeError("a table without a profile has no felt")
    return _Drawing(view, view.profile, currency).felt()


class _Drawing:
    def __init__(self, view: TableView, profile: Profile, currency: Currency) -> None:
        self._view: Final = view
        self._profile: Final = profile
        self._sheet: Final = sheet_of(profile)
        self._currency: Final = currency
        self._round: Final = view.round
        result = None if self._round is None else result_of(profile, self._round.result)
        self._result: Final = {(one.owner, one.seat, one.hand or 1): one for one in (result.shown() if result else ())}

    def felt(self) -> Felt:
        settled = [] if self._round is None else self._round.settled
        return Felt(
            tops=[self._hand(owner, 0, 1) for owner in self._sheet.layout.tops],
            seats=[self._seat(number) for number in range(1, self._profile.seats + 1)],
            loose=[self._chip(None, one) for one in settled if one.seat is UNSET],
        )

    # --- cards -------------------------------------------------------------------------------------------------------

    def _hand(self, owner: Holder, seat: int, number: int) -> Hand:
        lying = {one.position: one for one in self._cards(owner, seat, number)}
        due = self._is_due(owner, seat, number)
        prompt = self._view.prompt
        draws = due and prompt is not None and prompt.do == "draw" and prompt.position is not UNSET
        due_at = prompt.position if draws and prompt is not None and prompt.position is not UNSET else 0
        last = max(self._sheet.layout.cards, due_at, *lying)
        ended = self._result.get((owner, seat, number))
        return Hand(
            key=f"hand-{owner}-{seat}-{number}",
            owner=owner,
            seat=seat,
            number=number,
            slots=[self._slot(position, lying.get(position), due_at, owner) for position in range(1, last + 1)],
            is_due=due,
            points=None if ended is None else ended.points,
            endings=() if ended is None else ended.endings,
        )

    def _slot(self, position: int, lying: LyingCard | None, due_at: int, owner: Holder) -> Slot:
        if lying is not None:
            face: Face = "down" if lying.card is None else "open"
            return Slot(position=position, face=face, card=lying.card, by_hand=lying.by_hand)
        if position == due_at:
            return Slot(position=position, face="next", down=not lies_open(self._view, self._profile, owner, position))
        return Slot(position=position, face="empty")

    def _cards(self, owner: Holder, seat: int, number: int) -> list[LyingCard]:
        return [
            one
            for one in ([] if self._round is None else self._round.cards)
            if one.to == owner and (one.seat or 0, one.hand or 1) in ((seat, number), (0, number))
        ]

    def _is_due(self, owner: Holder, seat: int, number: int) -> bool:
        prompt = self._view.prompt
        if prompt is None or prompt.do not in ("draw", "reveal", "decide"):
            return False
        to = "seat" if prompt.to is UNSET else prompt.to
        if to != "seat":
            return to == owner
        return (owner, prompt.seat, prompt.hand or 1) == ("seat", seat, number)

    def _hands(self, seat: int) -> Iterator[Hand]:
        if not self._sheet.layout.seats_have_cards:
            return
        cards = [] if self._round is None else self._round.cards
        for number in sorted({1} | {one.hand or 1 for one in cards if one.to == "seat" and one.seat == seat}):
            yield self._hand("seat", seat, number)

    # --- wagers ------------------------------------------------------------------------------------------------------

    def _seat(self, number: int) -> Seat:
        wagers = self._view.standing if self._round is None else self._round.wagers
        mine = [one for one in wagers if one.seat == number]
        settled = [] if self._round is None else [one for one in self._round.settled if one.seat == number]
        chips = [self._chip(one, _settlement(one, settled)) for one in mine]
        told = {(one.bet, one.id, one.hand) for one in mine}
        chips += [self._chip(None, one) for one in settled if (one.bet, one.id, one.hand) not in told]
        playing = [] if self._round is None else self._round.seats
        hands = list(self._hands(number))
        return Seat(
            number=number,
            plays=bool(mine) or number in playing,
            is_due=any(hand.is_due for hand in hands),
            hands=hands,
            chips=chips,
        )

    def _chip(self, wager: WagerView | None, settled: SettledWager | None) -> Chip:
        one = wager or settled
        if one is None:
            raise TypeError("neither a wager nor a settlement")
        stake = "" if one.stake is UNSET else _short(self._currency.text(one.stake))
        seat = 0 if one.seat is UNSET else one.seat
        chip = Chip(key=f"chip-{seat}-{one.bet}-{one.id}-{one.hand}", bet=one.bet, bettor=one.id, stake=stake)
        if settled is None:
            return chip
        outcome, net = self._settled(settled)
        return Chip(key=chip.key, bet=chip.bet, bettor=chip.bettor, stake=stake, outcome=outcome, net=net)

    def _settled(self, one: SettledWager) -> tuple[Literal["win", "lose", "even", "carried"], str]:
        if one.is_carried:
            return "carried", ""
        if one.net is not UNSET:
            return _ending(one.net), _short(self._currency.text(abs(one.net)))
        pays = Fraction(0 if one.pays is UNSET else one.pays)
        return _ending(pays), _unit(abs(pays))


def _ending(net: int | Fraction) -> Literal["win", "lose", "even"]:
    return "win" if net > 0 else "lose" if net < 0 else "even"


def _short(amount: str) -> str:
    """An amount without decimals that are none."""
    whole, _, rest = amount.partition(".")
    return amount if rest.strip("0") else whole


def _unit(pays: Fraction) -> str:
    """The pay of one unit, as croupiers say it: ``19:20``; ``1`` alone: the whole of it."""
    return "1" if pays == 1 else f"{pays.numerator}:{pays.denominator}"


def _settlement(wager: WagerView, settled: Sequence[SettledWager]) -> SettledWager | None:
    key = (wager.bet, wager.id, wager.hand)
    return next((one for one in settled if (one.bet, one.id, one.hand) == key), None)
