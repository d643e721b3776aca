"""The carrier for an address."""

from cardshoe.table.setup.uplink_section import UplinkSection
from cardshoe.table.uplink.transport import FloorTransport, HttpsCarrier


def carrier_to(section: UplinkSection) -> FloorTransport:
    if section.nats_servers:
        from cardshoe.table.uplink.nats_carrier import NatsCarrier  # noqa: PLC0415  # whoever goes by HTTPS needs no NATS

        return NatsCarrier(section)
    return HttpsCarrier(section)
