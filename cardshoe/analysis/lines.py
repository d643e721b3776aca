"""Read shoes from the lines of a table log.

Cards never shown, or moved by a correction, stay unknown.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from cardshoe.analysis.order import UNKNOWN
from cardshoe.analysis.shoe import CardSpot, Shoe
from regulations.events.cards import DECK

Said = Mapping[str, Any]

_FACE: Final[dict[object, int]] = {card: number for number, card in enumerate(DECK)}
_ENDLESS: Final = "shuffler_dealer"
EVENTS: Final = (
    *("table", "equipment", "signed_in", "signed_out", "shuffled", "loaded", "shoe_over", "closed"),
    *("card", "dealt", "burned", "emptied", "reveal", "round_closed", "cards_returned"),
)
Place = tuple[str, int, int, int]


def shoes_of(answers: Iterable[Sequence[Said]]) -> Iterator[Shoe]:
    """Read the shoes of a log; the last one even if open."""
    reader = ShoeReader()
    for said in answers:
        done = reader.apply(said)
        if done is not None:
            yield done
    still_open = reader.rest()
    if still_open is not None:
        yield still_open


class ShoeReader:
    def __init__(self) -> None:
        self.shoe: Shoe | None = None
        self._profile: Said = {}
        self._equipment = ""
        self._shuffler = ""
        self._croupiers: dict[Any, None] = {}
        self._number = 0
        self._round = _Round()

    def apply(self, said: Sequence[Said]) -> Shoe | None:
        """Apply an input with its outputs; return the shoe that ended with it."""
        given, outputs = said[0], said[1:]
        if any(one["event"] == "refused" for one in outputs):
            return None
        done: Shoe | None = None
        match given["event"]:
            case "table":
                self._profile, self._equipment = given, str(given["equipment"])
            case "equipment":
                self._equipment = str(given["equipment"])
            case "signed_in" if given.get("role") == "croupier":
                self._croupiers[given["person"]] = None
            case "signed_out":
                self._croupiers.pop(given["person"], None)
            case "shuffled":
                self._shuffled(given)
            case "loaded":
                done = self._loaded(given)
        self._apply_cards(given, outputs)
        if any(one["event"] == "shoe_over" for one in outputs) or given["event"] == "closed":
            done = self._end() or done
        return done

    def rest(self) -> Shoe | None:
        """The open shoe, its open round included."""
        shoe = self.shoe
        if shoe is not None:
            self._close_round(shoe)
        return shoe

    def laid(self) -> Iterator[int]:
        """Faces of the open round in drawing order, up to the first unknown one."""
        return takewhile(lambda face: face != UNKNOWN, (spot.face for spot in self._round.spots()))

    def _shuffled(self, given: Said) -> None:
        self._shuffler = str(given.get("device") or "")
        if self.shoe is not None and not self.shoe.known and not self.shoe.rounds:
            self.shoe.device = self._shuffler  # a shuffler may say so behind `loaded`

    def _loaded(self, given: Said) -> Shoe | None:
        done = self._end()
        self._number += 1
        is_endless = self._equipment == _ENDLESS
        device = self._shuffler or (str(given.get("device") or "") if is_endless else "")
        self.shoe = Shoe(
            table=str(self._profile.get("table_id", "")),
            decks=int(self._profile.get("decks", 1)),
            number=self._number,
            at=str(given.get("at", "")),
            device=device,
            card_set=str(given.get("set") or ""),
            pick_up=str(self._profile.get("pick_up") or ""),
            croupiers=tuple(map(str, self._croupiers)),
            is_endless=is_endless,
        )
        self._shuffler = ""
        self._round = _Round()
        return done

    def _end(self) -> Shoe | None:
        done, self.shoe = self.shoe, None
        if done is None:
            return None
        done.is_over = True
        self._close_round(done)
        # Cards that left and were given no place before the stack was gone.
        lost = [CardSpot("burn", 0, 1, UNKNOWN)] * len(self._round.waiting)
        done.rounds += [lost] if lost else []
        return done

    def _apply_cards(self, given: Said, outputs: Sequence[Said]) -> None:
        shoe = self.shoe
        if shoe is None:
            return
        number = next((one["round"] for one in (given, *outputs) if "round" in one), None)
        if number != self._round.number and number is not None:
            self._close_round(shoe)
            self._round.number = number
        self._round.apply(given, outputs)
        if given["event"] in ("round_closed", "cards_returned"):
            self._close_round(shoe)

    def _close_round(self, shoe: Shoe) -> None:
        spots = self._round.spots()
        if spots:
            shoe.rounds.append(spots)
        self._round = _Round(self._round.waiting)


class _Round:
    def __init__(self, waiting: deque[int] | None = None) -> None:
        self.number: int | None = None
        self.waiting: deque[int] = waiting if waiting is not None else deque()
        self._faces: list[int] = []
        self._places: list[Place] = []

    def spots(self) -> list[CardSpot]:
        return [CardSpot(*place[:3], face) for place, face in zip(self._places, self._faces, strict=True)]

    def apply(self, given: Said, outputs: Sequence[Said]) -> None:
        if given["event"] == "card":
            self.waiting.append(_face(given.get("card")))
        changed: dict[int, int] = {}
        moved = False
        for one in outputs:
            match one["event"]:
                case "dealt":
                    place = (str(one["to"]), int(one.get("seat", 0)), int(one.get("hand", 1)), int(one["position"]))
                    at = self._last(place)
                    if self.waiting or at is None:
                        self._lay(place, _face(one.get("card")))
                    else:
                        changed[at] = _face(one.get("card"))
                case "burned":
                    if self.waiting:
                        self._lay(("burn", 0, 1, 0), _face(one.get("card")))
                    else:
                        moved = True
                case "emptied":
                    moved = True
                case "reveal":
                    self._turn(one)
        different = {at: face for at, face in changed.items() if face != self._faces[at]}
        for at, face in different.items():
            # One card that is named anew is that card. Where several moved up, the lines do not say what left when.
            self._faces[at] = face if len(different) == 1 and not moved else UNKNOWN

    def _lay(self, place: Place, face: int) -> None:
        named = self.waiting.popleft() if self.waiting else UNKNOWN
        self._places.append(place)
        self._faces.append(face if face != UNKNOWN else named)

    def _last(self, place: Place) -> int | None:
        return next((at for at in range(len(self._places) - 1, -1, -1) if self._places[at] == place), None)

    def _turn(self, said: Said) -> None:
        hand = (str(said["who"]), int(said.get("seat", 0)), int(said.get("hand", 1)))
        faces = [_face(card) for card in said["cards"]]
        lying = [at for at, place in enumerate(self._places) if place[:3] == hand]
        hidden = [at for at in lying if self._faces[at] == UNKNOWN]
        for turned in (hidden, lying):
            if len(turned) == len(faces):
                for at, face in zip(turned, faces, strict=True):
                    self._faces[at] = face
                return


def _face(card: object) -> int:
    return _FACE.get(card, UNKNOWN)
