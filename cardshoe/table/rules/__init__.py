"""The regulation as the machine holds it, for people and programs: ``cardshoe rules``.

``view`` collects, ``matrix`` traces articles to rules and tests, ``mermaid`` draws; ``text`` and ``page`` write for the
terminal and for ``docs/regulations``. Nothing here decides anything.
"""
