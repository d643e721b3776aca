"""One client's side of a connection, without the connection: what comes in pieces, and each way in which it ends."""

import pytest

from cardshoe.table.live import messages as says
from cardshoe.table.live import session as sessions
from cardshoe.table.live.messages import VERSION, written
from cardshoe.table.live.session import LiveError, LiveSession

HELLO = written(says.Hello(live=VERSION, build="x", table="T", log="0" * 32, seq=2, entry=1))
NOTE = written(says.NoteMessage(note="n"))
LATER = b'{"type":"of_a_later_program","more":1}\n'
SUBSCRIBED = written(says.Error(code="subscribed", reason="x"))


def heard_of(*data: bytes | None) -> tuple[list[says.Said], LiveError | None]:
    """What a session gives of what comes, and how it ends."""
    session, found = LiveSession(), list[says.Said]()
    for one in data:
        session.receive(one)
    try:
        while said := session.heard():
            found += said
    except LiveError as error:
        with pytest.raises(LiveError):
            session.heard()  # and stays so
        return found, error
    return found, None


def test_messages_are_whole_however_they_come() -> None:
    session, found = LiveSession(), list[says.Said]()
    for byte in HELLO + NOTE + LATER + NOTE + SUBSCRIBED:
        session.receive(bytes([byte]))
        found += session.heard()
    assert session.greeting() == says.Hello(live=VERSION, build="x", table="T", log="0" * 32, seq=2, entry=1)
    assert found == [*[says.NoteMessage(note="n")] * 2, says.Error(code="subscribed", reason="x")]


@pytest.mark.parametrize(
    ("last", "code", "reason"),
    [
        (written(says.Bye(seq=2, reason="closed")), "bye", "the table was closed"),
        (written(says.Bye(seq=2, reason="stopped")), "bye", "the table was stopped"),
        (written(says.Error(code="slow", reason="not taken")), "slow", "not taken"),
        (written(says.Error(code="malformed", reason="no such message")), "malformed", "no such message"),
        (b'{"type":"note"}\n', "malformed", "missing required field `note`"),
        (b"\xff\n", "malformed", "this is not a table's message"),
        (b"", "lost", "the table has gone"),
        (None, "lost", "the table does not answer"),
    ],
)
def test_what_came_before_the_end_is_given_first(last: bytes | None, code: str, reason: str) -> None:
    found, error = heard_of(HELLO + NOTE, last, NOTE, b"")
    assert found == [says.NoteMessage(note="n")]
    assert error is not None
    assert error.code == code
    assert reason in error.reason


@pytest.mark.parametrize(
    ("first", "code"),
    [
        (NOTE, "version"),
        (LATER, "version"),
        (HELLO.replace(b'"live":1', b'"live":2'), "version"),
        (written(says.Error(code="full", reason="x")), "full"),
        (written(says.Bye(seq=2, reason="stopped")), "bye"),
        (b"", "lost"),
    ],
)
def test_who_does_not_greet_is_no_table_of_this_version(first: bytes, code: str) -> None:
    session = LiveSession()
    assert session.greeting() is None
    session.receive(first)
    with pytest.raises(LiveError) as caught:
        session.greeting()
    assert caught.value.code == code


def test_there_is_an_end_to_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MESSAGE_MAX", 1000)
    found, error = heard_of(HELLO + NOTE + b"x" * 1001)
    assert (found, error and error.reason) == ([says.NoteMessage(note="n")], "the table sent too much at once")
