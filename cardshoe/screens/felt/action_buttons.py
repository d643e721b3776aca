"""The buttons of the croupier's page, rendered once for all roles."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec
from msgspec import UNSET, Struct

from cardshoe.screens.view import TableView
from cardshoe.screens.view.allowed import Allowed, allowed
from cardshoe.screens.view.law import cards_behind, equipment_of, sheet_of, stakes_are_known
from cardshoe.screens.view.parts import LyingCard, Profile
from cardshoe.screens.words import labels
from cardshoe.screens.words.currency import Currency
from regulations.events.vocabulary import NOT_UNDERSTOOD, Holder, ResolutionAction
from regulations.law.sheet import Choice

Form = Literal["", "wagers", "card", "cards", "number", "amount", "reason", "round", "sure", "opening"]
Weight = Literal["first", "plain", "grave", "more", "help", "felt"]
READMITS: Final = frozenset({"over_budget", "not_answered", NOT_UNDERSTOOD})
_GROUNDS: Final = ("misdeal", "malfunction", "not_begun", "exposed", "stack")


class Offer(Struct, frozen=True):
    event: str
    says: str
    fields: Mapping[str, object] = {}
    values: Mapping[str, object] = {}
    weight: Weight = "plain"
    form: Form = ""
    field: str = ""
    two: bool = False
    ask: Mapping[str, object] = {}

    @property
    def line(self) -> str:
        """The known part of the input, JSON."""
        known = {name: value for name, value in self.fields.items() if value is not UNSET}
        return msgspec.json.encode({"event": self.event, **known}).decode()

    @property
    def needs(self) -> str:
        """Form fields to ask for, as JSON; empty: none."""
        return msgspec.json.encode(self.ask).decode() if self.ask else ""

    @property
    def key(self) -> str:
        """A stable name: a button never changes below a finger."""
        return f"act-{self.line}-{self.form}"


def offers(view: TableView, currency: Currency) -> list[Offer]:
    """The current buttons, the prompt's own first."""
    if view.profile is None or view.prompt is None:
        return []
    return list(_Offers(view, currency).all())


def may_bet(view: TableView) -> bool:
    prompt = view.prompt
    if prompt is not None and prompt.do == "burn" and not view.results:
        return False
    return any(one.event == "bets_closed" for one in allowed(view))


def may_bet_late(view: TableView) -> bool:
    """True if two people may enter wagers after an early card (reading B8)."""
    return any(one.action == "enter_bets" for one in allowed(view))


def enters_by_hand(view: TableView) -> bool:
    """True if cards are visible and no working device reads them (reading G19)."""
    if not any(one.event == "card" for one in allowed(view)) or may_bet(view) or next_lies_down(view):
        return False
    return not any(
        one.reads and not one.lost and not one.faults and view.shoe.device in (UNSET, name)
        for name, one in view.devices.items()
    )


def next_lies_down(view: TableView) -> bool:
    prompt, profile = view.prompt, view.profile
    if prompt is None or profile is None or prompt.do == "decide":  # a hit is dealt face up
        return False
    if prompt.do == "burn":  # reading B1: the first card is shown, and says how many follow it
        shown = profile.options.get("initial_burn") == "first_card_value" and view.shoe.dealt == 0
        return not shown
    owner: Holder = "seat" if prompt.to is UNSET else prompt.to
    return not lies_open(view, profile, owner, prompt.position if isinstance(prompt.position, int) else 0)


def lies_open(view: TableView, profile: Profile, owner: Holder, position: int) -> bool:
    """True if the rules lay the next card face up, at ``position`` from 1."""
    sheet = sheet_of(profile)
    splits = {one.name for one in sheet.choices if one.splits}
    split = view.round is not None and any(one.action in splits for one in view.round.decisions)
    return sheet.layout.lies_open(owner, position, profile.options, profile.equipment, split)


class _Offers:
    def __init__(self, view: TableView, currency: Currency) -> None:
        self._view: Final = view
        self._currency: Final = currency
        if view.profile is None or view.prompt is None:
            raise TypeError("nothing is allowed at a table of which nothing is known")
        self._profile: Final = view.profile
        self._prompt: Final = view.prompt
        self._sheet: Final = sheet_of(view.profile)
        self._tracked: Final = stakes_are_known(self._profile)

    def all(self) -> Iterator[Offer]:
        if self._view.phase == "closed":
            yield Offer("table_opened", "Open the table", weight="first", form="opening", two=True)
        now = allowed(self._view)
        for one in now:
            if one.event == "resolve":
                yield from self._way_out(one)
            elif one.event == "decision" and isinstance(one.action, str):
                yield from self._decision(one, self._sheet.choice(one.action))
            elif (make := getattr(self, f"_{one.event}", None)) is not None:
                yield from make()
        if self._prompt.do == "resolve":
            return
        if self._prompt.do in ("shuffle", "load") and self._view.round is None:
            if self._view.shoe.is_over:
                yield from self._stack_counted()
            yield from self._closed()  # a shoe game that has not begun holds nobody
        if self._prompt.do == "decide":
            yield from self._shown_early()
        yield from self._bettor_left()
        yield from self._device_readmitted()

    # --- the stack ---------------------------------------------------------------------------------------------------

    def _shuffled(self) -> Iterator[Offer]:
        machine = self._profile.equipment in ("shuffler", "shuffler_dealer")
        yield Offer("shuffled", "Shuffled by hand", {"by": "croupier"}, weight="plain" if machine else "first")
        yield Offer("shuffled", "Shuffled by the machine", {"by": "shuffler"}, weight="first" if machine else "plain")

    def _equipment(self) -> Iterator[Offer]:
        for kind in equipment_of(self._profile):
            if kind != self._profile.equipment:
                yield Offer("equipment", labels.EQUIPMENT[kind], {"equipment": kind}, weight="more", form="sure")

    def _cut(self) -> Iterator[Offer]:
        first: Weight = "first"
        for by in ("player", "croupier"):
            if by in self._sheet.law.equipment[self._profile.equipment].cut_by:
                yield Offer("cut", f"Cut by {'a' if by == 'player' else 'the'} {by}", {"by": by}, weight=first)
                first = "plain"

    def _cut_card_placed(self) -> Iterator[Offer]:
        usual = cards_behind(self._profile)
        yield Offer("cut_card_placed", "%(n)s cards behind it", {"behind": usual}, values={"n": usual}, weight="first")
        yield self._number("cut_card_placed", "Another number", "behind", usual)

    def _loaded(self) -> Iterator[Offer]:
        cards = self._profile.decks * 52
        yield Offer("loaded", "%(n)s cards are in", {"cards": cards}, values={"n": cards}, weight="first")
        yield self._number("loaded", "Another number", "cards", cards)

    def _cards_returned(self) -> Iterator[Offer]:
        cards = self._view.shoe.dealt
        yield Offer("cards_returned", "%(n)s cards returned", {"cards": cards}, values={"n": cards}, weight="first")
        yield self._number("cards_returned", "Another number", "cards", cards)

    def _stack_counted(self) -> Iterator[Offer]:
        # What must be left is not offered: whoever counts says what was found.
        yield self._number("stack_counted", "Cards left were counted", "cards", 0)

    def _number(self, event: str, says: str, field: str, usual: int) -> Offer:
        return Offer(event, says, form="number", field=field, ask={"n": usual})

    # --- cards -------------------------------------------------------------------------------------------------------

    def _card(self) -> Iterator[Offer]:
        down: Weight = "first" if next_lies_down(self._view) and not may_bet(self._view) else "more"
        if self._prompt.do != "decide":
            yield Offer("card", "Card laid face down, not seen", {"card": None, "unseen": True}, weight=down)
        yield Offer("card", "The card cannot be read", {"card": None}, weight="more")
        if not enters_by_hand(self._view):
            yield Offer("card", "Enter the card by hand", weight="more", form="card", field="card")

    def _cut_card(self) -> Iterator[Offer]:
        begins = self._prompt.do == "burn" and self._view.round is None
        yield Offer("cut_card", "The cut card came out", weight="more" if begins else "plain")

    def _revealed(self) -> Iterator[Offer]:
        for number, hand in enumerate(self._hidden()):
            yield self._turned("revealed", labels.REVEAL, hand, "first" if number == 0 else "more")

    def _exposed(self) -> Iterator[Offer]:
        for hand in self._hidden():
            yield self._turned("exposed", labels.EXPOSED, hand, "more")

    def _shown_early(self) -> Iterator[Offer]:
        """Cards of the hand under decision may be shown (56/2004 art. 5.º-2)."""
        for hand in self._hidden():
            if hand[:2] == ("seat", self._prompt.seat):
                yield self._turned("revealed", labels.REVEAL, hand, "plain")

    def _turned(self, event: str, says: Mapping[Holder, str], hand: tuple[Holder, int, int], weight: Weight) -> Offer:
        who, seat, number = hand
        fields = {"who": who, "seat": seat or UNSET, "hand": number or UNSET}
        hidden = [one for one in self._lying(who, seat, number) if one.card is None]
        offer = Offer(event, says[who], fields, {"seat": seat}, weight)
        if any(one.unseen for one in hidden):
            return msgspec.structs.replace(offer, form="cards", field="cards", ask={"n": len(hidden)})
        return offer

    def _hidden(self) -> list[tuple[Holder, int, int]]:
        cards = [] if self._view.round is None else self._view.round.cards
        found: dict[tuple[Holder, int, int], None] = {}
        for one in cards:
            if one.card is None:
                seat = one.seat if isinstance(one.seat, int) else 0
                found[one.to, seat, (one.hand if isinstance(one.hand, int) else 1) if seat else 0] = None
        prompt = self._prompt
        to: Holder = prompt.to if isinstance(prompt.to, str) else "seat"
        seat = prompt.seat if isinstance(prompt.seat, int) and to == "seat" else 0
        named = to, seat, (prompt.hand if isinstance(prompt.hand, int) else 1) if seat else 0
        return sorted(found, key=lambda one: one != named)

    def _lying(self, who: Holder, seat: int, hand: int) -> Sequence[LyingCard]:
        cards = [] if self._view.round is None else self._view.round.cards
        return [one for one in cards if (one.to, one.seat or 0, (one.hand or 1) if seat else 0) == (who, seat, hand)]

    # --- the round ---------------------------------------------------------------------------------------------------

    def _bets_closed(self) -> Iterator[Offer]:
        if not may_bet(self._view):
            return
        yield Offer("bets_closed", "Close the bets", weight="first", form="wagers")

    def _bets_corrected(self) -> Iterator[Offer]:
        says = "Correct the bets"
        ask = {"why": "bets"}
        yield Offer("bets_corrected", says, weight="felt", form="wagers", field="reason", two=True, ask=ask)

    def _demonstration(self) -> Iterator[Offer]:
        yield Offer("demonstration", "The coming round is a demonstration", weight="more", form="sure")

    def _decision(self, one: Allowed, choice: Choice) -> Iterator[Offer]:
        prompt = self._prompt
        is_asked = (one.seat, one.hand, one.id) == (prompt.seat, prompt.hand, prompt.id)
        who = {"seat": one.seat, "hand": one.hand, "id": one.id, "action": choice.name}
        seat = one.seat if one.id in (UNSET, 1) else f"{one.seat}.{one.id}"
        if choice.amounts is not None and self._tracked:
            yield from self._amounts(choice, who, "" if is_asked else str(seat))
            return
        if not is_asked:
            yield Offer("decision", choice.aside, who, values={"seat": seat}, weight="more")
            return
        yield Offer("decision", choice.says, who, weight="first")
        if choice.beside and self._tracked:
            yield Offer("decision", choice.beside_says, who, form="amount", field="any_pair")
        elif choice.beside:
            yield Offer("decision", choice.beside_says, {**who, "any_pair": True})

    def _amounts(self, choice: Choice, who: Mapping[str, object], other: str) -> Iterator[Offer]:
        main = sum(
            one.stake
            for one in ([] if self._view.round is None else self._view.round.wagers)
            if (one.seat, one.bet, one.id) == (who["seat"], self._sheet.bets.main, who["id"] or 1)
            and isinstance(one.stake, int)
        )
        says = choice.aside_amount_says if other else choice.amount_says
        for amount in dict.fromkeys(choice.amounts(main, self._profile.options) if choice.amounts else ()):
            values = {"amount": self._currency.text(amount), **({"seat": other} if other else {})}
            weight: Weight = "more" if other else "first"
            yield Offer("decision", says, {**who, "amount": amount}, weight=weight, values=values)

    def _round_closed(self) -> Iterator[Offer]:
        yield Offer("round_closed", "Cards collected, round closed", weight="first")

    def _shoe_ended(self) -> Iterator[Offer]:
        ask, two = {"why": "shoe", "words": "detail"}, self._profile.options.get("shoe_ended_by") == "two"
        yield Offer("shoe_ended", "End the shoe game", weight="more", form="reason", field="reason", two=two, ask=ask)

    def _closed(self) -> Iterator[Offer]:
        yield Offer("closed", "Close the table", weight="more", form="sure")

    # --- what goes wrong ---------------------------------------------------------------------------------------------

    def _misdeal(self) -> Iterator[Offer]:
        ask = {"why": "misdeal"}
        yield Offer("misdeal", "Report a misdeal", weight="more", form="reason", field="detail", ask=ask)

    def _supervisor_called(self) -> Iterator[Offer]:
        yield Offer("supervisor_called", "Call the supervisor", weight="help")

    def _dispute(self) -> Iterator[Offer]:
        yield Offer(
            "dispute", "Hold for a dispute", weight="help", form="reason", field="detail", ask={"why": "dispute"}
        )

    def _void(self) -> Iterator[Offer]:
        for ground in _GROUNDS:
            if self._is_possible(ground):
                ask = {"why": "void"}
                yield Offer(
                    "void",
                    labels.GROUNDS[ground],
                    {"ground": ground},
                    weight="more",
                    form="reason",
                    field="reason",
                    two=True,
                    ask=ask,
                )

    def _is_possible(self, ground: str) -> bool:
        now, any_card = self._view.round, self._view.round is not None and bool(self._view.round.left)
        if now is None:
            return False
        match ground:
            case "misdeal":
                return any_card
            case "not_begun":
                return not any_card and not now.burned
            case "exposed":
                seen = self._sheet.hidden_house if self._sheet.void_if_seen else None
                return any(one.to == seen for one in now.cards)
            case "stack":
                return self._prompt.do == "draw" and self._view.shoe.loaded == self._view.shoe.dealt
            case _:
                return True

    def _bettor_left(self) -> Iterator[Offer]:
        if self._view.round is not None or not self._sheet.bets.stand_in_tie:
            return
        for seat, who in dict.fromkeys((one.seat, one.id) for one in self._view.standing):
            yield Offer(
                "bettor_left",
                "The bettor of seat %(seat)s has left",
                {"seat": seat, "id": who},
                values={"seat": seat if who == 1 else f"{seat}.{who}"},
                weight="more",
                two=True,
            )

    def _device_readmitted(self) -> Iterator[Offer]:
        for name, device in self._view.devices.items():
            if any(one.code in READMITS for one in device.faults):
                yield Offer(
                    "device_readmitted",
                    "Readmit %(device)s",
                    {"device": name},
                    values={"device": name},
                    weight="more",
                    two=True,
                )

    def _way_out(self, one: Allowed) -> Iterator[Offer]:
        action = msgspec.convert(one.action, ResolutionAction)
        first = next((other for other in self._view.irregularities if other.irregularity == one.irregularity), None)
        code = "" if first is None else first.code
        fields = {"irregularity": one.irregularity, "action": action}
        offer = Offer("resolve", labels.WAYS_OUT[action], fields, two=one.persons > 1)
        if action == "identify" and code == "misdeal":
            says = "Correct the value of cards"
            yield msgspec.structs.replace(offer, says=says, form="round", field="cards", ask={"name": True})
        elif action == "identify" and code == "count_gap":
            yield msgspec.structs.replace(offer, form="cards", field="cards", ask={"n": 0})
        elif action == "identify":
            yield msgspec.structs.replace(offer, form="card", field="card")
        elif action == "enter_bets":
            yield msgspec.structs.replace(offer, form="wagers")
        elif action == "decision":
            for choice in (one for one in self._sheet.choices if one.decided):
                yield msgspec.structs.replace(offer, says=choice.decided, fields={**fields, "decision": choice.name})
        elif action == "accept" and self._view.round is not None and self._view.round.result is not UNSET:
            # Nothing may have read the croupier's extra card (56/2004 art. 6.º-1).
            yield offer
            yield msgspec.structs.replace(offer, says="Accept the card and name it", form="card", field="card")
        elif action == "reassign":
            yield msgspec.structs.replace(offer, form="round", field="cards", ask={"burn": True})
        else:
            yield msgspec.structs.replace(offer, weight="grave" if action in _GRAVE else "plain")


_GRAVE: Final = frozenset({"void", "end_shoe"})
