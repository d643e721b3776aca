"""A table's state in words."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import UNSET

from cardshoe.screens.view import TableView
from cardshoe.screens.view.card_layout import Owner, of_owner, owner_of
from cardshoe.screens.view.parts import (
    DecisionView,
    DeviceView,
    IrregularityView,
    LyingCard,
    RoundView,
    ShoeView,
    WagerView,
)
from cardshoe.table.terminal.formatting import COLUMNS, PLAIN, Voice, cards_text, count_text, fitted, frame_text
from cardshoe.table.terminal.shown import shown
from cardshoe.table.terminal.text import OUTPUT_TEXT, duties_text, prompt_text
from regulations.events import outputs
from regulations.events.codec import result_of
from regulations.games.registry import SHEETS

NAME: Final = 14


def status_text(view: TableView, columns: int = COLUMNS, voice: Voice = PLAIN) -> str:
    """The current round in lines of at most ``columns``, from 40."""
    view = shown(view)
    lines = [*_table(view), *_round(view, voice), *_irregularities(view.irregularities), *_rest(view), *_next(view)]
    return "\n".join(short for line in lines for short in fitted(line, columns))


def _table(view: TableView) -> Iterator[str]:
    if view.profile is None:
        yield "no line of a table yet"
        return
    of = view.profile
    of_what = f"{count_text(of.decks, 'deck')}, {count_text(of.seats, 'seat')}, {of.equipment}"
    yield f"table {of.table_id}: {of.game}, {of_what}"
    yield f"line {view.seq} of the log {view.log[:16]}, {view.at}"
    yield _shoe(view.shoe)


def _shoe(shoe: ShoeView) -> str:
    if not shoe.number:
        return "no shoe game yet"
    if shoe.is_over:
        return f"shoe game {shoe.number}: over, {shoe.dealt} cards came out"
    if shoe.loaded is UNSET:
        done = [word for word, is_so in (("shuffled", shoe.shuffled), ("cut", shoe.cut)) if is_so]
        return f"shoe game {shoe.number}: {', '.join(done) or 'not shuffled'}, not loaded"
    more = [", the cut card is out"] * shoe.cut_card_out + [", LAST ROUND"] * shoe.is_last_round
    return f"shoe game {shoe.number}: {shoe.loaded} cards loaded, {shoe.dealt} dealt{''.join(more)}"


def _round(view: TableView, voice: Voice) -> Iterator[str]:
    if view.round is None:
        announced = "; the coming one is a demonstration" if view.demonstration else ""
        yield f"no round is open{announced}"
        yield from (f"  stays on the table: {_wager(one, voice)}" for one in view.standing)
        if view.last is not None:
            yield f"the last one was round {view.last.number}"
            yield from _outcome(view, view.last, voice)
        return
    is_shown = "demonstration, " if view.round.demonstration else ""
    closed = "bets closed" if view.round.bets_closed else "bets not entered"
    yield f"── round {view.round.number} ({is_shown}{closed}) ──"
    if view.round.bets_closed and not view.round.wagers:
        yield f"  seats {', '.join(map(str, view.round.seats)) or 'none'}"
    yield from (f"  {_wager(one, voice)}" for one in view.round.wagers)
    yield from _cards(view.round)
    yield from (f"  {_decision(one, voice)}" for one in view.round.decisions)
    yield from _outcome(view, view.round, voice)


def _wager(wager: WagerView, voice: Voice) -> str:
    who = _seat(wager.seat, wager.hand) + (f" bettor {wager.id}" if wager.id > 1 else "")
    stake = "" if wager.stake is UNSET else f"{voice.amount(wager.stake):>16}"
    return f"{who:<{NAME}}{wager.bet:<14}{stake}".rstrip()


def _cards(game_round: RoundView) -> Iterator[str]:
    owners: dict[Owner, None] = dict.fromkeys(owner_of(one.to, one.seat, one.hand) for one in game_round.cards)
    for owner in owners:
        to, seat, hand = owner
        name = _seat(seat, hand) if seat else to
        yield f"  {name:<{NAME}}{_hand(of_owner(game_round.cards, owner))}"
    if game_round.burned:
        yield f"  {'burned':<{NAME}}{_shown([one.card for one in game_round.burned])}"
    if game_round.corrected:
        yield "  two persons have corrected the cards: compare each place with the felt"


def _hand(cards: Sequence[LyingCard]) -> str:
    return _shown([one.card for one in cards])


def _shown(cards: Sequence[str | None]) -> str:
    hidden = sum(card is None for card in cards)
    return cards_text(cards) + (f"  ({hidden} face down)" if hidden else "")  # type: ignore[arg-type]  # it shows a hidden card as a back


def _decision(one: DecisionView, voice: Voice) -> str:
    amount = "" if one.amount is UNSET else f", {voice.amount(one.amount)}"
    bettor = f" bettor {one.id}" if one.id > 1 else ""
    return f"{_seat(one.seat, one.hand) + bettor:<{NAME}}{one.action.replace('_', ' ')}{amount}"


def _seat(seat: int, hand: int) -> str:
    return f"seat {seat}" + (f" hand {hand}" if hand > 1 else "")


def _outcome(view: TableView, game_round: RoundView, voice: Voice) -> Iterator[str]:
    if game_round.result is not UNSET and view.profile is not None:
        result = result_of(SHEETS[view.profile.game].result, game_round.result)
        yield from _told(result, voice)
    if game_round.settled:
        yield from _told(outputs.Settled(wagers=game_round.settled), voice)
    if game_round.voided is not UNSET:
        yield from _told(outputs.Voided(reason=game_round.voided, wagers=game_round.returned), voice)


def _irregularities(still_open: Sequence[IrregularityView]) -> Iterator[str]:
    for one in still_open:
        yield from _told(
            outputs.Irregularity(
                irregularity=one.irregularity,
                code=one.code,
                card=one.card,
                actions=one.actions,
                detail=one.detail,
                article=one.article or UNSET,
            ),
            PLAIN,
        )


def _told(output: Any, voice: Voice) -> Iterator[str]:  # noqa: ANN401  each kind of output has its own teller there
    yield from OUTPUT_TEXT[outputs.kind_of(output)](output, voice)


def _rest(view: TableView) -> Iterator[str]:
    for name, device in view.devices.items():
        yield f"device {name}: {_device(device)}"
    for name, witness in view.witnesses.items():
        yield f"witness {name}: {witness.notes} signatures pending, {witness.at}"


def _device(device: DeviceView) -> str:
    said = [f"disconnected since {device.since}" if device.lost else "no link fault recorded"]
    said += [f"fault {one.code}{frame_text(one.frame_type, one.frame_length)} since {one.at}" for one in device.faults]
    if device.verdict is not UNSET:
        said.append(device.verdict.replace("_", " "))
    return ", ".join(said)


def _next(view: TableView) -> Iterator[str]:
    if view.prompt is not None:
        yield prompt_text(view.prompt)
        yield from (f"  {duty}" for duty in duties_text(view.prompt))
