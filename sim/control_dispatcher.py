"""Takes requests for a simulated device from any thread, and reports its events."""

import contextlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from sim.clock import RealClock, Timer
from sim.control_lines import CommandReply, ControlLines
from sim.control_words import ControlRequest
from sim.sim_thread import SimulatorStopped, SimulatorThread
from sim.watch import DeviceWatcher, Event

LOOK_S: Final = 0.05
"""Real seconds between polls: soon for a person, and no load."""
OWN: Final = {
    "about": ("about", "print device and addresses"),
    "tape": ("tape", "print the last bytes on the line"),
    "watch": ("watch [EVENT]...", "receive events, on a --control connection"),
    "unwatch": ("unwatch", "stop receiving events"),
    "quit": ("quit", "end the simulation"),
}
TAPE_LENGTH: Final = 40
Listener = Callable[[Sequence[Event]], None]


class ControlDispatcher:
    """``end`` is called from any thread."""

    def __init__(
        self,
        control: ControlLines[Any],
        station: SimulatorThread,
        clock: RealClock,
        about: Mapping[str, object],
        end: Callable[[], None],
    ) -> None:
        self._control: Final = control
        self._station: Final = station
        self._clock: Final = clock
        self._about: Final = about
        self._end: Final = end
        self._watch: DeviceWatcher | None = None
        self._timer: Timer | None = None
        self._listener: Listener | None = None
        self._tape: Final[deque[Event]] = deque(maxlen=TAPE_LENGTH)

    def execute(self, request: ControlRequest) -> CommandReply:
        """Do what is asked; wait for it."""
        if request.name in OWN:
            return self._execute_own(request)
        try:
            return self._station.call(lambda: self._execute_device(request))
        except SimulatorStopped:
            return CommandReply(ok=False, text="the simulation has ended")
        # Whatever it is, the one who asked must hear of it, and the others are not to suffer.
        except Exception as error:  # noqa: BLE001  # as the line above says
            return CommandReply(ok=False, text=f"a defect of the simulator, please report it: {error!r}")

    def listen(self, listener: Listener | None) -> None:
        """In the station's thread; ``None``: no events."""

        def begin() -> None:
            self._listener = listener
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self._watch = None if listener is None else DeviceWatcher(self._control)
            if listener is not None:
                self._schedule_poll()

        with contextlib.suppress(SimulatorStopped):
            self._station.call(begin)

    def bytes_passed(self, sender: Literal["device", "host"], data: bytes) -> None:
        """On the station's thread."""
        moved: Event = {"t_s": round(self._clock.now_s(), 6), "from": sender, "hex": data.hex()}
        self._tape.append(moved)
        if self._listener is not None:
            self._publish([{"event": "bytes", **moved}])

    def _execute_own(self, request: ControlRequest) -> CommandReply:
        usage, _what = OWN[request.name]
        if request.name in {"watch", "unwatch"}:
            return CommandReply(
                ok=False, text=f"{request.name}: events need a --control connection", usage="on a --control connection"
            )
        if request.arguments:
            given = " ".join(request.arguments)
            return CommandReply(ok=False, text=f"{request.name}: takes nothing after it, {given!r} given", usage=usage)
        if request.name == "quit":
            self._end()
            return CommandReply(ok=True, text="it ends")
        if request.name == "tape":
            moved = list(self._tape)  # appended to by the station's thread; a copy is one step
            text = "; ".join(f"{one['t_s']} {one['from']} {one['hex']}" for one in moved) or "nothing moved"
            return CommandReply(ok=True, text=text, data={"bytes": moved})
        return CommandReply(
            ok=True, text="; ".join(f"{key} {value}" for key, value in self._about.items()), data=self._about
        )

    def _execute_device(self, request: ControlRequest) -> CommandReply:
        # What had happened by itself comes before what this brings about.
        self._poll()
        answer = self._control.do(request.name, request.arguments)
        if request.name == "help" and answer.ok:
            answer = self._with_own_commands(answer)
        if self._listener is not None and request.name in self._control.commands:
            told = {"do": request.name, "arguments": list(request.arguments), "ok": answer.ok, "said": answer.text}
            self._publish([{"event": "command", **told}])
        self._poll()
        return answer

    def _with_own_commands(self, answer: CommandReply) -> CommandReply:
        listed = answer.data.get("commands")
        return answer._replace(
            text=" | ".join([answer.text, *(f"{usage}: {what}" for usage, what in OWN.values())]),
            data={
                "commands": [
                    *(listed if isinstance(listed, list) else []),
                    *({"do": name, "usage": usage, "what": what} for name, (usage, what) in OWN.items()),
                ]
            },
        )

    def _poll(self) -> None:
        if self._watch is not None:
            events = self._watch.poll()
            if events:
                self._publish(events)

    def _schedule_poll(self) -> None:
        self._timer = self._clock.call_later(LOOK_S * self._clock.speed, self._poll_again)

    def _poll_again(self) -> None:
        self._poll()
        self._schedule_poll()

    def _publish(self, events: Sequence[Event]) -> None:
        if self._listener is not None:
            t_s = round(self._clock.now_s(), 6)
            self._listener([{**event, "t_s": t_s} for event in events])
