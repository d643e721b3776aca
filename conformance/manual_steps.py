"""Acts that a check needs of a person or control channel."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_DREW: Final = re.compile(r"\bdrew (.*)")
_CARD: Final = re.compile(r"\b([2-9TJQKA][SHDC])\b")


@dataclass(frozen=True, slots=True)
class ManualStep:
    """One thing to do; ``names_cards``: a person types the cards drawn."""

    line: str
    words: str
    times: int = 1
    otherwise: str = ""
    names_cards: bool = False


@dataclass(frozen=True, slots=True)
class StepResult:
    done: bool
    text: str

    @property
    def cards(self) -> list[str]:
        found = _DREW.search(self.text)
        return _CARD.findall(found[1]) if found else []


LOAD = ManualStep("load", "Load a shuffled stack into the device, with its cut card near the end, and close it.")
UNLOAD = ManualStep("unload", "Take all cards out of the device, and close it.")
UNPLUG = ManualStep("unplug", "Unplug the cable between host and device.")
REPLUG = ManualStep("replug", "Plug the cable in again.")
CUT_POWER = ManualStep("cut-power", "Cut the device's power (at the plug, not by a button).")
RESTORE_POWER = ManualStep("restore-power", "Restore the device's power.")
POWER_CYCLE = ManualStep("power-cycle", "Switch the device off and on again.")
UNREAD = ManualStep("unread", "Make sure that the next card cannot be read: cover its face, or put a blank card in.")
JAM = ManualStep("jam exit", "Make a card stick at the device's exit, so that it reports a fault.", otherwise="jam")
FREE = ManualStep(
    "pull-out",
    "Remove the card that sticks, and nothing else; without opening a cover, if you can.",
    otherwise="clear",
)
TAKE = ManualStep("take", "Take the stack that the device has given out.")
COVER_OPEN = ManualStep("cover open", "Open the device's cover.")
COVER_CLOSE = ManualStep("cover close", "Close the device's cover.")


def load_with_cut_card(behind: int) -> ManualStep:
    words = f"Load a shuffled stack with its cut card behind the first {behind} cards, and close the device."
    cards = ["2S", "3H", "4D", "5C", "6S", "7H", "8D", "9C"]
    named = " ".join([*cards[:behind], "CUT", *cards[behind:]])
    return ManualStep(f"load-with-cut-card {behind}", words, otherwise=f"load cards {named}")


def load_in_order(cards: Sequence[str]) -> ManualStep:
    """Load a stack that begins with these cards."""
    words = (
        "Sort one deck: spades, hearts, diamonds, clubs, each from ace to king. Load it so that the ace of spades "
        "comes first, with no cut card among these 52 (other cards may lie behind them), and close the device."
    )
    return ManualStep(" ".join(["load cards", *cards]), words)


def draw(count: int = 1, *, named: bool = False) -> ManualStep:
    cards = "a card" if count == 1 else f"{count} cards, one after the other"
    words = f"Draw {cards}; pull no harder than at a table. If one is held fast, say n."
    return ManualStep("draw", words, count, names_cards=named)


def draw_cards(count: int) -> ManualStep:
    return ManualStep("draw", f"Take the {'card' if count == 1 else f'{count} cards'} at the exit.", count)


def put_back(count: int) -> ManualStep:
    words = f"Put {count} of the cards that were drawn into the entry for returned cards."
    return ManualStep(f"return {count}", words, otherwise="return")


def turns(count: int) -> ManualStep:
    return ManualStep("key 1\nkey 0", f"Turn the device's key to position 1 and back to 0, {count} times.", count)


def key(position: int) -> ManualStep:
    return ManualStep(f"key {position}", f"Turn the device's key to position {position} (0 is for dealing).")
