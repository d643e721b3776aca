"""A simulated croupier: follows the table's prompts alone, makes mistakes as often as told.

``routine`` is what it does at any table, ``croupier`` the one at an Angel Eye shoe; ``seated`` is what it does in any
game, ``plain`` at plain equipment, ``tdp_croupier`` at machines that report their cards themselves. ``situation`` is
what it knows from the table's outputs, ``table_talk`` what it has entered, ``layout`` the cards on the felt,
``stack_work`` and ``machine_work`` what it does before play, ``incidents`` how it settles irregularities,
``machine_remedies`` what it can do about them at machines, ``resolution_choice`` which
resolution it prefers, ``mistakes`` its mistakes, ``action_timer`` and ``pace`` its time, ``instructions`` the house's.
"""
