"""The bench of a test, module or session: shoes, tables, cleanup."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from pytest_cardshoe.control import Control
from pytest_cardshoe.errors import CardshoeFailure
from pytest_cardshoe.faults import Faults
from pytest_cardshoe.options import SEEDS, SETTINGS, Settings
from pytest_cardshoe.processes import Launch, Process, ProcessGuard
from pytest_cardshoe.programs import find_command, law_of, usual_game
from pytest_cardshoe.recording import TestRecorder
from pytest_cardshoe.shoes import RealShoe, RigShoe, Shoe, ShoeOptions, SimulatedShoe
from pytest_cardshoe.tables import Table, write_config

__tracebackhide__ = True  # a failure is shown where the test asked for it, not where it was found

GUARD: Final = pytest.StashKey[ProcessGuard]()
BENCHES: Final = pytest.StashKey["dict[str, StartedParts]"]()
OUTCOME: Final = pytest.StashKey[str]()
REPLAYED: Final = "a recording is replayed (--cardshoe-replay): this test wants a shoe or a table of its own"
DEFAULT_OPTIONS: Final = {"overdrawn_card": "next_round", "rounds_without_wagers": True}
"""Overdrawn cards as at an Angel Eye shoe, and rounds without wagers, where lawful."""


class StartedParts:
    """Shoes and tables of a test, module or session.

    Args:
        node: its marks select the `shoe`.
        folder: an empty one.
    """

    def __init__(self, node: pytest.Item | pytest.Collector, folder: Path) -> None:
        self._node: Final = node
        self._folder: Final = folder
        self._settings: Final[Settings] = node.config.stash[SETTINGS]
        if self._settings.replay is not None:
            pytest.skip(REPLAYED)
        self._closers: Final[list[Callable[[], None]]] = []
        self._tables = 0
        self._devices = 0
        self.seed: Final = self._settings.seed_of(node.nodeid)
        self.processes: Final[list[Process]] = []
        self.shoes: Final[list[SimulatedShoe | RigShoe]] = []
        self.recorder: Final = TestRecorder(self._settings.record, node.nodeid or "session")
        self._launch: Final = Launch(
            find_command(self._settings.command),
            node.config.stash[GUARD],
            self._settings.patience_s,
            self.recorder.record,
            records=self.recorder.is_on,
        )

    def shoe(self, **options: Any) -> Shoe:  # noqa: ANN401  # those of ShoeOptions
        """The shoe of the marks, or the one on the bench; a test's mark overrides its module's."""
        marked: dict[str, Any] = {}
        for marker in self._node.iter_markers("cardshoe"):  # the closest first
            marked = {**marker.kwargs, **marked}
        return self.device(**{**marked, **options})

    def fault(self, shoe: Shoe) -> Faults:
        """Mishaps of a shoe."""
        return Faults(shoe)

    def device(self, device: str | None = None, **options: Any) -> Shoe:  # noqa: ANN401  # those of ShoeOptions
        """Another device."""
        try:
            wanted = ShoeOptions(device=device, **options)
        except TypeError as error:
            raise CardshoeFailure(f"a device has no such option: {error}") from error
        self._devices += 1
        return self._simulated(wanted) if self._settings.hardware is None else self._real(wanted)

    def table(
        self,
        *shoes: Shoe,
        game: str | None = None,
        device: Mapping[str, Any] | None = None,
        **settings: Any,  # noqa: ANN401  # whatever table.toml takes
    ) -> Table:
        """A running table; `game`: default of `cardshoe config example`."""
        self._tables += 1
        table_id = str(settings.pop("table_id", f"T-{self._tables}"))
        folder = self._folder / f"table-{self._tables}"
        folder.mkdir()
        shoe_decks = shoes[0].decks if shoes else 8
        command = self._launch.command
        game = game or usual_game(command)
        known = {option["name"] for option in law_of(command, game)["options"]}
        options = {name: value for name, value in DEFAULT_OPTIONS.items() if name in known}
        table = {
            "id": table_id, "game": game, "decks": shoe_decks, "seats": 7, "equipment": "shoe", "options": options
        }  # fmt: skip
        names = ["shoe", *(f"shoe-{number}" for number in range(2, len(shoes) + 1))]
        devices = [
            {"name": name, "family": shoe.family, "port": shoe.port, "settings": shoe.settings, **(device or {})}
            for name, shoe in zip(names, shoes, strict=False)
        ]
        config = write_config(folder, {**table, **settings}, devices)
        running = Table(config, self._launch, table_id)
        self.processes.append(running.process)
        running.answer()  # before it is one that can be closed: a table that is not allowed has no journal
        self._closers.append(running.close)
        return running

    def close(self) -> None:
        """End everything, last first; then report failures."""
        problems: list[CardshoeFailure] = []
        try:
            while self._closers:
                try:
                    self._closers.pop()()
                except CardshoeFailure as problem:
                    problems.append(problem)
        finally:
            for process in self.processes:
                process.end()
        self.recorder.finish(self._node.stash.get(OUTCOME, "unknown" if isinstance(self._node, pytest.Item) else None))
        if problems:
            raise CardshoeFailure("; ".join(map(str, problems))) from problems[0]

    def _simulated(self, options: ShoeOptions) -> Shoe:
        shoe = SimulatedShoe(
            options,
            self._launch,
            self._folder / f"device-{self._devices}",
            # Each device of a test shuffles its own way.
            (self.seed + self._devices - 1) % SEEDS,
            on_start=self.processes.append,
        )
        self._closers.append(shoe.close)
        self.shoes.append(shoe)
        return shoe

    def _real(self, options: ShoeOptions) -> Shoe:
        settings = self._settings
        if self._devices > 1:
            pytest.skip(f"wants {self._devices} devices, and --cardshoe-hw names one")
        port = settings.hardware or ""
        wanted = (options.device or settings.family).replace("-", "_")
        if wanted != settings.family:
            pytest.skip(f"wants a {wanted}, and on the bench is a {settings.family} (--cardshoe-family)")
        if options.shuffle != "uniform":
            pytest.skip(f"wants a simulated shoe that is shuffled by {options.shuffle}; a real shoe has no such option")
        if options.arguments:
            pytest.skip(f"wants a simulated shoe with {' '.join(options.arguments)}; a real shoe has no such option")
        if settings.control is None:
            return RealShoe(port, settings.family, settings.device_settings, options.decks)
        control = Control(settings.control, settings.patience_s, self.recorder.record)
        self._closers.append(control.close)
        shoe = RigShoe(port, settings.family, settings.device_settings, control, options.decks, settings.patience_s)
        self.shoes.append(shoe)
        return shoe

    def sections(self) -> list[tuple[str, str]]:
        """Titles and texts of a failure report: seed, shoes, processes."""
        return [
            ("cardshoe: seed", f"{self.seed}, from the run's {self._settings.seed}"),
            *((f"cardshoe: {shoe.family} at {shoe.port}", shoe.report()) for shoe in self.shoes),
            *((f"cardshoe: {process.title}", process.report()) for process in self.processes),
        ]
