"""``cardshoe capture show``: of each family, which byte was bad and where. The bytes are written by hand."""

import json
from pathlib import Path

import pytest

from protocols.tdp.framing import Frame, FrameKind, encode_frame
from tests.cardshoe.cli.support import answered
from tests.kit.command import assert_message

EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 B8 03 34 46")
CUT_CARD = bytes.fromhex("05 33 43 03 37 33")


def capture(path: Path, *reads: bytes) -> Path:
    lines = [json.dumps({"t_s": number / 2, "hex": data.hex()}) for number, data in enumerate(reads)]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def shown(*arguments: str | Path) -> str:
    done = answered("capture", "show", *arguments)
    assert done.returncode == 0, done.stderr
    said = done.stdout.decode()
    assert [line for line in said.splitlines()[:-1] if len(line) > 80] == []
    return said


def test_a_damaged_telegram_names_its_byte_its_time_and_why(tmp_path: Path) -> None:
    spoilt = bytearray(EIGHT_OF_SPADES)
    spoilt[7] ^= 1
    path = capture(tmp_path / "shoe.jsonl", EIGHT_OF_SPADES * 3, bytes(spoilt[:4]), bytes(spoilt[4:]), CUT_CARD)
    said = shown(path, "--open")
    assert "     0.500 s  byte 24       bcc: byte 31 is 47\n             05 31 44 81 B8 03 34 [47]\n" in said
    assert "the check characters do not match the bytes they cover" in said
    assert said.endswith(f"{path}: angel_eye: 38 bytes, 4 frames, 1 bad runs of 8 bytes\n")
    whole = shown(path, "--all")
    assert "     1.500 s  byte 32       CutCardDrawn" in whole
    found = json.loads(shown_json(path))
    assert (found["family"], found["frames"], found["bad_runs"], found["bytes"]) == ("angel_eye", 4, 1, 38)
    [part] = found["parts"]
    assert (part["offset"], part["bad"], part["reason"], part["t_s"]) == (24, 31, "bcc", 0.5)


def shown_json(path: Path, *more: str) -> bytes:
    return answered("capture", "show", path, "--json", *more).stdout


FRAME = encode_frame(Frame(FrameKind.ACK, 0x0102))
SPOILT_FRAME = FRAME[:-2] + bytes([FRAME[-2] ^ 0x10]) + FRAME[-1:]  # the last byte of its check


@pytest.mark.parametrize(
    ("family", "data", "reason", "bad"),
    [
        ("angel_eye", b"\xfe\xfe" + EIGHT_OF_SPADES, "noise", 0),
        ("angel_eye", EIGHT_OF_SPADES[:5] + EIGHT_OF_SPADES, "truncated", 5),
        ("angel_eye", EIGHT_OF_SPADES + EIGHT_OF_SPADES[:3], "truncated", 11),
        ("angel_eye", EIGHT_OF_SPADES + b"\x05\x31\x5a", "type", 10),
        ("angel_eye", EIGHT_OF_SPADES + b"\x05\x3a", "seq", 9),
        ("angel_eye", EIGHT_OF_SPADES + b"\x06\x15\x30\x58", "code", 10),
        ("bee_tek", b"[Game]<Card:4S>\r\n[Game]<Card:1S>\r\n", "payload", 29),
        ("bee_tek", b"[Game]<Card:4S>\r\n[Gbme]<Card:4S>\r\n", "type", 18),
        ("bee_tek", b"[Game]<Card:4S>\r\n[Game]<Ca", "truncated", 26),
        ("tdp", FRAME + SPOILT_FRAME, "bcc", None),
        ("tdp", FRAME + b"\x05\x01\x02\x03\x04\x00", "truncated", None),
    ],
)
def test_each_kind_of_damage_in_each_family(
    tmp_path: Path, family: str, data: bytes, reason: str, bad: int | None
) -> None:
    found = json.loads(shown_json(capture(tmp_path / "shoe.jsonl", data)))
    assert found["family"] == family
    [part] = found["parts"]
    assert part["reason"] == reason
    assert part["bad"] == bad or (bad is None and len(FRAME) < part["bad"] <= len(data))
    assert (part["hex"], part["bytes"]) == (None, found["bad_bytes"])
    (part,) = json.loads(shown_json(tmp_path / "shoe.jsonl", "--open"))["parts"]
    assert data[part["offset"] :].startswith(bytes.fromhex(part["hex"]))
    assert len(part["hex"]) // 2 == found["bad_bytes"]


def test_faces_are_shown_only_if_they_are_asked_for(tmp_path: Path) -> None:
    spoilt = EIGHT_OF_SPADES[:7] + b"\x47"
    path = capture(tmp_path / "shoe.jsonl", EIGHT_OF_SPADES, spoilt)
    with path.open("a") as more:
        more.write('{"t_s": 0.25, "from": "host", "hex": "0542"}\n{"t_s": 9, "mark": "cable pulled"}\n')
    masked, opened = shown(path, "--all"), shown(path, "--all", "--open")
    assert "card=8S" in opened
    assert "05 31 44 81 B8 03 34 [47]" in opened
    assert "8S" not in masked
    assert "card=??" in masked
    assert ".. .. .. .. .. .. .. [47]" in masked
    assert "     9.000 s  mark: cable pulled\n" in masked
    assert masked.endswith("; 2 bytes of the host\n")
    found = json.loads(shown_json(path, "--all"))
    assert (found["host_bytes"], found["marks"]) == (2, [{"t_s": 9.0, "mark": "cable pulled"}])
    assert "8S" not in json.dumps(found)


def test_noise_alone_is_of_no_family_until_one_is_named(tmp_path: Path) -> None:
    path = capture(tmp_path / "shoe.jsonl", b"\xfe" * 40)
    done = answered("capture", "show", path)
    assert_message(done.returncode, done.stderr.decode(), 1, "holds no frame of angel_eye", "--family shows")
    assert "noise: byte 0 is FE" in shown(path, "--family", "angel_eye")


def test_a_damaged_recording_is_said_with_its_line(tmp_path: Path) -> None:
    path = capture(tmp_path / "shoe.jsonl", EIGHT_OF_SPADES)
    path.write_text(path.read_text() + '{"t_s": 1, "hex": "0"}\n')
    done = answered("capture", "show", path)
    assert_message(done.returncode, done.stderr.decode(), 2, f"{path}", "line 2")
    done = answered("capture", "show", tmp_path / "none")
    assert_message(done.returncode, done.stderr.decode(), 2, "No such file", "Check the name")
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert shown(empty).startswith(f"{empty}: nothing in it: 0 bytes")
    assert "PORT" not in answered("capture", "show", "--help").stdout.decode()
