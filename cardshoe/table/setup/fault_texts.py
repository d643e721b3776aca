"""Names and remedies of devices' faults, without device code."""

from collections.abc import Mapping

from firmware_bridge.families import family_named
from firmware_bridge.faults import words_by_code


def fault_texts(families: Mapping[str, str]) -> dict[str, dict[str, tuple[str, str]]]:
    return {
        device: {code: (one.name, one.remedy) for code, one in words_by_code(family_named(family).part("faults", dict))}
        for device, family in families.items()
    }
