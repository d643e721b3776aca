"""A croupier at a page where things go wrong: what devices tell, and each irregularity settled by touches."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from playwright.sync_api import expect

from cardshoe.table.log.log_builder import LoggedInput
from regulations.events.codec import decode_input
from regulations.events.inputs import AnyInput
from regulations.events.outputs import Resolved
from regulations.events.vocabulary import IrregularityCode, ResolutionAction
from regulations.play.context.irregularities import needs_two_persons
from tests.e2e.fingers import Fingers
from tests.e2e.looking import look
from tests.e2e.stage import Stage
from tests.kit.command import Line

SHOE: Final[Line] = {"device": "shoe"}


class Room:
    """A stage with fingers on it, and what they settle.

    Args:
        where: where a picture of each irregularity is kept, and each looked at; ``None``: nowhere.
    """

    def __init__(self, shown: Stage, where: Path | None = None) -> None:
        self.stage: Final = shown
        self.fingers: Final = Fingers(shown.page)
        self.settled: Final[set[IrregularityCode]] = set()
        self._where: Final = where
        self._count = 0
        self.fingers.sign_in("cara")
        shown.settled()

    def tell(self, *lines: Line) -> LoggedInput:
        """Give the events of devices and others; none of them is refused."""
        taken = self.stage.tell(*lines)
        assert not taken.is_refused, taken.outputs
        return taken

    def cards(self, *names: str | None) -> LoggedInput:
        """Cards of a shoe that counts them."""
        return self.tell(*(self._counted(name) for name in names))

    def leap(self, name: str, further: int) -> LoggedInput:
        """A card, and the shoe has counted others before it."""
        self._count += further
        return self.cards(name)

    def _counted(self, name: str | None) -> Line:
        self._count += 1
        return {"event": "card", "card": name, "count": self._count, **SHOE}

    def settles(self, code: IrregularityCode, action: ResolutionAction, **fields: object) -> LoggedInput:
        """An irregularity is shown with its article, and settled by touches."""
        (open_, *_) = self.stage.table.view.irregularities
        assert open_.code == code
        screen = self.stage.page.locator(".irregular")
        expect(screen).to_be_visible()
        expect(screen.locator(".article")).to_have_attribute("data-article", open_.article)
        expect(self.stage.page.locator(".beside-alarm .felt")).to_be_visible()
        if self._where is not None:
            self.stage.ripe()
            look(self.stage.page, self._where / f"irregularity-{code}.png")
        event = {"event": "resolve", "irregularity": open_.irregularity, "action": action, "by": [], **fields}
        taken = self.says(**event)
        assert any(isinstance(one, Resolved) for one in taken.outputs), taken.outputs
        assert getattr(taken.event, "by", None) == (["cara", "sara"] if needs_two_persons(code, action) else ["cara"])
        self.settled.add(code)
        return taken

    def says(self, **event: object) -> LoggedInput:
        """Any input by touches."""
        self.fingers.say(_read(event))
        taken = self.stage.answered()
        self.stage.settled()
        return taken


def _read(event: Mapping[str, object]) -> AnyInput:
    return decode_input(json.dumps(event))
