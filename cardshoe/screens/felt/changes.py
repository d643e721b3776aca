"""Cards, hands and payments before and after an act of two people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from cardshoe.screens.felt.felt import Key, Payment, key_of, payment_of, short
from cardshoe.screens.view.card_layout import Owner, owner_of
from cardshoe.screens.view.law import result_of
from cardshoe.screens.view.parts import LyingCard, Profile, RoundView, WagerView
from cardshoe.screens.words.currency import Currency
from regulations.events.cards import Card
from regulations.events.outputs import SettledWager

HandEnd = tuple[int | None, Sequence[tuple[int, str]]]


class EnteredChange(Struct, frozen=True, kw_only=True):
    """A renamed card.

    Attributes:
        number: in drawing order; of an unreported card, of the one before.
        was: ``None``: face down.
        now: ``None``: no name.
        becomes: ``none``: it never left; ``burn``: it does not count; ``after``: it left behind that number.
    """

    number: int
    was: Card | None = None
    at: LyingCard | None = None
    now: Card | None = None
    becomes: str = ""


class PlaceChange(Struct, frozen=True, kw_only=True):
    """A place before and after.

    Attributes:
        lay: a card was there; ``was`` ``None``: face down.
        lies: one is there then; likewise ``now``.
    """

    at: LyingCard
    lay: bool
    lies: bool
    was: Card | None = None
    now: Card | None = None


class HandChange(Struct, frozen=True, kw_only=True):
    owner: Owner
    was: HandEnd | None
    now: HandEnd | None


class WagerChange(Struct, frozen=True, kw_only=True):
    """A wager before and after.

    Attributes:
        seat: 0: any, wagers are not recorded.
        stake_was: ``●``: not recorded; empty: no such wager.
    """

    seat: int
    bet: str
    bettor: int
    hand: int
    was: Payment
    now: Payment
    stake_was: str = ""
    stake: str = ""
    returned: bool = False


class Changes(Struct, frozen=True, kw_only=True):
    """The changes of an act.

    Attributes:
        outcomes: of a common result, before and after; empty: none.
        is_partial: more follows once a face-down card is opened.
    """

    entered: Sequence[EnteredChange]
    places: Sequence[PlaceChange]
    hands: Sequence[HandChange]
    outcomes: tuple[str, str]
    wagers: Sequence[WagerChange]
    is_void: bool
    is_partial: bool


def changes_of(
    profile: Profile,
    before: RoundView,
    after: RoundView,
    amendments: Sequence[Mapping[str, Any]],
    currency: Currency,
    *,
    is_partial: bool,
) -> Changes:
    entered = [_entered(before, one) for one in amendments]
    named = {one.number: one.now for one in entered if one.becomes != "after"}
    is_void = after.voided is not UNSET and before.voided is UNSET
    return Changes(
        entered=entered,
        places=[one for one in _places(before, after) if not _is_entered(one, named)],
        hands=[] if is_void else list(_hands(profile, before, after)),
        outcomes=(_outcome(before), _outcome(after)),
        wagers=list(_wagers(before, after, currency)),
        is_void=is_void,
        is_partial=is_partial,
    )


def _entered(before: RoundView, entry: Mapping[str, Any]) -> EnteredChange:
    if "after" in entry:
        return EnteredChange(number=entry["after"], now=entry.get("card"), becomes="after")
    number = entry["index"]
    return EnteredChange(
        number=number,
        was=before.left[number - 1] if 0 < number <= len(before.left) else None,
        at=next((one for one in before.cards if one.number == number), None),
        now=entry.get("card"),
        becomes="" if entry.get("card") else entry.get("to", ""),
    )


def _is_entered(change: PlaceChange, named: Mapping[int, Card | None]) -> bool:
    number = change.at.number or 0
    return change.lay and number in named and (named[number], named[number] is not None) == (change.now, change.lies)


def _places(before: RoundView, after: RoundView) -> Iterator[PlaceChange]:
    was, now = _by_place(before.cards), _by_place(after.cards)
    for place in [*was, *(one for one in now if one not in was)]:
        old, new = was.get(place), now.get(place)
        lay, lies = (None if old is None else old.card), (None if new is None else new.card)
        if (at := old or new) is not None and (old is None, lay) != (new is None, lies):
            yield PlaceChange(at=at, lay=old is not None, lies=new is not None, was=lay, now=lies)


def _by_place(cards: Sequence[LyingCard]) -> dict[tuple[Owner, int], LyingCard]:
    return {(owner_of(one.to, one.seat, one.hand), one.position): one for one in cards}


def _hands(profile: Profile, before: RoundView, after: RoundView) -> Iterator[HandChange]:
    was, now = _ends(profile, before), _ends(profile, after)
    for owner in [*was, *(one for one in now if one not in was)]:
        if was.get(owner) != now.get(owner):
            yield HandChange(owner=owner, was=was.get(owner), now=now.get(owner))


def _ends(profile: Profile, found: RoundView) -> dict[Owner, HandEnd]:
    result = result_of(profile, found.result)
    return {} if result is None else {(o.owner, o.seat, o.hand): (o.points, o.endings) for o in result.shown()}


def _outcome(found: RoundView) -> str:
    return "" if found.result is UNSET else str(found.result.get("outcome", ""))


def _wagers(before: RoundView, after: RoundView, currency: Currency) -> Iterator[WagerChange]:
    stakes = [_stakes(before), _stakes(after)]
    settled = [{key_of(one): one for one in of.settled} for of in (before, after)]
    returned = {key_of(one) for one in after.returned} - {key_of(one) for one in before.returned}
    keys: dict[Key, None] = dict.fromkeys([*stakes[0], *stakes[1], *returned])
    for key in sorted(keys):
        was, now = (payment_of(of.get(key), currency) for of in settled)
        stake_was, stake = (of.get(key, UNSET) for of in stakes)
        if (was, stake_was, key in stakes[0]) != (now, stake, key in stakes[1]) or key in returned:
            seat, bet, bettor, hand, _ = key
            yield WagerChange(
                seat=seat,
                bet=bet,
                bettor=bettor,
                hand=hand,
                was=was,
                now=now,
                stake_was=_stake(stakes[0], key, currency),
                stake=_stake(stakes[1], key, currency),
                returned=key in returned,
            )


def _stakes(found: RoundView) -> dict[Key, int | UnsetType]:
    wagers: list[WagerView | SettledWager] = [*found.settled, *found.wagers]
    return {key_of(one): one.stake for one in wagers}


def _stake(stakes: Mapping[Key, int | UnsetType], key: Key, currency: Currency) -> str:
    if (stake := stakes.get(key)) is None:
        return ""
    return "●" if stake is UNSET else short(currency.text(stake))
