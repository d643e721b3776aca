"""The possible bets before the bets close."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from cardshoe.screens.view import TableView
from cardshoe.screens.view.law import sheet_of, stakes_are_known
from cardshoe.screens.view.parts import RoundView, WagerView
from cardshoe.screens.view.wagers import raised
from cardshoe.screens.words.currency import Currency
from regulations.events.vocabulary import Bet
from regulations.law.sheet import Sheet

_CHIPS: Final = (10, 50, 100, 500, 1_000, 5_000, 10_000, 50_000)


class ChipPlace(Struct, frozen=True, kw_only=True):
    seat: int
    lies: str = ""


class BetBand(Struct, frozen=True, kw_only=True):
    bet: Bet
    cells: Sequence[ChipPlace]
    points: Sequence[Bet] = ()


class Betting(Struct, frozen=True, kw_only=True):
    """The layout before the bets close.

    Attributes:
        usual: bet of a touch on a seat; empty: none.
        before: last round's bets, JSON; empty: none.
    """

    key: str
    bands: Sequence[BetBand]
    seats: int
    tracked: bool
    usual: str
    start: str
    before: str
    full: str
    chips: Sequence[tuple[int, str]]
    digits: int
    correcting: bool


def betting_of(view: TableView, currency: Currency, *, correcting: bool) -> Betting:
    profile = view.profile
    if profile is None:
        raise TypeError("a table without a profile has no felt")
    tracked = stakes_are_known(profile)
    sheet = sheet_of(profile)
    # A carried wager lies there, and is not told again; one that stood in a tie is, and so is put down.
    standing = [] if sheet.bets.stand_in_tie else view.standing
    seats = range(1, profile.seats + 1)
    bands = [
        BetBand(
            bet=band[0],
            cells=[_cell(seat, band, standing, currency) for seat in seats],
            points=band if len(band) > 1 else (),
        )
        for band in sheet.layout.bands
    ]
    last = view.last
    told = view.round if correcting else None
    return Betting(
        key=draft_key(view.log, view.rounds, again=correcting),
        bands=bands,
        seats=profile.seats,
        tracked=tracked,
        usual=sheet.bets.usual,
        start=_start(view, sheet) if told is None else _said(told.seats, _first(sheet, told, standing)),
        before="" if last is None or last.demonstration else _said(last.seats, _first(sheet, last, standing)),
        full=_said(seats, []),
        chips=[(chip * 10**currency.digits, _on_chip(chip)) for chip in _CHIPS],
        digits=currency.digits,
        correcting=correcting,
    )


def _on_chip(units: int) -> str:
    return f"{units // 1000}K" if units >= 10_000 else f"{units:,}"  # noqa: PLR2004  five digits


def draft_key(log: str, rounds: int, *, again: bool = False) -> str:
    return f"{log}:{rounds}:{'again' if again else 'new'}"


def _cell(seat: int, bets: Sequence[Bet], standing: Iterable[WagerView], currency: Currency) -> ChipPlace:
    here = [one for one in standing if one.seat == seat and one.bet in bets]
    stakes = [one.stake for one in here if isinstance(one.stake, int)]
    return ChipPlace(seat=seat, lies=currency.text(sum(stakes)).removesuffix(".00") if stakes else "●" if here else "")


def _start(view: TableView, sheet: Sheet) -> str:
    seats = sorted({one.seat for one in view.standing})
    return _said(seats, view.standing if sheet.bets.stand_in_tie else [])


def _first(sheet: Sheet, last: RoundView, standing: Sequence[WagerView]) -> list[WagerView]:
    lying = {(one.seat, one.bet, one.id) for one in standing}
    added = {one.adds for one in sheet.choices}
    found = []
    for one in last.wagers:
        if one.hand > 1 or one.pair is not UNSET or one.bet in added or (one.seat, one.bet, one.id) in lying:
            continue
        stake = one.stake // 2 ** raised(sheet, one, last.decisions) if isinstance(one.stake, int) else UNSET
        found.append(WagerView(seat=one.seat, bet=one.bet, id=one.id, stake=stake))
    return found


def _said(seats: Iterable[int], wagers: Iterable[WagerView]) -> str:
    def fields(one: WagerView) -> dict[str, Any]:
        stake = {} if one.stake is UNSET else {"stake": one.stake}
        return {"seat": one.seat, "bet": one.bet, "id": one.id, **stake}

    return msgspec.json.encode({"seats": list(seats), "wagers": [fields(one) for one in wagers]}).decode()
