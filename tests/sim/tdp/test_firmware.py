"""A device with flash and boot loader: what TDP tells of its firmware, updates, power cuts, and ways to deceive."""

import random
from collections.abc import Iterable

import pytest

from protocols.mcuboot.codec import decode_image, digest_of
from protocols.mcuboot.image import ImageVersion
from protocols.tdp.codes import BootReason, BootState, Capability, DeviceState, RefusalReason
from protocols.tdp.commands import Attest, Unlock
from protocols.tdp.events import KeyTurned, PowerRestored
from protocols.tdp.messages import Attestation, Hello
from sim.firmware.board import SERVICE_KEY, FirmwareBoard, new_board
from sim.firmware.boot_record import Trial
from sim.firmware.build import key_of, payload_of, signed
from sim.firmware.flash import Tear
from sim.firmware.lines import LineReader, to_lines
from sim.firmware.slots import FlashMap, FlashSlot
from sim.tdp.commands import ATTESTED
from sim.tdp.hands import MODELS
from sim.tdp.hostile import OTHER_VERSION, Hostile, attests_with, unit_key_name
from sim.tdp.settings import TdpMachineSettings
from sim.wires.direct import DirectWire
from tests.firmware_bridge.update.client import OS, RESET, WRITE, SmpClient
from tests.sim.tdp.rig import Rig

MODEL = MODELS["shoe"]
WHERE = FlashMap(slot_blocks=2)
NONCE = bytes(range(32))


def image(number: int, counter: int, *, signer: str = "maker", hangs: bool = False) -> bytes:
    payload = payload_of(3000, number, hangs=hangs)
    return signed(payload, ImageVersion(1, number, 0), counter, MODEL, key_of(signer))


def digest(data: bytes) -> bytes:
    return digest_of(decode_image(data))


OLD, NEW = image(0, 1), image(1, 2)


class Bench:
    """A shoe, its host, and a technician at its service port."""

    def __init__(self, seed: int, hostile: Iterable[Hostile] = ()) -> None:
        ways = frozenset(hostile)
        self.heard = b""
        self.service = DirectWire(self._hear)
        self.board: FirmwareBoard = new_board(
            MODEL,
            random.Random(seed),
            self.service,
            image=OLD,
            where=WHERE,
            checks_signature=Hostile.UNSIGNED_UPDATE not in ways,
        )
        signer = attests_with(unit_key_name("SIM-0007", ways))
        self.rig = Rig(
            settings=TdpMachineSettings(
                board=self.board, signer=signer, hostile=ways, tells_restarts=Hostile.SILENT_REBOOT not in ways
            )
        )
        self.client = SmpClient(self._exchange)

    def _hear(self, data: bytes) -> None:
        self.heard += data

    def _exchange(self, packet: bytes) -> list[bytes]:
        self.heard = b""
        self.service.from_host(to_lines(packet))
        return LineReader().feed(self.heard)

    def has_port(self) -> bool:
        return self.service.is_plugged

    def state(self) -> DeviceState:
        return self.rig.status.state

    def turn_key(self, position: int) -> None:
        self.rig.hands.turn_key(position)
        self.rig.clock.advance(0.1)

    def reset(self) -> None:
        self.client.ask(WRITE, OS, RESET)
        self.rig.rest()

    def try_out(self, data: bytes = NEW) -> None:
        self.turn_key(SERVICE_KEY)
        self.client.upload(data)
        self.client.test(digest(data))
        self.reset()

    @property
    def hello(self) -> Hello:
        return self.rig.said(Hello)[-1]

    def attestation(self) -> Attestation:
        self.rig.do(Attest, NONCE)
        return self.rig.said(Attestation)[-1]

    def told(self) -> tuple[str, bytes, int]:
        return self.hello.firmware_version, self.hello.image_digest, self.hello.security_counter

    def attested(self) -> tuple[bytes, int, BootState]:
        said = self.attestation()
        return said.image_digest, said.security_counter, said.boot_state


def vouches(said: Attestation, name: str) -> bool:
    """True if that key has signed it."""
    signed_bytes = said.nonce + said.image_digest + said.security_counter.to_bytes(4, "big") + bytes([said.boot_state])
    return key_of(name).sign(ATTESTED + signed_bytes) == said.signature


def test_hello_and_attestation_tell_the_firmware_that_runs(seed: int) -> None:
    bench = Bench(seed)
    assert bench.told() == ("1.0.0", digest(OLD), 1)
    assert bench.hello.capabilities & Capability.ATTESTS
    assert bench.attested() == (digest(OLD), 1, BootState.VERIFIED)
    assert vouches(bench.attestation(), "unit SIM-0007")
    bench.try_out()
    assert bench.hello.boot_reason == BootReason.UPDATE
    assert bench.told() == ("1.1.0", digest(NEW), 2)
    assert bench.attested() == (digest(NEW), 2, BootState.TEST_BOOT)
    bench.client.confirm()
    assert bench.attested() == (digest(NEW), 2, BootState.TEST_BOOT), "as it was started"
    bench.reset()
    assert bench.hello.boot_reason == BootReason.COMMANDED
    assert bench.attested() == (digest(NEW), 2, BootState.VERIFIED)
    restarts = [event for event in bench.rig.events if isinstance(event, PowerRestored)]
    assert len(restarts) == 3, "the host hears of every start"


def test_a_trial_that_nobody_confirms_ends_with_the_power(seed: int) -> None:
    bench = Bench(seed)
    bench.try_out()
    bench.rig.device.power_cycle()
    bench.rig.rest()
    assert bench.attested() == (digest(OLD), 1, BootState.VERIFIED)


def test_while_the_service_port_is_there_nothing_is_dealt(seed: int) -> None:
    bench = Bench(seed)
    bench.rig.load()
    assert not bench.has_port()
    bench.turn_key(SERVICE_KEY)
    assert bench.has_port()
    bench.rig.rest()
    assert isinstance(bench.rig.events[-1], KeyTurned)
    assert bench.state() == DeviceState.UPDATING
    assert bench.rig.status.key_position == SERVICE_KEY
    assert bench.rig.refused(Unlock, 1) is RefusalReason.LOCKED
    bench.turn_key(0)
    assert not bench.has_port()
    bench.rig.rest()
    assert bench.state() == DeviceState.LOADED
    bench.rig.do(Unlock, 1)
    bench.turn_key(SERVICE_KEY)
    bench.rig.device.power_off()
    assert not bench.has_port(), "without power there is no port"
    bench.turn_key(0)
    bench.turn_key(SERVICE_KEY)
    assert not bench.has_port()
    bench.rig.device.power_on()
    assert bench.has_port()


def test_a_firmware_that_hangs_is_taken_back_by_the_watchdog(seed: int) -> None:
    bench = Bench(seed)
    hangs = image(2, 2, hangs=True)
    bench.turn_key(SERVICE_KEY)
    bench.client.upload(hangs)
    bench.client.test(digest(hangs))
    bench.client.ask(WRITE, OS, RESET)
    bench.rig.clock.advance(1.0)
    assert bench.board.hangs
    assert not bench.has_port()
    assert not bench.rig.device.electronics.is_in_session
    bench.turn_key(0)
    bench.turn_key(SERVICE_KEY)
    assert not bench.has_port(), "the port is the firmware's, and that hangs"
    bench.rig.clock.advance(2.0)
    bench.rig.rest()
    assert bench.hello.boot_reason == BootReason.WATCHDOG
    assert bench.attested() == (digest(OLD), 1, BootState.VERIFIED)
    assert bench.has_port()


def test_a_device_without_a_firmware_is_silent_but_for_its_service_port(seed: int) -> None:
    bench = Bench(seed)
    bench.rig.device.power_off()
    bench.board.loader.flash.program(256, bytes(256))
    hellos = len(bench.rig.said(Hello))
    bench.rig.device.power_on()
    bench.rig.hands.open_cover()
    bench.rig.hands.close_cover()
    bench.rig.clock.advance(10.0)
    assert len(bench.rig.said(Hello)) == hellos
    assert not bench.rig.device.electronics.is_in_session
    bench.try_out()
    assert bench.attested() == (digest(NEW), 2, BootState.TEST_BOOT)


def test_wherever_the_power_goes_in_an_update_the_device_comes_back_with_an_approved_firmware(seed: int) -> None:
    cut_everywhere = 0
    for steps in range(60):
        bench = Bench(seed)
        bench.rig.device.mishaps.cut_power_after(steps)
        bench.board.loader.flash.tear = (*Tear,)[steps % len(Tear)]
        _update_as_far_as_it_goes(bench)
        if bench.rig.device.is_powered:
            break
        cut_everywhere += 1
        bench.rig.device.power_on()
        bench.rig.rest()
        record = bench.board.loader.record
        told, counter, state = bench.attested()
        assert (told, counter) in {(digest(OLD), 1), (digest(NEW), 2)}, steps
        assert state is BootState.VERIFIED or (told, record.trial) == (digest(NEW), Trial.STARTED)
        assert record.counter == (2 if record.confirmed is FlashSlot.B else 1), steps
        assert bench.hello.image_digest == told
        assert bench.rig.host.gaps == []
    assert cut_everywhere > 20, "the upload, the trial and the confirmation have so many steps"


def _update_as_far_as_it_goes(bench: Bench) -> None:
    try:
        bench.try_out()
        bench.client.confirm()
    except ValueError:  # no answer
        assert not bench.rig.device.is_powered
    bench.rig.clock.advance(1.0)


# --- ways to deceive --------------------------------------------------------------------------------------------------


def test_unsigned_update(seed: int) -> None:
    theirs = image(6, 9, signer="thief")
    sound = Bench(seed)
    sound.turn_key(SERVICE_KEY)
    sound.client.upload(theirs)
    assert "err" in sound.client.test(digest(theirs))
    careless = Bench(seed, [Hostile.UNSIGNED_UPDATE])
    careless.try_out(theirs)
    assert careless.attested() == (digest(theirs), 9, BootState.TEST_BOOT)


def test_forged_digest(seed: int) -> None:
    bench = Bench(seed, [Hostile.FORGED_DIGEST])
    before = bench.told()
    bench.try_out()
    assert bench.told() == before
    assert bench.attested() == (digest(NEW), 2, BootState.TEST_BOOT), "the boot loader's evidence is not the firmware's"


def test_shared_key_and_cloned_serial(seed: int) -> None:
    assert vouches(Bench(seed, [Hostile.SHARED_KEY]).attestation(), "all units")
    assert vouches(Bench(seed, [Hostile.CLONED_SERIAL]).attestation(), "clone SIM-0007")
    names = [unit_key_name(serial, frozenset()) for serial in ("SIM-0001", "SIM-0002")]
    assert key_of(names[0]).private_bytes_raw() != key_of(names[1]).private_bytes_raw()


def test_silent_reboot(seed: int) -> None:
    bench = Bench(seed, [Hostile.SILENT_REBOOT])
    bench.rig.device.power_cycle()
    bench.rig.rest()
    assert bench.hello.boot_count == 2
    assert [event for event in bench.rig.events if isinstance(event, PowerRestored)] == []


def test_version_changed(seed: int) -> None:
    bench = Bench(seed, [Hostile.VERSION_CHANGED])
    first = bench.hello
    bench.rig.wire.unplug()
    bench.rig.clock.advance(3.0)
    bench.rig.wire.replug()
    bench.rig.rest()
    assert bench.hello.boot_count == first.boot_count, "it has not even started again"
    assert (first.firmware_version, bench.hello.firmware_version) == ("1.0.0", OTHER_VERSION)
    assert bench.hello.image_digest != first.image_digest
    assert bench.attested() == (digest(OLD), 1, BootState.VERIFIED)


@pytest.mark.parametrize("hostile", [(), tuple(Hostile)])
def test_a_device_that_deceives_plays_as_well_as_any(hostile: tuple[Hostile, ...], seed: int) -> None:
    bench = Bench(seed, hostile)
    bench.rig.load()
    bench.rig.do(Unlock, 3)
    bench.rig.rest()
    assert len(bench.rig.draw_all(3)) == 3
