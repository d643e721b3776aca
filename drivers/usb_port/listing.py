"""All USB devices by libusb."""

import contextlib

from drivers.usb_errors import USB_ERRORS
from drivers.usb_facts.facts import InterfaceKind, UsbFacts, UsbInterface
from drivers.usb_port.backend import Backend, Device, libusb
from drivers.usb_port.finding import all_devices, dispose


def list_usb_facts(backend: Backend = None) -> list[UsbFacts]:
    """Without the computer's own hubs; a device is opened for its strings alone.

    Raises:
        PortUnusable: libusb refuses.
    """
    devices = all_devices("USB", backend or libusb("USB"))
    return sorted((_facts(device) for device in devices if device.port_numbers), key=lambda one: one.path)


def _facts(device: Device) -> UsbFacts:
    interfaces: tuple[UsbInterface, ...] = ()
    unreadable = serial_number = None
    product = ""
    try:
        interfaces = tuple(
            UsbInterface(
                configuration.bConfigurationValue,
                interface.bInterfaceNumber,
                interface.bAlternateSetting,
                InterfaceKind(interface.bInterfaceClass, interface.bInterfaceSubClass, interface.bInterfaceProtocol),
            )
            for configuration in device
            for interface in configuration
        )
        serial_number, product = device.serial_number, device.product or ""
    except USB_ERRORS as error:
        unreadable = str(error)
    with contextlib.suppress(*USB_ERRORS):
        dispose(device)
    return UsbFacts(
        path=f"{device.bus}-{'.'.join(str(number) for number in device.port_numbers)}",
        node=f"/dev/bus/usb/{device.bus:03d}/{device.address:03d}",
        vid=device.idVendor,
        pid=device.idProduct,
        serial_number=serial_number or None,
        product=product,
        device_kind=InterfaceKind(device.bDeviceClass, device.bDeviceSubClass, device.bDeviceProtocol),
        interfaces=interfaces,
        unreadable=unreadable,
    )
