"""The part of a baccarat table's past that outlives a stack."""

from msgspec import field

from regulations.events.inputs import Wager
from regulations.games.baccarat.result import BaccaratResult
from regulations.play.context.snapshot import RoundSnapshot


class BaccaratSnapshot(RoundSnapshot, kw_only=True, tag="baccarat"):
    announced: bool = False
    demonstrations: int = 0
    wagered: bool = False
    unconfirmed: BaccaratResult | None = None
    held: list[Wager] = field(default_factory=list)
