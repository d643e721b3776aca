"""Devices that say that they are secured, and are not quite (section 11)."""

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cardshoe.cli.sim.virtual import SimulatedFar
from sim.tdp.certified import SECURED as SECURED_TERMS
from sim.tdp.certified import certified, signer_of
from sim.tdp.hostile import Hostile, taking_any_host
from sim.tdp.settings import TdpMachineSettings
from tests.conformance.defects import Defect, Parts
from tests.conformance.virtual import tdp_device
from tests.kit import certificates
from tests.second_device.session import Security
from tests.second_device.tls import Tls, server_context


def _context(site: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(site / f"{certificates.DEVICE}.pem", site / f"{certificates.DEVICE}.key")
    context.load_verify_locations(site / "site.pem")
    context.num_tickets = 0
    return context


def speaks_12_too(site: Path) -> ssl.SSLContext:
    """Takes TLS 1.2, without a certificate, as servers often do."""
    context = _context(site)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def asks_nobody(site: Path) -> ssl.SSLContext:
    """Does not ask the host for a certificate."""
    context = _context(site)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


def _as_it_should(site: Path) -> ssl.SSLContext:
    return server_context(site / f"{certificates.DEVICE}.pem", site / f"{certificates.DEVICE}.key", site / "site.pem")


def of_its_own_group(site: Path) -> ssl.SSLContext:
    """Knows another group alone than the mandatory one."""
    context = _as_it_should(site)
    context.set_ecdh_curve("secp384r1")
    return context


class AnyCertificate(Tls):
    """Takes whom OpenSSL takes, whatever the certificate is for."""

    def _is_host(self) -> bool:
        return True


class AnyUse(Tls):
    """Does not ask for what a certificate may be used."""

    def _is_host(self) -> bool:
        named = self._ssl.getpeercert()
        return super()._is_host() or (named is not None and named["issuer"] in self._authorities)


SECURED: Final = [
    Defect(
        "takes any certificate below the authority for a host's",
        ("tls.authority-refused", "tls.intermediate-refused"),
        Parts(security=Security.TLS, context=_as_it_should, tls=AnyCertificate),
    ),
    Defect(
        "asks for no use of a certificate",
        ("tls.any-use-refused",),
        Parts(security=Security.TLS, context=_as_it_should, tls=AnyUse),
    ),
    Defect(
        "has not the mandatory group",
        ("tls.least-profile-is-enough",),
        Parts(security=Security.TLS, context=of_its_own_group),
    ),
    Defect(
        "speaks TLS 1.2 too",
        ("tls.tls-12-refused", "tls.host-without-certificate-refused"),
        Parts(security=Security.TLS, context=speaks_12_too),
    ),
    Defect(
        "asks for no certificate",
        ("tls.host-without-certificate-refused", "tls.no-host-refused"),
        Parts(security=Security.TLS, context=asks_nobody),
    ),
    Defect(
        "promises TLS and has none",
        ("tls.handshake-first", "tls.silent-until-the-host-speaks", "tls.plain-messages-refused"),
        Parts(security=Security.TLS),
    ),
]


@dataclass(frozen=True)
class WrongSecured:
    """A simulated shoe with TLS that is wrong in one thing."""

    what: Hostile
    caught_by: tuple[str, ...]

    def make(self, site: Path, seed: int) -> SimulatedFar:
        """The shoe, with the certificates of a site."""
        return secured_shoe(site, seed, self.what)


def secured_shoe(site: Path, seed: int, *hostile: Hostile) -> SimulatedFar:
    """A simulated shoe that attests, with TLS, turned against the table in some ways."""
    key = site / f"{certificates.DEVICE}.key"
    context = certified(site / f"{certificates.DEVICE}.pem", key, site / "site.pem")
    if Hostile.ANY_HOST in hostile:
        context = taking_any_host(context)
    settings = TdpMachineSettings(
        terms=SECURED_TERMS, context=context, signer=signer_of(key), hostile=frozenset(hostile)
    )
    return tdp_device("shoe", seed, settings)


WRONG_SECURED: Final = [
    WrongSecured(Hostile.ANY_HOST, ("tls.host-of-its-own-making-refused", "tls.host-of-another-authority-refused")),
    WrongSecured(Hostile.SIGNS_LESS, ("commands.attestation",)),
    WrongSecured(Hostile.REPLAYED_ATTESTATION, ("commands.attestation",)),
]
