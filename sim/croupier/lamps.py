"""The lamps on the shoe that a croupier looks at before touching it, and the acts that they ask for first."""

from regulations.events.outputs import Next
from sim.angel_eye.shoe import AngelEyeShoe
from sim.croupier.situation import PromptState


def is_ready(shoe: AngelEyeShoe) -> bool:
    """True if the lamps show that the shoe plays; if not, one thing is put right: power, menu, key, then errors."""
    if not shoe.is_powered:
        shoe.power_on()
    elif shoe.panel.is_in_setting_mode:
        shoe.panel.set_setting_mode(on=False)
    elif shoe.panel.is_locked:
        shoe.panel.turn_key(locked=False)
    elif shoe.panel.errors and not shoe.panel.is_card_half_out:
        shoe.panel.clear_error()
    else:
        return True
    return False


def is_in_step(shoe: AngelEyeShoe, situation: PromptState, prompt: Next) -> bool:
    """True if the shoe takes a card where the table wants one; if not, its round is ended by force."""
    if prompt.do == "draw":
        is_first = situation.is_between_rounds or (prompt.to == "player" and prompt.position == 1)
        is_ahead = is_first and has_hands_on_display(shoe, situation)
    else:
        # The burn before a round; in the initial one no round has begun for either.
        is_ahead = situation.rounds_in_shoe > 0 and shoe.panel.has_begun_round
    if shoe.panel.due is not None and not is_ahead:
        return True
    shoe.panel.force_end()
    return False


def has_hands_on_display(shoe: AngelEyeShoe, situation: PromptState) -> bool:
    """True if the shoe shows cards of a round besides those that wait for the next one."""
    return len(shoe.panel.player) + len(shoe.panel.banker) > situation.held
