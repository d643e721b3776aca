"""Attack: one croupier works against the other people at the table."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import pytest
from argon2 import PasswordHasher
from argon2.low_level import Type

from cardshoe.persons.pins import Pins
from cardshoe.persons.proposals import A_MINUTE, EACH
from cardshoe.persons.registry import StaffRegistry
from cardshoe.table.live import messages as says
from cardshoe.table.live.client import LiveClient
from cardshoe.table.staff_service import Persons
from tests.cardshoe.persons.support import (
    CHEAP,
    PINS,
    Clock,
    approve,
    code_of,
    disable,
    events,
    open_round,
    propose,
    registry_in,
    say,
    signed_in,
    table_with_persons,
)
from tests.cardshoe.table.live.support import TABLE, ServedTable

TWO: Final = msgspec.structs.replace(TABLE, options={"shoe_ended_by": "two"})


def test_one_croupier_displaces_no_proposal_of_another(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, table.client() as client, table.client() as other:
        open_round(table)
        supervisor, croupier = signed_in(client, "sara"), signed_in(other, "cara")
        waits = propose(client, supervisor, "sara")
        own = [propose(other, croupier, "cara", reason=f"number {number}").proposal for number in range(A_MINUTE)]
        assert code_of(propose(other, croupier, "cara", reason="one more")) == "busy"
        assert code_of(approve(other, own[-EACH - 1], "sven")) == "no_proposal"
        assert isinstance(approve(client, waits.proposal, "carl"), says.InputResult)
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
        assert isinstance(done, says.InputResult)
        assert [json.loads(bytes(one))["event"] for one in done.lines[:2]] == ["shoe_ended", "shoe_over"]
    assert events(table, "shoe_ended")[-1]["by"] == ["cara", "sara"]


class Meanwhile(PasswordHasher):
    """Does something right after it found a PIN right, before anything comes of that."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1, hash_len=16, type=Type.ID)
        self.act: Callable[[], object] | None = None

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002  its base's name
        """As its base has it."""
        right = super().verify(hash, password)
        if self.act is not None:
            act, self.act = self.act, None
            act()
        return right


def others_pin(registry: StaffRegistry, person: str) -> None:
    """Gives a person another PIN, as `cardshoe persons pin` does."""
    pin = CHEAP.hashed("9153264")
    known = registry.persons().values()
    StaffRegistry(registry.path).change(
        lambda _: [msgspec.structs.replace(one, pin=pin) if one.id == person else one for one in known]
    )


def demote(registry: StaffRegistry, person: str) -> None:
    """Makes a person a croupier, as `cardshoe persons` does with another file."""
    known = registry.persons().values()
    StaffRegistry(registry.path).change(
        lambda _: [msgspec.structs.replace(one, role="croupier") if one.id == person else one for one in known]
    )


def pipe(registry: StaffRegistry, _person: str) -> None:
    """Puts a pipe in the place of the list."""
    registry.path.unlink()
    os.mkfifo(registry.path, 0o600)


def nobody(registry: StaffRegistry, _person: str) -> None:
    """Takes the list away."""
    registry.path.unlink()


CHANGES: Final = (disable, others_pin, demote, pipe, nobody)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("whose", ["cara", "sara"])
def test_who_is_changed_while_a_pin_is_verified_approves_nothing(
    change: Callable[[StaffRegistry, str], None], whose: str, tmp_path: Path
) -> None:
    hasher, registry = Meanwhile(), registry_in(tmp_path)
    served = ServedTable(tmp_path, persons=lambda note: Persons(registry, note, Pins(hasher), Clock()))
    with served as table, table.client() as client:
        open_round(table)
        waits = propose(client, signed_in(client, "cara"), "cara")
        hasher.act = lambda: change(registry, whose)
        refused = approve(client, waits.proposal, "sara")
        may_be = change is demote and whose == "cara"  # she is a croupier already
        assert (code_of(refused) in {"no_proposal", "not_permitted", "no_persons"}) is not may_be
        # Nor is anybody signed in whose change came in the same moment.
        if change is disable and whose == "sara":
            hasher.act = lambda: disable(registry, "sven")
            came = client.ask(says.SignIn(id="in", person="sven", pin=PINS["sven"]))
            token = came.session if isinstance(came, says.SessionBegun) else ""
            assert code_of(say(client, token)) == "not_permitted"
    assert bool(events(table, "void")) is may_be
