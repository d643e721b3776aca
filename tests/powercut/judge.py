"""Opens what a power cut left, with the product's own journal and its keys, and says what is wrong with it."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from cardshoe.journal import Entry, Journal, JournalBroken, JournalError, JournalMissing, KeyMissing, Keyring, read_only
from cardshoe.journal.file.store import Store
from cardshoe.journal.proof.tree import Frontier, leaf_hash
from cardshoe.process.exits import Stop
from cardshoe.table.log.sealing_keys import SealingKeys
from cardshoe.table.log.verify import verify
from tests.powercut.operations import NOTHING, Stored
from tests.powercut.recorder import stored_in

Problem = Literal["lost", "corrupt", "chain_breaks"]


class OpenedJournal(Journal):
    """The journal as it is, which can be let go of without writing anything."""

    def __init__(self, store: Store, keyring: Keyring | None = None) -> None:
        super().__init__(store, keyring)
        self.store = store


@dataclass
class Found:
    """The result of opening."""

    stored: Stored
    problem: Problem | None = None
    text: str = ""


@dataclass
class Judge:
    """Knows what was written."""

    roots: Sequence[bytes]
    notes: tuple[Sequence[bytes], Sequence[bytes]]
    sealing: SealingKeys
    _replayed: set[Stored] = field(default_factory=set)

    @classmethod
    def knowing(cls, path: Path, sealing: SealingKeys) -> "Judge":
        """Knows what a finished journal holds."""
        with read_only(path) as evidence:
            keys, notes = len(evidence.takeovers()), list(evidence.notes())
            return cls(_roots(evidence.genesis, evidence.entries()), (notes[:keys], notes[keys:]), sealing)

    @property
    def replays(self) -> int:
        """How many journals of different content were replayed."""
        return len(self._replayed)

    def look(self, path: Path) -> Found:
        """Opens and verifies; what has the content of another one is not replayed again."""
        keyring = Keyring(path)
        try:
            journal = OpenedJournal.open(path, keyring)
        except JournalMissing:
            return Found(NOTHING)
        except KeyMissing as error:
            return Found(NOTHING, "lost", str(error))
        except JournalBroken as error:
            return Found(NOTHING, "corrupt" if error.entry is None else "chain_breaks", str(error))
        except JournalError as error:
            return Found(NOTHING, "corrupt", str(error))
        try:
            found = self._read(journal, keyring)
        except JournalBroken as error:
            found = Found(NOTHING, "chain_breaks", str(error))
        finally:
            journal.store.abandon()
        return found if found.problem is not None or found.stored in self._replayed else self._replay(path, found)

    def _read(self, journal: Journal, keyring: Keyring) -> Found:
        stored = stored_in(journal)
        # Opening verified the open shoe, its checkpoints, all keys and snapshots, and the pages; this is what it left.
        for _ in itertools.islice(journal.entries(), journal.shoe_start - 1):
            pass
        if stored.seq >= len(self.roots) or journal.root != self.roots[stored.seq]:
            return Found(stored, "chain_breaks", f"entry {stored.seq} is not the one that was written")
        keys, checkpoints = self.notes
        if list(journal.notes()) != [*keys[: stored.keys], *checkpoints[: stored.checkpoints]]:
            return Found(stored, "chain_breaks", "its statements and checkpoints are not those that were signed")
        if (held := keyring.held()) != [stored.keys - 1]:
            return Found(stored, "corrupt", f"the keys {held} are there after opening, and key {stored.keys - 1} signs")
        return Found(stored)

    def _replay(self, path: Path, found: Found) -> Found:
        try:
            proved = verify(path, keys=self.sealing)
        except JournalBroken as error:
            return Found(found.stored, "chain_breaks", str(error))
        except (JournalError, Stop) as error:
            return Found(found.stored, "corrupt", str(error))
        if (proved.entries, proved.keys, proved.checkpoints) != found.stored:
            return Found(found.stored, "corrupt", f"opened: {found.stored}; verified: {proved}")
        self._replayed.add(found.stored)
        return found


def _roots(genesis: Entry, entries: Iterable[Entry]) -> list[bytes]:
    edge, roots = Frontier(), []
    for entry in (genesis, *entries):
        edge.add(leaf_hash(entry.data))
        roots.append(edge.root())
    return roots
