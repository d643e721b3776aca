"""What every answer of a table must be, whatever it was asked: for the state machines of the properties."""

from regulations.procedure import Procedure
from tests.regulations.support.fingerprint import fingerprint
from tests.regulations.support.inputs import FROM_DEVICES
from tests.regulations.support.profiles import Json
from tests.regulations.support.running import decoded, shown


def answer_of(procedure: Procedure, given: Json, prompt: Json) -> list[Json]:
    """Gives a table an input; the answer ends with the only ``next``, and a refusal has changed nothing.

    Args:
        procedure: the table.
        given: the input.
        prompt: the ``next`` before it.
    """
    before, states = fingerprint(procedure), procedure.states
    outputs = shown(procedure.apply(decoded(given)))
    names = [output["event"] for output in outputs]
    assert names.count("next") == 1
    assert names[-1] == "next"
    if "refused" in names:
        assert names == ["refused", "next"]
        assert given["event"] not in FROM_DEVICES
        assert fingerprint(procedure) == before
        assert procedure.states == states
        assert outputs[-1]["do"] == prompt["do"]
    return outputs
