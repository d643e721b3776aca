"""A user without permission: the device is found, and cannot be opened."""

import json

import usb.core

from tests.kernel.guest.host import VENDOR, failure


def main() -> None:
    device = usb.core.find(idVendor=VENDOR, idProduct=1)
    print(json.dumps([device is not None, *failure(device.set_configuration)]))  # noqa: T201  # for whoever started this


if __name__ == "__main__":
    main()
