"""Opens what a power cut left, with the product's own journal, and says what is wrong with it."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from table.journal import Entry, Journal, JournalBroken, JournalError, JournalMissing, Keyring
from table.journal.proof.tree import Frontier, leaf_hash
from table.journal.store import Store
from table.verify import replayed

Problem = Literal["lost", "corrupt", "chain_breaks"]

NOTHING = -1
"""No journal was acknowledged, or none is there."""


class OpenedJournal(Journal):
    """The journal as it is, which can be let go of without writing anything."""

    def __init__(self, store: Store, keyring: Keyring | None = None) -> None:
        super().__init__(store, keyring)
        self.store = store


@dataclass
class Found:
    """What opening gave.

    Attributes:
        last_seq: the last entry; `NOTHING` if there is no journal.
        problem: what is wrong, but for losses: those depend on what was acknowledged.
        text: the error's.
    """

    last_seq: int
    problem: Problem | None = None
    text: str = ""


@dataclass
class Judge:
    """Knows what was written.

    Attributes:
        roots: of the tree after every entry that was ever written, the header's first.
        replays: how many journals of different content were replayed.
    """

    roots: list[bytes]
    _replayed: set[bytes] = field(default_factory=set)

    @classmethod
    def knowing(cls, genesis: Entry, entries: Iterable[Entry]) -> "Judge":
        """Knows these entries."""
        edge, roots = Frontier(), []
        for entry in (genesis, *entries):
            edge.add(leaf_hash(entry.line))
            roots.append(edge.root())
        return cls(roots)

    @property
    def replays(self) -> int:
        """How many journals of different content were replayed."""
        return len(self._replayed)

    def look(self, path: Path) -> Found:
        """Opens, verifies and replays; content that was replayed before is known by its verified root.

        Args:
            path: where the journal would be.
        """
        try:
            journal = OpenedJournal.open(path)
        except JournalMissing:
            return Found(NOTHING)
        except JournalBroken as error:
            return Found(NOTHING, "corrupt" if error.seq is None else "chain_breaks", str(error))
        except JournalError as error:
            return Found(NOTHING, "corrupt", str(error))
        try:
            return self._read(path, journal)
        except JournalBroken as error:
            return Found(journal.last_seq, "chain_breaks", str(error))
        finally:
            journal.store.abandon()

    def _read(self, path: Path, journal: Journal) -> Found:
        last, root = journal.last_seq, journal.root
        # Opening verified the open shoe and the pages; this is what it left out.
        for _ in itertools.islice(journal.entries(), journal.shoe_start - 1):
            pass
        if last >= len(self.roots) or root != self.roots[last]:
            return Found(last, "chain_breaks", f"entry {last} is not the one that was written")
        if root not in self._replayed:
            for _ in replayed(path, journal.entries()):
                pass
            self._replayed.add(root)
        return Found(last)
