"""Fingers at the croupier's page: an input of the table log becomes touches, and nothing else."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from playwright.sync_api import Locator, Page, expect

from regulations.events.inputs import AnyInput
from tests.cardshoe.persons.support import PINS

PATIENCE_MS: Final = 30_000
Place = tuple[int, str, int]
"""Of a wager: seat, bet, bettor."""
_LOG: Final = ("by", "at", "seq", "origin", "key", "round")
_TEXTS: Final = ("reason", "detail")
"""Fields that a person says in words at the terminal, and by a name of a list on the page."""
_DEAF: Final = ":root[data-busy]:not(:has(dialog[open]))"
"""A page that waits for the answer to an input hears no touch, though it may show already what came of it."""
_OFFERS: Final = """() => [...document.querySelectorAll("button[data-line]")]
  .filter((one) => one.hasAttribute("data-may"))
  .map((one) => ({ key: one.dataset.key, line: JSON.parse(one.dataset.line), form: one.dataset.form ?? "",
    field: one.dataset.field ?? "", two: "two" in one.dataset }))"""


class Fingers:
    """Touches a page.

    Args:
        page: the croupier's.
        second: who confirms what two persons must.
    """

    def __init__(self, page: Page, second: str = "sara") -> None:
        self._page: Final = page
        self._second: Final = second
        self.touches = 0
        self.before_confirming: Callable[[], object] = lambda: None

    # --- who is there ------------------------------------------------------------------------------------------------

    def sign_in(self, person: str) -> None:
        """Signs a person in at the table's screen."""
        self._tap(self._page.locator("#who"))
        self.show_id(person)
        expect(self._page.locator("[data-who=id]")).to_have_text(person, timeout=PATIENCE_MS)

    def confirm(self, person: str = "", pin: str = "", *, keeps_id: bool = False) -> None:
        """The second person shows ID and PIN, or the PIN alone where the page has kept the ID."""
        expect(self._page.locator("#ask-person")).to_be_visible()
        self.before_confirming()
        self.show_id(person or self._second, pin, typed="" if keeps_id else person or self._second)

    def show_id(self, person: str, pin: str = "", typed: str | None = None) -> None:
        """Enters ID and PIN in the open dialog."""
        box = self._page.locator("#ask-person")
        expect(box).to_be_visible()
        if box.get_attribute("data-letters") is None:
            self._tap(box.locator("[data-do=letters]"))
        for sign in person if typed is None else typed:
            self._tap(box.locator(f'[data-digit="{sign}"]'))
        self._tap(box.locator("[name=pin]"))
        for sign in pin or PINS[person]:
            self._tap(box.locator(f'[data-digit="{sign}"]'))
        self._tap(box.locator("[type=submit]"))

    def understood(self) -> str:
        """Puts a refusal away; its code."""
        box = self._page.locator("#ask-told")
        expect(box).to_be_visible(timeout=PATIENCE_MS)
        code = box.locator("[data-refused]:visible").get_attribute("data-refused") or ""
        self._tap(box.locator("[type=submit]"))
        return code

    # --- inputs ------------------------------------------------------------------------------------------------------

    def offered(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._page.evaluate(_OFFERS)
        return found

    def say(self, event: AnyInput) -> None:
        """Says an input by touches."""
        wanted: dict[str, Any] = msgspec.to_builtins(event)
        wanted = {name: value for name, value in wanted.items() if name not in _LOG and value != ""}
        if event.__struct_config__.tag == "shuffled":
            wanted["by"] = msgspec.to_builtins(event)["by"]
        if event.__struct_config__.tag == "cut":
            wanted["by"] = msgspec.to_builtins(event)["by"]
        offer = self._offer(wanted)
        if offer["form"] == "wagers":
            if offer["field"]:
                self.press("correct")
            self._put_down(wanted)
        self.press(offer["key"])
        self._fill(offer, wanted)
        if offer["two"]:
            self.confirm()

    def press(self, key: str) -> None:
        """Touches an offer, behind "more" where it is there."""
        one = self._page.locator(f"button[data-key={_quoted(key)}]")
        folded = self._page.locator("details").filter(has=one)
        if folded.count() and folded.first.get_attribute("open") is None:
            self._tap(folded.first.locator("summary"))
        self._heard()  # what comes at the end of an input may move the button once more
        expect(one).not_to_have_attribute("data-ripe", "no")  # a touch at once is none: it was meant for what was there
        self._tap(one)

    def _offer(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        there = self.offered()
        fits = [one for one in there if _fits(one, wanted)]
        assert fits, f"{wanted} is not offered; there are {[one['line'] for one in there if one['line'] != 'card']}"
        return max(fits, key=lambda one: len(one["line"]))

    def _fill(self, offer: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
        value: Any = wanted.get(offer["field"])
        match offer["form"]:
            case "card":
                self._cards([value])
            case "cards":
                self._cards(value)
            case "number":
                self._digits(str(value))
            case "reason":
                self._tap(self._page.locator("#ask-why [data-reason]:visible").first)
            case "wagers" if offer["field"]:
                self._tap(self._page.locator("#ask-why [data-reason]:visible").first)
            case "amount":
                self._digits(f"{value // 100}.{value % 100:02d}")
            case "round":
                self._round(wanted)
            case "sure":
                self._tap(self._page.locator("#ask-sure [type=submit]"))
            case _:
                pass

    def _cards(self, cards: Sequence[str]) -> None:
        box = self._page.locator("#ask-cards")
        for card in cards:
            self._tap(box.locator(f'[data-card="{card}"]'))
        self._tap(box.locator("[type=submit]"))

    def _digits(self, text: str) -> None:
        box = self._page.locator("#ask-number")
        for sign in text:
            self._tap(box.locator(f'[data-digit="{sign}"]'))
        self._tap(box.locator("[type=submit]"))

    def _round(self, wanted: Mapping[str, Any]) -> None:
        box = self._page.locator("#ask-round")
        for entry in wanted["cards"]:
            at = entry.get("index", entry.get("after"))
            self._tap(box.locator(f'[data-index="{at}"] button'))
            if entry.get("to") == "burn":
                continue
            if entry.get("to") == "none":
                self._tap(box.locator("[data-do=none]"))
                continue
            self._tap(box.locator("[data-do=after]" if "after" in entry else "[data-do=name]"))
            self._cards([entry["card"]])
        if "ground" in wanted and wanted["ground"] != "misread":
            self._tap(box.locator(f'[data-ground="{wanted["ground"]}"]'))
        self._tap(box.locator("[type=submit]"))

    # --- wagers ------------------------------------------------------------------------------------------------------

    def _put_down(self, wanted: Mapping[str, Any]) -> None:
        felt = self._page.locator("[data-betting]")
        self.tool("clear")
        start = json.loads(felt.get_attribute("data-start") or "{}")
        stood, told = _places(start["wagers"]), _places(wanted["wagers"])
        gone = [at for at, stake in stood.items() if at not in told or told[at] != stake]
        self._take_off(felt, gone)
        come = [(at, stake) for at, stake in told.items() if at in gone or at not in stood]
        chips = felt.locator("[data-chip]").evaluate_all("all => all.map((one) => Number(one.dataset.chip))")
        for (seat, bet, who), stake in sorted(come, key=lambda one: one[0][2]):
            self._bettor(felt, who)
            self._wager(felt, seat, bet, stake, sorted(chips, reverse=True))
        for seat in wanted["seats"]:
            place = felt.locator(f'[data-seat="{seat}"]:not([data-bet])')
            if place.get_attribute("aria-pressed") != "true":
                self._tap(place)

    def _take_off(self, felt: Locator, places: Sequence[Place]) -> None:
        tracked = felt.get_attribute("data-tracked") is not None
        if places and tracked:
            self.tool("take")
        for seat, bet, who in places:
            self._bettor(felt, who)
            self._spot(felt, seat, bet)
        if places and tracked:
            self.tool("take")

    def _bettor(self, felt: Locator, who: int) -> None:
        while felt.locator("[data-bettor]").text_content() != str(who):
            self.tool("bettor")

    def tool(self, name: str) -> None:
        """Touches a tool beside the felt."""
        self._tap(self._page.locator(f'[data-tool="{name}"]'))

    def _wager(self, felt: Locator, seat: int, bet: str, stake: int | None, chips: Sequence[int]) -> None:
        for chip in _chips(stake, chips):
            if chip is not None and chip in chips:
                self._tap(felt.locator(f'[data-chip="{chip}"]'))
            elif chip is not None:
                self.tool("amount")
                self._digits(f"{chip // 100}.{chip % 100:02d}")
            self._spot(felt, seat, bet)

    def _spot(self, felt: Locator, seat: int, bet: str) -> None:
        points = bet.startswith("points_")
        self._tap(felt.locator(f'[data-seat="{seat}"][data-bet="{"points_0" if points else bet}"]'))
        if points:
            self._tap(self._page.locator(f'#ask-points [data-bet="{bet}"]'))
            self._tap(self._page.locator("#ask-points [type=submit]"))

    def touch(self, one: Locator) -> None:
        """Touches anything else, once the page hears it."""
        self._tap(one)

    def _heard(self) -> None:
        expect(self._page.locator(_DEAF)).to_have_count(0, timeout=PATIENCE_MS)

    def _tap(self, one: Locator) -> None:
        self._heard()
        self.touches += 1
        one.tap(timeout=PATIENCE_MS)


def _places(wagers: Sequence[Mapping[str, Any]]) -> dict[Place, int | None]:
    return {(one["seat"], one["bet"], one.get("id", 1)): one.get("stake") for one in wagers}


def _chips(stake: int | None, chips: Sequence[int]) -> list[int | None]:
    if stake is None:
        return [None]
    found: list[int | None] = []
    for chip in chips:
        found += [chip] * (stake // chip)
        stake %= chip
    return [*found, stake] if stake else found


def _fits(offer: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    line = offer["line"]
    asked = {"wagers": {"seats", "wagers"}, "round": {"cards", "ground"}}.get(offer["form"], set()) | {offer["field"]}
    if any(wanted.get(name, _default(name)) != value for name, value in line.items()):
        return False
    rest = {name for name in wanted if name not in line and name not in asked and wanted[name] != _default(name)}
    missing = {offer["field"]} - {""} - set(wanted) - set(_TEXTS)
    return not rest and not missing


def _default(name: str) -> object:
    return {"hand": 1, "id": 1, "face": "down", "unseen": False}.get(name)


def _quoted(text: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'
