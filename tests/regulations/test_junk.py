"""Whatever stands in a line, it is an input or malformed: no other error."""

import json
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from regulations.events.codec import decode_input
from regulations.events.errors import MalformedLine
from tests.regulations.support.inputs import all_inputs


@settings(max_examples=300, derandomize=True, database=None)
@given(line=st.text(max_size=60) | st.binary(max_size=60))
def test_any_junk_is_malformed_or_an_event(line: str | bytes) -> None:
    with suppress(MalformedLine):
        decode_input(line)


@settings(max_examples=300, derandomize=True, database=None)
@given(
    number=st.integers(min_value=0, max_value=200),
    key=st.sampled_from(["event", "card", "cards", "by", "at", "seats", "wagers", "who", "x", "round", "device"]),
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
        max_leaves=3,
    ),
)
def test_any_spoilt_event_is_malformed_or_an_event(number: int, key: str, value: object) -> None:
    events = all_inputs(1)
    with suppress(MalformedLine):
        decode_input(json.dumps({**events[number % len(events)], key: value}))
