"""The site that these tests begin with."""

from tests.firmware_bridge.admission.sites import made_site, site

__all__ = ["made_site", "site"]
