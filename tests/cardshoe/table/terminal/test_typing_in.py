"""Standard input, line by line, however long somebody makes a line."""

import io

import pytest

from cardshoe.table.terminal.typing_in import LINE_MAX, lines_of

LONG = b"x" * LINE_MAX


@pytest.mark.parametrize(
    ("data", "lines", "too_long"),
    [
        (b"", [], 0),
        (b"a\nb\n", [b"a", b"b"], 0),
        (b"a\n\nb", [b"a", b"", b"b"], 0),
        (b"a\r\nb", [b"a\r", b"b"], 0),
        (LONG + b"\na\n", [LONG, b"a"], 0),
        (LONG + b"x\na\n", [b"a"], 1),
        (b"a\n" + LONG * 3 + b"\nb\n", [b"a", b"b"], 1),
        (LONG * 3, [], 1),
        (LONG * 2 + b"\n" + LONG + b"y\n" + LONG, [LONG], 2),
        (b"ab\n" * LINE_MAX, [b"ab"] * LINE_MAX, 0),
    ],
    ids=["nothing", "two", "no end", "cr", "just fits", "one too many", "long", "all", "two long", "over chunks"],
)
def test_lines(data: bytes, lines: list[bytes], too_long: int) -> None:
    said: list[str] = []
    assert list(lines_of(io.BytesIO(data), said.append)) == lines
    assert said == [f"not taken: a line of more than {LINE_MAX} bytes. Type one event a line."] * too_long
