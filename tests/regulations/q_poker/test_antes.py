"""What the antes are never asked in a case."""

import pytest

from regulations.desk import Desk
from regulations.events.inputs import Table
from regulations.q_poker.antes import Antes
from regulations.q_poker.law import LAW
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import decoded


def test_another_input_than_a_decision_decides_nothing() -> None:
    """That a row asks about a decision where there is none would be a defect of the rule table."""
    table = decoded(profile(game="q_poker"))
    assert isinstance(table, Table)
    with pytest.raises(TypeError, match="decides nothing"):
        Antes(Desk(table, LAW)).decider_unknown()
