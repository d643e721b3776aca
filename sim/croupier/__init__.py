"""A simulated croupier at a baccarat table: follows the table's prompts alone, makes mistakes as often as told.

``croupier`` does the acts, ``situation`` is what he knows from the table's outputs, ``lamps`` what he sees on the
shoe, ``stack_work`` what he does before play, ``incidents`` how he settles irregularities, ``ways_out`` which way he
prefers, ``slips`` his mistakes, ``rhythm`` and ``pace`` his time, ``orders`` what the house told him.
"""
