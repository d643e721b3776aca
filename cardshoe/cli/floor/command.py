"""``cardshoe floor``: the collector of all tables' logs."""

import random
import sys
from pathlib import Path

import click

from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.echo import echo
from cardshoe.cli.floor.persons import persons_group
from cardshoe.cli.group import Subgroup
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_log import log_plainly
from cardshoe.table.setup.core_dumps import forbid_dumps
from cardshoe.table.setup.secrets_at_start import must_be_kept

OUT = click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Put it into a file in one step."
)
CONFIG = click.argument("config", type=click.Path(dir_okay=False, path_type=Path))


@click.group("floor", cls=Subgroup)
def floor_group() -> None:
    """Collect the logs of all tables, on a machine of the back office (docs/floor.md)."""


floor_group.add_command(persons_group)


@floor_group.command("run")
@CONFIG
@JSON
def run_command(config: Path, *, as_json: bool) -> None:
    """Run the collector that CONFIG (floor.toml) describes.

    Ctrl-C or SIGTERM ends it. It prints where it listens, the key with which it signs its marks, and that of its
    witness. A database that is away is waited for; what tables send meanwhile, they send again.
    """
    from cardshoe.floor.config import load
    from cardshoe.floor.server import Floor

    log_plainly("cardshoe floor: %(message)s")
    found = load(config)
    state = Path(found.floor.state)
    secrets = ("mark-key", "witness/witness-key", "persons/key", "persons/list")
    for secret in (*(state / name for name in secrets), Path(found.floor.tls.key)):
        must_be_kept(secret)
    floor = Floor(found)
    said = {"tables": floor.tables, "read": floor.read, "marks": floor.marks, "witness": floor.witness}
    said["persons"] = floor.persons
    lines = [f"tables send to https://{floor.tables}", f"marks {floor.marks}", f"witness {floor.witness}"]
    lines.append(f"persons {floor.persons}")
    if floor.read is not None:
        lines.append(f"pages at {'http' if _is_open(found.read) else 'https'}://{floor.read}/")
        if floor.has_no_staff:
            lines.append(
                f"no staff registered. Add the first: cardshoe floor persons add {config} ID --role supervisor --by WHO"
            )
    answer(lines, said, as_json=as_json)
    sys.stdout.flush()
    floor.run()


def _is_open(read: object) -> bool:
    return getattr(read, "tls", None) is None


@floor_group.command("watch", short_help="Watch for shoes that were not shuffled")
@CONFIG
def watch_command(config: Path) -> None:
    """Watch the shoes of all tables while they are dealt; [watch] of CONFIG describes it.

    Run it beside the collector, once. Its alarms go to surveillance alone: the page /watch. Nothing of them is printed.
    Ctrl-C or SIGTERM ends it; started again, it reads the open shoes again.
    """
    from cardshoe.floor.config import load
    from cardshoe.floor.database import Database
    from cardshoe.floor.watch.watcher import watching

    log_plainly("cardshoe floor watch: %(message)s")
    found = load(config)
    if found.watch is None:
        raise Stop(f"{config}: no [watch] section", "Add [watch]; docs/back-office.md has an example.", Exit.USAGE)
    forbid_dumps()
    echo(f"watching; a look every {found.watch.look_s:g} s")
    with Database(found.floor.database, 1) as database:
        watching(database, found.watch.look_s)


@floor_group.command("alarms")
@CONFIG
@JSON
def alarms_command(config: Path, *, as_json: bool) -> None:
    """List the alarms that are open."""
    from cardshoe.floor.alarms import open_alarms
    from cardshoe.floor.config import load
    from cardshoe.floor.database import Database, Unavailable

    with Database(load(config).floor.database, 1) as database:
        try:
            found = open_alarms(database)
        except Unavailable as error:
            raise _away(error) from error
    lines = [
        f"{one['id']}  {one['first_at']}  {one['table']} {one['log']}  {one['kind']}: {one['detail']}" for one in found
    ]
    answer(lines or ["no alarm is open"], found, as_json=as_json)


@floor_group.command("close")
@CONFIG
@click.argument("number", type=click.IntRange(min=1))
@click.option("--by", required=True, metavar="WHO", help="The person who has looked at it.")
@click.option("--go-on", is_flag=True, help="Accept the stopped log again, from the floor's mark on.")
@JSON
def close_command(config: Path, number: int, by: str, *, go_on: bool, as_json: bool) -> None:
    """Close the alarm NUMBER, once its cause is known.

    Its log stays stopped, unless --go-on: its cause is then checked again, so a fork stays one.
    """
    from cardshoe.floor.alarms import close_alarm
    from cardshoe.floor.config import load
    from cardshoe.floor.database import Database, Unavailable

    with Database(load(config).floor.database, 1) as database:
        try:
            closed = close_alarm(database, number, by, go_on=go_on)
        except Unavailable as error:
            raise _away(error) from error
    if not closed:
        raise Stop(f"no alarm {number} is open", f"`cardshoe floor alarms {config}` lists them.", Exit.USAGE)
    answer([f"alarm {number}: closed"], {"closed": number, "by": by, "goes_on": go_on}, as_json=as_json)


@floor_group.command("demo")
@click.option("--tables", type=click.IntRange(1, 999), default=20, show_default=True, help="How many tables play.")
@click.option("--rounds", type=click.IntRange(min=1), help="End when each has played N rounds.")
@click.option("--for", "seconds", type=click.FloatRange(min=1), help="End after so many seconds.")
@click.option(
    "--speed",
    type=click.FloatRange(min=0.1, max=1000),
    help="How many times faster than a calm croupier; as much as all tables together can do, 20 at most.",
)
@click.option(
    "--mistakes", type=click.FloatRange(0, 1), default=0.003, show_default=True, help="Mistakes of a croupier per act."
)
@click.option("--seed", type=click.IntRange(min=0), help="Play the same cards, wagers and mistakes again.")
@click.option(
    "--shuffle",
    metavar="WAY",
    help="How all tables shuffle, as with `cardshoe demo`; the shuffle watch is started beside the collector.",
)
@click.option("--listen", default="127.0.0.1:0", show_default=True, help="Serve the pages here; port 0: any free port.")
@click.option(
    "--processes",
    type=click.IntRange(1, 4),
    help="The processes that run the tables; default: one for 25, at most four.",
)
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="A new folder in which journals, certificates, database and what the collector said stay.",
)
@JSON
def demo_command(  # noqa: PLR0913  # one argument per option, as click has it
    *,
    tables: int,
    rounds: int | None,
    seconds: float | None,
    speed: float | None,
    mistakes: float,
    seed: int | None,
    shuffle: str | None,
    listen: str,
    processes: int | None,
    keep: Path | None,
    as_json: bool,
) -> None:
    """Show a floor of simulated tables.

    It starts a PostgreSQL, the collector, and many tables that play and deliver. Regulation, journals, keys, uplinks,
    certificates and collector are the real ones. One table in four has an awkward croupier, disputes, voids and devices
    that fail, and the last one loses the floor for a while. Ctrl-C ends it; it ends with what was played, and fails if
    the floor lacks a line of it. Nothing is left behind, unless --keep says so.
    """
    from cardshoe.cli.floor.demo.going import Wanted
    from cardshoe.cli.floor.demo.show import show

    wanted = Wanted(
        tables=tables,
        rounds=rounds,
        seconds=seconds,
        speed=speed or min(20.0, 600.0 / tables),
        mistakes=mistakes,
        seed=random.randrange(2**32) if seed is None else seed,  # noqa: S311  # chosen to be printed
        shuffle=shuffle,
        listen=listen,
        processes=processes,
        keep=keep,
    )
    shown = show(wanted, lambda line: echo(line, err=as_json))
    answer(shown.said(), shown, as_json=as_json)
    if shown.stored < shown.lines or shown.stuck:
        raise Stop(
            "the floor lacks lines" if shown.stored < shown.lines else "a simulated croupier is stuck",
            f"Run again with --seed {wanted.seed} --keep FOLDER, and report it.",
            Exit.FAILURE,
        )


@floor_group.command("nats-config", short_help="Write a NATS server's configuration")
@CONFIG
@click.option("--store", required=True, metavar="DIR", help="Where the server keeps the stream.")
@click.option(
    "--listen",
    default="127.0.0.1:4222",
    show_default=True,
    metavar="HOST:PORT",
    help="The address for tables and floor.",
)
@click.option("--name", default="floor-1", show_default=True, help="The server's; of several each has its own.")
@click.option("--certificate", required=True, metavar="PEM", help="The server's.")
@click.option("--key", required=True, metavar="PEM", help="The certificate's private key.")
@click.option(
    "--authority", required=True, metavar="PEM", help="The authority of all certificates: tables, floor, servers."
)
@click.option("--cluster", default="", metavar="HOST:PORT", help="For the other servers, where there are several.")
@click.option("--route", multiple=True, metavar="HOST:PORT", help="The --cluster of another server; repeatable.")
@OUT
def nats_config_command(config: Path, out: Path | None, route: tuple[str, ...], **at: str) -> None:
    """Write the configuration of a NATS server for the floor that CONFIG describes.

    Each enrolled table may publish as itself alone, and receives its own answers. Write the file again when [nats] of
    CONFIG or the list of tables changes, and have the server read it: `nats-server --signal reload`.
    """
    from cardshoe.floor.config import load
    from cardshoe.floor.enrolled import Enrolled
    from cardshoe.floor.jetstream.server_conf import ServerPlace, server_conf

    found = load(config)
    if found.nats is None:
        raise Stop(f"{config}: it has no [nats]", "docs/back-office.md has an example.", Exit.USAGE)
    text = server_conf(found.nats, Enrolled(found.floor.tables).ids, ServerPlace(routes=route, **at))
    if out is None:
        echo(*text.split("\n"), nl=False)
        return
    passing = out.with_name(f".{out.name}.new")
    try:
        passing.write_text(text, "utf-8")
        passing.replace(out)
    except OSError as error:
        raise Stop(
            f"{out}: {error.strerror or error}", "Name a file in a folder that can be written.", Exit.USAGE
        ) from error


def _away(error: Exception) -> Stop:
    return Stop(str(error), "Start PostgreSQL, and check [floor] database.", Exit.FAILURE)
