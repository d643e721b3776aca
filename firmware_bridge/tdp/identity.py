"""The identity that a TDP device reports."""

from dataclasses import dataclass

from msgspec import UNSET

from protocols.tdp.codes import Capability
from protocols.tdp.messages import Hello
from regulations.events.notices import DeviceIdentified


@dataclass(frozen=True, slots=True)
class HelloIdentity:
    """A change of any of it is a matter for a person."""

    maker: str
    model: str
    serial: str
    firmware: str
    digest: str
    security_counter: int
    reads: bool = False
    cut_card: bool = False

    @classmethod
    def of(cls, hello: Hello) -> "HelloIdentity":
        """The identity in a ``Hello``."""
        return cls(
            hello.maker,
            hello.model,
            hello.serial,
            hello.firmware_version,
            hello.image_digest.hex(),
            hello.security_counter,
            reads=bool(hello.capabilities & Capability.READS_CARDS),
            cut_card=bool(hello.capabilities & Capability.DETECTS_CUT_CARD),
        )

    @classmethod
    def logged(cls, event: DeviceIdentified) -> "HelloIdentity":
        """The identity in a journal."""
        return cls(
            event.maker,
            event.model,
            "" if event.serial is UNSET else event.serial,
            "" if event.firmware is UNSET else event.firmware,
            "" if event.digest is UNSET else event.digest,
            0 if event.security_counter is UNSET else event.security_counter,
            reads=event.reads,
            cut_card=event.cut_card,
        )

    @property
    def unit(self) -> tuple[str, str, str]:
        """The names that stay with a device, whatever firmware it runs."""
        return self.maker, self.model, self.serial

    def event(self, device: str) -> DeviceIdentified:
        """The identity as an event of the log."""
        return DeviceIdentified(
            device=device,
            maker=self.maker,
            model=self.model,
            serial=self.serial,
            firmware=self.firmware,
            digest=self.digest,
            security_counter=self.security_counter,
            reads=self.reads,
            cut_card=self.cut_card,
        )
