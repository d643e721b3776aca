"""The possible bets before the bets close."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from cardshoe.screens.view import TableView
from cardshoe.screens.view.law import sheet_of, stakes_are_told
from cardshoe.screens.view.parts import RoundView, WagerView
from cardshoe.screens.view.wagers import raised
from cardshoe.screens.words.currency import Currency
from regulations.events.vocabulary import Bet
from regulations.law.sheet import Sheet

_CHIPS: Final = (10, 50, 100, 500, 1_000, 5_000, 10_000, 50_000)


class Cell(Struct, frozen=True, kw_only=True):
    """A place for chips.

    Attributes:
        seat: from 1.
        lies: what stays there from earlier rounds, as an amount; empty: nothing does.
    """

    seat: int
    lies: str = ""


class Band(Struct, frozen=True, kw_only=True):
    """The places of one bet, or of all bets on points."""

    bet: Bet
    cells: Sequence[Cell]
    points: Sequence[Bet] = ()


class Betting(Struct, frozen=True, kw_only=True):
    """The felt before the bets close.

    Attributes:
        usual: the bet that a touch on a seat puts down; empty: none.
        before: what was put down in the last round, JSON; empty: there was none.
    """

    key: str
    bands: Sequence[Band]
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
    """The felt of a table before its bets close.

    Raises:
        TypeError: the profile is not known.
    """
    profile = view.profile
    if profile is None:
        raise TypeError("a table without a profile has no felt")
    tracked = stakes_are_told(profile)
    sheet = sheet_of(profile)
    # A carried wager lies there, and is not told again; one that stood in a tie is, and so is put down.
    standing = [] if sheet.bets.stand_in_tie else view.standing
    seats = range(1, profile.seats + 1)
    bands = [
        Band(
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
    """The key of what is entered after a number of rounds; ``again``: it corrects bets that were closed."""
    return f"{log}:{rounds}:{'again' if again else 'new'}"


def _cell(seat: int, bets: Sequence[Bet], standing: Iterable[WagerView], currency: Currency) -> Cell:
    here = [one for one in standing if one.seat == seat and one.bet in bets]
    stakes = [one.stake for one in here if isinstance(one.stake, int)]
    return Cell(seat=seat, lies=currency.text(sum(stakes)).removesuffix(".00") if stakes else "●" if here else "")


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
