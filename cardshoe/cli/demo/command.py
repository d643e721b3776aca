"""``cardshoe demo``: a whole table with simulated equipment, croupier and players."""

import os
import random
import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Final, get_args

import click
import msgspec
from msgspec import UNSET

from cardshoe.cli.completing import equipment as equipment_names
from cardshoe.cli.completing import games
from cardshoe.cli.demo.equipment import SEEDS, Show
from cardshoe.cli.demo.persons import everybody
from cardshoe.cli.demo.playing import Setting, pages_of, play, section_of
from cardshoe.cli.demo.profile import profile_of
from cardshoe.cli.sim.shuffle import way_to_shuffle
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Exit, Stop
from cardshoe.screens.words.display_section import LANGUAGE_NAMES, Language
from cardshoe.table.log.sealing_keys import find_keys, read_keys
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.log.verify import verify
from cardshoe.table.terminal.formatting import hung
from cardshoe.table.terminal.output_queue import Screen
from cardshoe.table.terminal.printing import JsonPrinter, Look, TextPrinter, has_colours
from cardshoe.table.terminal.statistics import Statistics
from regulations.events.inputs import Table
from regulations.events.vocabulary import PickUp
from regulations.games.registry import GAMES, NAMES
from sim.croupier.instructions import PICK_UP, HouseInstructions
from sim.players import Strategy
from sim.shuffling import IDEAL, WAYS

ROUNDS: Final = 20
SPEED_OF_HANDS: Final = 4.0
"""Slow enough to follow the cards."""
SPEED: Final = 60.0
"""A shoe takes about 40 s instead of 40 min."""
SPEED_TO_READ: Final = 6.0
"""On a terminal: a round of baccarat in 5 s, a shoe in 7 min."""
MISTAKES: Final = 0.01
SHOE: Final = "shoe"
PROGRAM: Final = Path(__file__).resolve().parents[3] / "reference" / "shoe" / "build" / "posix" / "shoe"
LANGUAGES: Final[tuple[Language, ...]] = ("zh-Hant", "en")
LISTEN: Final = "127.0.0.1:0"


@click.command("demo")
@click.argument("game", default=NAMES[0], shell_complete=games)
@click.option(
    "--equipment",
    metavar="NAME",
    shell_complete=equipment_names,
    help="The equipment: the family of a simulated device, or plain equipment, whose cards a person enters.",
)
@click.option(
    "--linked",
    is_flag=True,
    help="The equipment (shoe, shuffler_dealer, shuffler) is a machine that reports its cards to the table itself.",
)
@click.option(
    "--firmware",
    is_flag=True,
    help="The equipment is the reference shoe, whose firmware in C was built before (`make -C reference/shoe posix`).",
)
@click.option("--reads", is_flag=True, help="Plain equipment reads the cards that leave it face down.")
@click.option("--untracked", is_flag=True, help="The table does not know the stakes: it gives the pay of one unit.")
@click.option(
    "--strategy",
    type=click.Choice(list(get_args(Strategy))),
    default="basic",
    show_default=True,
    help="How the players decide: at random among what is allowed, or sensibly.",
)
@click.option(
    "--hands",
    is_flag=True,
    help="You are the croupier, on the page: simulated hands handle the cards, and you do everything else.",
)
@click.option("--rounds", type=click.IntRange(min=1), help="Play N rounds; without it, one shoe game (or 20 rounds).")
@click.option(
    "--speed",
    type=click.FloatRange(min=0.1, max=1000),
    help=f"How many times faster than a calm croupier; {SPEED:g}, on a terminal {SPEED_TO_READ:g}, with --hands "
    f"{SPEED_OF_HANDS:g}.",
)
@click.option(
    "--mistakes",
    type=click.FloatRange(min=0, max=1),
    help=f"Mistakes of the croupier per possible act; {MISTAKES:g}.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Play the same cards, wagers and mistakes again.")
@click.option(
    "--journals",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("demo-journals"),
    show_default=True,
    help="The folder of the journal.",
)
@click.option(
    "--shuffle",
    metavar="WAY",
    default=IDEAL,
    show_default=True,
    help=f"How the cards are shuffled, for trying `cardshoe analyse`: {', '.join(WAYS)}, with any number.",
)
@click.option(
    "--pick-up",
    type=click.Choice(get_args(PickUp)),
    metavar="ORDER",
    help="The order in which the croupier picks up the cards of a round, for the profile too: dealt, player_first, "
    "banker_first or last_seat_first; each with _turned.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the table log as JSON Lines.")
@click.option("--plain", is_flag=True, help="Use the terminal only: serve no pages.")
@click.option(
    "--language",
    "languages",
    type=click.Choice(list(LANGUAGE_NAMES)),
    multiple=True,
    default=LANGUAGES,
    show_default=True,
    help="Language of the pages; give two to show both at once.",
)
@click.option(
    "--listen",
    default=LISTEN,
    show_default=True,
    help="Serve the pages at this HOST:PORT of this machine; port 0: any free port.",
)
def demo_command(  # noqa: PLR0913  # one argument per option, as click has it
    *,
    game: str,
    equipment: str | None,
    linked: bool,
    firmware: bool,
    reads: bool,
    untracked: bool,
    strategy: Strategy,
    hands: bool,
    rounds: int | None,
    speed: float | None,
    mistakes: float | None,
    seed: int | None,
    journals: Path,
    shuffle: str,
    pick_up: PickUp | None,
    as_json: bool,
    plain: bool,
    listen: str,
    languages: tuple[Language, ...],
) -> None:
    """Play GAME (baccarat) with simulated equipment, croupier and players.

    Baccarat is dealt from a simulated Angel Eye shoe on a pseudo-terminal, through the real driver and bridge; any game
    from a device of another family (`cardshoe ports` lists them) or, with --linked, from a machine. Other equipment is
    plain: the croupier enters what comes out of it. Regulation, controller and journal are the real ones.
    The address that is printed leads to the croupier's page, the players' board and the PINs of generated staff, one of
    each role. On a terminal the pages stay until Ctrl-C; without one, or with --rounds, the demo ends with the play.
    """
    if hands and (plain or rounds is not None or mistakes is not None):
        raise Stop(
            "with --hands you play on the page",
            "Leave out --plain, --rounds and --mistakes: close the table on the page, or by Ctrl-C.",
            Exit.USAGE,
        )
    section = None if plain else section_of(listen, languages)
    reader = sys.stdout.isatty() and not as_json
    speed = speed or (SPEED_OF_HANDS if hands else SPEED_TO_READ if reader else SPEED)
    mistakes = 0.0 if hands else MISTAKES if mistakes is None else mistakes
    if seed is None:
        seed = random.randrange(SEEDS)  # noqa: S311  # chosen to be printed, not to be kept secret
    with Screen(JsonPrinter() if as_json else _text_printer()) as printer:
        program = _program(equipment) if firmware else None
        if program is not None:
            equipment, linked = SHOE, True
        table, simulated = profile_of(game, equipment, linked=linked, untracked=untracked)
        table = msgspec.structs.replace(table, pick_up=pick_up or UNSET)
        way = way_to_shuffle(shuffle, table.equipment)
        printer.say(f"seed {seed}, speed {speed:g}, mistakes {mistakes:g}")
        log = open_log(journals, table, wall_time(), lambda _: None, resume=False)
        statistics = Statistics()
        with tempfile.TemporaryDirectory(prefix="cardshoe-") as folder, log.journal, ExitStack() as held:
            setting = Setting(log=log, journals=journals, speed=speed)
            show = Show(
                table=table,
                simulated=simulated,
                # Nobody sees the cards that simulated hands have laid face down.
                reads=reads or hands,
                strategy=strategy,
                mistakes=mistakes,
                orders=HouseInstructions(games=None, hands_only=True) if hands else _orders(table, rounds),
                shuffle=way,
                pty=Path(folder) / "shoe",
                firmware=program,
            )
            rng = random.Random(seed)  # noqa: S311  # a simulation must play the same again
            address, registry = "", None
            if section is not None:
                registry, pins = everybody(Path(folder))
                pages = held.enter_context(pages_of(journals, show, section, pins))
                address = f"{pages.home}croupier#sign-in" if hands else pages.home
                printer.say(f"open {address}")
                printer.say("PINs: " + ", ".join(f"{person} {pin}" for person, pin in pins.items()))

            def ended(interrupted: bool) -> bool:  # noqa: FBT001  as `play` has it
                log.journal.close()
                _summarise(log.journal.path, journals, statistics, printer)
                stays = bool(address) and sys.stdout.isatty() and rounds is None and not interrupted
                if stays:
                    printer.say(f"open {address} (Ctrl-C ends the demo)")
                return stays

            stuck = play(setting, show, rng, [printer, statistics], registry, ended)
    if stuck is not None:
        raise Stop(
            f"the simulated croupier is stuck: {stuck}",
            f"Run again with --seed {seed} and report it.",
            Exit.FAILURE,
        )


def _summarise(journal: Path, journals: Path, statistics: Statistics, printer: Screen) -> None:
    printer.say("")
    found = verify(journal, keys=read_keys(find_keys(None, journals)))
    where = hung("journal", f"{journal} ({found.entries} entries, verified)")
    for line in (*statistics.lines(), *where):
        printer.say(line)


def _text_printer() -> TextPrinter:
    look = Look(has_colours(sys.stdout))
    if not sys.stdout.isatty() or os.environ.get("TERM") in (None, "dumb"):
        return TextPrinter(look=look)
    return TextPrinter(look=look, size=shutil.get_terminal_size)


def _program(equipment: str | None) -> Path:
    if equipment not in (None, SHOE):
        raise Stop(
            f"--firmware is a shoe, and --equipment is {equipment!r}", "Leave out one of the two options.", Exit.USAGE
        )
    if not PROGRAM.is_file():
        raise Stop(
            f"the reference shoe is not built: there is no {PROGRAM}",
            "In a clone of the repository, run `make -C reference/shoe posix` (Debian: gcc, make, libssl-dev).",
            Exit.USAGE,
        )
    return PROGRAM


def _orders(table: Table, rounds: int | None) -> HouseInstructions:
    law = GAMES[table.game].law
    ends = law.has_cut_card(table.equipment, table.decks) and not law.serves_one_round(table.equipment, table.decks)
    pick_up = table.pick_up or PICK_UP
    if rounds is None and ends:
        return HouseInstructions(games=1, pick_up=pick_up)
    return HouseInstructions(games=None, rounds=ROUNDS if rounds is None else rounds, pick_up=pick_up)
