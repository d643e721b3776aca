"""Many tables in a floor's database: journals that the real regulation has written, stored by the real collector."""

import itertools
import queue
import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Self

from msgspec import UNSET, structs

from cardshoe.floor.database import Database
from cardshoe.floor.ingest import Collector
from cardshoe.floor.witness import FloorWitness
from cardshoe.journal.delivery.wire import BATCH_ENTRIES, Batch, Stands
from cardshoe.journal.proof.note import SigningKey
from cardshoe.journal.witness.store import private_key
from cardshoe.table.controller import Controller
from cardshoe.table.log.table_journal import open_log
from regulations.events import inputs, notices
from regulations.events.inputs import AnyInput
from regulations.events.origins import fill_origin
from regulations.events.vocabulary import Game
from sim.croupier.instructions import HouseInstructions
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.tables import SEED
from tests.sim.croupier.plain_table import PlainTable
from tests.sim.croupier.profiles import profile

GAMES: Final[Sequence[Game]] = ("baccarat", "baccarat", "baccarat", "blackjack", "casino_war", "q_poker")
PERSONS: Final = ("7001", "9001")
MODELS: Final = (("Angel", "Eye II", "2.1.0"), ("TCS", "Bee-Tek", "4.0.3"), ("TDP", "S-416", "1.7.2"))


def shoe_game(
    game: Game, rounds: int, *, seed: int = SEED, mistakes: float = 0.0, by_hand: bool = False
) -> Sequence[AnyInput]:
    """The inputs of a shoe game, with who is signed in, and a shoe that says who it is."""
    orders = HouseInstructions(games=None, rounds=rounds, persons=PERSONS)
    table = PlainTable(seed, profile(game, "shoe", {}), orders=orders, mistakes=mistakes)
    table.run()
    told = [event for event, _ in table.log[1:] if not isinstance(event, inputs.Closed)]
    return [structs.replace(event, device="shoe") if _is_a_card(event) and not by_hand else event for event in told]


def _is_a_card(event: AnyInput) -> bool:
    return isinstance(event, inputs.CardDrawn) and not event.unseen


def introduced(serial: int, croupier: str = PERSONS[0]) -> list[AnyInput]:
    """Who is there when a table opens: a shoe, and a croupier."""
    maker, model, firmware = MODELS[serial % len(MODELS)]
    return [
        notices.DeviceIdentified(
            device="shoe",
            maker=maker,
            model=model,
            serial=f"{model[:1]}{serial:05}",
            firmware=firmware,
            digest="00" * 32,
            security_counter=1,
        ),
        notices.SignedIn(person=croupier, role="croupier", place="table_screen"),
    ]


class Played:
    """A journal that grows by inputs, at times of its own.

    Args:
        apart_s: seconds from one input to the next.
    """

    def __init__(  # what a table differs in
        self,
        folder: Path,
        name: str,
        game: Game,
        begins: datetime,
        apart_s: float = 4.0,
        options: dict[str, Any] | None = None,
    ) -> None:
        self._folder: Final = folder
        # Rounds here may begin with their first card (reading B8).
        free_hands = {"rounds_without_wagers": True} if game == "baccarat" else {}
        self._table: Final = structs.replace(profile(game, "shoe", {**free_hands, **(options or {})}), table_id=name)
        self._at = begins
        self._apart: Final = timedelta(seconds=apart_s)

    def play(self, told: Sequence[AnyInput]) -> Journal:
        """Plays inputs into the journal, and signs; the journal."""
        log = open_log(self._folder, self._table, _text(self._at), lambda _taken: None)
        with log.journal as book:
            controller = Controller(log, queue.SimpleQueue(), lambda: _text(self.now), boot_s=self._boot_s)
            for event in told:
                self._at += self._apart
                controller.take(structs.replace(fill_origin(event), at=UNSET))
            if book.unsigned:
                book.sign(_text(self._at))
            path = book.path
        return Journal(path)

    def _boot_s(self) -> float:
        return self.now.timestamp()

    @property
    def now(self) -> datetime:
        """When the last input came."""
        return self._at


def _text(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Filling:
    """A collector that is told batches in its own process."""

    def __init__(self, database: Database, state: Path) -> None:
        state.mkdir(mode=0o700, exist_ok=True)
        private = private_key(state / "mark-key")
        key = SigningKey(f"cardshoe/floor/{private.public_key().public_bytes_raw().hex()[:16]}", private)
        self.witness: Final = FloorWitness(state / "witness")
        self.collector: Final = Collector(database, key, self.witness)

    def deliver(self, book: Journal, first: int = 0, end: int | None = None, *, is_all: bool = False) -> None:
        """Stores lines of a journal.

        Args:
            end: up to which; ``None``: all.
        """
        last = len(book.entries) if end is None else end
        for at in range(first, last, BATCH_ENTRIES):
            end_of_batch = min(at + BATCH_ENTRIES, last)
            notes = [(size, note) for size, note in book.notes if size <= end_of_batch]
            keys = [note for _, note in notes if note.split("\n")[1].startswith("key")]
            newest = [note for _, note in notes[-1:] if note not in keys]
            batch = book.batch(at, end_of_batch, notes=keys + newest)
            head = structs.replace(batch.head, last=last - 1 if is_all else batch.head.last)
            self.land(structs.replace(batch, head=head))

    def land(self, batch: Batch) -> None:
        """Stores a batch."""
        answer = self.collector.land(batch.head.table, batch)
        assert isinstance(answer, Stands), answer


@contextmanager
def filling(address: str, state: Path) -> Iterator[tuple[Database, Filling]]:
    """A prepared database, and what fills it."""
    with Database(address) as database:
        database.prepare()
        filler = Filling(database, state)
        with closing(filler.witness):
            yield database, filler


def troubled(rng: random.Random) -> list[AnyInput]:
    """Inputs that leave a table in some trouble."""
    choices: list[list[AnyInput]] = [
        [inputs.Fault(device="shoe", code=3)],
        [inputs.DeviceLost(device="shoe")],
        [inputs.Misdeal(detail="card_entered_wrongly")],
        [inputs.Dispute(detail="payment_disputed")],
        [notices.SupervisorCalled()],
        [notices.WitnessBehind(witness="back-office", notes=3, seconds=90)],
    ]
    return rng.choice(choices)


class Going:
    """Deliver the rest of the tables' journals in turn, in a thread, and keep the other tables present."""

    def __init__(self, filler: Filling, books: dict[str, tuple[Journal, int]], lines_per_s: float) -> None:
        self._filler: Final = filler
        self._books: Final = dict(books)
        self._pause_s: Final = 1 / lines_per_s
        self._over: Final = threading.Event()
        self._lock: Final = threading.Lock()
        self._thread: Final = threading.Thread(target=self._run)
        self._failed: Final[list[Exception]] = []
        self.delivered = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        assert self._failed == []

    def tell(self, book: Journal, end: int | None = None) -> float:
        """Delivers a journal up to an entry at once, by default all of it; the time at which that was committed."""
        with self._lock:
            _, at = self._books[book.table]
            end = len(book.entries) if end is None else max(at, end)
            self._filler.deliver(book, at, end)
            committed_s = time.time()
            self._books[book.table] = book, end
        return committed_s

    @contextmanager
    def held(self) -> Iterator[None]:
        """Deliver nothing while the block runs."""
        with self._lock:
            yield

    def _run(self) -> None:
        try:
            for table in itertools.cycle(sorted(self._books)):
                if self._over.wait(self._pause_s):
                    return
                self._go_on(table)
        except Exception as error:  # noqa: BLE001  # told at the end, by the thread of the test
            self._failed.append(error)

    def _go_on(self, table: str) -> None:
        with self._lock:
            book, at = self._books[table]
            end = min(at + 1, len(book.entries))
            batch = book.batch(at, end, notes=[])
            # The table has no more yet: what its journal has besides, it is still to play.
            self._filler.land(structs.replace(batch, head=structs.replace(batch.head, last=end - 1)))
            self._books[table] = book, end
            self.delivered += end - at
