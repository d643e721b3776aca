"""Records the life of a table of each game, cuts the power everywhere, and again while it recovers."""

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cardshoe.table.log.sealing_keys import FILE_NAME, make_keys, read_keys
from regulations.events.vocabulary import Game
from regulations.games.registry import GAMES
from tests.powercut.controls import CONTROLS, PRODUCT, Control
from tests.powercut.disk import Disk, Kept
from tests.powercut.explore import Recording, Tally, explore, fast_folder
from tests.powercut.judge import Judge
from tests.powercut.layer import PLENTY_BYTES, Folder, under
from tests.powercut.life import LITTLE_BYTES, NAME, Script, go_on, open_table, script_of, whole_life
from tests.powercut.operations import NOTHING, Acknowledged, Bound, FolderSynced, Operation, Synced, Written
from tests.powercut.recorder import Recorder, witnessed

ALL_GAMES: Final[tuple[Game, ...]] = tuple(game.law.game for game in GAMES.values())
RESUMED: Final = 4
"""Inputs that a table takes after a recovery."""
SHORT_TEARS: Final = 14
SHORT_ROUNDS: Final = 2
"""Rounds of a short life: its journal opens four times as fast as that of a whole shoe game."""
MOST_SHORT_LIVES: Final = 100
"""Short lives of each game at most, if the states wanted are never reached."""


@dataclass(frozen=True)
class Life:
    """A recorded life."""

    script: Script
    recording: Recording
    judge: Judge
    sealing: bytes


def record(script: Script, control: Control = PRODUCT) -> Life:
    """Plays a script in a folder and notes what it does there."""
    recorder = Recorder()
    with TemporaryDirectory(prefix="powercut-", dir=fast_folder()) as name:
        sealing, path = Path(name) / FILE_NAME, Path(name) / "journals"
        path.mkdir()
        keys = make_keys(sealing)
        folder = Folder(path, recorder)
        with under(folder):
            whole_life(folder, script, witnessed(recorder, *control.weakened, keyrings=control.keyrings), sealing)
        judge = Judge.knowing(path / NAME, keys)
        return Life(script, Recording(script.game, recorder.operations), judge, sealing.read_bytes())


def controls_caught(game: Game, seed: int, tears: int, *, once: bool) -> dict[str, int]:
    """In how many looks each journal that is worse than ours was found out; 0: the harness is blind."""
    caught = {}
    for name, control in CONTROLS.items():
        life = record(script_of(game, seed, rounds=1), control)
        tally = Tally()
        explore(life.recording, life.judge, tears, seed, tally, until=control.problem if once else "")
        caught[name] = tally.problems[control.problem]
    return caught


def interrupted_recoveries(life: Life, count: int, seed: int) -> list[tuple[Recording, Judge]]:
    """Lives that stop somewhere, recover, go on for a moment and are closed; to be explored from the recovery on."""
    chance = random.Random(f"{seed} {life.script.game} recoveries")
    operations = life.recording.operations
    created = next(place for place, one in enumerate(operations) if isinstance(one, Acknowledged))
    # Not after the last input: it may close the table, whose next journal is another one.
    told = [(place, one.stored.seq) for place, one in enumerate(operations) if isinstance(one, Acknowledged)]
    last = max(place for place, seq in told if seq < told[-1][1])
    places = [chance.randint(created + 1, last + 1) for _ in range(count)]
    return [
        recovery(
            life,
            place,
            random.Random(f"{seed} {number}"),
            is_power_cut=number % 2 == 0,
            is_full=number % 4 >= 2,
        )
        for number, place in enumerate(places)
    ]


def recovery(
    life: Life, place: int, chance: random.Random, *, is_power_cut: bool, is_full: bool
) -> tuple[Recording, Judge]:
    """A life that stops at a place, recovers, goes on for a moment and is closed."""
    before = life.recording.operations[:place]
    acknowledged = NOTHING
    for one in before:
        if isinstance(one, Acknowledged):
            acknowledged = acknowledged.joined(one.stored)
    kept: Kept = chance.choice(("none", "torn", "torn")) if is_power_cut else "all"
    recorder = Recorder()
    with TemporaryDirectory(prefix="powercut-", dir=fast_folder()) as name:
        store, path = Path(name) / "store", Path(name) / "shown"
        store.mkdir()
        path.mkdir()
        sealing = Path(name) / FILE_NAME
        sealing.touch(0o600)
        sealing.write_bytes(life.sealing)
        disk = Disk(store, path)
        for operation in before:
            disk.apply(operation)
        image = disk.image(kept, kept, chance)
        contents = disk.content(image)
        disk.close()
        for file, content in contents.items():
            (path / file).write_bytes(content)
        folder = Folder(path, recorder, LITTLE_BYTES if is_full else PLENTY_BYTES, dict(image.names))
        folder.next_file = 1 + max(one.file for one in before if isinstance(one, Bound))
        with under(folder):
            log = open_table(folder, life.script, witnessed(recorder), sealing)
            taken = max(0, log.recovered - 1)
            go_on(log, life.script.events[taken : taken + RESUMED], folder)
        judge = Judge.knowing(path / NAME, read_keys(sealing))
    prelude = _settled(image.names, contents) if is_power_cut else list(before)
    what = (
        f"{life.script.game}, {'power cut' if is_power_cut else 'killed'} at {place}, {'full' if is_full else 'room'}"
    )
    return Recording(what, [*prelude, *recorder.operations], len(prelude), acknowledged), judge


def _settled(names: dict[str, int], contents: dict[str, bytes]) -> list[Operation]:
    operations: list[Operation] = []
    for name, number in names.items():
        operations += [Bound(name, number), Written(number, 0, contents[name]), Synced(number)]
    return [*operations, FolderSynced()]


@dataclass(frozen=True)
class Outcome:
    """The result of a campaign."""

    tally: Tally
    controls: dict[str, int]

    @property
    def is_good(self) -> bool:
        """Nothing was wrong, and the harness sees what is."""
        return not self.tally.problems and all(self.controls.values())

    def summary(self) -> str:
        """One line for programs."""
        counts = self.tally.problems
        caught = "caught" if all(self.controls.values()) else "missed"
        return (
            f"states={self.tally.states} lost={counts['lost']} corrupt={counts['corrupt']} "
            f"chain_breaks={counts['chain_breaks']} controls={caught}"
        )


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How much is done.

    Attributes:
        every: a life is cut at one point of so many.
        rounds: rounds of each game; ``None``: a whole shoe game and the start of the next.
        once: the controls are tried until each has been found out once.
    """

    games: Sequence[Game] = ALL_GAMES
    states: int
    every: int = 1
    rounds: int | None = None
    tears: int = 5
    recoveries: int = 12
    seed: int
    once: bool = False


def run(plan: Plan, say: Callable[[str], None]) -> Outcome:
    """Cut the power at each point of a life of each game and of some recoveries; try the controls."""
    tally = Tally()
    for game in plan.games:
        life = record(script_of(game, plan.seed, plan.rounds))
        before = tally.states
        explore(life.recording, life.judge, plan.tears, plan.seed, tally, every=plan.every)
        say(
            f"{game}: {len(life.script.events)} inputs, {len(life.judge.roots) - 1} entries, "
            f"{len(life.recording.operations)} operations, {tally.states - before} states, "
            f"{life.judge.replays} contents replayed"
        )
        before = tally.states
        for recording, judge in interrupted_recoveries(life, plan.recoveries, plan.seed):
            explore(recording, judge, plan.tears, plan.seed, tally, every=plan.every)
        say(f"{game}: {plan.recoveries} recoveries interrupted everywhere, {tally.states - before} states")
    before = tally.states
    for number, game in itertools.product(range(1, MOST_SHORT_LIVES + 1), plan.games):
        if tally.states < plan.states:
            life = record(script_of(game, plan.seed + number, SHORT_ROUNDS))
            explore(life.recording, life.judge, SHORT_TEARS, plan.seed + number, tally, enough=plan.states)
    say(f"short lives: {tally.states - before} states")
    controls = controls_caught(plan.games[0], plan.seed, tears=1, once=plan.once)
    for name, looks in controls.items():
        say(f"control: {name}: found out in {looks} looks")
    return Outcome(tally, controls)
