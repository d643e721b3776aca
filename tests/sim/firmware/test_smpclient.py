"""The public client updates a simulated device by itself, over its service port."""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from smpclient import SMPClient
from smpclient.generics import error, success
from smpclient.requests.image_management import ImageErase, ImageStatesRead, ImageStatesWrite
from smpclient.requests.os_management import EchoWrite, ResetWrite
from smpclient.transport import SMPTransportDisconnected
from smpclient.transport.serial import SMPSerialTransport

from protocols.mcuboot.image import ImageVersion
from protocols.tdp.codes import BootState
from sim.firmware.board import SERVICE_KEY
from sim.firmware.build import maker_key, payload_of, signed
from sim.firmware.images import ImageGroupError
from tests.firmware_bridge.update.device import MODEL, Device
from tests.kit.waiting import PATIENCE_S, eventually

NEW: Final = signed(payload_of(30_000, 1), ImageVersion(1, 1, 0), 2, MODEL, maker_key())
HANGS: Final = signed(payload_of(3_000, 2, hangs=True), ImageVersion(1, 2, 0), 2, MODEL, maker_key())


@pytest.fixture
def device(tmp_path: Path, seed: int) -> Iterator[Device]:
    with Device(tmp_path, seed) as made:
        yield made


def client(device: Device) -> SMPClient:
    return SMPClient(SMPSerialTransport(), str(device.port), timeout_s=PATIENCE_S)


def try_out(device: Device, image: bytes) -> None:
    """Upload, want a trial, start it."""

    async def update() -> None:
        async with client(device) as smp:
            async for _offset in smp.upload(image):
                pass
            states = await smp.request(ImageStatesRead())
            assert success(states)
            answer = await smp.request(ImageStatesWrite(hash=states.images[1].hash))
            assert success(answer)
            assert answer.images[1].pending
            await reset(smp)

    before = device.restarts()
    asyncio.run(update())
    eventually(lambda: device.restarts() > before and device.port.exists(), "the device starts again")


async def reset(smp: SMPClient) -> None:
    # On a busy machine the port may vanish before the client has looked for the answer.
    with contextlib.suppress(OSError, SMPTransportDisconnected):
        assert success(await smp.request(ResetWrite()))


def confirm(device: Device) -> None:
    async def ask() -> None:
        async with client(device) as smp:
            answer = await smp.request(ImageStatesWrite(confirm=True))
            assert success(answer)
            assert [state.confirmed for state in answer.images] == [False, True]

    asyncio.run(ask())


def restart(device: Device) -> None:
    async def ask() -> None:
        async with client(device) as smp:
            await reset(smp)

    before = device.restarts()
    asyncio.run(ask())
    eventually(lambda: device.restarts() > before and device.port.exists(), "the device starts again")


def test_upload_test_reset_confirm(device: Device) -> None:
    old = device.evidence
    assert old.state is BootState.VERIFIED
    try_out(device, NEW)
    assert device.evidence.state is BootState.TEST_BOOT
    assert device.evidence.counter == 2
    confirm(device)
    restart(device)
    new = device.evidence
    assert (new.state, new.counter) == (BootState.VERIFIED, 2)
    assert new.digest != old.digest


def test_what_is_not_confirmed_is_gone_after_the_next_start(device: Device) -> None:
    old = device.evidence
    try_out(device, NEW)
    restart(device)
    assert device.evidence == old


def test_a_firmware_that_hangs_is_gone_when_the_watchdog_has_bitten(device: Device) -> None:
    old = device.evidence
    try_out(device, HANGS)
    assert device.evidence == old


def test_refusals_reach_the_client_by_their_numbers(device: Device) -> None:
    async def ask() -> None:
        async with client(device) as smp:
            echo = await smp.request(EchoWrite(d="hears"))
            assert success(echo)
            assert echo.r == "hears"
            states = await smp.request(ImageStatesRead())
            assert success(states)
            answer = await smp.request(ImageStatesWrite(hash=states.images[0].hash))
            assert error(answer)
            assert answer.err.rc == ImageGroupError.TEST_TO_ACTIVE_DENIED  # type: ignore[union-attr]  # of the second version
            assert error(await smp.request(ImageErase(slot=0)))

    asyncio.run(ask())


def test_the_service_port_is_there_only_while_the_key_says_so(device: Device) -> None:
    assert device.port.exists()
    device.turn_key(0)
    assert not device.port.exists()
    device.turn_key(1)
    assert not device.port.exists()
    device.turn_key(SERVICE_KEY)
    assert device.port.exists()
