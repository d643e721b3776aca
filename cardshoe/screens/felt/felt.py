"""The layout as a drawing needs it: places, cards, next card."""

from collections.abc import Container, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType

from cardshoe.screens.felt.action_buttons import lies_open
from cardshoe.screens.rounds.sums import sums_of
from cardshoe.screens.view import TableView
from cardshoe.screens.view.law import result_of, sheet_of
from cardshoe.screens.view.parts import LyingCard, Profile, WagerView
from cardshoe.screens.words.currency import Currency
from cardshoe.screens.words.sentences import place_in
from regulations.events.cards import Card
from regulations.events.outputs import ReturnedWager, SettledWager
from regulations.events.vocabulary import Holder

Key = tuple[int, str, int, int, int]
"""A wager by seat (0: none), bet, bettor, hand, pair."""
Outcome = Literal["", "win", "lose", "even", "carried"]
Face = Literal["open", "down", "next", "empty"]


class Slot(Struct, frozen=True, kw_only=True):
    """A place for a card.

    Attributes:
        position: in the hand, from 1.
        down: of the next card: laid face down.
        by_hand: entered by a person.
        number: in drawing order while an irregularity is open; 0: unknown.
        concerned: subject of the irregularity to resolve first.
        was: the open card before a correction.
    """

    position: int
    face: Face
    card: Card | None = None
    down: bool = False
    by_hand: bool = False
    number: int = 0
    concerned: bool = False
    renamed: bool = False
    was: Card | None = None


class Payment(Struct, frozen=True):
    """Outcome, and an amount or the pay of one unit; ``""``: not decided."""

    outcome: Outcome = ""
    net: str = ""


class Chip(Struct, frozen=True, kw_only=True):
    """A wager at its place.

    Attributes:
        key: stable on the page.
        stake: empty: not recorded.
        outcome: ``""``: not settled.
        before: payment before a correction; ``None``: none.
    """

    key: str
    bet: str
    bettor: int
    stake: str
    outcome: Outcome = ""
    net: str = ""
    before: Payment | None = None

    @property
    def now(self) -> Payment:
        """The valid payment."""
        return Payment(self.outcome, self.net)


class Hand(Struct, frozen=True, kw_only=True):
    """The cards of one hand.

    Attributes:
        seat: 0: not a seat's.
        is_due: subject of the prompt.
        points: before the result only while no card is face down.
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
    number: int
    plays: bool
    is_due: bool
    hands: Sequence[Hand]
    chips: Sequence[Chip]


class Verdict(Struct, frozen=True, kw_only=True):
    """A common result with its money.

    Attributes:
        outcome: empty: each hand has its own.
        points: of the winner or the tie; ``None``: none.
        take: the casino's receipts as an amount; empty: not recorded or nothing.
        pay: likewise.
    """

    outcome: str = ""
    points: int | None = None
    marks: Sequence[str] = ()
    take: str = ""
    pay: str = ""


class Felt(Struct, frozen=True, kw_only=True):
    """The layout.

    Attributes:
        carded: seats have cards.
        loose: settlements without a seat.
        waiting: unplaced cards with their numbers, or 0.
        before: reversed outcome, if common; else empty.
    """

    tops: Sequence[Hand]
    seats: Sequence[Seat]
    carded: bool
    loose: Sequence[Chip]
    waiting: Sequence[tuple[int, Card | None]] = ()
    changed: bool = False
    before: str = ""
    after: str = ""
    verdict: Verdict | None = None


def felt_of(view: TableView, currency: Currency) -> Felt:
    """The layout; of the last round while none is open.

    Raises:
        TypeError: the profile is not known.
    """
    if view.profile is None:
        raise TypeError("a table without a profile has no felt")
    return _Drawing(view, view.profile, currency).felt()


def left_of(view: TableView) -> Sequence[tuple[Card | None, LyingCard | None]]:
    if view.round is None:
        return []
    places = {one.number: one for one in view.round.cards if one.number is not UNSET}
    return [(card, places.get(number)) for number, card in enumerate(view.round.left, start=1)]


class _Drawing:
    def __init__(self, view: TableView, profile: Profile, currency: Currency) -> None:
        self._view: Final = view
        self._profile: Final = profile
        self._sheet: Final = sheet_of(profile)
        self._currency: Final = currency
        self._round: Final = view.round
        now = view.round
        self._settled: Final = {key_of(one): one for one in ([] if now is None else now.settled)}
        self._reversed: Final = {key_of(one): one for one in ([] if now is None else now.settled_before)}
        resolving = view.prompt is not None and view.prompt.do == "resolve"
        self._first: Final = view.irregularities[0] if resolving and view.irregularities else None
        result = None if now is None else result_of(profile, now.result)
        self._result: Final = {(one.owner, one.seat, one.hand or 1): one for one in (result.shown() if result else ())}

    def felt(self) -> Felt:
        now = self._round
        tops = [self._hand(owner, 0, 1) for owner in self._sheet.layout.tops]
        seats = [self._seat(number) for number in range(1, self._profile.seats + 1)]
        loose = self._settlements(0, ())
        before, after = _outcome(now.result_before if now else UNSET), _outcome(now.result if now else UNSET)
        chips = [*loose, *(one for seat in seats for one in seat.chips)]
        return Felt(
            tops=tops,
            seats=seats,
            carded=self._sheet.layout.seats_have_cards,
            loose=loose,
            waiting=self._waiting(),
            changed=bool(before and before != after) or any(one.before is not None for one in chips),
            before=before,
            after=after,
            verdict=self._verdict(after),
        )

    def _verdict(self, outcome: str) -> Verdict | None:
        now = self._round
        if now is None or isinstance(now.result, UnsetType) or now.voided is not UNSET:
            return None
        result, sums = now.result, sums_of(now)
        points = result.get("points") if outcome else None
        sides = {"tie": "player"}
        return Verdict(
            outcome=outcome,
            points=points.get(sides.get(outcome, outcome)) if isinstance(points, dict) else None,
            marks=[
                *(["natural"] if result.get("natural") is True else []),
                *(f"{one}_pair" for one in result.get("pairs", []) if outcome),
            ],
            take=self._total(sums.lost),
            pay=self._total(sums.won),
        )

    def _total(self, total: int) -> str:
        return short(self._currency.text(total)) if total else ""

    def _waiting(self) -> Sequence[tuple[int, Card | None]]:
        laid = {one.number for one in self._round.cards} if self._round is not None else set()
        found = [(one.number, one.card) for one in self._view.irregularities if one.number and one.number not in laid]
        return found if self._round is not None else [(0, card) for card in self._view.astray]

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
            points=self._running([*lying.values()]) if ended is None else ended.points,
            endings=() if ended is None else ended.endings,
        )

    def _running(self, lying: Sequence[LyingCard]) -> int | None:
        cards = [one.card for one in lying if one.card is not None]
        return self._sheet.layout.points(cards) if cards and len(cards) == len(lying) else None

    def _slot(self, position: int, lying: LyingCard | None, due_at: int, owner: Holder) -> Slot:
        if lying is not None:
            return Slot(
                position=position,
                face="down" if lying.card is None else "open",
                card=lying.card,
                by_hand=lying.by_hand,
                number=(lying.number or 0) if self._first is not None else 0,
                concerned=self._concerns(lying),
                renamed=lying.was is not UNSET,
                was=lying.was or None,
            )
        if position == due_at:
            return Slot(position=position, face="next", down=not lies_open(self._view, self._profile, owner, position))
        return Slot(position=position, face="empty")

    def _concerns(self, lying: LyingCard) -> bool:
        first = self._first
        if first is None:
            return False
        if first.code == "croupier_card_exposed":
            return lying.to == self._sheet.hidden_house
        place = place_in(first.detail)
        if place is not None:
            return place == (lying.to, lying.seat or 0, (lying.hand or 1) if lying.seat else 0, lying.position)
        return bool(first.number) and first.number == lying.number

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
        chips = [self._chip(key_of(one), one) for one in mine]
        chips += self._settlements(number, {key_of(one) for one in mine})
        playing = [] if self._round is None else self._round.seats
        hands = list(self._hands(number))
        return Seat(
            number=number,
            plays=bool(mine) or number in playing,
            is_due=any(hand.is_due for hand in hands),
            hands=hands,
            chips=chips,
        )

    def _settlements(self, seat: int, told: Container[Key]) -> list[Chip]:
        both = {**self._reversed, **self._settled}
        return [self._chip(key, one) for key, one in both.items() if key[0] == seat and key not in told]

    def _chip(self, key: Key, one: WagerView | SettledWager) -> Chip:
        stake = "" if one.stake is UNSET else short(self._currency.text(one.stake))
        now = payment_of(self._settled.get(key), self._currency)
        before = payment_of(self._reversed.get(key), self._currency)
        return Chip(
            key="chip-" + "-".join(map(str, key)),
            bet=one.bet,
            bettor=one.id,
            stake=stake,
            outcome=now.outcome,
            net=now.net,
            before=None if before in (now, Payment()) else before,
        )


def payment_of(one: SettledWager | None, currency: Currency) -> Payment:
    if one is None:
        return Payment()
    if one.is_carried:
        return Payment("carried")
    if one.net is not UNSET:
        return Payment(_ending(one.net), short(currency.text(abs(one.net))))
    pays = Fraction(0 if one.pays is UNSET else one.pays)
    return Payment(_ending(pays), _unit(abs(pays)))


def _ending(net: int | Fraction) -> Outcome:
    return "win" if net > 0 else "lose" if net < 0 else "even"


def short(amount: str) -> str:
    whole, _, rest = amount.partition(".")
    return amount if rest.strip("0") else whole


def _unit(pays: Fraction) -> str:
    """The pay of one unit: ``19:20``; ``1``: the whole."""
    return "1" if pays == 1 else f"{pays.numerator}:{pays.denominator}"


def key_of(one: WagerView | SettledWager | ReturnedWager) -> Key:
    return one.seat or 0, one.bet, one.id, one.hand or 1, one.pair or 0


def _outcome(result: Mapping[str, Any] | UnsetType) -> str:
    return "" if isinstance(result, UnsetType) else str(result.get("outcome", ""))
