"""Certificates for the tables that are secured."""

from tests.kit.certificates import site

__all__ = ["site"]
