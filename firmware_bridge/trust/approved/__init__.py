"""Approved firmware: TUF metadata on a stick (``docs/approved-firmware.md``)."""
