"""Handle clients' messages for people."""

from collections.abc import Callable
from typing import Any, Final, Protocol

import msgspec

from cardshoe.journal.witness.tasks import Task
from cardshoe.persons.lockout import Source
from cardshoe.persons.proposals import ProposalMade
from cardshoe.persons.refusal import AccessRefusal
from cardshoe.persons.registry import Person
from cardshoe.persons.sessions import SignInPlace
from cardshoe.table.inbox import Answer, Wanted
from cardshoe.table.live import messages as says
from cardshoe.table.live.answers import Outcome
from cardshoe.table.staff_service import Persons
from cardshoe.table.terminal import console
from firmware_bridge.interlock import DeviceAction
from regulations.events.errors import MalformedLine
from regulations.events.inputs import AnyInput

NO_PERSONS: Final = AccessRefusal(
    code="no_persons", reason="this table has no persons", remedy="Name their file: [persons] file, in the table.toml."
)


class Table(Protocol):
    def ask_and_wait(
        self, what: Wanted | Callable[[], Wanted | AccessRefusal | ProposalMade], answer: Callable[[Answer], None]
    ) -> None:
        """Queue a person's input."""

    def have_done(self, task: Task[Any]) -> None:
        """Queue work that uses the journal."""


class Reception:
    """Handles messages of clients; ``persons`` ``None``: every client may act as a person."""

    def __init__(self, table: Table, persons: Persons | None) -> None:
        self._table: Final = table
        self._persons: Final = persons
        self._here: Final[set[int]] = set()

    @property
    def has_persons(self) -> bool:
        return self._persons is not None

    def came(self, client: int) -> None:
        """Register a client; numbers are never reused."""
        self._here.add(client)

    def left(self, client: int) -> None:
        """End a client's sessions with its connection."""
        self._here.discard(client)
        if self._persons is not None:
            self._persons.left(client)

    def take(self, client: int, request: says.Personal, answer: Callable[[Outcome], None]) -> None:
        """Handle a message; returns at once; ``answer`` is called once, from any thread."""
        persons = self._persons
        try:
            match request:
                case says.SubmitInput():
                    self._say(client, _event(request), request.session, answer)
                case says.SayAct():
                    number = "" if request.number is None else f" {request.number}"
                    self._say(client, console.parse(f"{request.act}{number}"), request.session, answer)
                case _ if persons is None:
                    answer(NO_PERSONS)
                case says.Propose():
                    event = _event(request)
                    self._table.ask_and_wait(lambda: persons.propose(client, request.session, event), answer)
                case _:
                    self._take_at_desk(persons, client, request, answer)
        except MalformedLine as error:
            answer(error)

    def _take_at_desk(
        self, persons: Persons, client: int, request: says.Personal, answer: Callable[[Outcome], None]
    ) -> None:
        match request:
            case says.SignIn():
                persons.later(lambda: self._signed_in(persons, client, request), answer)
            case says.Enrol():
                source = _source(request)
                persons.later(lambda: persons.enrol(request.person, request.pin, request.code, source), answer)
            case says.AskSession():
                answer(persons.session(client, request.session))
            case says.SignOut():
                answer(persons.sign_out(client, request.session))
            case says.Approve() | says.OpenTable():
                persons.later(
                    lambda: persons.verify_pin(request.person, request.pin, _source(request)),
                    lambda found: self._confirm(persons, client, request, found, answer),
                )

    def _say(self, client: int, what: Wanted, token: str | None, answer: Callable[[Outcome], None]) -> None:
        persons = self._persons
        if persons is None:
            self._table.ask_and_wait(what, answer)
        else:
            self._table.ask_and_wait(lambda: persons.refuses(client, what, token) or what, answer)

    def _signed_in(self, persons: Persons, client: int, request: says.SignIn) -> Outcome:
        at = SignInPlace("table_screen" if request.screen == "table" else "own_screen", client)
        came = persons.sign_in(at, request.person, request.pin, _source(request))
        if client not in self._here:
            persons.left(client)  # it went while its PIN was looked at
        return came

    def _confirm(
        self,
        persons: Persons,
        client: int,
        request: says.Approve | says.OpenTable,
        found: Person | AccessRefusal,
        answer: Callable[[Outcome], None],
    ) -> None:
        if isinstance(found, AccessRefusal):
            answer(found)
        elif isinstance(request, says.Approve):
            self._table.ask_and_wait(lambda: persons.approved(client, request.proposal, found, request.session), answer)
        else:
            self._table.ask_and_wait(lambda: persons.opens(client, request.session, found), answer)


def _source(request: says.SignIn | says.Enrol | says.Approve | says.OpenTable) -> Source:
    return request.source or Source("", "program")


def _event(request: says.SubmitInput | says.Propose) -> AnyInput:
    event = console.parse(bytes(request.line).decode())
    if isinstance(event, DeviceAction):
        raise MalformedLine("$.line", "an act is said by the message `act`")
    return event if request.key is None else msgspec.structs.replace(event, key=request.key)
