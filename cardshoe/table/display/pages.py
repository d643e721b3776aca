"""Pages as HTML, each rendered once for all readers."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET

from cardshoe.persons.permissions import PAGES
from cardshoe.process.http.streams import event
from cardshoe.screens.felt.action_buttons import enters_by_hand, may_bet, may_bet_late, offers
from cardshoe.screens.felt.betting import betting_of
from cardshoe.screens.felt.cards import PIPS
from cardshoe.screens.felt.changes import changes_of
from cardshoe.screens.felt.faults import faults_of
from cardshoe.screens.felt.felt import felt_of, left_of
from cardshoe.screens.felt.pit import acts_of, ended_of, ladder_of, stakes_of
from cardshoe.screens.felt.players_board import board_of
from cardshoe.screens.rendering import Part, build_of, environment_of, macau_time
from cardshoe.screens.view import TableView
from cardshoe.screens.view.allowed import allowed
from cardshoe.screens.view.parts import RoundView
from cardshoe.screens.words import labels
from cardshoe.screens.words.currency import currency
from cardshoe.screens.words.display_section import LANGUAGE_NAMES, Language
from cardshoe.screens.words.translation import Words
from cardshoe.table.display.bodies import ApprovalAwaited
from cardshoe.table.display.drafts import Drafts
from cardshoe.table.display.feed import Feed
from cardshoe.table.display.settings import DisplaySettings

LIVE: Final = ("board", "croupier", "pit")
Waiting = Callable[[], Sequence[ApprovalAwaited]]


class Pages:
    """The live pages; a page of another ``build`` is out of date."""

    def __init__(
        self,
        settings: DisplaySettings,
        feed: Feed,
        drafts: Drafts | None = None,
        language: Language | None = None,
        waiting: Waiting = list,
    ) -> None:
        if language is not None:
            section = msgspec.structs.replace(settings.section, languages=[language])
            settings = msgspec.structs.replace(settings, section=section)
        self._settings: Final = settings
        self._drafts: Final = drafts or Drafts()
        self._waiting: Final = waiting
        self._feed: Final = feed
        self._currency: Final = currency(settings.currency)
        self._shown: Final[dict[str, Part]] = {}
        self.names: Final[list[str]] = [one for one in settings.section.pages if one in LIVE]
        self.build: Final = build_of(
            msgspec.structs.replace(settings, start=None).written(), "cardshoe.table.display", "cardshoe.screens"
        )
        words = Words(settings.section.languages, seats=settings.section.seat_labels)
        environment = environment_of("cardshoe.table.display", "cardshoe.screens")
        environment.globals.update(
            w=words,
            t=words.plain,
            lang=words.first,
            build=self.build,
            section=settings.section,
            languages=settings.section.languages,
            query="" if language is None else f"?lang={language}",
            pips=PIPS,
            labels=labels,
            unset=UNSET,
            rounds_for=" ".join(sorted(PAGES["rounds"])),
        )
        environment.filters["macau"] = macau_time
        self._templates: Final = {name: environment.get_template(f"{name}.html") for name in self.names}
        self._base: Final = environment.get_template("page.html")
        self._changes: Final = environment.get_template("changes.html")
        self._start: Final = environment.get_template("start.html")

    def whole(self, name: str, screen: str = "table") -> str:
        """A page for its first request, at the table's screen or a person's own."""
        part = self.part(name)
        return self._base.render(
            page=name,
            screen=screen,
            table=self._settings.table_id,
            main="" if part is None else part.html,
            id="" if part is None else part.id,
            why_not=self._feed.cover,
            digits=self._currency.digits,
        )

    def start(self) -> str:
        """The start page, with the PINs of a demonstration."""
        return self._start.render(
            start=self._settings.start,
            pages=self._settings.section.pages,
            table=self._settings.table_id,
            choices=LANGUAGE_NAMES,
        )

    def changes(self, before: RoundView, after: RoundView, cards: Sequence[Any], *, is_partial: bool) -> str:
        """A round's changes by an act of two people, as list items."""
        view = self._feed.view
        if view is None or view.profile is None:
            return ""
        amendments = [one for one in cards if isinstance(one, dict)]
        changes = changes_of(view.profile, before, after, amendments, self._currency, is_partial=is_partial)
        return self._changes.render(changes=changes)

    def part(self, name: str) -> Part | None:
        """The page's current part; the same object until news, ``None`` before the first line."""
        view = self._feed.view
        if view is None or view.profile is None:
            return None
        key = f"{self._feed.log}:{view.seq}"
        if name == "pit":
            key += "".join(f":{one.proposal}" for one in self._waiting())
        known = self._shown.get(name)
        if known is not None and known.id == key:
            return known
        html = self.render(name, view)
        part = Part(key, event("shown", key, msgspec.json.encode({"id": key, "html": html})), html)
        self._shown[name] = part
        return part

    def render(self, name: str, view: TableView) -> str:
        """A page of a view as HTML."""
        match name:
            case "board":
                more: dict[str, Any] = {"board": board_of(view, self._currency)}
            case "pit":
                more = self._pit(view)
            case _:
                more = self._croupier(view)
        # The players' board leads nowhere.
        linked = name != "board" and "rounds" in self._settings.section.pages
        rounds = f"/rounds/{self._feed.log}" if linked else ""
        return self._templates[name].render(view=view, currency=self._currency, rounds=rounds, **more)

    def _croupier(self, view: TableView) -> dict[str, Any]:
        correcting = any(one.event == "bets_corrected" for one in allowed(view))
        betting = correcting or may_bet(view) or may_bet_late(view)
        return {
            "felt": felt_of(view, self._currency),
            "offers": offers(view, self._currency),
            "betting": betting_of(view, self._currency, correcting=correcting) if betting else None,
            "pad": enters_by_hand(view),
            "faults": faults_of(view, self._settings.faults),
            "left": left_of(view),
            "unsent": self._unsent(view),
        }

    def _pit(self, view: TableView) -> dict[str, Any]:
        ways = offers(view, self._currency)
        return {
            "ways": [one for one in ways if one.event == "resolve"],
            "acts": acts_of(ways),
            "stakes": stakes_of(view, self._currency),
            "ended": ended_of(view),
            "ladder": ladder_of(view),
            "board": board_of(view, self._currency),
            "faults": faults_of(view, self._settings.faults),
            "left": left_of(view),
            "waiting": self._waiting(),
            "log": self._feed.log,
        }

    def _unsent(self, view: TableView) -> list[tuple[int, str, str]]:
        draft = self._drafts.unsent(view)
        return [
            (one.seat, one.bet, "" if one.stake is UNSET else self._currency.text(one.stake))
            for one in ([] if draft is None else draft.wagers)
        ]
