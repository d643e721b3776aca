"""The table of permissions, walked over a real live socket: each event and act, by each role and by nobody."""

import json
from pathlib import Path
from typing import Final, get_args

import msgspec

from cardshoe.persons.permissions import IDLE_S, PERMISSIONS
from cardshoe.table.live import messages as says
from regulations.events.origins import ALLOWED_ORIGINS
from regulations.events.vocabulary import Role
from tests.cardshoe.persons.support import ROLES, code_of, signed_in, table_with_persons
from tests.regulations.support.inputs import all_inputs

ACTS: Final = ("clear_error", "shuffle", "eject")
OF_ROLE: Final = {role: person for person, role in ROLES.items()}
MAY: Final[dict[str, set[str]]] = {
    "croupier": {
        *("shuffled", "cut", "cut_card_placed", "loaded", "cards_returned", "stack_counted", "card", "cut_card"),
        *("revealed", "exposed", "bets_closed", "bets_corrected", "bettor_left", "demonstration", "decision"),
        *("dispute", "supervisor_called", "round_closed", "shoe_ended", "misdeal", "resolve", "void"),
        *("clear_error", "shuffle", "eject"),
    },
    "technician": {"equipment", "device_readmitted", "clear_error", "eject"},
    "surveillance": set(),
    "regulator": set(),
}
"""What each role may say, written by hand; a supervisor may say all."""


def test_the_table_has_each_event_of_persons_and_each_act_and_nothing_else() -> None:
    of_persons = {event for event, origins in ALLOWED_ORIGINS.items() if "person" in origins}
    assert set(PERMISSIONS) == of_persons | set(ACTS)
    assert all(set(IDLE_S[place]) == set(get_args(Role)) for place in IDLE_S)
    assert IDLE_S["table_screen"]["supervisor"] == IDLE_S["terminal"]["supervisor"] == 30


def test_each_role_may_say_what_the_table_of_permissions_says_and_nobody_anything(tmp_path: Path) -> None:
    """A permitted input gets past the persons; the regulation decides whether it is the time for it."""
    lines = {
        str(line["event"]): line for line in reversed(all_inputs(1)) if "person" in ALLOWED_ORIGINS[str(line["event"])]
    }
    walked = 0
    with table_with_persons(tmp_path) as table, table.client() as client:
        for role in (*get_args(Role), None):
            token = signed_in(client, OF_ROLE[role]) if role else None
            # What the log is told of the sign-in lies in the inbox before this.
            assert code_of(client.ask(says.SayAct(id="first", act="eject", session="nobody's"))) == "not_permitted"
            may = set(PERMISSIONS) if role == "supervisor" else MAY.get(role or "", set())
            # `closed` would end the table: it is the last that is said.
            for name in sorted(PERMISSIONS, key=lambda one: one == "closed"):
                if role == "supervisor" and name == "closed":
                    continue
                walked += 1
                before = table.log.journal.last_seq
                if name in ACTS:
                    act = {"type": "act", "id": name, "act": name, "number": 1 if name == "clear_error" else None}
                    came = client.ask(msgspec.convert({**act, "session": token}, says.SayAct))
                else:
                    line = {key: value for key, value in lines[name].items() if key not in ("device", "raw", "at")}
                    if name == "device_readmitted":
                        line["device"] = "shoe"
                    if name in ("resolve", "void", "bets_corrected", "bettor_left", "device_readmitted", "shoe_ended"):
                        line["by"] = [OF_ROLE[role]] if role else ["cara"]
                    raw = msgspec.Raw(json.dumps(line).encode())
                    came = client.ask(says.SubmitInput(id=name, line=raw, session=token))
                code = code_of(came)
                if name in may:
                    assert code in (None, "which_device"), (role, name, came)
                else:
                    assert (code, table.log.journal.last_seq) == ("not_permitted", before), (role, name, came)
        token = signed_in(client, OF_ROLE["supervisor"])
        closed = client.ask(says.SubmitInput(id="end", line=msgspec.Raw(b'{"event":"closed"}'), session=token))
        assert isinstance(closed, says.InputResult)
    assert walked == 6 * len(PERMISSIONS) - 1
