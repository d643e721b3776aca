"""A table: `cardshoe run --json` as a process."""

import collections
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from pytest_cardshoe.errors import (
    CardshoeFailure,
    InputNotUnderstood,
    InputRefused,
    JournalRejected,
    ProcessEnded,
    Silent,
)
from pytest_cardshoe.processes import Launch, Process
from pytest_cardshoe.programs import law_of, run_to_end
from pytest_cardshoe.shoes import Shoe

__tracebackhide__ = True  # a failure is shown where the test asked for it, not where it was found

Line = dict[str, Any]
REPORT_LOADING: Final = frozenset({"tdp"})
NOT_UNDERSTOOD: Final = ("not understood: ", "not taken: ")


@dataclass(frozen=True, slots=True)
class TableReply:
    lines: tuple[Line, ...]

    @property
    def input(self) -> Line:
        """The answered event: yours, or a device's."""
        return self.lines[0]

    @property
    def next(self) -> Line:
        """The line with the next act."""
        return self.lines[-1]

    @property
    def do(self) -> str:
        """The next act, such as `draw` or `close_round`."""
        return str(self.next["do"])

    @property
    def refused(self) -> Line | None:
        """The refusal, if any."""
        return next(iter(self.of("refused")), None)

    @property
    def irregularities(self) -> Sequence[Line]:
        """The irregularities that it opened."""
        return self.of("irregularity")

    def of(self, event: str) -> Sequence[Line]:
        """The lines of this name."""
        return [line for line in self.lines if line["event"] == event]

    def one(self, event: str) -> Line:
        """The only line of this name; fails otherwise."""
        found = self.of(event)
        if len(found) != 1:
            said = [line["event"] for line in self.lines]
            raise CardshoeFailure(f"{len(found)} lines {event!r} in the answer, one was expected; it has {said}")
        return found[0]


class Table:
    """A table at work. A `with` block closes it."""

    def __init__(self, config: Path, launch: Launch, name: str) -> None:
        self.config: Final = config
        self.name: Final = name
        self.answers: Final[list[TableReply]] = []
        self.verified: Line | None = None
        """`cardshoe verify --json` of the journal, once closed."""
        self._launch: Final = launch
        self._unread: Final[collections.deque[TableReply]] = collections.deque()
        self._lines: Final[list[Line]] = []
        arguments = [launch.command, "run", "--json", str(config)]
        self.process: Final = Process(f"table {name}", arguments, launch, config.parent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- telling it -------------------------------------------------------------------------------------------------

    def send(self, event: str, **fields: object) -> TableReply:
        """Enter an event as a person would; return the answer."""
        typed = json.dumps({"event": event, **fields})
        self.process.send_line(typed)
        while True:
            answer = self._read(f"the answer to {event!r}", typed)
            if (answer.input["event"], answer.input["origin"]) == (event, "person"):
                return answer
            self._unread.append(answer)

    def answer(self, patience_s: float | None = None) -> TableReply:
        """The next unseen answer, to a device's report."""
        return self._take("an answer", patience_s=patience_s)

    def until_quiet(self, quiet_s: float = 1.0) -> Sequence[TableReply]:
        """Unseen answers, until none comes for `quiet_s` seconds."""
        came: list[TableReply] = []
        while True:
            try:
                came.append(self.answer(patience_s=quiet_s))
            except Silent:
                return came

    def until(self, do: str, *, patience_s: float | None = None) -> TableReply:
        """The next answer that calls for this act."""
        return self._search(f"an answer after which {do!r} is next", lambda answer: answer.do == do, patience_s)

    def wait_for(self, event: str, *, patience_s: float | None = None, **fields: object) -> TableReply:
        """The next answer with a matching line, within `patience_s` seconds."""

        def has(answer: TableReply) -> bool:
            return any(all(line.get(key) == fields[key] for key in fields) for line in answer.of(event))

        wanted = " ".join([f"a line {event!r}", *(f"{key}={fields[key]!r}" for key in fields)])
        return self._search(wanted, has, patience_s)

    def _search(self, wanted: str, matches: Callable[[TableReply], bool], patience_s: float | None) -> TableReply:
        came: list[str] = []
        while not matches(answer := self._take(wanted, came, patience_s)):
            said = ", ".join(line["event"] for line in answer.lines[1:-1])
            came.append(f"{answer.input['event']} -> {said}; next {answer.do}")
        return answer

    def _take(self, wanted: str, came: Sequence[str] = (), patience_s: float | None = None) -> TableReply:
        while True:
            try:
                answer = self._unread.popleft() if self._unread else self._read(wanted, patience_s=patience_s)
            except Silent as error:
                raise Silent(error.title, wanted, error.patience_s, came or error.heard) from None
            if answer.input["event"] != "device_identified" or "serial" in answer.input:
                return answer

    @property
    def next(self) -> Line:
        """The last answer's next act."""
        return self.answers[-1].next

    def make_ready(self, shoe: Shoe, *, cut_card_behind: int | None = None, cards: Sequence[str] = ()) -> TableReply:
        """Do everything before the first round: shuffle, cut, cut card, load, burn.

        Args:
            cards: first ones, burned included, such as `8S`; `?`: any card.
        """
        answer = self.answers[-1] if self.answers else self.answer()
        law = law_of(self._launch.command, self._profile["game"])
        equipment = next(one for one in law["equipment"] if one["name"] == self._profile["equipment"])
        if cut_card_behind is None:
            in_force = self.answers[0].next["options"]
            cut_card_behind = in_force.get("cut_card_behind", law["cut_card_behind"][0])
        while True:
            match answer.do:
                case "shuffle":
                    answer = self.send("shuffled", by=equipment["shuffled_by"][0])
                case "cut":
                    answer = self.send("cut", by=equipment["cut_by"][0])
                case "place_cut_card":
                    answer = self.send("cut_card_placed", behind=cut_card_behind)
                case "load":
                    loaded = shoe.load(*cards)
                    by_itself = shoe.family in REPORT_LOADING
                    answer = self.wait_for("loaded") if by_itself else self.send("loaded", cards=loaded)
                case "burn":
                    shoe.draw()
                    answer = self.answer()
                case _:
                    return answer
            if answer.refused is not None:
                raise InputRefused(answer.input, answer.refused)

    @property
    def _profile(self) -> Line:
        return self.answers[0].input

    # --- its end ----------------------------------------------------------------------------------------------------

    @property
    def journal(self) -> Path:
        """Its journal."""
        found = sorted((self.config.parent / "journals").glob("*.journal"))
        if not found:
            raise CardshoeFailure(f"{self.name} has no journal: {self.process.errors()}")
        return found[-1]

    def close(self) -> None:
        """Stop it and verify its journal. Idempotent.

        Raises:
            ProcessEnded: exit code other than 0.
        """
        if self.verified is not None:
            return
        code = self.process.end("quit")
        if code != 0:
            raise ProcessEnded(self.process.title, code, self.process.errors())
        journal = str(self.journal)
        done = run_to_end([self._launch.command, "verify", "--json", journal])
        if done.returncode != 0:
            raise JournalRejected(journal, done.returncode, done.stderr)
        self.verified = json.loads(done.stdout)
        if self._launch.records:
            self._record_lines(run_to_end([self._launch.command, "log", "--open", journal]).stdout.splitlines())

    def _record_lines(self, lines: Sequence[str]) -> None:
        is_input = True  # a log begins with one, and each `next` ends the answer to one
        for line in lines:
            kind = "input" if is_input else "output"
            self._launch.note({"source": "table", "table": self.name, "kind": kind, "line": line})
            is_input = json.loads(line)["event"] == "next"

    def _read(self, wanted: str, typed: str = "", *, patience_s: float | None = None) -> TableReply:
        while not (self._lines and self._lines[-1]["event"] == "next"):
            heard = self.process.expect(wanted, patience_s)
            if not heard.is_error:
                self._lines.append(json.loads(heard.line))
            elif heard.line.startswith(NOT_UNDERSTOOD):
                raise InputNotUnderstood(typed, heard.line.partition(": ")[2])
        answer = TableReply(tuple(self._lines))
        self._lines.clear()
        self.answers.append(answer)
        return answer


def write_config(folder: Path, settings: Mapping[str, Any], devices: Sequence[Mapping[str, Any]]) -> Path:
    table = {key: value for key, value in settings.items() if key not in {"options", "authorisations"}}
    sections = [("[table]", table), ("[journal]", {"folder": "journals"}), ("[options]", settings.get("options", {}))]
    sections += [("[[authorisation]]", one) for one in settings.get("authorisations", ())]
    sections += [("[[device]]", device) for device in devices]
    path = folder / "table.toml"
    path.write_text("\n".join(f"{head}\n{_toml(values)}" for head, values in sections))
    return path


def _toml(values: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in values.items())


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }"
    # For texts, numbers, flags and lists of them TOML is written as JSON is.
    return json.dumps(value)
