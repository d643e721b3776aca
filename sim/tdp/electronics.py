"""A device's electronics: TDP endpoint, memory, machine (``docs/protocols/tdp.md``).

Events are stored before a card can be touched, and sent until acknowledged.
"""

import hashlib
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from protocols.tdp.codes import BootReason, BootState, Capability
from protocols.tdp.commands import DeviceCommand, EventAcknowledged
from protocols.tdp.endpoint import (
    Endpoint,
    EndpointEvent,
    EndpointLost,
    EndpointNotReady,
    EndpointReady,
    MessageReceived,
)
from protocols.tdp.framing import HALF
from protocols.tdp.link import LinkError
from protocols.tdp.messages import Heartbeat, Message, Status
from protocols.tdp.states import Role
from sim.clock import Act, Clock, Timer
from sim.firmware.board import FirmwareBoard
from sim.firmware.boot_record import Trial
from sim.firmware.loader import RunningImage
from sim.tdp.certified import is_host
from sim.tdp.commands import CommandExecutor, Mechanism
from sim.tdp.hostile import OTHER_VERSION, Hostile
from sim.tdp.identity import BootEvidence, SimIdentity
from sim.tdp.memory import DeviceMemory, MakeEvent
from sim.tdp.power import PowerSupply
from sim.tdp.settings import TdpMachineSettings

HEARTBEAT_S: Final = 1.0
"""Seconds between two ``Heartbeat`` (section 8)."""
BACKLOG_BYTES: Final = 1024
"""Events are handed over up to this backlog."""
RESET_S: Final = 0.25
"""Its answer is read before the port vanishes."""
WATCHDOG_S: Final = 2.0
"""Without a sign from the firmware the watchdog restarts it."""


class Electronics:
    """Off at first; used in its clock's thread. The link uses real seconds."""

    def __init__(
        self,
        clock: Clock,
        send: Callable[[bytes], None],
        memory: DeviceMemory,
        settings: TdpMachineSettings,
        identity: SimIdentity,
        rng: random.Random,
    ) -> None:
        self.memory: Final = memory
        self.identity = identity
        self.supply: Final = PowerSupply(clock, self.power_off)
        self._settings: Final = settings
        self._clock: Final = clock
        self._write: Final = send
        self._rng: Final = rng
        self._mechanism: Mechanism | None = None
        self._endpoint: Endpoint | None = None
        self._status_said: Status | None = None
        self._commands: Final = CommandExecutor(self, settings)
        self._deadline: Timer | None = None
        self._heartbeat: Timer | None = None
        self._started_s = 0.0
        self._sessions = 0
        self._firmware_runs = False
        self._key = 0
        if settings.board is not None and settings.board.service is not None:
            settings.board.service.listen(self._on_service_bytes)

    def attach(self, mechanism: Mechanism) -> None:
        """Join it to the machine that it governs; once, before the power comes."""
        self._mechanism = mechanism

    @property
    def capabilities(self) -> Capability:
        """The abilities of electronics and machine together."""
        own = Capability(0)
        if self.memory.keeps_events:
            own |= Capability.KEEPS_EVENTS
        if self._settings.signer is not None:
            own |= Capability.ATTESTS
        if self._settings.remembers_roots:
            own |= Capability.REMEMBERS_ROOTS
        return own | self.machine.capabilities

    def is_turned(self, way: Hostile) -> bool:
        return way in self._settings.hostile

    @property
    def is_in_session(self) -> bool:
        return self._endpoint is not None and self._endpoint.ready

    # --- power ------------------------------------------------------------------------------------------------------

    def power_on(self, reason: BootReason = BootReason.POWER_ON) -> None:
        if not self.supply.on:
            self.supply.switch(on=True)
            self.supply.run(lambda: self._run(lambda: self._start(reason)))

    def power_off(self) -> None:
        if self.supply.on:
            self.supply.switch(on=False)
            self._firmware_runs = False
            self._endpoint = None
            self._status_said = None
            self._beat_no_more()
            if self.board is not None:
                self.board.stop()
            self.machine.power_went()

    def restart(self, reason: BootReason) -> None:
        """A planned power cut remains planned."""
        to_cut = self.supply.to_cut
        self.power_off()
        self.supply.to_cut = to_cut
        self.power_on(reason)

    def _start(self, reason: BootReason) -> None:
        self.supply.step()
        self._sessions = 0
        board = self.board
        if board is not None:
            running = board.start(self.supply.step, self._reset_soon)
            board.see_key(self._key)
            if board.hangs:
                self.supply.later(WATCHDOG_S, lambda: self.restart(BootReason.WATCHDOG))
            if running is None or board.hangs:
                return
            self._set_identity(running)
        self._firmware_runs = True
        self.memory.start(reason)
        self.supply.step()
        self._started_s = self._now_s
        token = self._rng.randrange(HALF)
        self._endpoint = Endpoint(Role.DEVICE, token, self._settings.terms, self._settings.context)
        self._endpoint.open(self._now_s)
        self.machine.power_came()

    # --- the firmware -----------------------------------------------------------------------------------------------

    @property
    def board(self) -> FirmwareBoard | None:
        """Its flash, boot loader and service port, if it has any."""
        return self._settings.board

    @property
    def is_updating(self) -> bool:
        return self.board is not None and self.board.is_open

    def see_key(self, position: int) -> None:
        self._key = position
        if self.board is not None:
            self.board.see_key(position)

    @property
    def evidence(self) -> BootEvidence:
        """The boot loader's word, whatever the firmware says of itself."""
        running = None if self.board is None else self.board.running
        if running is None:
            return BootEvidence(self.identity.image_digest, self.identity.security_counter, BootState.VERIFIED)
        return BootEvidence(running.approved.digest, running.approved.counter, running.state)

    def _set_identity(self, running: RunningImage) -> None:
        if not self.is_turned(Hostile.FORGED_DIGEST):
            approved = running.approved
            self.identity = replace(
                self.identity,
                firmware_version=str(approved.image.version),
                image_digest=approved.digest,
                security_counter=approved.counter,
            )

    def _reported_identity(self) -> SimIdentity:
        if self.is_turned(Hostile.VERSION_CHANGED) and self._sessions > 1:
            digest = hashlib.sha256(OTHER_VERSION.encode()).digest()
            return replace(self.identity, firmware_version=OTHER_VERSION, image_digest=digest)
        return self.identity

    def _on_service_bytes(self, data: bytes) -> None:
        board = self.board
        if board is not None:
            self.supply.run(lambda: board.receive(data))

    def _reset_soon(self) -> None:
        board = self.board
        is_update = board is not None and board.loader.record.trial is not Trial.NONE
        reason = BootReason.UPDATE if is_update else BootReason.COMMANDED
        self.supply.later(RESET_S * self._clock.speed, lambda: self.restart(reason))

    # --- for the machine --------------------------------------------------------------------------------------------

    def store_event(self, make: MakeEvent, and_update: Act | None = None) -> None:
        """``and_update`` changes the memory in the same step."""
        self.supply.step()
        if and_update is not None:
            and_update()
        self.memory.store(make)

    def run(self, act: Act) -> None:
        if self._firmware_runs:
            self.supply.run(lambda: self._run(act))

    def later(self, delay_s: float, act: Act) -> Timer:
        """Seconds of the machine's time, unless the power goes before."""
        return self.supply.later(delay_s, lambda: self._run(act))

    def _run(self, act: Act) -> None:
        act()
        self._send_pending()

    # --- the line ---------------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> None:
        """Without power they are lost."""
        self.run(lambda: self._receive(data))

    def _receive(self, data: bytes) -> None:
        if self._endpoint is not None:
            for event in self._endpoint.receive(data, self._now_s):
                self._on_event(event)

    def _on_event(self, event: EndpointEvent) -> None:
        match event:
            case EndpointReady() if not self._serves(event.peer_certificate):
                self._hang_up()
            case EndpointReady():
                self._beat_no_more()
                self.memory.outbox.session_opened()
                self._sessions += 1
                self.send(self._reported_identity().hello(self.memory.boot, self.memory.reason, self.capabilities))
                self._status_said = self.machine.status()
                self.send(self._status_said)
            case EndpointLost():
                self._beat_no_more()
                self.machine.session_lost()
            case MessageReceived(message):
                self._obey(message)
            case _:
                return  # noise, strangers and failed handshakes: the link's counters have them

    def _serves(self, host: bytes | None) -> bool:
        context = self._settings.context
        return host is None or context is None or self.is_turned(Hostile.ANY_HOST) or is_host(host, context)

    def _hang_up(self) -> None:
        if self._endpoint is not None:
            self._endpoint.close()
            self._endpoint.open(self._now_s)

    def _obey(self, message: Message) -> None:
        if isinstance(message, EventAcknowledged):
            self.memory.acknowledged(message)
        elif isinstance(message, DeviceCommand):
            self._commands.execute(message)

    def send(self, message: Message) -> None:
        """Without a session it is dropped."""
        if self._endpoint is not None:
            try:
                self._endpoint.send(message)
            except (EndpointNotReady, LinkError):
                return  # the session has just ended: events come again in the next, answers when they are asked for

    def _send_pending(self) -> None:
        endpoint = self._endpoint
        if endpoint is None:
            return
        if endpoint.ready:
            self._send_events(endpoint)
        data = endpoint.bytes_to_send(self._now_s)
        if data:
            # By the clock: whoever pulls a card has it in hand before the host hears of it.
            self.supply.later(0.0, lambda: self._write(data))
        if self._deadline is not None:
            self._deadline.cancel()
        deadline_s = endpoint.next_deadline_s
        if deadline_s is not None:
            self._deadline = self.later((deadline_s - self._now_s) * self._clock.speed, lambda: self._receive(b""))

    def _send_events(self, endpoint: Endpoint) -> None:
        while endpoint.backlog < BACKLOG_BYTES:
            events = self.memory.outbox.to_send(1)
            if events:
                self.send(events[0])
                continue
            status = self.machine.status()
            if status != self._status_said:
                self._status_said = status
                self.send(status)
            if self._heartbeat is None:
                self._beat()
            return

    def _beat(self) -> None:
        memory = self.memory
        uptime_s = int(self._now_s - self._started_s)
        self.send(Heartbeat(uptime_s, memory.boot, memory.last_number, len(memory.outbox.pending)))
        self._heartbeat = self.later(HEARTBEAT_S * self._clock.speed, self._beat)

    def _beat_no_more(self) -> None:
        if self._heartbeat is not None:
            self._heartbeat.cancel()
            self._heartbeat = None

    @property
    def _now_s(self) -> float:
        return self._clock.now_s() / self._clock.speed

    @property
    def machine(self) -> Mechanism:
        """The machine that it governs."""
        if self._mechanism is None:
            raise RuntimeError("electronics without a machine: attach one before the power comes")
        return self._mechanism
