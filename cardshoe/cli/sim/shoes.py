"""``cardshoe sim angel-eye`` and ``cardshoe sim bee-tek``: the shoes of other makers."""

import click

from cardshoe.cli.sim.bench import Bench, Simulated, bench_options, simulate
from sim.angel_eye.settings import InitialBurn, ShoeSettings
from sim.bee_tek.control import BeeTekControl
from sim.bee_tek.hands import bee_tek_at
from sim.bee_tek.shoe import MODES, BeeTekSettings
from sim.clock import RealClock
from sim.control import Control
from sim.hands import hands_at
from sim.wires.wire import Wire


@click.command("angel-eye")
@bench_options
@click.option(
    "--initial-burn",
    type=click.Choice(["none", "per_deck", "first_card_value"]),
    default="per_deck",
    show_default=True,
    help="The menu setting for the initial burn.",
)
@click.option("--round-burn", is_flag=True, help="Set the menu to burn a card before each round.")
def angel_eye_command(*, bench: Bench, initial_burn: InitialBurn, round_burn: bool) -> None:
    """Simulate an Angel Eye II-EX shoe.

    It is switched on, and empty. Type `load`, then `draw`; `help` lists what else hands and mishaps can do to it. The
    end of standard input ends it, unless there is a --control port; Ctrl-C always does.
    """
    settings = ShoeSettings(initial_burn=initial_burn, burn_cards=bench.decks, round_burn=round_burn)

    def make(wire: Wire, clock: RealClock, seed: int) -> Simulated:
        hands = hands_at(wire, clock, bench.decks, settings)
        return Simulated("Angel Eye shoe", "angel_eye", hands.make_ready, Control(hands, wire, seed))

    simulate("angel-eye", make, bench)


@click.command("bee-tek")
@bench_options
@click.option(
    "--mode",
    type=click.Choice(list(MODES)),
    default="diagnostic",
    show_default=True,
    help="The mode: baccarat, or report every card of any game.",
)
@click.option("--repeat-characters", is_flag=True, help="In game mode, repeat a card's characters, as some units do.")
def bee_tek_command(*, bench: Bench, mode: str, repeat_characters: bool) -> None:
    """Simulate a USPC Bee-Tek shoe.

    It is switched on, and empty. Type `load`, then `draw`; `help` lists what else hands and mishaps can do to it. The
    end of standard input ends it, unless there is a --control port; Ctrl-C always does.
    """
    settings = BeeTekSettings(mode=MODES[mode], repeats_characters=repeat_characters)

    def make(wire: Wire, clock: RealClock, seed: int) -> Simulated:
        hands = bee_tek_at(wire, clock, bench.decks, settings)
        return Simulated("Bee-Tek shoe", "bee_tek", hands.make_ready, BeeTekControl(hands, wire, seed))

    simulate("bee-tek", make, bench)
