"""The table process's access checks.

Decided in the table's thread, so that the state cannot change before the act.
"""

import time
from collections.abc import Callable
from typing import Final, Self

import msgspec

from cardshoe.persons.enrolment_code import EnrolmentCode
from cardshoe.persons.floor_list import FloorList, MergedPersons
from cardshoe.persons.lockout import Source
from cardshoe.persons.permissions import (
    OPEN_TABLE,
    PERMISSIONS,
    InputPermission,
    Named,
    may_need_two_persons,
    persons_of,
)
from cardshoe.persons.pin_checker import bad_code
from cardshoe.persons.pins import Pins
from cardshoe.persons.proposals import ProposalMade, Proposals
from cardshoe.persons.refusal import AccessRefusal
from cardshoe.persons.registry import Person, StaffRegistry
from cardshoe.persons.sign_in import SignInService, nobody, not_permitted
from cardshoe.process.clock import wall_time
from cardshoe.table.log.log_builder import LoggedInput
from firmware_bridge.interlock import DeviceAction
from regulations.events import inputs
from regulations.events.inputs import AnyInput, Table
from regulations.events.notices import (
    ClockStepped,
    DeviceNoted,
    PersonsListed,
    SignedIn,
    SignedOut,
    SignInsRefused,
    SupervisorCalled,
    TableOpened,
    WitnessBehind,
    WitnessCurrent,
)
from regulations.events.origins import name_of

_NOTICES: Final = (
    *(ClockStepped, DeviceNoted, PersonsListed, SignedIn, SignedOut, SignInsRefused, SupervisorCalled),
    *(WitnessBehind, WitnessCurrent, inputs.Proposed, TableOpened),
)


class Persons(SignInService):
    """The staff of a table; from any thread; ``listed`` overrides the file, ``None``: no floor list."""

    def __init__(
        self,
        registry: StaffRegistry,
        note: Callable[[AnyInput], object],
        pins: Pins | None = None,
        now_s: Callable[[], float] = time.monotonic,
        now: Callable[[], str] = wall_time,
        listed: FloorList | None = None,
    ) -> None:
        super().__init__(registry if listed is None else MergedPersons(registry, listed), note, pins, now_s, now)
        self.registry: Final = registry
        self._listed: Final = listed
        self._note: Final = note
        self._proposals: Final = Proposals(now_s)
        self._state = 0
        self.first: Final = EnrolmentCode(now_s)

    def __enter__(self) -> Self:
        self._look_at_list()
        return super().__enter__()

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self.first.spend()

    def __call__(self, taken: LoggedInput) -> None:
        if not (taken.is_refused or isinstance(taken.event, _NOTICES)) and isinstance(taken.prompt.seq, int):
            self._state = taken.prompt.seq
        if isinstance(taken.event, Table):
            if self._listed is not None and (listed := self._listed.listed) is not None:
                self._note(listed)
            self.record_sessions()

    def tick(self) -> None:
        self._look_at_list()
        super().tick()

    def list_left_s(self) -> float | None:
        """Seconds until the floor's list expires, negative afterwards; ``None``: no list."""
        return None if self._listed is None else self._listed.left_s

    def _look_at_list(self) -> None:
        if self._listed is not None and (news := self._listed.poll()) is not None:
            self._note(news)

    # --- who is there; PINs are looked at here -----------------------------------------------------------------------

    def enrol(self, person: str, pin: str, code: str, source: Source) -> AccessRefusal | None:
        """Add the first supervisor, with the code of a table without staff."""
        with self._looking:
            if self._pins.left_s(source, "") > 0 or not self.first.fits(code):
                self._pins.wrong(source, "")
                return bad_code()
            refusal = self._pins.enrol(self.registry, person, pin)
            if refusal is None:
                self.first.spend()
            return refusal

    def sign_out_of_terminal(self, person: str = "") -> AccessRefusal | None:
        with self._guard:
            found = [one for one in self._sessions.at_client(0) if person in ("", one.person.id)]
            for session in found:
                self._sessions.end(session, "asked")
            return None if found else nobody(0)

    # --- what they may say; in the table's thread --------------------------------------------------------------------

    def refuses(self, client: int, what: AnyInput | DeviceAction, token: str | None = None) -> AccessRefusal | None:
        """Why an input is refused; ``None``: permitted.

        Args:
            client: connection; 0: the terminal.
            token: of the session; the terminal uses its own.
        """
        name = what.kind.value if isinstance(what, DeviceAction) else name_of(what)
        permission = PERMISSIONS.get(name)
        if permission is None:
            return _never(name)
        with self._guard:
            if (refusal := self._refused_after_expiry()) is not None:
                return refusal
            if not isinstance(what, Named):
                # Whoever is at the terminal may say what needs no name, as at a table without persons.
                return None if client == 0 else self._heard_of(client, token, name, permission)
            if client == 0:
                return self._named_at_terminal(what, name, permission)
            return self._named_by(client, token, what, name, permission)

    def propose(self, client: int, token: str | None, event: AnyInput) -> ProposalMade | AccessRefusal:
        """Queue an act of two people for approval."""
        name = name_of(event)
        if not isinstance(event, Named) or not may_need_two_persons(event):
            return not_permitted(f"`{name}` needs no second person", "Send it as an input.")
        with self._guard:
            if (
                refusal := self._refused_after_expiry() or self._heard_of(client, token, name, PERMISSIONS[name])
            ) is not None:
                return refusal
            session = self._sessions.of(token or "", client)
            by = set(persons_of(event) or ())
            if session is None or session.person.id not in by or len(by) > 2:  # noqa: PLR2004  # two persons
                return not_permitted("`by` must name the proposer, alone or with the approver", "Name both.")
            return self._proposals.add(event, session, self._state)

    def approved(self, client: int, name: str, approver: Person, token: str | None = None) -> Named | AccessRefusal:
        """The event of a proposal, once, on its connection; the approver just entered a PIN.

        Args:
            token: the proposer's session; ``None``: the connection is one screen.
        """
        with self._guard:
            if (refusal := self._refused_after_expiry()) is not None:
                return refusal
            found = self._proposals.get(name)
            session = None if found is None else found.session
            here = session is not None and session.at.client == client and self._sessions.is_open(session)
            if token is not None:
                here = here and self._sessions.of(token, client) is session
            if found is None or not here:
                return AccessRefusal(
                    code="no_proposal",
                    field="$.proposal",
                    reason="no such proposal waits here",
                    remedy="Propose it again. A proposal waits for 60 s, on this screen only.",
                )
            if found.state != self._state:
                self._proposals.drop(name)
                return AccessRefusal(
                    code="state_changed",
                    field="$.proposal",
                    reason="something has happened at the table since this was proposed",
                    remedy="Look at the table, then propose it again.",
                )
            event, proposer = found.event, found.session.person
            if approver.id == proposer.id:
                return same_person()
            expected = set(persons_of(event) or ()) - {proposer.id}
            is_current = self.known.persons().get(approver.id) == approver
            if not is_current or (expected and expected != {approver.id}):
                return not_permitted("another person was named to approve this", "That person must give id and PIN.")
            refusal = _pair_refused(name_of(event), PERMISSIONS[name_of(event)], [proposer, approver])
            if refusal is not None:
                return refusal
            self._proposals.approved(name)
            return event if expected else msgspec.structs.replace(event, by=[*event.by, approver.id])

    def opens(self, client: int, token: str, second: Person) -> TableOpened | AccessRefusal:
        """The opening of a closed table by two people; the second one's PIN was just verified."""
        with self._guard:
            refusal = self._refused_after_expiry() or self._heard_of(client, token, "table_opened", OPEN_TABLE)
            session = self._sessions.of(token, client)
            if refusal is not None or session is None:
                return refusal or nobody(client)
            if second.id == session.person.id:
                return same_person()
            if self.known.persons().get(second.id) != second:
                return not_permitted("this person's entry has changed", "Enter the PIN again.")
            pair = [session.person, second]
            refusal = _pair_refused("table_opened", OPEN_TABLE, pair)
            return refusal or TableOpened(by=[one.id for one in pair], closed="", root="", entries=0)

    # --- below -------------------------------------------------------------------------------------------------------

    def _heard_of(self, client: int, token: str | None, name: str, permission: InputPermission) -> AccessRefusal | None:
        session = self._sessions.of(token or "", client)
        if session is None:
            return nobody(client)
        session.heard_s = self._now_s()
        if session.person.role not in permission.says:
            return _not_of_role(name, session.person, permission)
        return None

    def _named_by(
        self, client: int, token: str | None, event: Named, name: str, permission: InputPermission
    ) -> AccessRefusal | None:
        if (refusal := self._heard_of(client, token, name, permission)) is not None:
            return refusal
        session = self._sessions.of(token or "", client)
        if session is None or set(persons_of(event) or ()) != {session.person.id}:
            return not_permitted(
                "`by` does not name exactly the persons signed in here", "Propose it; the second person approves."
            )
        return None

    def _named_at_terminal(self, event: Named, name: str, permission: InputPermission) -> AccessRefusal | None:
        here = {one.person.id: one for one in self._sessions.at_client(0)}
        by = dict.fromkeys(persons_of(event) or ())
        missing = [one for one in by if one not in here]
        if missing or not by:
            who = " and ".join(missing) or "nobody"
            return not_permitted(
                f"`by` names {who[:80]}, who {'are' if len(missing) > 1 else 'is'} not signed in here",
                " then ".join(f"`login {one[:40]}`" for one in missing) + ", then type the line again."
                if missing
                else "`login ID`, then type the line with `by ID`.",
            )
        persons = [here[one].person for one in by]
        for one in by:
            here[one].heard_s = self._now_s()
        return _pair_refused(name, permission, persons, may_need_two_persons=may_need_two_persons(event))


def same_person() -> AccessRefusal:
    return AccessRefusal(
        code="same_person",
        field="$.person",
        reason="the person who proposed this cannot approve it",
        remedy="A second person must give id and PIN.",
    )


def _never(name: str) -> AccessRefusal:
    return not_permitted(f"`{name}` is not an input for persons", "Devices or the table report it.")


def _not_of_role(name: str, person: Person, permission: InputPermission) -> AccessRefusal:
    roles = " or ".join(sorted(permission.says))
    return not_permitted(f"the role {person.role} may not enter `{name}`", f"A {roles} must sign in and enter it.")


def _pair_refused(
    name: str, permission: InputPermission, persons: list[Person], *, may_need_two_persons: bool = True
) -> AccessRefusal | None:
    for person in persons:
        if person.role not in permission.says:
            return _not_of_role(name, person, permission)
    if may_need_two_persons and len(persons) > 1 and not any(person.role in permission.confirms for person in persons):
        roles = " or ".join(sorted(permission.confirms))
        return not_permitted(f"one of those who answer for `{name}` must be a {roles}", f"Call a {roles}.")
    return None
