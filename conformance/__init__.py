"""Does a device do what its protocol page says? A suite for each family, for real devices and simulated.

A ``check`` is one requirement with the section it comes from. It runs against a ``bench``: port, clock, and a
``helper`` who moves the device: a person, a control channel or a process. ``runner`` runs the checks of a family
(``suites``) one after another; ``junit`` and ``page`` write down what came of it. The manual is
``docs/conformance.md``.
"""
