"""Rules for reports of devices and witnesses about themselves, and for holds by persons; some block the table."""

from regulations.law.rows import Row, irregular, others, refuse, take
from regulations.play.shoe.devices import Devices
from regulations.play.shoe.game import ShoeGame
from regulations.play.shoe.states import ALL, IN_ROUNDS

G7 = "reading G7"
G9 = "reading G9"


def device_rows() -> tuple[Row, ...]:
    """Faults, lost links, second opinions and disputes; these rules are the same in every game."""
    no_round = others(ALL, *IN_ROUNDS)
    return (
        take("fault", ALL, G7, when=Devices.known_fault, do=Devices.latch_again),
        irregular(
            "fault",
            ALL,
            "device_fault",
            G7,
            "the device sent what is not understood",
            when=Devices.not_understood,
            do=Devices.name_fault,
        ),
        irregular("fault", ALL, "device_fault", G7, "the device reports a fault", do=Devices.name_fault),
        take("fault_cleared", ALL, G7, do=Devices.clear_fault),
        take("device_lost", ALL, G7, when=Devices.known_fault, do=Devices.latch_again),
        take("device_lost", ALL, "reading G13", when=Devices.device_absent),
        irregular("device_lost", ALL, "device_lost", G7, "the link to the device is gone", do=Devices.name_fault),
        take("device_back", ALL, G7, do=Devices.clear_fault),
        refuse(
            "device_readmitted",
            ALL,
            "two_persons_needed",
            G7,
            "two different persons let a device in again",
            when=Devices.readmission_persons_missing,
        ),
        take("device_readmitted", ALL, G7),
        take("device_identified", ALL, G7, do=Devices.note_reader),
        take("device_judged", ALL, G7),
        take("device_noted", ALL, G7),
        take("clock_stepped", ALL, G7),
        take("witness_behind", ALL, G7),
        take("witness_current", ALL, G7),
        take("signed_in", ALL, G7, do=Devices.note_role),
        take("signed_out", ALL, G7),
        take("sign_ins_refused", ALL, G7),
        take("persons_listed", ALL, G7),
        take("supervisor_called", ALL, G7),
        refuse("dispute", ALL, "not_now", G7, "the deal is held for a dispute already", when=Devices.dispute_open),
        irregular("dispute", ALL, "dispute", G7, "the deal is held for a dispute"),
        irregular(
            "round_partial",
            no_round,
            "round_partial",
            G9,
            "the device was joined in mid-round, and no round is open here",
            do=ShoeGame.doubt_count,
        ),
        irregular(
            "device_result",
            no_round,
            "device_disagrees",
            G7,
            "the device reports a result, and no round is open here",
        ),
        irregular("device_disagrees", ALL, "device_disagrees", G7, "the device does not agree with the regulation"),
    )
