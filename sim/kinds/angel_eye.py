"""The simulated Angel Eye shoe."""

from typing import Final

from sim.angel_eye.settings import ShoeSettings
from sim.control import AngelEyeControl
from sim.croupier.croupier import Croupier
from sim.croupier.routine import CroupierTraits, Routine
from sim.hands import AngelEyeActions, hands_at
from sim.simulated import Ask, DeviceOrder, SimOption, SimulatedDevice, SimulatedKind


def _make(order: DeviceOrder) -> SimulatedDevice[AngelEyeActions]:
    values = {"initial_burn": "per_deck", "round_burn": False, **order.values}
    settings = ShoeSettings(
        initial_burn=values["initial_burn"], burn_cards=order.decks, round_burn=values["round_burn"]
    )
    hands = hands_at(order.wire, order.clock, order.decks, settings)
    return SimulatedDevice(hands, AngelEyeControl(hands, order.wire, order.seed))


def _croupier(hands: AngelEyeActions, person: CroupierTraits, _ask: Ask) -> Routine:
    return Croupier(hands, person)


KINDS: Final = (
    SimulatedKind(
        name="angel-eye",
        title="Angel Eye shoe",
        help="""Simulate an Angel Eye II-EX shoe.

    It is switched on, and empty. Type `load`, then `draw`; `help` lists what else hands and mishaps can do to it. The
    end of standard input ends it, unless there is a --control port; Ctrl-C always does.
    """,
        equipment="shoe",
        make=_make,
        croupier=_croupier,
        options=(
            SimOption(
                "--initial-burn",
                "The menu setting for the initial burn.",
                words=("none", "per_deck", "first_card_value"),
                default="per_deck",
            ),
            SimOption("--round-burn", "Set the menu to burn a card before each round."),
        ),
    ),
)
