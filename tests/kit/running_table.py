"""``cardshoe run --json`` at work, and what it has acknowledged."""

import json
from pathlib import Path
from typing import Any, Final

from cardshoe.journal import read_only
from tests.kit.command import Command, Line

CONFIG: Final = """
[journal]
folder = "journals"
[options]
{options}
"""
DEVICE: Final = """
[[device]]
name = "shoe"
family = "angel_eye"
port = "{port}"
commands = {commands}
"""
AUTHORISATION: Final = """
[[authorisation]]
option = "{option}"
value = {value}
reference = "DICJ/1"
requested = "2024-01-02"
effective = "2024-02-01"
"""
NEXT_ROUND: Final = {"overdrawn_card": "next_round"}
"""What an Angel Eye shoe does with an overdrawn card."""


def table_section(table_id: str = "T-1", equipment: str = "shoe") -> str:
    """``[table]`` of a configuration: baccarat with eight decks and seven seats."""
    lines = {"id": table_id, "game": "baccarat", "decks": 8, "seats": 7, "equipment": equipment}
    return "[table]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in lines.items())


def write_config(
    folder: Path,
    port: str | None,
    *,
    options: dict[str, Any] = NEXT_ROUND,
    commands: tuple[str, ...] = (),
    equipment: str = "shoe",
) -> Path:
    """Writes a configuration in which every option that needs it is authorised.

    Args:
        port: the shoe's port; ``None``: no device.
    """
    if options.get("stakes") != "untracked":
        # Most rounds here are about cards, and begin with their first one (reading B8).
        options = {"rounds_without_wagers": True, **options}
    lines = "\n".join(f"{name} = {json.dumps(value)}" for name, value in options.items())
    text = table_section(equipment=equipment) + CONFIG.format(options=lines)
    for option, value in {**options, **({"equipment": equipment} if equipment != "shoe" else {})}.items():
        text += AUTHORISATION.format(option=option, value=json.dumps(value))
    if port is not None:
        text += DEVICE.format(port=port, commands=json.dumps(list(commands)))
    path = folder / "table.toml"
    path.write_text(text)
    return path


def journal_of(folder: Path) -> Path:
    """The only journal below a configuration's folder."""
    (path,) = (folder / "journals").glob("*.journal")
    return path


def lines_of(journal: Path) -> list[str]:
    """The lines of a journal that nobody has open."""
    with read_only(journal) as evidence:
        return [line.decode() for entry in evidence.entries() for line in entry.lines]


class RunningTable(Command):
    """``cardshoe run --json`` of a configuration."""

    def __init__(self, config: Path, *options: str, forks: bool = True) -> None:
        super().__init__("run", "--json", *options, config, forks=forks)
        self.heard: Final[list[str]] = []
        self.identified: Final[dict[str, Line]] = {}

    def line(self) -> str:
        """The next line of the log that it tells."""
        line = super().line()
        self.heard.append(line)
        return line

    def answer(self, *, is_repeated: bool = False) -> list[Line]:
        """The lines of one input, with the answer to it.

        The identification of a device that cannot say what it is goes to `identified`: its port's thread records it
        when the port opens, before or after what a person types.
        """
        lines: list[Line] = [json.loads(self.line())]
        while lines[-1]["event"] != "next":
            lines.append(json.loads(self.line()))
        first = lines[0]
        if is_repeated or first["event"] != "device_identified" or "serial" in first:
            return lines
        assert first["device"] not in self.identified, "a device is identified once"
        self.identified[first["device"]] = first
        return self.answer()

    def prompt(self) -> Line:
        """The prompt of its next answer."""
        return self.answer()[-1]

    def until_prompt(self, do: str) -> list[Line]:
        """The lines up to a prompt to do this."""
        lines = self.answer()
        while lines[-1]["do"] != do:
            lines += self.answer()
        return lines

    def tell(self, line: str | Line) -> list[Line]:
        """Types a line; returns what comes of it."""
        self.say(line)
        return self.answer()
