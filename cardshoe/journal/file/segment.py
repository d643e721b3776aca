"""Where a journal begins that holds a part of a table's log, and whether it goes on.

When closed shoe games are retired, their entries move into an archive, and the rest begins where the key of a later
shoe game took over. Both are segments: the header, the right edge of the tree over all entries before, the entries from
there on. The edge is proved by the statement of the key that took over there, so every entry of a segment leads to the
same signed roots as before, with the same audit paths.
"""

import msgspec

from cardshoe.journal.proof.statements import Checkpoint, Takeover
from cardshoe.journal.proof.tree import Frontier, edge_rows


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """The part of the log that a journal holds; the whole of it unless said otherwise.

    Attributes:
        epoch: the first shoe game that is in it, by its key.
        size: how many entries there are before, the header included, so the number of the first one here.
        edge: the right edge of the tree over those; empty in a whole journal, which has them.
        archived: whether it ends where the last of its keys takes over, and nothing is ever added to it.
    """

    epoch: int = 0
    size: int = 1
    edge: tuple[bytes, ...] = ()
    archived: bool = False

    @property
    def is_whole(self) -> bool:
        """True for an ordinary journal, which says nothing about segments."""
        return not self.edge

    def frontier(self) -> Frontier:
        """The tree over the entries before.

        Raises:
            ValueError: the edge does not belong to the size.
        """
        return Frontier(self.size, self.edge)

    def reaches(self, seq: int) -> bool:
        """True if the rows of an entry and of its whole proof are here, as far as they lie before it."""
        return self.size == 1 or seq >= self.size

    def edge_nodes(self) -> dict[int, bytes]:
        """Return the nodes that the edge is made of, by row number."""
        return dict(zip(edge_rows(self.size), self.edge, strict=True)) if self.edge else {}

    def holds(self, said: Checkpoint | Takeover, end: Takeover | None = None) -> bool:
        """True if a signed statement of this journal must be in this part of it: it speaks of no other part.

        Args:
            said: the signed statement.
            end: that of the last key in an archive, with which it ends; a journal that goes on needs none.
        """
        is_key = isinstance(said, Takeover)
        if not is_key and said.epoch < self.epoch and said.size <= self.size:
            return False
        if end is None or not self.archived:
            return True
        return said.size < end.size or said.epoch < end.epoch + is_key
