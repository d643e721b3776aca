"""The libusb of the package ``libusb-package``, which is taken where the system has none, instead of the system's."""

import json

import libusb_package
import usb.backend.libusb1
import usb.core

from tests.kernel.guest.host import VENDOR


def main() -> None:
    backend = usb.backend.libusb1.get_backend(find_library=libusb_package.find_library)
    device = usb.core.find(backend=backend, idVendor=VENDOR, idProduct=1)
    written = device.write(1, b"packaged")
    heard = bytes(device.read(0x81, 64)).decode()
    print(json.dumps([device.serial_number, written, heard]))  # noqa: T201  # for whoever started this


if __name__ == "__main__":
    main()
