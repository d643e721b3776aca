"""MCUboot firmware images: ``docs/protocols/mcuboot.md``. Verification of signatures is the caller's part."""
