"""Which carrier goes to an address."""

from cardshoe.table.setup.uplink_section import UplinkSection
from cardshoe.table.uplink.transport import FloorTransport, HttpsCarrier


def carrier_to(section: UplinkSection) -> FloorTransport:
    """The carrier to a floor.

    Raises:
        Stop: a certificate cannot be used.
    """
    if section.nats_servers:
        from cardshoe.table.uplink.nats_carrier import NatsCarrier  # noqa: PLC0415  # whoever goes by HTTPS needs no NATS

        return NatsCarrier(section)
    return HttpsCarrier(section)
