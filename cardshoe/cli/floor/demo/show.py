"""``cardshoe floor demo``: the order of starts and ends."""

import random
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from cardshoe.cli.demo.persons import made
from cardshoe.cli.floor.demo import plan
from cardshoe.cli.floor.demo.certificates import Authority
from cardshoe.cli.floor.demo.collector import DemoCollector, collecting, watching
from cardshoe.cli.floor.demo.going import DemoResult, Going, Hall, Wanted
from cardshoe.cli.floor.demo.plan import AWKWARD, KINDS, TROUBLED, Seating
from cardshoe.cli.floor.demo.postgres import Cluster, programs
from cardshoe.cli.floor.demo.worker import Begin
from cardshoe.cli.sim.shuffle import way_to_shuffle
from cardshoe.floor.persons.staff_list import Roll
from cardshoe.persons.signed_list import ListEntry
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.signals import signals_stop
from cardshoe.table.setup.uplink_section import UplinkSection
from cardshoe.table.uplink.settings import UplinkSettings
from regulations.events.vocabulary import Role
from sim.shuffling import IDEAL

TABLES_EACH: Final = 25
PROCESSES_MAX: Final = 4
TABLES: Final = "tables.txt"
ROLES: Final[tuple[Role, ...]] = ("supervisor", "surveillance", "technician", "regulator")
VALID_DAYS: Final = 1


def show(wanted: Wanted, say: Callable[[str], None]) -> DemoResult:
    way_to_shuffle(wanted.shuffle or IDEAL, "shoe")
    found = programs()
    if found is None:
        raise Stop(
            "there is no PostgreSQL, 15 or newer, on this machine",
            "Install Debian's package postgresql, or this program with its extra `postgres`.",
            Exit.USAGE,
        )
    each = wanted.processes or min(PROCESSES_MAX, -(-wanted.tables // TABLES_EACH))
    over = threading.Event()
    with ExitStack() as held:
        folder = held.enter_context(_folder(wanted.keep))
        # Before anything has a thread: what is forked later has their locks.
        halls = [Hall(held) for _ in range(min(each, wanted.tables))]
        held.enter_context(signals_stop(over.set))
        cluster = held.enter_context(Cluster(found, None if wanted.keep is None else folder / "database"))
        authority = Authority(folder / "tls")
        state = folder / "state"
        state.mkdir(mode=0o700)
        pins = _everybody(state)
        (folder / TABLES).write_text("".join(f"{name}\n" for name in plan.names(wanted.tables)))
        collector = held.enter_context(collecting(folder, state, authority, cluster.address(), wanted.listen, TABLES))
        if wanted.shuffle is not None:
            held.enter_context(watching(folder))
        say(f"floor: {collector.home}")
        say("PINs: " + ", ".join(f"{person} {pin}" for person, pin in pins.items()))
        seatings = list(_seatings(wanted, folder, authority, collector))
        for number, hall in enumerate(halls):
            hall.begin(Begin(wanted.speed, seatings[number :: len(halls)]))
        say(
            f"{wanted.tables} tables in {len(halls)} processes, {cluster.version}, speed {wanted.speed:g}, seed "
            f"{wanted.seed}. Type `off TABLE` to take one off line, `on TABLE`, `quit`; Ctrl-C ends it as well"
        )
        return Going(wanted, halls, collector, over, say).run()


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="cardshoe-floor-", ignore_cleanup_errors=True) as name:
            yield Path(name)
        return
    try:
        keep.mkdir(mode=0o711, parents=True)
    except OSError as error:
        raise Stop(f"{keep}: {error.strerror}", "Name a folder that does not exist yet.", Exit.USAGE) from error
    yield keep.absolute()


def _everybody(state: Path) -> dict[Role, str]:
    persons, pins = made(ROLES)

    def add(known: dict[str, ListEntry]) -> str:
        known.update({one.id: ListEntry(id=one.id, role=one.role, pin=one.pin, tables=[]) for one in persons})
        return "added who looks on"

    Roll(state, VALID_DAYS).change("the demonstration", add)
    return pins


def _seatings(wanted: Wanted, folder: Path, authority: Authority, collector: DemoCollector) -> Iterator[Seating]:
    rng = random.Random(wanted.seed)  # noqa: S311  # a simulation must play the same again
    for number, name in enumerate(plan.names(wanted.tables)):
        journals = folder / "tables" / name
        journals.mkdir(mode=0o700, parents=True)
        section = UplinkSection(to=f"https://{collector.tables}", tls=authority.certify(name, name), key=collector.key)
        is_troubled = number % TROUBLED == 0
        yield Seating(
            kind=KINDS[number % len(KINDS)],
            seed=rng.randrange(2**32),
            mistakes=min(1.0, wanted.mistakes * (AWKWARD if is_troubled else 1.0)),
            is_troubled=is_troubled,
            rounds=wanted.rounds,
            shuffle=wanted.shuffle or IDEAL,
            uplink=UplinkSettings(folder=str(journals), table_id=name, section=section),
        )
