"""A rollback journal, as somebody plants it beside a journal."""

import struct
from typing import Final

PAGE: Final = 4096


def rollback_journal(before: bytes) -> bytes:
    """A rollback journal that gives a database its earlier content back, as the file format of SQLite describes it."""
    pages = [before[at : at + PAGE] for at in range(0, len(before), PAGE)]
    nonce, sector = 7, 512
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">5I", len(pages), nonce, len(pages), sector, PAGE)
    records = (
        struct.pack(">I", number) + page + struct.pack(">I", _checksum(nonce, page))
        for number, page in enumerate(pages, start=1)
    )
    return header.ljust(sector, b"\0") + b"".join(records)


def _checksum(nonce: int, page: bytes) -> int:
    return (nonce + sum(page[at] for at in range(PAGE - 200, 0, -200))) & 0xFFFFFFFF
