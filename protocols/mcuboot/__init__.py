"""MCUboot images: ``docs/protocols/mcuboot.md``; the caller verifies signatures."""
