"""The one-way serial protocol of the USPC Bee-Tek shoe: ``docs/protocols/bee-tek.md``."""
