"""The interface of a game's rounds for shoe game, resolution and correction."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, Final, NamedTuple

from msgspec import UNSET, UnsetType

from regulations.events.inputs import Decision, Revealed
from regulations.events.vocabulary import DecisionAction, ResolutionAction
from regulations.play.context.drawn_card import DrawnCard
from regulations.play.context.due import Due
from regulations.play.context.hands import Hands
from regulations.play.context.irregularities import OpenIrregularity
from regulations.play.context.record import RoundAction, Stage
from regulations.play.context.snapshot import RoundSnapshot


class Phase(NamedTuple):
    open: bool = False
    voidable: bool = False
    decided: bool = False


BETWEEN_ROUNDS: Final = Phase()


class OpenRound(ABC):
    decided_otherwise: Callable[[DecisionAction], Decision | None] = staticmethod(lambda _action: None)
    cards_await_decisions: ClassVar[bool] = False
    """A card may wait for the decision before it (blackjack, reading J30)."""
    hides_card: Callable[[], bool] = staticmethod(lambda: False)
    """A face-down card voids the round when seen (q poker)."""
    stored_result_disagrees: Callable[[], bool] = staticmethod(lambda: False)

    # --- where it stands ---------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def state(self) -> StrEnum:
        """Where the round stands."""

    @property
    @abstractmethod
    def phase(self) -> Phase:
        """The round's phase, for the shared parts."""

    @property
    @abstractmethod
    def is_idle(self) -> bool:
        """True if no round is open."""

    @property
    @abstractmethod
    def opens_with_card(self) -> bool:
        """True if the coming round's first card closes its bets."""

    @property
    @abstractmethod
    def is_dealing(self) -> bool:
        """True if a card of the round, burn included, is out and its result is not."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """True if the open round is decided or void, and not closed yet."""

    @property
    def stage(self) -> Stage:
        """How far the open round has come."""
        if self.is_over:
            return "result"
        return "deal" if self.is_dealing else "bets"

    @property
    @abstractmethod
    def laid(self) -> Hands:
        """The hands on the table."""

    @abstractmethod
    def find_due(self) -> Due:
        """Cached by :attr:`Scope.due`."""

    @abstractmethod
    def due_to(self, drawn: DrawnCard) -> Due:
        """What is due to this card, which may itself be a decision."""

    def seats_served(self) -> int | UnsetType:
        return UNSET

    @abstractmethod
    def snapshot(self) -> RoundSnapshot:
        """The state that outlives a round."""

    @abstractmethod
    def restore(self, snapshot: RoundSnapshot) -> None:
        """Restore what :meth:`snapshot` gave."""

    @abstractmethod
    def resume(self, stored: Mapping[str, Any]) -> None:
        """Restore a stored snapshot.

        Raises:
            SnapshotUnfit: another game's, or of other rules.
        """

    # --- what it does ------------------------------------------------------------------------------------------------

    @abstractmethod
    def fire(self, trigger: str) -> None:
        """Fire a trigger of the round's machine."""

    @abstractmethod
    def emit_next(self) -> None:
        """Emit the croupier's next act."""

    @abstractmethod
    def new_shoe(self) -> None:
        """A shoe game begins."""

    @property
    @abstractmethod
    def carries(self) -> bool:
        """True if wagers of earlier rounds are on the table, between rounds."""

    def close_table(self) -> None:  # noqa: B027  # nothing, unless a game says so
        """Return what is carried as the table closes."""

    @abstractmethod
    def void(self, reason: str) -> None:
        """``reason``: an irregularity's code, or ``cut_card``."""

    def mark_device_reported(self) -> None:  # noqa: B027  # nothing, unless a game says so
        """No other result of a device is expected."""

    # --- irregular cards and corrections -----------------------------------------------------------------------------

    def resolutions(self, irregularity: OpenIrregularity, ways: list[ResolutionAction]) -> list[ResolutionAction]:  # noqa: ARG002  # games look
        """The resolutions of an irregularity by this game's regulation; ``ways``: those of all games."""
        return ways

    @abstractmethod
    def burned_by(self, irregularity: OpenIrregularity) -> str:
        """The article by which an irregularity's card is burned."""

    def accept(self, drawn: DrawnCard) -> None:  # noqa: B027  # nothing, unless a game says so
        """Accept an irregular card as valid."""

    @abstractmethod
    def burn_waiting(self) -> None:
        """Burn cards whose decision is not taken any more (readings J30, G14)."""

    def cannot_correct(self, struck: Sequence[int]) -> str | None:  # noqa: ARG002  # games look
        return None

    def meets(self, act: RoundAction) -> bool:
        """True if a decision or reveal can be repeated on the hands as they lie now (reading G11)."""
        return act.meets(self.laid)

    def repeat(self, event: Decision | Revealed) -> None:
        """Repeats a decision or reveal, which is the event in hand, while the round is run again."""
        self.fire(str(event.__struct_config__.tag))

    def judge_corrected(self) -> None:  # noqa: B027  # nothing, unless a game says so
        """Judge the table after a correction."""
