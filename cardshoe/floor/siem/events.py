"""Reports as JSON Lines or syslog (RFC 5424). Pure."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from cardshoe.floor.siem.section import Kind
from cardshoe.journal.file.chain import lines_of
from cardshoe.process.free_text import siem_text, terminal_text

ALERT: Final = 1
WARNING: Final = 4
NOTICE: Final = 5
SEVERITIES: Final = {ALERT: "alert", WARNING: "warning", NOTICE: "notice"}
FACILITY: Final = 13
"""Log audit (RFC 5424, section 6.2.1)."""
LONGEST: Final = 8000
"""Receivers need not accept more than 8,192 bytes (RFC 5425, section 4.3.1)."""
LINES: Final[dict[str, tuple[Kind, int]]] = {
    "irregularity": ("irregularity", WARNING),
    "resolve": ("override", NOTICE),
    "bets_corrected": ("override", NOTICE),
    "device_readmitted": ("override", WARNING),
    "proposed": ("override", NOTICE),
    "void": ("void", WARNING),
    "voided": ("void", NOTICE),
    "sign_ins_refused": ("refused_sign_in", WARNING),
    "fault": ("device", WARNING),
    "fault_cleared": ("device", NOTICE),
    "device_lost": ("device", WARNING),
    "device_back": ("device", NOTICE),
    "device_judged": ("device", NOTICE),
    "round_partial": ("device", WARNING),
    "clock_stepped": ("table", WARNING),
    "witness_behind": ("table", WARNING),
    "witness_current": ("table", NOTICE),
    "passed_over": ("table", WARNING),
    "table_opened": ("table", NOTICE),
}
_NOT_TOLD: Final = ("raw", "sealed", "key")
_ASCII: Final = range(33, 127)


class Told(NamedTuple):
    id: str
    kind: Kind
    severity: int
    at: datetime | None
    table: str
    log: str
    seq: int | None
    event: str
    more: dict[str, Any]


class StoredLine(Struct, frozen=True):
    table: str
    log: str
    seq: int
    event: str
    at: datetime | None
    line: bytes


def lines_reported(row: Mapping[str, Any]) -> Iterator[StoredLine]:
    for seq, (event, line) in enumerate(zip(row["events"], lines_of(row["lines"]), strict=False), start=row["seq"]):
        if event in LINES:
            yield StoredLine(row["table"], row["log"], seq, event, row["at"], line)


def of_line(line: StoredLine) -> Told:
    kind, severity = LINES[line.event]
    try:
        said = {name: value for name, value in msgspec.json.decode(line.line).items() if name not in _NOT_TOLD}
        more: dict[str, Any] = {"line": said}
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        more = {"unreadable": True}  # one line that is no JSON to us must not keep the others from being sent
    id_ = f"{line.table}:{line.log}:{line.seq}"
    return Told(id_, kind, severity, line.at, line.table, line.log, line.seq, line.event, more)


def of_alarm(row: dict[str, Any], told: str) -> Told:
    # Of a database that was restored the numbers come again; the moment does not.
    id_ = f"alarm:{row['id']}@{row['first_at'].astimezone(UTC):%Y%m%dT%H%M%S.%fZ}:{told}"
    more = {"alarm": row["kind"], "detail": row["detail"], "entry": row["entry"]}
    if told == "closed":
        more["by"] = row["closed_by"]
    severity, at = (ALERT, row["first_at"]) if told == "raised" else (NOTICE, row["closed_at"])
    return Told(id_, "alarm", severity, at, row["table_id"], row["log"], None, told, more)


def of_watch(row: dict[str, Any], told: str) -> Told:
    id_ = f"watch:{row['id']}@{stamp(row['first_at'])}:{told}"
    more = {"shoe": row["shoe"], "device": row["device"] or None, "strength": row["strength"]}
    if told == "closed":
        more["by"] = row["closed_by"]
    severity, at = (ALERT, row["first_at"]) if told == "raised" else (NOTICE, row["closed_at"])
    return Told(id_, row["kind"], severity, at, row["table_id"], row["log"], None, told, more)


def json_line(one: Told, most_bytes: int = LONGEST) -> bytes:
    """One object without line end; details are dropped above ``most_bytes``."""
    said: dict[str, Any] = {"id": one.id, "kind": one.kind, "severity": SEVERITIES[one.severity]}
    said |= {"at": None if one.at is None else stamp(one.at), "table": one.table}
    said |= {"log": one.log or None, "seq": one.seq, "event": one.event}
    whole = siem_text(msgspec.json.encode(said | one.more))
    # What is too long for a receiver is named; the floor has the line.
    return whole if len(whole) <= most_bytes else siem_text(msgspec.json.encode(said | {"cut": True}))


def syslog(one: Told, host: str, enterprise: int) -> bytes:
    about = {"id": one.id, "table": one.table, "log": one.log, "seq": "" if one.seq is None else str(one.seq)}
    values = "".join(f' {name}="{_escaped(value)}"' for name, value in about.items() if value)
    at = "-" if one.at is None else stamp(one.at)
    begun = f"<{FACILITY * 8 + one.severity}>1 {at} {_printable(host, 255)} cardshoe - {_printable(one.kind, 32)}"
    head = f"{begun} [cardshoe@{enterprise}{values}] ".encode()
    # A receiver may take what stands behind its limit for the next message: the head counts as well.
    return head + json_line(one, LONGEST - len(head))


def stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _escaped(value: str) -> str:
    return "".join(f"\\{sign}" if sign in '"\\]' else sign for sign in terminal_text(value))


def _printable(text: str, most: int) -> str:
    return "".join(sign for sign in text if ord(sign) in _ASCII)[:most] or "-"
