"""A simulated USPC Bee-Tek shoe: physical cards, an eye at the mouth, and lines of text.

``shoe`` is the box, ``hands`` what moves its cards, ``control`` a person's way in.
"""
