"""What is due is found once a move and kept: it is what the round would find anew, and never older than its state."""

import pytest

from regulations.events.inputs import Table
from regulations.games.registry import GAMES
from regulations.procedure.procedure import Procedure
from sim.croupier.orders import Orders
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import decoded
from tests.sim.croupier.plain_table import PlainTable

pytestmark = pytest.mark.law

OPTIONS = {"baccarat": {"round_burn": True}}


@pytest.mark.parametrize("game", GAMES)
def test_what_is_kept_as_due_is_due(game: str, seed: int) -> None:
    table = decoded(profile(game=game, **OPTIONS.get(game, {})))
    assert isinstance(table, Table)
    played = PlainTable(seed, table, mistakes=0.2, orders=Orders(games=2), interference=0.1)
    played.run()
    procedure = Procedure(table)
    asked = set()
    for event, _ in played.log[1:-1]:
        procedure.apply(event)
        scope = procedure._context.scope  # noqa: SLF001  compared from within
        assert scope.due == scope.round.find_due()
        asked.add(scope.due)
    assert len(asked) > 1
