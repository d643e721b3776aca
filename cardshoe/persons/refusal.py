"""Refusals of access."""

from typing import Literal

from msgspec import Struct

RefusalOfPersons = Literal[
    "not_permitted",
    "sign_in_refused",
    "locked",
    "busy",
    "not_checked",
    "bad_id",
    "bad_pin",
    "bad_code",
    "no_persons",
    "no_proposal",
    "state_changed",
    "same_person",
    "at_terminal",
    "key_reused",
]


class AccessRefusal(Struct, frozen=True, kw_only=True):
    """A refusal; ``again_s``: seconds until a retry, ``None``: waiting does not help."""

    code: RefusalOfPersons
    reason: str
    remedy: str = ""
    field: str = "$"
    again_s: float | None = None

    def __str__(self) -> str:
        return f"{self.code}: {self.reason}. {self.remedy}".rstrip()
