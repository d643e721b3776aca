"""Admission of devices by the site's enrolments and approvals: ``docs/firmware-bridge.md``."""
