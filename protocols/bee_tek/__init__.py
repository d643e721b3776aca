"""The serial protocol of the USPC Bee-Tek shoe, which only ever speaks: ``docs/protocols/bee-tek.md``.

``messages`` says what travels, ``codec`` turns one frame into one message and back, ``decoder`` finds lines and frames
in a stream.
"""
