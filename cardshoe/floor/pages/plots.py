"""Plots as numbers, drawn by a template: the pages' policy forbids inline styles."""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from cardshoe.floor.pages.days import ZONE
from cardshoe.floor.pages.queries import Span

HOURLY_DAYS: Final = 3
DAY_HOURS: Final = 24
WIDTH: Final = 1000
HEIGHT: Final = 240
ROW: Final = 26
_STEPS: Final = (1, 2, 5)
_LINES: Final = 4


class Column(Struct, frozen=True, kw_only=True):
    begin: datetime
    name: str
    is_named: bool
    rounds: int
    voided: int
    x: float
    width: float
    height: float
    void_height: float


class Columns(Struct, frozen=True, kw_only=True):
    columns: Sequence[Column]
    lines: Sequence[tuple[int, float]]
    hours: int


class Bar(Struct, frozen=True, kw_only=True):
    name: str
    count: int
    length: float


def hours_of(span: Span) -> int:
    return 1 if (span.last - span.first).days < HOURLY_DAYS else DAY_HOURS


def columns_of(span: Span, found: Mapping[datetime, tuple[int, int]]) -> Columns:
    hours = hours_of(span)
    count = round((span.end - span.begin) / timedelta(hours=hours))
    top, step = scale_of(max((sum(one) for one in found.values()), default=0))
    width = WIDTH / count
    every = math.ceil(count / DAY_HOURS)
    columns = []
    for number in range(count):
        begin = span.begin + timedelta(hours=hours * number)
        rounds, voided = found.get(begin, (0, 0))
        local = begin.astimezone(ZONE)
        columns.append(
            Column(
                begin=begin,
                name=local.strftime("%H:%M") if hours == 1 else local.strftime("%m-%d"),
                is_named=number % every == 0,
                rounds=rounds,
                voided=voided,
                x=round(number * width + width * 0.1, 2),
                width=round(width * 0.8, 2),
                height=round(HEIGHT * rounds / top, 2),
                void_height=round(HEIGHT * voided / top, 2),
            )
        )
    lines = [(value, round(HEIGHT - HEIGHT * value / top, 2)) for value in range(0, top + 1, step)]
    return Columns(columns=columns, lines=lines, hours=hours)


def bars_of(counts: Iterable[tuple[str, int]]) -> list[Bar]:
    known = list(counts)
    most = max((count for _, count in known), default=1)
    return [Bar(name=name, count=count, length=round(100 * count / most, 2)) for name, count in known]


def scale_of(most: int) -> tuple[int, int]:
    step = 1
    for power in range(19):
        for digit in _STEPS:
            step = digit * 10**power
            if step * _LINES >= most:
                return step * max(1, math.ceil(most / step)), step
    return most, step
