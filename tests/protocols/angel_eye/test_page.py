"""The protocol page is normative, so what it shows is checked: its frames, its type table, its question numbers."""

import re
from pathlib import Path

from protocols.angel_eye.codec import decode_command, decode_telegram
from protocols.angel_eye.rows import ROWS
from tests.vectors.angel_eye import golden

PAGE = (Path(__file__).parents[3] / "docs/protocols/angel-eye.md").read_text(encoding="utf-8")
FRAMES = {bytes.fromhex(shown) for shown in re.findall(r"`(0[25](?: [0-9A-F]{2}){5,})`", PAGE)}


def test_every_frame_shown_is_a_frame_and_golden() -> None:
    telegrams = {frame for frame in FRAMES if frame[0] == 0x05}
    commands = FRAMES - telegrams
    assert len(telegrams) >= 10
    assert len(commands) == 4
    for frame in telegrams:
        decode_telegram(frame)
    for frame in commands:
        decode_command(frame)
    assert {bytes.fromhex(vector.frame) for vector in golden.TELEGRAMS + golden.COMMANDS} >= FRAMES


def test_type_table_is_that_of_the_code() -> None:
    rows = re.findall(r'^\| `([0-9A-F]{2})` \| "(.)" \| [^|]* \| (\d+) \| `(\w+)` \|', PAGE, re.MULTILINE)
    shown = {(int(code, 16), ord(letter), int(length), name) for code, letter, length, name in rows}
    # ENQ, Seq and type before the payload; ETX and two check characters behind it.
    assert shown == {(row.kind, row.kind, row.layout.size + 6, row.message.__name__) for row in ROWS}


def test_every_question_referred_to_exists() -> None:
    questions = PAGE.split("## 12. Open questions")[1]
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", questions, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert {int(number) for number in re.findall(r"\(Q(\d+)\)", PAGE)} <= set(numbers)
