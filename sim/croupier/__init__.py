"""A simulated croupier: follows the table's prompts alone, makes mistakes as often as told.

``routine`` is what he does at any table, ``croupier`` the one at an Angel Eye shoe; ``seated`` is what he does in any
game, ``plain`` at plain equipment, ``linked`` at machines that tell of their cards themselves (TDP). ``situation`` is
what he knows from the table's outputs, ``layout`` the cards on the felt, ``knowledge`` what he has learnt of each game,
``lamps`` what he sees on the shoe, ``stack_work`` and ``machine_work`` what he does before play, ``incidents`` how he
settles irregularities, ``shoe_remedies`` and ``machine_remedies`` what he can do about them at the equipment,
``ways_out`` which way he prefers, ``slips`` his mistakes, ``rhythm`` and ``pace`` his time, ``orders`` what the house
told him.
"""
