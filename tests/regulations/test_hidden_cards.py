"""Nothing that a table says depends on a card that lies face down, in any game (reading G8).

Whatever the first table said, the second one must say too, byte for byte: so the first cannot have told of a hidden
card, neither by name nor by what it asked for, offered, stood on or settled.
"""

from collections.abc import Sequence

import msgspec
import pytest
from msgspec import UNSET

from regulations.events.codec import encode
from regulations.events.inputs import AnyInput, CardDrawn, Misdeal, Revealed, Table
from regulations.events.outputs import AnyOutput, Burned, Dealt, Next, Refused, Reveal
from regulations.procedure.procedure import Procedure
from sim.croupier.instructions import HouseInstructions
from tests.kit.length import at_length
from tests.sim.croupier.plain_table import PlainTable
from tests.sim.croupier.profiles import profile, variants

Spoken = tuple[AnyInput, Sequence[AnyOutput]]
SEEDS = at_length(2, 20)
ROUNDS = at_length(6, 60)
SHOWN_AT_ONCE = ("56/2004 art. 6.º-2", "56/2004 art. 15.º")
"""A bust hand, a special prize."""


def _unread(event: AnyInput, answer: Sequence[AnyOutput]) -> AnyInput:
    if isinstance(event, CardDrawn) and event.face == "down" and _laid_face_down(answer):
        return msgspec.structs.replace(event, card=None, unseen=True)
    if isinstance(event, Revealed):
        turned = next((one.cards for one in answer if isinstance(one, Reveal)), None)
        return msgspec.structs.replace(event, cards=turned if turned is not None else UNSET)
    return event


def _laid_face_down(answer: Sequence[AnyOutput]) -> bool:
    first = answer[0]
    return isinstance(first, Dealt | Burned) and first.card is None


def _is_shown_at_once(answer: Sequence[AnyOutput]) -> bool:
    prompt = answer[-1]
    return isinstance(prompt, Next) and prompt.do == "reveal" and prompt.article in SHOWN_AT_ONCE


def _played(table: Table, seed: int, mistakes: float) -> list[Spoken]:
    played = PlainTable(
        seed,
        table,
        mistakes=mistakes,
        orders=HouseInstructions(games=None, rounds=ROUNDS),
        reads=True,
        strategy="random",
    )
    played.run()
    # What was refused has changed nothing. A hit on a hidden 21 is refused where the card is known (table log).
    return [(event, answer) for event, answer in played.log[1:] if not isinstance(answer[0], Refused)]


@pytest.mark.statistical
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize(("game", "kind", "options"), variants(), ids=str)
def test_no_output_depends_on_a_hidden_card(game: str, kind: str, options: dict[str, object], seed: int) -> None:
    table = profile(game, kind, options)  # type: ignore[arg-type]  # as `variants` names them
    spoken = _played(table, seed, mistakes=0.03 * (seed % 2))
    blind = Procedure(table)
    hidden = 0
    was_shown_at_once = False
    for number, (event, answer) in enumerate(spoken):
        given = _unread(event, answer)
        if was_shown_at_once and isinstance(given, CardDrawn | Misdeal):
            # A bust hand is to be shown: to a table that cannot tell so, a card is the hand's hit, and the last card
            # may have been another decision (reading J30).
            return
        was_shown_at_once = game == "blackjack" and _is_shown_at_once(answer)
        hidden += given is not event and isinstance(given, CardDrawn)
        said = blind.apply(given)
        compared = slice(None, -1) if was_shown_at_once else slice(None)
        assert [encode(one) for one in said[compared]] == [encode(one) for one in answer[compared]], (
            f"input {number} of seed {seed}: {given}"
        )
    dealt_open = game == "casino_war" or (game == "baccarat" and options.get("deal") != "face_down")
    assert hidden or dealt_open
