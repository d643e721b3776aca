"""Lines that a person types to move a simulated TDP device."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from protocols.tdp.codes import BootReason, FaultCode
from sim.control_lines import (
    ARRANGE,
    COUNT_MAX,
    FIRST_CARDS,
    LOAD_USAGE,
    BadCommand,
    ControlCommand,
    ControlLines,
    ControlResult,
    cards_of,
    name_of,
    none,
    number,
    one_of,
)
from sim.tdp.hands import TdpHands
from sim.tdp.machine_faults import JamPlace
from sim.tdp.shoe import TdpShoe
from sim.tdp.shuffler_dealer import ShufflerDealer
from sim.wires.wire import Wire

_COVER: Final = {"open": True, "close": False}
_SWITCH: Final = {"on": True, "off": False}
_PLACES: Final = {place.value: place for place in JamPlace}
_FAULTS: Final = {code.name.lower().replace("_", "-"): code for code in FaultCode}
_REASONS: Final = {reason.name.lower().replace("_", "-"): reason for reason in BootReason}
_MISCOUNTS: Final = {str(by) if by < 0 else f"+{by}": by for by in range(-9, 10) if by}
_OUTBOX: Final = 512
_STEPS_MAX: Final = 10**6
_KEY_MAX: Final = 255


class TdpControl(ControlLines[TdpHands]):
    def __init__(self, hands: TdpHands, wire: Wire, seed: int) -> None:
        super().__init__(hands, wire, seed)
        mishaps = hands.device.mishaps
        self._commands = {
            "draw": ControlCommand("draw [N]", "pull a card, or N, at the exit or the mouth", self._draw),
            "load": ControlCommand(
                LOAD_USAGE, "gather all cards and load them; for a shoe, shuffle them first", self._load
            ),
            "load-with-cut-card": ControlCommand(
                "load-with-cut-card N", "load a shuffled stack, the cut card behind N cards", self._load_with_cut_card
            ),
            "unload": ControlCommand("unload", "take all cards out of it", self._unload),
            "shuffle-in": ControlCommand("shuffle-in", "put all cards into a machine that shuffles", self._shuffle_in),
            "take": ControlCommand("take", "take the stack that was ejected", self._remove_stack),
            "return": ControlCommand("return", "put all used cards into the entry", self._return),
            "cover": ControlCommand("cover open|close", "open or close the cover", self._cover),
            "key": ControlCommand("key N", "turn the key, 0 for dealing", self._key),
            "press": ControlCommand("press clear", "press the button that clears faults", self._press),
            "clear": ControlCommand(
                "clear [FAULT]", "take away by hand what brought FAULT about, or all faults", self._clear
            ),
            "pull-out": ControlCommand(
                "pull-out", "pull out what sticks at the exit, from outside", self._pull_stuck_out
            ),
            "jam": ControlCommand("jam entry|carousel|exit", "let the next card stick there", self._jam),
            "unread": ControlCommand("unread [N]", "do not read the next card, or N", self._unread),
            "arrange": ControlCommand(*ARRANGE, self._arrange),
            "misread": ControlCommand("misread CARD", "take the next card for CARD, such as TH", self._misread),
            "foreign": ControlCommand("foreign", "let the next card have a back of another set", self._foreign),
            "double-feed": ControlCommand("double-feed [unnoticed]", "two cards at the next feed", self._two),
            "miscount": ControlCommand("miscount +N|-N", "let the next count be wrong by N", self._miscount),
            "stall-motor": ControlCommand("stall-motor", "block a motor", _mishap(mishaps.stall_motor, "blocked")),
            "block-sensor": ControlCommand(
                "block-sensor", "put dust before a sensor", _mishap(mishaps.block_sensor, "blocked")
            ),
            "lose-home": ControlCommand("lose-home", "move the zero mark", _mishap(mishaps.lose_home, "moved")),
            "over-temperature": ControlCommand(
                "over-temperature", "let it become too hot", _mishap(mishaps.overheat, "hot")
            ),
            "memory-error": ControlCommand("memory-error", "spoil its memory", _mishap(mishaps.spoil_memory, "spoilt")),
            "outbox-full": ControlCommand("outbox-full on|off", "let it have no room for events", self._outbox_full),
            "cut-power": ControlCommand(
                "cut-power [STEPS]", "cut the power now, or after STEPS more steps", self._cut_power
            ),
            "restore-power": ControlCommand("restore-power [REASON]", "let the power come back", self._restore_power),
            "power-cycle": ControlCommand("power-cycle", "switch off and on", self._power_cycle),
            "unplug": ControlCommand("unplug", "pull the cable", self._unplug),
            "replug": ControlCommand("replug", "put the cable in again", self._replug),
            "identity": ControlCommand("identity KEY VALUE", "change what it says of itself", self._identity),
            "status": ControlCommand("status", "show the device", self._status),
            "help": ControlCommand("help", "list the commands", self._help),
        }

    # --- cards ------------------------------------------------------------------------------------------------------

    def _draw(self, arguments: Sequence[str]) -> ControlResult:
        count = number(arguments, default=1, least=1, most=COUNT_MAX)
        words: list[str] = []
        cards: list[str] = []
        told: list[str | None] = []
        cut_card = nothing = False
        while len(words) < count and not nothing:
            pulled = self._hands.draw()
            nothing = not pulled.cards and not pulled.cut_card
            cut_card |= pulled.cut_card
            cards += [out.card for out in pulled.cards]
            told += [out.told for out in pulled.cards]
            words.append("nothing: it is locked, or no card is there" if nothing else name_of(pulled))
        data = {"cards": cards, "told": told, "cut_card": cut_card, "empty": nothing}
        return ControlResult("drew " + ", ".join(words), data)

    def _load(self, arguments: Sequence[str]) -> ControlResult:
        return super()._load(arguments) if isinstance(self._hands.device, TdpShoe) else self._put_in(arguments)

    def _load_with_cut_card(self, arguments: Sequence[str]) -> ControlResult:
        if not isinstance(self._hands.device, TdpShoe):
            raise BadCommand("only a shoe takes a cut card")
        behind = number(arguments, default=None, least=1, most=COUNT_MAX)
        self._hands.shuffle(self._rng)
        self._hands.place_cut_card(max(0, len(self._hands.felt.stack) - behind))
        cards = self._hands.load()
        return ControlResult(f"loaded {cards} cards, the cut card behind {behind}", {"cards": cards})

    def _unload(self, arguments: Sequence[str]) -> str:
        none(arguments)
        hands = self._hands
        hands.felt.gather(hands.device.unload())
        hands.out = []
        return "it is empty"

    def _shuffle_in(self, arguments: Sequence[str]) -> ControlResult:
        if isinstance(self._hands.device, TdpShoe):
            raise BadCommand("a shoe shuffles nothing: `load` it")
        return self._put_in(arguments)

    def _put_in(self, arguments: Sequence[str]) -> ControlResult:
        first = cards_of(arguments[1:], self._hands.felt.decks) if list(arguments[:1]) == [FIRST_CARDS] else ()
        none(() if first else arguments)
        self._hands.put_in_all()
        self._hands.arrange(first)
        cards = self._hands.device.cards_left
        return ControlResult(f"put {cards} cards in", {"cards": cards})

    def _remove_stack(self, arguments: Sequence[str]) -> ControlResult:
        none(arguments)
        cards = self._hands.remove_stack()
        return ControlResult(f"took {cards} cards", {"cards": cards})

    def _return(self, arguments: Sequence[str]) -> ControlResult:
        none(arguments)
        if not isinstance(self._hands.device, ShufflerDealer):
            raise BadCommand("only a shuffler-dealer takes used cards back")
        self._hands.collect()
        cards = self._hands.return_cards()
        return ControlResult(f"put {cards} used cards into the entry", {"cards": cards})

    # --- cover, key, button -----------------------------------------------------------------------------------------

    def _cover(self, arguments: Sequence[str]) -> str:
        opens = _COVER[one_of(arguments, _COVER)]
        if opens:
            self._hands.open_cover()
        else:
            self._hands.close_cover()
        return "the cover is open" if opens else "the cover is closed"

    def _key(self, arguments: Sequence[str]) -> str:
        position = number(arguments, default=None, least=0, most=_KEY_MAX)
        self._hands.turn_key(position)
        return f"the key is at {position}"

    def _press(self, arguments: Sequence[str]) -> str:
        one_of(arguments, ("clear",))
        self._hands.device.press_clear()
        return f"pressed; {self._fault_words()}"

    # --- mishaps ----------------------------------------------------------------------------------------------------

    def _clear(self, arguments: Sequence[str]) -> str:
        codes = (_FAULTS[one_of(arguments, _FAULTS)],) if arguments else self._hands.device.faults
        cards = [card for code in codes for card in self._hands.remedy(code)]
        out = f"{len(cards)} cards came out; " if cards else ""
        return f"{out}{self._fault_words()}"

    def _pull_stuck_out(self, arguments: Sequence[str]) -> str:
        none(arguments)
        cards = self._hands.pull_stuck_out()
        return f"{len(cards)} cards came out; {self._fault_words()}"

    def _jam(self, arguments: Sequence[str]) -> str:
        place = _PLACES[one_of(arguments, _PLACES)]
        self._hands.device.mishaps.jam(place)
        return f"the next card sticks at the {place.value}"

    def _unread(self, arguments: Sequence[str]) -> str:
        count = number(arguments, default=1, least=1, most=COUNT_MAX)
        for _ in range(count):
            self._hands.device.reader.fail_next()
        return f"{count} more cards will not be read"

    def _foreign(self, arguments: Sequence[str]) -> str:
        none(arguments)
        self._hands.device.reader.foreign_next()
        return "the next card has a back of another set"

    def _two(self, arguments: Sequence[str]) -> str:
        noticed = not (arguments and one_of(arguments, ("unnoticed",)))
        self._hands.device.double_feed_next(noticed=noticed)
        return "the next feed brings two cards"

    def _miscount(self, arguments: Sequence[str]) -> str:
        by = _MISCOUNTS[one_of(arguments, _MISCOUNTS, "+1 to +9 or -1 to -9")]
        self._hands.device.mishaps.miscount_next(by)
        return f"the next count will be wrong by {by:+}"

    def _outbox_full(self, arguments: Sequence[str]) -> str:
        full = _SWITCH[one_of(arguments, _SWITCH)]
        self._hands.device.limit_outbox(0 if full else _OUTBOX)
        return "there is no room for events" if full else f"there is room for {_OUTBOX} events"

    # --- power and identity -----------------------------------------------------------------------------------------

    def _cut_power(self, arguments: Sequence[str]) -> str:
        if not arguments:
            self._hands.device.power_off()
            return "the power is off"
        steps = number(arguments, default=None, least=0, most=_STEPS_MAX)
        self._hands.device.mishaps.cut_power_after(steps)
        return f"the power goes after {steps} more steps"

    def _restore_power(self, arguments: Sequence[str]) -> str:
        reason = _REASONS[one_of(arguments, _REASONS)] if arguments else BootReason.POWER_ON
        self._hands.device.power_on(reason)
        return "the power is on"

    def _identity(self, arguments: Sequence[str]) -> str:
        if len(arguments) < 2:  # noqa: PLR2004  # a key and a value, which may have blanks in it
            raise BadCommand("give a key and a value, such as serial SIM-0002")
        key, *words = arguments
        electronics = self._hands.device.electronics
        try:
            electronics.identity = electronics.identity.changed(key, " ".join(words))
        except ValueError as error:
            raise BadCommand(str(error)) from error
        return f"{key} is {' '.join(words)} from the next session on"

    # --- seeing -----------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, object]:
        device = self._hands.device
        status, memory = device.status(), device.electronics.memory
        own: dict[str, object] = {
            "busy": device.is_busy,
            "can_draw": device.can_draw,
            "count": status.count,
            "cover_open": device.is_cover_open,
            "events_waiting": len(memory.outbox.pending),
            "faults": [_word(code) for code in device.faults],
            "in_session": device.electronics.is_in_session,
            "key": device.key,
            "lamps": {lamp.name.lower(): mode.name.lower() for lamp, mode in device.lamps.items()},
            "locked": device.is_locked,
            "powered": device.is_powered,
            "stack_cards": status.stack_cards,
            "state": status.state.name.lower(),
        }
        board = device.electronics.board
        if board is not None:
            own["firmware"] = board.state()
        if isinstance(device, TdpShoe):
            own["cut_card_after"] = device.cards_before_cut_card
        return super().state() | own

    def _status(self, arguments: Sequence[str]) -> ControlResult:
        none(arguments)
        device = self._hands.device
        state: Mapping[str, object] = self.state()
        parts = [
            f"{state['state']}" if device.is_powered else "switched off",
            f"{device.cards_left} cards in it, {state['stack_cards']} by its count, {state['count']} dealt",
            "locked" if device.is_locked else "unlocked",
            "cover open" if device.is_cover_open else "cover closed",
            f"key at {device.key}",
            self._fault_words(),
            f"{state['events_waiting']} events waiting",
            "in session" if state["in_session"] else "no session",
            "plugged in" if self._wire.is_plugged else "unplugged",
        ]
        return ControlResult("; ".join(parts), state)

    def _fault_words(self) -> str:
        device = self._hands.device
        words = [f"{_word(code)}{' (can be cleared)' if device.can_clear(code) else ''}" for code in device.faults]
        return f"faults {', '.join(words)}" if words else "no faults"


def _mishap(act: Callable[[], None], said: str) -> Callable[[Sequence[str]], str]:
    def do(arguments: Sequence[str]) -> str:
        none(arguments)
        act()
        return said

    return do


def _word(code: FaultCode) -> str:
    return code.name.lower().replace("_", "-")
