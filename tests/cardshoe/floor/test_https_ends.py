"""The end of an uplink over HTTPS that comes while it connects: the connection is closed all the same."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from cardshoe.journal.delivery.wire import Has
from cardshoe.table.setup.uplink_section import UplinkSection
from cardshoe.table.uplink.transport import HttpsCarrier
from tests.cardshoe.floor.site import FLOOR, Site
from tests.cardshoe.floor.waiting import PATIENCE_S
from tests.kit.certificates import needs_openssl

pytestmark = needs_openssl
ANSWER: Final = b'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 34\r\n\r\n{"code":"database","reason":"away"}'


def test_a_connection_that_was_being_made_is_closed_after_its_exchange(site: Site) -> None:
    ended, heard = threading.Event(), threading.Event()

    def serve(listening: socket.socket) -> bytes:
        plain, _ = listening.accept()
        heard.set()
        assert ended.wait(PATIENCE_S)
        with site.tls("floor").server().wrap_socket(plain, server_side=True) as there:
            there.settimeout(PATIENCE_S)
            request = b""
            while not request.endswith(b"}"):
                request += there.recv(1 << 16)
            there.sendall(ANSWER)
            return there.recv(1)

    with socket.create_server((FLOOR, 0)) as listening, ThreadPoolExecutor(2) as pool:
        port = listening.getsockname()[1]
        carrier = HttpsCarrier(UplinkSection(to=f"https://{FLOOR}:{port}", tls=site.tls("T-001")))
        served = pool.submit(serve, listening)
        asked = pool.submit(carrier.has, Has(table="T-001", sender="0" * 32, logs=[]))
        assert heard.wait(PATIENCE_S)
        carrier.close()
        ended.set()
        assert asked.exception(PATIENCE_S) is not None
        assert served.result(PATIENCE_S) == b"", "the connection is closed"
