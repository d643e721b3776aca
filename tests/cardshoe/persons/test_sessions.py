"""Sessions, proposals and keys over a real live socket: what is taken, and how each of the rest is refused."""

import json
from pathlib import Path

import msgspec
import pytest

from cardshoe.persons.lockout import TRIES
from cardshoe.persons.proposals import A_MINUTE, MINUTE_S
from cardshoe.table.live import messages as says
from regulations.events.codec import decode_input
from tests.cardshoe.persons.support import (
    PINS,
    WRONG,
    Clock,
    approve,
    code_of,
    damage,
    disable,
    events,
    open_round,
    propose,
    say,
    signed_in,
    table_with_persons,
)
from tests.cardshoe.table.live.support import READY, ServedTable
from tests.kit.sealed import verified


def test_sign_ins_stand_in_the_log_and_the_next_croupier_relieves_the_one_before(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, table.client() as client:
        first = signed_in(client, "cara")
        second = signed_in(client, "carl")
        assert code_of(say(client, first)) == "not_permitted"
        assert isinstance(say(client, second), says.InputResult)
        assert client.ask(says.SignOut(id="o", session=second)) == says.Done(id="o")
        assert code_of(client.ask(says.SignOut(id="o", session=second))) == "not_permitted"
    found = [(one["event"], one["person"], one.get("because"), one["origin"]) for one in events(
        table, "signed_in", "signed_out")]  # fmt: skip
    assert found == [
        ("signed_in", "cara", None, "table"),
        ("signed_out", "cara", "relieved", "table"),
        ("signed_in", "carl", None, "table"),
        ("signed_out", "carl", "asked", "table"),
    ]


def test_a_token_is_worth_nothing_on_another_connection_and_nobody_chooses_one(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, table.client() as client, table.client() as thief:
        token = signed_in(client, "sara")
        assert code_of(say(thief, token)) == code_of(thief.ask(says.SignOut(id="o", session=token))) == "not_permitted"
        own = signed_in(thief, "vera")
        assert own != token
        assert code_of(say(thief, own)) == code_of(say(thief, None)) == code_of(say(thief, "")) == "not_permitted"
        again = signed_in(client, "sara")
        assert again != token
        assert code_of(say(client, token)) == "not_permitted"
        assert isinstance(say(client, again), says.InputResult)
        client.close()
        with table.client() as later:
            assert code_of(say(later, again)) == "not_permitted"
    assert token not in (table.place.newest_journal or tmp_path).read_bytes().decode("latin-1")


def test_who_is_disabled_or_silent_is_signed_out(tmp_path: Path) -> None:
    clock = Clock()
    with table_with_persons(tmp_path, clock) as table, table.client() as client:
        cara, sara = signed_in(client, "cara"), signed_in(client, "sara")
        clock.s += 29
        assert code_of(say(client, sara)) is None
        clock.s += 29
        assert code_of(say(client, sara)) is None
        clock.s += 30
        assert code_of(say(client, sara)) == "not_permitted"
        assert code_of(say(client, cara)) is None
        assert table.persons is not None
        disable(table.persons.registry, "cara")
        assert code_of(say(client, cara)) == "not_permitted"
        refused = client.ask(says.SignIn(id="in", person="cara", pin=PINS["cara"]))
        assert code_of(refused) == "sign_in_refused"
        table.persons.registry.path.chmod(0o644)
        assert code_of(client.ask(says.SignIn(id="in", person="carl", pin=PINS["carl"]))) == "no_persons"
    found = [(one["person"], one["because"]) for one in events(table, "signed_out")]
    assert found == [("sara", "idle"), ("cara", "changed")]


def test_wrong_pins_lock_an_id_out_whether_there_is_one_or_not_and_are_counted(tmp_path: Path) -> None:
    clock = Clock()
    with table_with_persons(tmp_path, clock) as table, table.client() as client:
        token = signed_in(client, "cara")
        for person in ("sara", "nobody"):
            tried = [client.ask(says.SignIn(id="in", person=person, pin=WRONG)) for _ in range(6)]
            assert [code_of(one) for one in tried] == ["sign_in_refused"] * 5 + ["locked"]
            assert len({one.reason for one in tried[:5] if isinstance(one, says.RequestDeclined)}) == 1
        assert code_of(client.ask(says.SignIn(id="in", person="sara", pin=PINS["sara"]))) == "locked"
        assert isinstance(say(client, token), says.InputResult)
        assert signed_in(client, "sven")
        clock.s += 60
        assert code_of(client.ask(says.SignIn(id="in", person="sara", pin=WRONG))) == "sign_in_refused"
        clock.s += 119
        assert code_of(client.ask(says.SignIn(id="in", person="sara", pin=PINS["sara"]))) == "locked"
        clock.s += 1
        assert signed_in(client, "sara")
    refused = events(table, "sign_ins_refused")
    assert sum(one["count"] for one in refused) == 15
    # Only IDs of persons are named: what else is entered there may be a PIN.
    ids = [(named["person"], named["count"]) for one in refused for named in one.get("ids", ())]
    assert ({person for person, _ in ids}, sum(count for _, count in ids)) == ({"sara"}, 9)


def test_whose_pin_cannot_be_checked_is_told_so_and_others_come_in(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, table.client() as client:
        assert table.persons is not None
        open_round(table)
        damage(table.persons.registry, "sara")
        for _ in range(TRIES + 1):  # none of them was wrong
            came = client.ask(says.SignIn(id="in", person="sara", pin=PINS["sara"]))
            assert code_of(came) == "not_checked"
        proposal = propose(client, signed_in(client, "cara"), "cara")
        assert code_of(approve(client, proposal.proposal, "sara")) == "not_checked"
        assert isinstance(approve(client, proposal.proposal, "sven"), says.InputResult)
    assert events(table, "sign_ins_refused") == []


def test_a_proposal_that_was_approved_counts_no_more(tmp_path: Path) -> None:
    clock = Clock()
    bets = {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 100}]}
    with table_with_persons(tmp_path, clock) as table, table.client() as client:
        open_round(table)
        for _ in range(A_MINUTE + 1):
            proposal = propose(client, signed_in(client, "cara"), "cara")
            assert isinstance(approve(client, proposal.proposal, "sven"), says.InputResult)
            table.tell({"event": "round_closed"}, bets, {"event": "card", "card": "9H"})


def test_two_persons_void_a_round_on_one_screen_once(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, table.client() as client, table.client() as other:
        open_round(table)
        token = signed_in(client, "cara")
        both = msgspec.Raw(b'{"event":"void","ground":"misdeal","reason":"x","by":["cara","sara"]}')
        assert code_of(say(client, token, both)) == "not_permitted"
        assert code_of(propose(client, token, "carl", "sara")) == "not_permitted"
        assert code_of(propose(client, None, "cara")) == "not_permitted"
        proposed = propose(client, token, "cara")
        assert isinstance(proposed, says.ProposalWaits)
        name = proposed.proposal
        assert code_of(approve(client, name, "sara", WRONG)) == "sign_in_refused"
        assert code_of(approve(client, name, "cara")) == "same_person"
        assert code_of(approve(client, name, "vera")) == code_of(approve(client, name, "carl")) == "not_permitted"
        assert code_of(approve(other, name, "sara")) == code_of(approve(client, "x", "sara")) == "no_proposal"
        done = approve(client, name, "sara")
        assert isinstance(done, says.InputResult)
        assert (done.refused, json.loads(bytes(done.lines[0]))["by"]) == (None, ["cara", "sara"])
        assert code_of(approve(client, name, "sara")) == "no_proposal"
        assert isinstance(say(client, token, msgspec.Raw(b'{"event":"round_closed"}')), says.InputResult)


def test_each_proposal_is_recorded_and_a_minute_has_so_many(tmp_path: Path) -> None:
    clock = Clock()
    with table_with_persons(tmp_path, clock) as table, table.client() as client:
        token = signed_in(client, "cara")
        assert propose(client, token, "cara").refused.code == "not_now"
        open_round(table)
        first = propose(client, token, "cara", key="k")
        assert propose(client, token, "cara", key="k") == first
        assert (first.refused, first.after.voided) == (None, "x")
        for _ in range(A_MINUTE - 2):
            propose(client, token, "cara")
        late = propose(client, token, "cara")
        assert (code_of(late), late.again_s) == ("busy", MINUTE_S)
        clock.s += MINUTE_S
        assert isinstance(propose(client, token, "cara"), says.ProposalWaits)
    told = events(table, "proposed")
    assert len(told) == A_MINUTE + 1
    assert [one.get("refused") for one in told[:2]] == ["not_now", None]
    assert all(
        (one["person"], one["act"], "what" in one, "sealed" in one) == ("cara", "void", False, True) for one in told
    )
    assert not events(table, "void")
    assert table.place.newest_journal is not None
    verified(table.place.newest_journal)


def test_a_proposal_dies_with_its_minute_its_state_its_session_and_its_named_person(tmp_path: Path) -> None:
    clock = Clock()
    with table_with_persons(tmp_path, clock) as table, table.client() as client:
        open_round(table)
        token = signed_in(client, "cara")
        late = propose(client, token, "cara").proposal
        clock.s += 60
        assert code_of(approve(client, late, "sara")) == "no_proposal"
        named = propose(client, token, "cara", "sven").proposal
        assert code_of(approve(client, named, "sara")) == "not_permitted"
        table.tell({"event": "card", "card": "8H"})
        assert code_of(approve(client, named, "sven")) == "state_changed"
        orphan = propose(client, token, "cara").proposal
        signed_in(client, "carl")
        assert code_of(approve(client, orphan, "sara")) == "no_proposal"
    assert not events(table, "void")


@pytest.mark.parametrize("with_persons", [True, False])
def test_a_key_is_taken_once_also_after_a_restart_and_verifies(tmp_path: Path, *, with_persons: bool) -> None:
    def opened() -> ServedTable:
        return table_with_persons(tmp_path) if with_persons else ServedTable(tmp_path)

    with opened() as table, table.client() as client:
        token = signed_in(client, "cara") if with_persons else None
        first = say(client, token, key="k-1")
        assert isinstance(first, says.InputResult)
        assert json.loads(bytes(first.lines[0]))["key"] == "k-1"
        assert say(client, token, key="k-1") == first
        cut = msgspec.Raw(b'{"event":"cut","by":"player"}')
        assert code_of(say(client, token, cut, key="k-1")) == "key_reused"
        refused = say(client, token, key="k-2")
        assert (refused.refused, say(client, token, key="k-2")) == ("not_now", refused)
    with opened() as table, table.client() as client:
        token = signed_in(client, "cara") if with_persons else None
        assert say(client, token, key="k-1") == first
        assert say(client, token, key="k-2") == refused
        assert code_of(say(client, token, cut, key="k-1")) == "key_reused"
    assert [one["key"] for one in events(table, "shuffled")] == ["k-1", "k-2"]
    assert table.place.newest_journal is not None
    verified(table.place.newest_journal)


def test_a_sealed_card_with_a_key_is_known_again_after_a_restart(tmp_path: Path) -> None:
    lines = [decode_input(json.dumps(line)) for line in READY]
    card = msgspec.Raw(b'{"event":"card","card":"2C"}')
    with ServedTable(tmp_path) as table, table.client() as client:
        for line in lines[:4]:
            table.give(line)
        first = say(client, None, card, key="c")
        assert isinstance(first, says.InputResult)
    with ServedTable(tmp_path) as table, table.client() as client:
        assert say(client, None, card, key="c") == first
        other = msgspec.Raw(b'{"event":"card","card":"3C"}')
        assert code_of(say(client, None, other, key="c")) == "key_reused"


def test_a_key_makes_a_proposal_once(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, table.client() as client:
        open_round(table)
        token = signed_in(client, "cara")
        first = propose(client, token, "cara", key="p")
        assert propose(client, token, "cara", key="p") == first
        assert code_of(propose(client, token, "cara", key="p", reason="y")) == "key_reused"
        done = approve(client, first.proposal, "sara")
        again = propose(client, token, "cara", key="p").proposal
        assert approve(client, again, "sara") == done
    assert len(events(table, "void")) == 1


def test_a_table_without_persons_takes_no_sign_in(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, table.client() as client:
        assert code_of(client.ask(says.SignIn(id="in", person="cara", pin=WRONG))) == "no_persons"
        assert code_of(propose(client, None, "cara")) == code_of(approve(client, "x", "sara")) == "no_persons"
        assert isinstance(say(client, "whatever"), says.InputResult)
