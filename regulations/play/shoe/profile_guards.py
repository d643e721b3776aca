"""The guards of the rows about the profile and about other equipment."""

from typing import Final, cast

from regulations.engine.rows import ParameterizedGuard
from regulations.events.inputs import Equipment
from regulations.events.vocabulary import EquipmentKind
from regulations.law import profile
from regulations.law.game_law import Option
from regulations.law.stakes import are_recorded
from regulations.play.context.context import RuleContext


def bad_value(option: Option) -> ParameterizedGuard:
    return ParameterizedGuard(f"bad_{option.name}", ProfileGuards.value_bad, option)


def too_small(option: Option) -> ParameterizedGuard:
    return ParameterizedGuard(f"too_small_{option.name}", ProfileGuards.value_too_small, option)


def excluded(by: str) -> ParameterizedGuard:
    return ParameterizedGuard(f"excluded_by {by}", ProfileGuards.options_excluded, by)


class ProfileGuards:
    def __init__(self, context: RuleContext) -> None:
        self._context: Final = context

    def more_decks_than_read(self) -> str | None:
        (fewest, most), decks = self._context.law.equipment[self.wanted_equipment].decks, self._context.table.decks
        # Only a game that has such a bound asks.
        beyond = fewest < cast("int", most) < decks
        return f"{decks} decks, at most {most}" if beyond else None

    def no_deck(self) -> str | None:
        decks = self._context.table.decks
        return f"{decks} decks" if decks < 1 else None

    def too_few_or_many_decks(self) -> str | None:
        (fewest, most), decks = self._context.law.equipment[self.wanted_equipment].decks, self._context.table.decks
        if decks >= fewest and (most is None or decks <= most):
            return None
        allowed = f"{fewest} or more" if most is None else f"{fewest} to {most}" if most > fewest else f"{fewest}"
        return f"{decks} decks, allowed with a {self.wanted_equipment}: {allowed}"

    def seats_missing(self) -> str | None:
        fewest, seats = self._context.law.seats, self._context.table.seats
        return f"{seats} seats, at least {fewest}" if seats < fewest else None

    @property
    def wanted_equipment(self) -> EquipmentKind:
        event = self._context.scope.turn.event
        return event.equipment if isinstance(event, Equipment) else self._context.table.equipment

    def equipment_unknown(self) -> str | None:
        known, wanted = self._context.law.equipment, self.wanted_equipment
        return f"{wanted!r}, allowed is {' or '.join(known)}" if wanted not in known else None

    def option_unknown(self) -> str | None:
        return profile.unknown_option(self._context.table, self._context.law)

    def value_bad(self, option: Option) -> str | None:
        return profile.bad_value(self._context.table, option)

    def value_too_small(self, option: Option) -> str | None:
        value = self._context.table.options.get(option.name)
        too_small = type(value) is int and value < option.default
        return profile.bad_value(self._context.table, option) if too_small else None

    def limits_of_nothing(self) -> str | None:
        options = profile.options_of(self._context.table, self._context.law)
        return (
            'options.limits needs options.stakes = "tracked"'
            if options["limits"] and not are_recorded(options)
            else None
        )

    def options_excluded(self, by: str) -> str | None:
        context = self._context
        return profile.exclusion(context.table, context.law, self.wanted_equipment, by)

    def authorisation_missing(self) -> str | None:
        context = self._context
        return profile.missing_authorisation(context.table, context.law, self.wanted_equipment, context.at)

    def becomes_direct(self) -> bool:
        return self.wanted_equipment == "shuffler_dealer"

    def becomes_mixed(self) -> bool:
        return self.wanted_equipment == "shuffler"
