"""Attack: one croupier works against the other people at the table.

What was possible: 32 proposals waited for all; each further one ended the oldest, so one croupier's proposals ended
those of a supervisor before they could be approved. A croupier alone ended any shoe game, with any text as the reason.

What stops it now: a person's proposals end that person's own. An early end has a reason of a list, or another in words,
and takes two people where the profile says so.
"""

import json
from pathlib import Path
from typing import Any, Final

import msgspec

from cardshoe.persons.proposals import EACH
from cardshoe.table.live import messages as says
from cardshoe.table.live.client import LiveClient
from tests.cardshoe.persons.support import (
    PINS,
    approve,
    code_of,
    events,
    open_round,
    propose,
    say,
    signed_in,
    table_with_persons,
)
from tests.cardshoe.table.live.support import TABLE

TWO: Final = msgspec.structs.replace(TABLE, options={"shoe_ended_by": "two"})


def test_one_croupier_displaces_no_proposal_of_another(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, table.client() as client, table.client() as other:
        open_round(table)
        supervisor, croupier = signed_in(client, "sara"), signed_in(other, "cara")
        waits = propose(client, supervisor, "sara")
        own = [propose(other, croupier, "cara", reason=f"number {number}").proposal for number in range(100)]
        assert code_of(approve(other, own[-EACH - 1], "sven")) == "no_proposal"
        assert isinstance(approve(client, waits.proposal, "carl"), says.Answer)
    assert [one["by"] for one in events(table, "void")] == [["sara", "carl"]]


def end(client: LiveClient, token: str, **fields: object) -> Any:  # noqa: ANN401  any answer
    line = {"event": "shoe_ended", **fields}
    return say(client, token, msgspec.Raw(json.dumps(line).encode()))


def test_one_croupier_ends_no_shoe_game_where_the_profile_asks_for_two(tmp_path: Path) -> None:
    with table_with_persons(tmp_path, table=TWO) as table, table.client() as client:
        open_round(table)
        table.tell({"event": "void", "ground": "misdeal", "reason": "x", "by": [7, 8]}, {"event": "round_closed"})
        croupier = signed_in(client, "cara")
        assert code_of(end(client, croupier, reason="the cards are unlucky", by=["cara"])) == "malformed"
        assert code_of(end(client, croupier, reason="house")) == "not_permitted"
        refused = end(client, croupier, reason="house", by=["cara"])
        assert json.loads(bytes(refused.lines[1]))["code"] == "two_persons_needed"
        assert json.loads(bytes(refused.lines[1]))["article"] == "reading G15"
        line = {"event": "shoe_ended", "reason": "cards_worn", "by": ["cara"]}
        proposal = client.ask(says.Propose(id="p", line=msgspec.Raw(json.dumps(line).encode()), session=croupier))
        assert isinstance(proposal, says.ProposalWaits)
        assert code_of(approve(client, proposal.proposal, "carl")) == "not_permitted"
        done = client.ask(says.Approve(id="a", proposal=proposal.proposal, person="sara", pin=PINS["sara"]))
        assert isinstance(done, says.Answer)
        assert [json.loads(bytes(one))["event"] for one in done.lines[:2]] == ["shoe_ended", "shoe_over"]
    assert events(table, "shoe_ended")[-1]["by"] == ["cara", "sara"]
