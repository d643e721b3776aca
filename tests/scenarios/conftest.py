"""Certificates for the tables that are secured."""

from tests.protocols.tdp.test_tls import site

__all__ = ["site"]
