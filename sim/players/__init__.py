"""Simulated players: they come and go, make lawful wagers, and decide about their hands."""

from sim.players.players import Players, Strategy
from sim.players.view import PlayerView

__all__ = ["PlayerView", "Players", "Strategy"]
