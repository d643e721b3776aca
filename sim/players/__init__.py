"""Simulated players: they come and go, make wagers that the regulation allows, and decide about their hands.

``bets`` is what they put down in each game, ``view`` what they see, ``cards`` how they count, ``blackjack`` how a
sensible one plays that game, ``players`` all of them at a table.
"""

from sim.players.players import Players, Strategy
from sim.players.view import PlayerView

__all__ = ["PlayerView", "Players", "Strategy"]
