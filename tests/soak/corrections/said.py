"""Corrections by two persons of a round's cards, and the order that follows from them."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal

from msgspec import UNSET, UnsetType

from regulations.events.inputs import Amendment
from tests.soak.corrections.past import Done, Item, Left


class Said:
    """One correction that is asked for."""

    def __init__(
        self, *, action: Literal["reassign", "identify"], order: Sequence[Item], ground: str | UnsetType = UNSET
    ) -> None:
        self.action: Final = action
        self.ground: Final = ground
        self.order: Final = list(order)
        self._were_in_order: Final = list(order)
        self.entries: Final[list[Amendment]] = []
        self.kinds: Final[set[str]] = set()
        self.out: Final[Counter[str]] = Counter()
        self.never_burned = 0
        self.struck: Final[set[Left]] = set()
        self._were: Final[list[tuple[Left, str, object]]] = []

    def strike(self, at: int, left: Left) -> None:
        """A card does not count."""
        self.entries.append(Amendment(index=at, to="burn"))
        self.kinds.add("burned")
        if left.fate != "burned" and not left.by_rule:
            self._free(left)
            self._change(left, "fate", "burned")
            self.struck.add(left)

    def rename(self, at: int, left: Left, card: str) -> None:
        """A card is another one."""
        self.entries.append(Amendment(index=at, card=card))  # type: ignore[arg-type]  # words of the table log
        self.kinds.add("renamed")
        self.out[left.card] -= 1
        self._change(left, "card", card)
        self._change(left, "is_known", True)  # noqa: FBT003  a value, not a choice

    def unsay(self, at: int, left: Left) -> None:
        """A card never left."""
        self.entries.append(Amendment(index=at, to="none"))
        self.kinds.add("struck")
        self.out[left.card] -= 1
        self._free(left)
        self.order.remove(left)
        self.never_burned += left.fate == "burned" or left.by_rule

    def insert(self, at: int, before: Left | None, left: Left) -> None:
        """A card left behind that one, and was never told."""
        self.entries.append(Amendment(after=at, card=left.card))  # type: ignore[arg-type]  # words of the table log
        self.kinds.add("inserted")
        # Behind what was decided before the next card left, be that struck or not, but before the cut card.
        were = self._were_in_order
        place = were.index(before) + 1 if before is not None else 0
        while place < len(were) and isinstance(were[place], Done):
            place += 1
        behind = were[place:]
        self.order.insert(next((at for at, one in enumerate(self.order) if one in behind), len(self.order)), left)

    def _free(self, gone: Left) -> None:
        taker = None
        for one in reversed(self._were_in_order):
            if isinstance(one, Left) and one.fate == "held" and one.was_due and taker is gone:
                self._change(one, "was_due", False)  # noqa: FBT003  a value, not a choice
            elif isinstance(one, Left) and one.fate in ("counts", "accepted") and not one.by_rule:
                taker = one

    def take_back(self) -> None:
        """It was refused."""
        for left, name, was in reversed(self._were):
            setattr(left, name, was)

    def _change(self, left: Left, name: str, value: object) -> None:
        self._were.append((left, name, getattr(left, name)))
        setattr(left, name, value)
