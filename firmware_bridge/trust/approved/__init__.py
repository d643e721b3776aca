"""Approved firmware: TUF metadata on a stick, signed by makers and by the regulator (``docs/approved-firmware.md``)."""
