"""The operations of a table's life, noted in their order, with what was acknowledged at each point."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, Self

from table.journal import Header, Journal, Keyring, Room
from table.journal.database import Setting
from table.journal.store import Store
from tests.powercut.operations import Acknowledged, Operation


class Witness(Protocol):
    """Who hears of the steps that a journal takes.

    Attributes:
        during: the step that is under way.
    """

    during: str

    def acknowledge(self, seq: int) -> None:
        """From here on entry ``seq`` and all before it must be there whatever happens; 0: the journal itself."""


@dataclass
class Recorder:
    """Notes every operation and every acknowledgement.

    Attributes:
        operations: in their order.
        during: the step that is under way.
    """

    operations: list[Operation] = field(default_factory=list)
    during: str = ""

    def before(self, act: str, name: str) -> None:
        """Nothing is noted before it has happened."""

    def after(self, act: str, name: str, operation: Operation) -> None:  # noqa: ARG002  as the layer calls it
        """It was done."""
        self.operations.append(operation)

    def acknowledge(self, seq: int) -> None:
        """The table tells somebody."""
        self.operations.append(Acknowledged(seq))


class WitnessedJournal(Journal):
    """The journal as it is; a witness hears what it is about to do, and what it has acknowledged.

    Made by `witnessed`.
    """

    witness: Witness
    weakened: tuple[Setting, ...] = ()
    """Settings that are put in force in place of the product's: for negative controls. Only this constructor of the
    tests leads there."""

    def __init__(self, store: Store, keyring: Keyring | None = None) -> None:
        store.demand(self.weakened)
        super().__init__(store, keyring)
        self.store = store

    @classmethod
    def create(cls, path: Path, header: Header, keyring: Keyring | None = None) -> Self:
        cls.witness.during = "create"
        journal = super().create(path, header, keyring)
        cls.witness.acknowledge(journal.last_seq)
        return journal

    @classmethod
    def open(cls, path: Path, keyring: Keyring | None = None) -> Self:
        if cls.witness.during != "create":
            cls.witness.during = "open"
        journal = super().open(path, keyring)
        cls.witness.acknowledge(journal.last_seq)
        return journal

    def append(self, lines: Iterable[tuple[Literal["input", "output"], bytes]], sign_at: str | None = None) -> None:
        self.witness.during = "append"
        super().append(lines, sign_at)
        self.witness.acknowledge(self.last_seq)

    def begin_shoe(self, at: str = "", state: bytes | None = None) -> None:
        self.witness.during = "begin_shoe"
        super().begin_shoe(at, state)

    def room(self) -> Room:
        self.witness.during = "room"
        return super().room()

    def close(self) -> None:
        self.witness.during = "close"
        super().close()


def witnessed(by: Witness, *weakened: Setting) -> type[WitnessedJournal]:
    """A class of journals that a witness follows.

    Args:
        by: the witness.
        weakened: pragmas in place of the product's.
    """
    return type("FollowedJournal", (WitnessedJournal,), {"witness": by, "weakened": weakened})
