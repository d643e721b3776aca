"""Who may say what: each event from each origin, and what follows at the table from whose an input is."""

from typing import Final, get_args

import msgspec
import pytest

from regulations.events.codec import INPUTS
from regulations.events.errors import WrongOrigin
from regulations.events.inputs import AnyInput
from regulations.events.line import DeviceReport
from regulations.events.origins import ALLOWED_ORIGINS, check_name, check_origin, fill_origin, origin_of
from regulations.events.vocabulary import Origin
from tests.regulations.support.games.baccarat import ready
from tests.regulations.support.inputs import all_inputs
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.running import decoded, lead, shown

pytestmark = pytest.mark.law

ORIGINS: Final[tuple[Origin, ...]] = get_args(Origin)
PERSONS_TOO: Final = {
    *("card", "cut_card", "shuffled", "loaded", "revealed", "exposed", "cards_returned", "stack_counted"),
}
"""Reports of devices that a person may enter as well."""
PERSONS_ALONE: Final = {
    *("cut", "cut_card_placed", "equipment", "bets_closed", "bettor_left", "demonstration", "decision"),
    *("dispute", "supervisor_called", "bets_corrected", "round_closed", "shoe_ended", "misdeal", "resolve"),
    *("void", "device_readmitted"),
}
DEVICES_ALONE: Final = {
    *("device_lost", "device_back", "device_result", "round_partial", "device_identified", "device_noted"),
}
TABLES_ALONE: Final = {
    *("table", "device_judged", "clock_stepped", "witness_behind", "witness_current"),
    *("signed_in", "signed_out", "sign_ins_refused", "persons_listed"),
    *("proposed", "table_opened"),
}
EXPECTED: Final[dict[Origin, set[str]]] = {
    "person": PERSONS_TOO | PERSONS_ALONE | {"closed"},
    "device": PERSONS_TOO | DEVICES_ALONE | {"fault", "fault_cleared"},
    "table": TABLES_ALONE | {"fault", "fault_cleared", "closed"},
}
LINES: Final[dict[str, Json]] = {str(line["event"]): line for line in reversed(all_inputs(1))}


def event_of(name: str, origin: Origin, **more: object) -> AnyInput:
    """An event of this origin; one that can be a device's names it if it is."""
    event = decoded({**LINES[name], "origin": origin, **more})
    if origin == "person" and isinstance(event, DeviceReport) and not more:
        return msgspec.structs.replace(event, device=msgspec.UNSET)
    if origin == "device" and isinstance(event, DeviceReport):
        return msgspec.structs.replace(event, device="shoe")
    return event


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("name", INPUTS)
def test_each_event_of_each_origin(name: str, origin: Origin) -> None:
    assert name in ALLOWED_ORIGINS, "nobody may say it: regulations/events/origins.py says who may say an event"
    event = event_of(name, origin)
    if name in EXPECTED[origin]:
        check_origin(event)
        return
    with pytest.raises(WrongOrigin) as caught:
        check_origin(event)
    assert (caught.value.event, caught.value.origin, caught.value.field) == (name, origin, "$.event")


def test_every_event_is_somebodys() -> None:
    assert set(ALLOWED_ORIGINS) == set(INPUTS) == set().union(*EXPECTED.values())


@pytest.mark.parametrize("name", sorted(PERSONS_TOO))
@pytest.mark.parametrize("field", ["device", "raw", "boot", "number"])
def test_what_stands_on_a_devices_line_no_person_writes(name: str, field: str) -> None:
    value = 1 if field in {"boot", "number"} else "c0ffee"
    event = event_of(name, "person", **{field: value})
    if (name, field) in {("loaded", "device"), ("shuffled", "device")}:
        check_origin(event)  # which equipment is dealt from, or has shuffled
        return
    with pytest.raises(WrongOrigin) as caught:
        check_origin(event)
    assert caught.value.field == f"$.{field}"
    check_origin(event_of(name, "device", **{field: value}))


def test_a_permit_is_written_by_a_device_alone() -> None:
    with pytest.raises(WrongOrigin) as caught:
        check_origin(event_of("card", "person", permit=1))
    assert caught.value.field == "$.permit"


def test_what_is_a_devices_names_it() -> None:
    with pytest.raises(WrongOrigin) as caught:
        check_origin(decoded({"event": "card", "card": "9H", "origin": "device"}))
    assert caught.value.field == "$.device"


@pytest.mark.parametrize(
    ("line", "origin"),
    [
        ({"event": "card", "card": "9H"}, "person"),
        ({"event": "card", "card": "9H", "device": "shoe"}, "device"),
        ({"event": "fault", "device": "shoe", "code": 3}, "device"),
        ({"event": "device_lost", "device": "shoe"}, "device"),
        ({"event": "loaded", "cards": 416, "device": "shoe"}, "device"),
        ({"event": "loaded", "cards": 416, "device": "shoe", "origin": "person"}, "person"),
        ({"event": "device_judged", "device": "shoe", "verdict": "admitted"}, "table"),
        ({"event": "clock_stepped", "seconds": 1}, "table"),
        ({"event": "closed"}, "person"),
        ({"event": "closed", "origin": "table"}, "table"),
    ],
)
def test_a_line_of_a_script_may_leave_it_out(line: Json, origin: Origin) -> None:
    event = decoded(line)
    assert origin_of(event) == fill_origin(event).origin == origin


@pytest.mark.parametrize("origin", ["person", "device"])
def test_what_a_person_says_of_a_named_device_waits_for_the_irregularity_as_any_request(origin: Origin) -> None:
    """Reading G7: a device's stack is in; a person's ``loaded`` is asked for, whatever equipment it names."""
    table = profile()
    procedure = lead(table, ready(table))
    procedure.apply(decoded({"event": "device_lost", "device": "other"}))
    answer = shown(procedure.apply(decoded({"event": "loaded", "cards": 416, "device": "shoe", "origin": origin})))
    codes = [output.get("code") for output in answer if output["event"] == "refused"]
    assert ("irregularity_open" in codes) == (origin == "person")


@pytest.mark.parametrize(("origin", "ends"), [("table", True), ("device", False)])
def test_a_fault_that_the_table_found_the_table_ends(origin: Origin, *, ends: bool) -> None:
    table = profile()
    procedure = lead(table, ready(table))
    fault = {"device": "shoe", "code": "not_admitted"}
    procedure.apply(decoded({"event": "fault", **fault, "origin": "table"}))
    procedure.apply(decoded({"event": "fault", **fault, "origin": origin}))
    answer = procedure.apply(decoded({"event": "fault_cleared", **fault, "origin": origin}))
    (prompt,) = (output for output in shown(answer) if output["event"] == "next")
    assert prompt["irregularity"] == 1
    assert ("continue" in prompt["actions"]) == ends


@pytest.mark.parametrize(
    ("event", "says"),
    [
        ("bets_closed", "`bets_closed` is said by persons, not by devices"),
        ("wheel", "`wheel` is said by nobody, not by devices"),
    ],
)
def test_a_wrong_origin_is_told_whose_it_is(event: str, says: str) -> None:
    with pytest.raises(WrongOrigin, match=says):
        check_name(event, "device")
