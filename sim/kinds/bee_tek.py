"""The simulated Bee-Tek shoe."""

from typing import Final

from sim.bee_tek.control import BeeTekControl
from sim.bee_tek.hands import BeeTekHands, bee_tek_at
from sim.bee_tek.shoe import MODES, BeeTekSettings
from sim.croupier.reading import reading_croupier
from sim.simulated import DeviceOrder, SimOption, SimulatedDevice, SimulatedKind


def _make(order: DeviceOrder) -> SimulatedDevice[BeeTekHands]:
    values = {"mode": "diagnostic", "repeat_characters": False, **order.values}
    settings = BeeTekSettings(mode=MODES[values["mode"]], repeats_characters=values["repeat_characters"])
    hands = bee_tek_at(order.wire, order.clock, order.decks, settings)
    return SimulatedDevice(hands, BeeTekControl(hands, order.wire, order.seed))


KINDS: Final = (
    SimulatedKind(
        name="bee-tek",
        title="Bee-Tek shoe",
        help="""Simulate a USPC Bee-Tek shoe.

    It is switched on, and empty. Type `load`, then `draw`; `help` lists what else hands and mishaps can do to it. The
    end of standard input ends it, unless there is a --control port; Ctrl-C always does.
    """,
        equipment="shoe",
        make=_make,
        croupier=reading_croupier("shoe"),
        options=(
            SimOption(
                "--mode",
                "The mode: play the game along, or report every card of any game.",
                words=tuple(MODES),
                default="diagnostic",
            ),
            SimOption("--repeat-characters", "In game mode, repeat a card's characters, as some units do."),
        ),
    ),
)
