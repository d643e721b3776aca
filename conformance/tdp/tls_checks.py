"""Section 11: who the other end is, before anything is said."""

import ssl
from typing import Final

from cryptography.x509 import Certificate

from conformance.check import Checks
from conformance.check_result import CheckSkipped, require
from conformance.tdp.limits import COMMAND_S, NOTHING_S
from conformance.tdp.rig import TdpRig
from conformance.tdp.untrusted_hosts import (
    CertificateChain,
    context_of,
    made_by_itself,
    of_another_authority,
    of_one_between,
    of_the_authority,
)

CHECKS: Final[Checks[TdpRig]] = Checks("tls")

_SECTION: Final = "11. Security"
_SERVER: Final = "the TLS server: its lowest version, and that it asks for a certificate"
_TRUST: Final = (
    "the trust of the TLS server: its site's authority alone, and the signature down to the host's certificate"
)
_CERTIFICATE_MAX: Final = 1024
_HELLO: Final = b"\x16\x03"


@CHECKS.check(_SECTION, "the order: nothing of the application before both certificates are verified")
def handshake_first(rig: TdpRig) -> None:
    """The stream begins with a handshake of TLS 1.3, in which the device shows its certificate; then comes Hello."""
    _needs_tls(rig)
    session = rig.open()
    rig.greeted(session)
    require(session.secured, "a handshake before Hello", "none")
    first = session.data[0].frame
    require(first.payload.startswith(_HELLO), "a record of the handshake", first.payload[:8].hex(" "), first.payload)
    certificate = session.certificate
    require(certificate, "the device's certificate", "none")
    rig.bench.observe(f"the device's certificate has {len(certificate)} bytes")


@CHECKS.check(_SECTION, "the profile of TLS: the mandatory group, and the size of the certificate")
def least_profile_is_enough(rig: TdpRig) -> None:
    """A host that offers the mandatory group alone is served; the device's certificate has 1024 bytes at most."""
    _needs_tls(rig)
    session = rig.session_of(rig.accepted(rig.new_host()), context=rig.setup.least)
    rig.greeted(session)
    certificate = session.certificate
    require(len(certificate) <= _CERTIFICATE_MAX, f"{_CERTIFICATE_MAX} bytes at most", len(certificate), certificate)


@CHECKS.check(_SECTION, _SERVER)
def silent_until_the_host_speaks(rig: TdpRig) -> None:
    """In TLS the host speaks first: the device sends no DATA before the host's."""
    _needs_tls(rig)
    accept = rig.accepted(rig.new_host())
    session = rig.session_of(accept, tls=False)
    session.pump(NOTHING_S)
    require(not session.data, "no DATA before the host's first", [heard.frame for heard in session.data])


@CHECKS.check(_SECTION, _SERVER)
def tls_12_refused(rig: TdpRig) -> None:
    """A host that speaks TLS 1.2 at most is refused."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_2
    _refused(rig, context, "a host of TLS 1.2")


@CHECKS.check(_SECTION, _SERVER)
def host_without_certificate_refused(rig: TdpRig) -> None:
    """A host that shows no certificate is refused: it receives nothing of the application."""
    _refused(rig, context_of(None), "a host without a certificate")


@CHECKS.check(_SECTION, _TRUST)
def host_of_its_own_making_refused(rig: TdpRig) -> None:
    """A host whose certificate bears the right names and is signed by itself is refused."""
    _refused(rig, context_of(made_by_itself(_host(rig))), "a host that signed its certificate itself")


@CHECKS.check(_SECTION, _TRUST)
def host_of_another_authority_refused(rig: TdpRig) -> None:
    """A host whose certificate is of another authority is refused, though that bears the name of the site's."""
    for sends_it, what in ((False, "a host of another authority"), (True, "one that brings its authority along")):
        _refused(rig, context_of(of_another_authority(_host(rig), sends_it=sends_it)), what)


@CHECKS.check(_SECTION, "who may be a host: the certificate's purpose, not its authority alone")
def no_host_refused(rig: TdpRig) -> None:
    """A certificate of the site's authority that is not a host's, such as another device's, is refused."""
    _needs_tls(rig)
    if rig.setup.other is None:
        raise CheckSkipped(
            "no such certificate: give other_certificate and other_key, of a device of the same authority"
        )
    context = context_of(None)
    context.load_cert_chain(*rig.setup.other)
    _refused(rig, context, "one whom the authority knows and who is no host")


@CHECKS.check(_SECTION, "who may be a host: an authority's own certificate signs others, and opens no session")
def authority_refused(rig: TdpRig) -> None:
    """An authority's own certificate is refused as a host's: the site's, and one that the site's has signed."""
    site = _site(rig)
    _refused(rig, context_of(site), "the authority itself")
    below = of_the_authority(_host(rig), site, is_authority=True)
    _refused(rig, context_of(below), "an authority with a host's name and use")


@CHECKS.check(_SECTION, "who may be a host: extendedKeyUsage must be there and have clientAuth")
def any_use_refused(rig: TdpRig) -> None:
    """A certificate of the site's authority without extendedKeyUsage is refused."""
    _refused(rig, context_of(of_the_authority(_host(rig), _site(rig), any_use=True)), "a certificate for any use")


@CHECKS.check(_SECTION, "who may be a host: the site's authority has signed the certificate itself")
def intermediate_refused(rig: TdpRig) -> None:
    """A host whose certificate an authority between has signed is refused."""
    _refused(rig, context_of(of_one_between(_host(rig), _site(rig))), "a host of an authority between")


@CHECKS.check(_SECTION, "what comes in place of TLS: the session ends, and nothing of it is believed")
def plain_messages_refused(rig: TdpRig) -> None:
    """Messages in the stream without TLS end the session and are not answered."""
    _needs_tls(rig)
    session = rig.session_of(rig.accepted(rig.new_host()), tls=False)
    session.send_bytes(b"\x00\x05\x58\x00\x00\x00\x01")
    session.pump(COMMAND_S)
    require(session.ended is not None, "the session ended", "it continues")
    rig.ready()


def _refused(rig: TdpRig, context: ssl.SSLContext, who: str) -> None:
    # Shake hands as somebody else; whatever the device says of its application would be plain bytes here.
    _needs_tls(rig)
    session = rig.session_of(rig.accepted(rig.new_host()), tls=False)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    stranger = context.wrap_bio(incoming, outgoing)
    heard = b""
    failed = _step(stranger)
    end_s = rig.bench.now_s() + COMMAND_S
    while session.ended is None and rig.bench.now_s() < end_s:
        if outgoing.pending:
            session.send_raw(outgoing.read())
        before = len(session.stream)
        session.pump(NOTHING_S, lambda: len(session.stream) > before)  # noqa: B023  called within this turn
        incoming.write(bytes(session.stream[before:]))
        failed = failed or _step(stranger)
        heard += _read(stranger)
    require(not heard, f"nothing said to {who}", f"{len(heard)} bytes", heard)
    require(session.ended is not None, f"the session of {who} ended", "it continues")
    rig.ready()


def _step(stranger: ssl.SSLObject) -> bool:
    try:
        stranger.do_handshake()
    except ssl.SSLWantReadError:
        return False
    except ssl.SSLError:
        return True
    return False


def _read(stranger: ssl.SSLObject) -> bytes:
    try:
        return stranger.read()
    except (ssl.SSLError, ValueError):
        return b""


def _host(rig: TdpRig) -> Certificate:
    if rig.setup.host is None:
        raise CheckSkipped("the device is plain: nothing of TLS can be seen")
    return rig.setup.host


def _site(rig: TdpRig) -> CertificateChain:
    _needs_tls(rig)
    if rig.setup.site is None:
        raise CheckSkipped("no authority: give authority_certificate and authority_key, of a site made for tests")
    return rig.setup.site


def _needs_tls(rig: TdpRig) -> None:
    if rig.setup.context is None:
        raise CheckSkipped("the device is plain: nothing of TLS can be seen")
