"""A simulated croupier: follows the table's prompts alone, makes mistakes as often as told.

``routine`` is what it does at any table, ``croupier`` the one at an Angel Eye shoe; ``seated`` is what it does in any
game, ``plain`` at plain equipment, ``linked`` at machines that tell of their cards themselves (TDP). ``situation`` is
what it knows from the table's outputs, ``layout`` the cards on the felt, ``lamps`` what it sees on the shoe,
``stack_work`` and ``machine_work`` what it does before play, ``incidents`` how it settles irregularities,
``shoe_remedies`` and ``machine_remedies`` what it can do about them at the equipment, ``ways_out`` which way it
prefers, ``slips`` its mistakes, ``rhythm`` and ``pace`` its time, ``orders`` what the house told it.
"""
