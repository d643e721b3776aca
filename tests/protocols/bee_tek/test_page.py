"""The protocol page is normative, so what it shows is checked: its frames, its bytes, its question numbers."""

import re
from pathlib import Path

from protocols.bee_tek.codec import decode_frame
from protocols.bee_tek.decoder import LineDecoder
from protocols.bee_tek.messages import CardDrawn, Mode

PAGE = (Path(__file__).parents[3] / "docs/protocols/bee-tek.md").read_text(encoding="utf-8")


def test_every_frame_of_the_table_means_what_it_says() -> None:
    rows = re.findall(r"^\| `([\[<][^`]*>)` \| `(\w+)`", PAGE, re.MULTILINE)
    assert len(rows) == 5
    for frame, name in rows:
        assert type(decode_frame(frame.encode())).__name__ == name


def test_the_tags_are_the_bytes_beside_them() -> None:
    rows = re.findall(r"^\| `(\[[^`]*\])` \| `([0-9A-F ]+)` \|", PAGE, re.MULTILINE)
    assert len(rows) == 3
    assert all(tag.encode() == bytes.fromhex(shown) for tag, shown in rows)


def test_the_line_in_hexadecimal_is_the_card() -> None:
    shown = re.findall(r"`((?:[0-9A-F]{2} ){10,}0D 0A)`", PAGE)
    assert [LineDecoder().feed(bytes.fromhex(line)) for line in shown] == [[CardDrawn("4S", Mode.GAME)]]


def test_every_question_referred_to_exists() -> None:
    questions = PAGE.split("## 8. Open questions")[1]
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", questions, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert {int(number) for number in re.findall(r"\(Q(\d+)\)", PAGE.replace("(Q2, Q3)", "(Q2) (Q3)"))} <= set(numbers)
