"""Admission of devices to the table, by the site's enrolments and approvals: ``docs/firmware-bridge.md``."""
