"""Commands of the host: refused, or executed and answered once."""

from dataclasses import replace
from typing import Final, Protocol

from msgspec import structs

from protocols.tdp.codes import Capability, RefusalReason
from protocols.tdp.commands import (
    NEEDED,
    Attest,
    DeviceCommand,
    Dispense,
    ReadMeters,
    RecallRoot,
    RememberRoot,
    Unlock,
)
from protocols.tdp.messages import Attestation, Done, Message, Refused, Status
from sim.tdp.hostile import Hostile
from sim.tdp.identity import BootEvidence
from sim.tdp.memory import DeviceMemory
from sim.tdp.power import PowerSupply
from sim.tdp.settings import TdpMachineSettings

ATTESTED: Final = b"TDP/1 attestation\0"
"""Section 11."""
OWN: Final = ReadMeters | Attest | RememberRoot | RecallRoot
"""The machine has nothing to do with them."""


class Mechanism(Protocol):
    @property
    def capabilities(self) -> Capability:
        """The machine's abilities."""

    def status(self) -> Status:
        """The machine's present state."""

    def why_not(self, command: DeviceCommand) -> RefusalReason | None:
        """Why a command cannot be done now; None: it can. Nothing changes."""

    def begin(self, command: DeviceCommand) -> None:
        """Do a command, or begin it."""

    def power_came(self) -> None:
        """The electronics have started."""

    def power_went(self) -> None:
        """Everything stops where it is."""

    def session_lost(self) -> None:
        """No host is there: lock."""


class Commanded(Protocol):
    @property
    def memory(self) -> DeviceMemory:
        """Their memory that needs no power."""

    @property
    def supply(self) -> PowerSupply:
        """Their power."""

    @property
    def machine(self) -> Mechanism:
        """The machine that they govern."""

    @property
    def capabilities(self) -> Capability:
        """The abilities of electronics and machine together."""

    @property
    def evidence(self) -> BootEvidence:
        """The boot loader's report of the firmware."""

    def is_turned(self, way: Hostile) -> bool:
        """True if the device is hostile in this way."""

    def send(self, message: Message) -> None:
        """Send a message in the session."""


class CommandExecutor:
    """Each answer is stored first, so that none is executed twice after a power cut."""

    def __init__(self, owner: Commanded, settings: TdpMachineSettings) -> None:
        self._owner: Final = owner
        self._settings: Final = settings
        self._first_told: Attestation | None = None
        self._answered: Final[set[type[DeviceCommand]]] = set()

    def execute(self, command: DeviceCommand) -> None:
        """Do a command once, and answer it each time that it comes."""
        answer = self._owner.memory.commands.recall(command)
        is_new = answer is None
        if answer is None:
            self._owner.supply.step()
            reason = self._why_not(command)
            answer = Done(command.id) if reason is None else Refused(command.id, reason)
            # Kept before it is begun: a command that comes again after a power cut is never done twice.
            self._owner.memory.remember(command, answer)
            self._owner.supply.step()
        if isinstance(answer, Done):
            if is_new and not isinstance(command, OWN):
                self._owner.machine.begin(self._as_it_is_done(command))
            self._send_result(command)
        self._owner.send(answer)

    def _as_it_is_done(self, command: DeviceCommand) -> DeviceCommand:
        if isinstance(command, Unlock | Dispense) and self._owner.is_turned(Hostile.PERMIT_UNTOLD):
            return structs.replace(command, permit=0)
        return command

    def _why_not(self, command: DeviceCommand) -> RefusalReason | None:
        if NEEDED.get(type(command), Capability(0)) not in self._owner.capabilities:
            return RefusalReason.NOT_SUPPORTED
        match command:
            case ReadMeters() | Attest() | RecallRoot():
                return None
            case RememberRoot():
                return self._owner.memory.roots.why_not(command)
            case _:
                return self._owner.machine.why_not(command)

    def _send_result(self, command: DeviceCommand) -> None:
        signer = self._settings.signer
        if self._owner.is_turned(Hostile.DONE_ALONE):
            if type(command) in self._answered:
                return
            self._answered.add(type(command))
        if isinstance(command, ReadMeters):
            self._owner.send(self._owner.memory.meters.message(command.id))
        elif isinstance(command, RecallRoot):
            self._owner.send(self._owner.memory.roots.message(command))
        elif isinstance(command, Attest) and signer is not None:
            digest, counter, state = self._owner.evidence
            signed = ATTESTED + command.nonce + digest + counter.to_bytes(4, "big") + bytes([state])
            signature = signer(command.nonce if self._owner.is_turned(Hostile.SIGNS_LESS) else signed)
            told = Attestation(command.id, command.nonce, digest, counter, state, signature)
            if self._owner.is_turned(Hostile.REPLAYED_ATTESTATION):
                self._first_told = self._first_told or told
                told = replace(self._first_told, id=command.id)
            self._owner.send(told)
