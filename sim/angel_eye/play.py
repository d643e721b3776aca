"""The game that the shoe believes in."""

from typing import Final, NamedTuple

from protocols.angel_eye.messages import Outcome, Target
from regulations.events.cards import Card
from sim.angel_eye import tableau
from sim.angel_eye.settings import LAST_BURN_INDEX, ShoeSettings


class CardTarget(NamedTuple):
    target: Target
    number: int


_FIRST_FOUR: Final = (
    CardTarget(Target.PLAYER, 1),
    CardTarget(Target.BANKER, 1),
    CardTarget(Target.PLAYER, 2),
    CardTarget(Target.BANKER, 2),
)
_TWO: Final = 2


class ShoeRoundModel:
    """``None``: a card that was not read; then there is no verdict."""

    def __init__(self, *, burn_first: bool) -> None:
        self.player: list[Card | None] = []
        self.banker: list[Card | None] = []
        self.has_begun = False
        self.due: CardTarget | None = CardTarget(Target.BURN, 1) if burn_first else self._next()

    def _next(self) -> CardTarget | None:
        hand_cards = len(self.player) + len(self.banker)
        if hand_cards < len(_FIRST_FOUR):
            return _FIRST_FOUR[hand_cards]
        player, banker = self._read()
        if player is None or banker is None:
            # It cannot know who draws: it takes whatever comes, the player's third first, until both have three.
            player_draws, banker_draws = True, True
        else:
            player_draws, banker_draws = tableau.player_draws(player, banker), tableau.banker_draws(player, banker)
        if len(self.player) == _TWO and player_draws:
            return CardTarget(Target.PLAYER, 3)
        if len(self.banker) == _TWO and banker_draws:
            return CardTarget(Target.BANKER, 3)
        return None

    def place(self, card: Card | None) -> CardTarget:
        """Lay a card where it is due."""
        slot = self.due
        if slot is None:
            raise ValueError("the round is complete")
        self.has_begun = True
        if slot.target is Target.PLAYER:
            self.player.append(card)
        elif slot.target is Target.BANKER:
            self.banker.append(card)
        self.due = self._next()
        return slot

    def verdict(self) -> Outcome | None:
        """The winner; ``None`` during a round, or with an unread card in it."""
        if self.due is not None:
            return None
        player, banker = self._read()
        return None if player is None or banker is None else tableau.winner(player, banker)

    def _read(self) -> tuple[list[Card] | None, list[Card] | None]:
        player = [card for card in self.player if card is not None]
        banker = [card for card in self.banker if card is not None]
        complete = len(player) == len(self.player) and len(banker) == len(self.banker)
        return (player, banker) if complete else (None, None)


class ShoeGameModel:
    def __init__(self, settings: ShoeSettings) -> None:
        self._settings = settings
        self._initial: list[CardTarget] = []
        self._round = ShoeRoundModel(burn_first=False)
        self._following: ShoeRoundModel | None = None
        self.new_shoe()

    def new_shoe(self) -> None:
        settings = self._settings
        self._initial = []
        if settings.initial_burn == "per_deck":
            self._initial = [_burned(Target.BURN, number) for number in range(1, settings.burn_cards + 1)]
        elif settings.initial_burn == "first_card_value":
            self._initial = [CardTarget(Target.BURN_COUNT_FIXING, 0)]
        self._round = ShoeRoundModel(burn_first=False)
        self._following = None

    @property
    def round(self) -> ShoeRoundModel:
        return self._round

    def due(self) -> CardTarget | None:
        """Where the next card goes; ``None``: the round is complete and waits for its result button."""
        return self._initial[0] if self._initial else self._round.due

    def place(self, card: Card | None) -> CardTarget:
        """Lay a card where it is due; one that was not read is ``None``."""
        if not self._initial:
            return self._round.place(card)
        slot = self._initial.pop(0)
        if slot.target is Target.BURN_COUNT_FIXING and card is not None:
            # Not read: the shoe cannot know how many, and burns none.
            count = tableau.burn_value(card)
            self._initial = [_burned(Target.BURN_BY_COUNT, number) for number in range(1, count + 1)]
        return slot

    def place_ahead(self, card: Card | None) -> CardTarget | None:
        if self._following is None:
            self._following = ShoeRoundModel(burn_first=self._settings.round_burn)
        return None if self._following.due is None else self._following.place(card)

    def end_round(self) -> None:
        self._round = self._following or ShoeRoundModel(burn_first=self._settings.round_burn)
        self._following = None

    def break_off(self) -> None:
        if not self._initial and self._round.has_begun:
            self._round = ShoeRoundModel(burn_first=self._settings.round_burn)
        self._initial = []
        self._following = None


def _burned(target: Target, number: int) -> CardTarget:
    return CardTarget(target, min(number, LAST_BURN_INDEX))
