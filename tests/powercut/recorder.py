"""The operations of a table's life, noted in their order, with what was acknowledged at each point."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, Self

from cardshoe.journal import DiskSpace, Header, Journal, Keyring
from cardshoe.journal.file.database import Setting
from cardshoe.journal.file.store import Store
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import Takeover, read_statement
from cardshoe.journal.writing.signer import JournalSigner
from tests.powercut.operations import Acknowledged, Erased, Operation, Stored


class Witness(Protocol):
    """Who hears of the steps that a journal takes."""

    during: str

    def acknowledge(self, stored: Stored, to: str) -> None:
        """From here on this much must be there whatever happens; ``to``: the table, or a witness who heard a note."""

    def erase(self, secret: bytes) -> None:
        """From here on a private key must not be on the disk."""


@dataclass
class Recorder:
    """Notes every operation and every acknowledgement."""

    operations: list[Operation] = field(default_factory=list)
    during: str = ""

    def before(self, act: str, name: str) -> None:
        """Nothing is noted before it has happened."""

    def after(self, act: str, name: str, operation: Operation) -> None:  # noqa: ARG002  as the layer calls it
        """It was done."""
        self.operations.append(operation)

    def acknowledge(self, stored: Stored, to: str) -> None:  # noqa: ARG002  whoever was told, it must be there
        """The table tells somebody."""
        self.operations.append(Acknowledged(stored))

    def erase(self, secret: bytes) -> None:
        """The table relies on it that a key is gone."""
        self.operations.append(Erased(secret))


class WitnessedJournal(Journal):
    """The journal as it is; a witness hears what it is about to do, and what it has acknowledged."""

    witness: Witness
    weakened: tuple[Setting, ...] = ()
    """Settings that are put in force in place of the product's: for negative controls. Only this constructor of the
    tests leads there."""
    keyrings: type[Keyring] = Keyring
    """How keys are kept, in place of the product's own keyring: for negative controls as well."""

    def __init__(self, store: Store, keyring: Keyring | None = None) -> None:
        store.demand(self.weakened)
        before = secrets_in(keyring)
        super().__init__(store, keyring)
        self.store = store
        self.keyring = keyring
        self.durable = stored_in(self)
        self.listen(self._heard)
        self._tell_erased(before)

    @classmethod
    def create(
        cls, path: Path, header: Header, keyring: Keyring | None = None, before: JournalSigner | None = None
    ) -> Self:
        cls.witness.during = "create"
        journal = super().create(path, header, cls._kept(keyring), before)
        cls.witness.acknowledge(journal.durable, "table")
        return journal

    @classmethod
    def open(cls, path: Path, keyring: Keyring | None = None) -> Self:
        if cls.witness.during != "create":
            cls.witness.during = "open"
        journal = super().open(path, cls._kept(keyring))
        cls.witness.acknowledge(journal.durable, "table")
        return journal

    def append(self, entries: Iterable[bytes], sign_at: str | None = None) -> None:
        self.witness.during = "append" if sign_at is None else "signed append"
        super().append(entries, sign_at)
        self.durable = self.durable.joined(Stored(self.last))
        self.witness.acknowledge(self.durable, "table")

    def sign(self, at: str) -> None:
        self.witness.during = "sign"
        super().sign(at)

    def begin_shoe(self, at: str = "", state: bytes | None = None) -> None:
        self.witness.during = "begin_shoe"
        before = secrets_in(self.keyring)
        super().begin_shoe(at, state)  # ends with a checkpoint of the database
        self.witness.during = "begin_shoe"
        self._tell_erased(before)

    def flush_wal(self) -> None:
        self.witness.during = "checkpoint"
        super().flush_wal()

    def room(self) -> DiskSpace:
        self.witness.during = "room"
        return super().room()

    def close(self) -> None:
        self.witness.during = "close"
        super().close()

    @classmethod
    def _kept(cls, keyring: Keyring | None) -> Keyring | None:
        return None if keyring is None else cls.keyrings(keyring.journal)

    def _heard(self, note: bytes) -> None:
        self.durable = self.durable.joined(said_by(note))
        self.witness.acknowledge(self.durable, "witness")

    def _tell_erased(self, before: dict[int, bytes]) -> None:
        for epoch, secret in before.items():
            if epoch != self.durable.keys - 1:
                self.witness.erase(secret)


def witnessed(by: Witness, *weakened: Setting, keyrings: type[Keyring] = Keyring) -> type[WitnessedJournal]:
    """A class of journals that a witness follows."""
    return type("FollowedJournal", (WitnessedJournal,), {"witness": by, "weakened": weakened, "keyrings": keyrings})


def stored_in(journal: Journal) -> Stored:
    """How much an open journal holds."""
    return Stored(journal.last, sum(1 for _ in journal.notes()) - journal.checkpoints, journal.checkpoints)


def said_by(note: bytes) -> Stored:
    """How much a journal must hold, from what a note of it says."""
    said = read_statement(Note(note))
    if isinstance(said, Takeover):
        return Stored(said.size - 1, keys=said.epoch + 1)
    return Stored(said.size - 1, keys=said.epoch + 1, checkpoints=said.number)


def secrets_in(keyring: Keyring | None) -> dict[int, bytes]:
    """By epoch: the line of each key file that is the key; files that hold none are left out."""
    found = {} if keyring is None else {epoch: keyring.path(epoch).read_bytes() for epoch in keyring.held()}
    return {epoch: data.split(b"\n")[1] for epoch, data in found.items() if data.startswith(b"-----BEGIN")}
