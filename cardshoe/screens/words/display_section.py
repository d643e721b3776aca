"""``[display]``: where pages listen, and their content."""

import ipaddress
from collections.abc import Iterator
from typing import Final, Literal, get_args
from urllib.parse import urlsplit

from msgspec import Struct, field

from cardshoe.process.config_mistakes import ConfigMistake
from cardshoe.process.http.tls import TlsFiles

Language = Literal["zh-Hant", "pt", "en"]
PageName = Literal["board", "croupier", "rounds", "pit", "technician"]
PAGES: Final[tuple[PageName, ...]] = get_args(PageName)
LANGUAGE_NAMES: Final[dict[Language, str]] = {"zh-Hant": "中文", "pt": "Português", "en": "English"}
LABEL_MAX: Final = 4
LANGUAGES_MAX: Final = 2


class DisplaySection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[display]``: pages and interface; ``seat_labels`` empty: numbers."""

    listen: str = "127.0.0.1:8443"
    tls: TlsFiles | None = None
    languages: list[Language] = field(default_factory=lambda: ["zh-Hant", "pt"])
    pages: list[PageName] = field(default_factory=lambda: [*PAGES])
    four_colours: bool = False
    simulated: bool = False
    seat_labels: list[str] = field(default_factory=list)


def host_port(listen: str) -> tuple[str, int]:
    parts = urlsplit(f"//{listen}")
    if parts.hostname is None or parts.port is None or parts.netloc != listen or "@" in listen:
        raise ValueError(f"{listen!r} is not of the form HOST:PORT, such as 127.0.0.1:8443")
    host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname
    return str(ipaddress.ip_address(host)), parts.port


def faults_of_display(section: DisplaySection) -> Iterator[ConfigMistake]:
    try:
        host, _ = host_port(section.listen)
    except ValueError as error:
        yield ConfigMistake(key="display.listen", reason=str(error))
    else:
        if section.tls is None and not ipaddress.ip_address(host).is_loopback:
            reason = f"{section.listen!r} can be reached from other machines: name the certificates in `tls`, or listen"
            yield ConfigMistake(key="display.listen", reason=f"{reason} on 127.0.0.1")
    if not 1 <= len(section.languages) <= LANGUAGES_MAX:
        yield ConfigMistake(key="display.languages", reason="give one or two languages: at most two are shown at once")
    if any(not 0 < len(one) <= LABEL_MAX or not one.isprintable() or one.isspace() for one in section.seat_labels):
        yield ConfigMistake(key="display.seat_labels", reason=f"a label has 1 to {LABEL_MAX} printable characters")
    for name, said in (
        ("seat_labels", section.seat_labels),
        ("languages", section.languages),
        ("pages", section.pages),
    ):
        if len(set[str](said)) < len(said):
            yield ConfigMistake(key=f"display.{name}", reason="names one twice")
