"""The shoe's words in those of the table log."""

from typing import Final

from protocols.angel_eye.messages import Outcome, RoundResult, Target
from regulations.events.vocabulary import DeviceOutcome, Side
from regulations.events.vocabulary import Target as TableTarget

TARGETS: Final[dict[Target, TableTarget]] = {
    Target.PLAYER: "player",
    Target.BANKER: "banker",
    Target.BURN: "burn",
    Target.BURN_COUNT_FIXING: "burn",
    Target.BURN_BY_COUNT: "burn",
}
OUTCOMES: Final[dict[Outcome, DeviceOutcome]] = {
    Outcome.PLAYER: "player",
    Outcome.BANKER: "banker",
    Outcome.TIE: "tie",
    Outcome.FORCED_END: "forced_end",
}


def pairs_of(result: RoundResult) -> list[Side]:
    sides: list[Side] = []
    if result.player_pair:
        sides.append("player")
    if result.banker_pair:
        sides.append("banker")
    return sides
