"""Every reason for which a device, an act or a firmware is refused; what to do about each, and who can.

The codes stay: they stand in journals and in other programs. ``docs/trust.md`` lists them for persons.
"""

from enum import StrEnum
from typing import Final, NamedTuple


class Code(StrEnum):
    """Why something is refused."""

    OK = "ok"

    # What is asked of the site's authority.
    BAD_PASSPHRASE = "bad_passphrase"  # noqa: S105  the name of a refusal
    PASSPHRASE_SHORT = "passphrase_short"  # noqa: S105  as above
    FILE_OPEN_TO_OTHERS = "file_open_to_others"
    FILE_EXISTS = "file_exists"
    FILE_UNREADABLE = "file_unreadable"
    FILE_DAMAGED = "file_damaged"
    BAD_KEY = "bad_key"
    BAD_NAME = "bad_name"
    NAME_TAKEN = "name_taken"
    TOO_FEW_PERSONS = "too_few_persons"
    UNKNOWN_PERSON = "unknown_person"
    SAME_PERSON = "same_person"
    UNKNOWN_PROPOSAL = "unknown_proposal"
    CHANGED_PROPOSAL = "changed_proposal"
    STALE_PROPOSAL = "stale_proposal"
    CLOSED_PROPOSAL = "closed_proposal"
    ALREADY_ENROLLED = "already_enrolled"
    REGISTRY_ALTERED = "registry_altered"
    REGISTRY_WENT_BACK = "registry_went_back"
    REGISTRY_EXPIRED = "registry_expired"
    CLOCK_WENT_BACK = "clock_went_back"

    # What a device shows of itself.
    NO_CERTIFICATE = "no_certificate"
    UNKNOWN_ISSUER = "unknown_issuer"
    EXPIRED = "expired"
    NOT_YET_VALID = "not_yet_valid"
    UNKNOWN_DEVICE = "unknown_device"
    CERTIFICATE_DIFFERS = "certificate_differs"
    REVOKED = "revoked"
    NO_REVOKED_LIST = "no_revoked_list"
    REVOKED_LIST_EXPIRED = "revoked_list_expired"
    KEY_SHARED = "key_shared"
    SERIAL_CLONED = "serial_cloned"
    IDENTITY_DIFFERS = "identity_differs"
    NOT_ATTESTED = "not_attested"
    CANNOT_ATTEST = "cannot_attest"
    NONCE_DIFFERS = "nonce_differs"
    SIGNATURE_WRONG = "signature_wrong"
    DIGEST_DIFFERS = "digest_differs"
    COUNTER_DIFFERS = "counter_differs"
    COUNTER_WENT_BACK = "counter_went_back"
    BOOT_UNVERIFIED = "boot_unverified"
    TEST_BOOT = "test_boot"
    FIRMWARE_UNAPPROVED = "firmware_unapproved"
    NO_APPROVED_LIST = "no_approved_list"
    UPDATE_UNFINISHED = "update_unfinished"

    # What a stick with firmware shows.
    NO_ANCHOR = "no_anchor"
    ANCHOR_DIFFERS = "anchor_differs"
    METADATA_EXPIRED = "metadata_expired"
    FROZEN = "frozen"
    ROLLED_BACK = "rolled_back"
    MIXED_AND_MATCHED = "mixed_and_matched"
    THRESHOLD_MISSED = "threshold_missed"
    THRESHOLD_TOO_LOW = "threshold_too_low"
    KEYS_NOT_APART = "keys_not_apart"
    STRAY_SIGNATURE = "stray_signature"
    REGULATOR_MISSING = "regulator_missing"
    MAKER_MISSING = "maker_missing"
    APPROVAL_DIFFERS = "approval_differs"
    ARBITRARY_TARGET = "arbitrary_target"
    TARGET_ALTERED = "target_altered"
    IMAGE_DIFFERS = "image_differs"
    ENDLESS_DATA = "endless_data"
    FILE_MISSING = "file_missing"
    MALFORMED = "malformed"


class Resolution(NamedTuple):
    """Who can put it right, and how.

    Attributes:
        who: a role of the house or outside it.
        remedy: what they do, as a sentence.
    """

    who: str
    remedy: str


CALLER: Final = "you"
TECHNICIAN: Final = "technician"
PERSONS: Final = "two enrolled persons"
AUTHORITY: Final = "keeper of the site authority"
MAKER: Final = "maker of the device"
REGULATOR: Final = "regulator"
PUBLISHER: Final = "publisher of the stick"
NOBODY: Final = "nobody"

RESOLUTIONS: Final[dict[Code, Resolution]] = {
    Code.OK: Resolution(NOBODY, "Nothing needs to be done."),
    Code.BAD_PASSPHRASE: Resolution(CALLER, "Give the passphrase of this key; nobody can recover it."),
    Code.PASSPHRASE_SHORT: Resolution(CALLER, "Choose a passphrase of at least 12 characters."),
    Code.FILE_OPEN_TO_OTHERS: Resolution(
        CALLER, "Make it yours alone by the command that is named, and think about who may have read it."
    ),
    Code.FILE_EXISTS: Resolution(CALLER, "Name another file; nothing was overwritten."),
    Code.FILE_UNREADABLE: Resolution(CALLER, "Name a file that is there and that you may read and write."),
    Code.FILE_DAMAGED: Resolution(CALLER, "Fetch it again from where it came, or take it from the backup."),
    Code.BAD_KEY: Resolution(TECHNICIAN, "Make a key that is Ed25519 or ECDSA P-256, and a request with it."),
    Code.BAD_NAME: Resolution(
        CALLER, "Give a name of small letters, digits and hyphens, at most 63; a table may have capitals."
    ),
    Code.NAME_TAKEN: Resolution(CALLER, "Choose another name, or revoke the one that has it."),
    Code.TOO_FEW_PERSONS: Resolution(PERSONS, "Add a person first: two must always be left."),
    Code.UNKNOWN_PERSON: Resolution(PERSONS, "Have the person added by two who are in the registry."),
    Code.SAME_PERSON: Resolution(PERSONS, "Have another person approve it, with a key of their own."),
    Code.UNKNOWN_PROPOSAL: Resolution(CALLER, "Look at `cardshoe trust list` for what is proposed."),
    Code.CHANGED_PROPOSAL: Resolution(
        PERSONS, "Ask the person who proposed it for the number; if it was not this one, find out who changed it."
    ),
    Code.STALE_PROPOSAL: Resolution(PERSONS, "Propose it again, and approve it in time."),
    Code.CLOSED_PROPOSAL: Resolution(CALLER, "It was approved or withdrawn before; propose again if need be."),
    Code.ALREADY_ENROLLED: Resolution(CALLER, "Nothing needs to be done; or revoke the device first."),
    Code.REGISTRY_ALTERED: Resolution(
        AUTHORITY, "Take the registry from the backup, compare its head, and find out who wrote to it."
    ),
    Code.REGISTRY_WENT_BACK: Resolution(AUTHORITY, "Put the newer registry back: this one lacks what was seen before."),
    Code.REGISTRY_EXPIRED: Resolution(
        PERSONS,
        "Bring the newest registry to the table; if this is it, renew it: `cardshoe trust enrol renewal`, and another "
        "person's approval.",
    ),
    Code.CLOCK_WENT_BACK: Resolution(
        TECHNICIAN, "Set the clock of this computer. If it is right now, it was wrong before (docs/trust.md)."
    ),
    Code.NO_CERTIFICATE: Resolution(TECHNICIAN, "Connect the device by TLS (docs/trust.md); plain is for bring-up."),
    Code.UNKNOWN_ISSUER: Resolution(PERSONS, "Enrol the device at this site; keep it off the table until then."),
    Code.EXPIRED: Resolution(PERSONS, "Enrol the device again, with a new key, after revoking it."),
    Code.NOT_YET_VALID: Resolution(TECHNICIAN, "Set the clock of this computer, and compare the certificate's dates."),
    Code.UNKNOWN_DEVICE: Resolution(PERSONS, "Enrol the device, or take it off the table."),
    Code.CERTIFICATE_DIFFERS: Resolution(AUTHORITY, "Find out who issued a second certificate for this device."),
    Code.REVOKED: Resolution(PERSONS, "Take it off the table. It comes back only by enrolment with a new key."),
    Code.NO_REVOKED_LIST: Resolution(AUTHORITY, "Write a list, `cardshoe trust crl`, and bring it to the tables."),
    Code.REVOKED_LIST_EXPIRED: Resolution(
        AUTHORITY, "Write a newer list, `cardshoe trust crl`, and bring it to the tables."
    ),
    Code.KEY_SHARED: Resolution(MAKER, "Give each device a key of its own; take these off the tables."),
    Code.SERIAL_CLONED: Resolution(
        TECHNICIAN, "Compare the number on the housing: one of the two devices is not what it says."
    ),
    Code.IDENTITY_DIFFERS: Resolution(
        TECHNICIAN, "Find out which device stands there: its certificate was made for another one."
    ),
    Code.NOT_ATTESTED: Resolution(
        TECHNICIAN, "Start the device again; if it still does not attest, take it off the table."
    ),
    Code.CANNOT_ATTEST: Resolution(PERSONS, "Have two persons admit this device by name, or use one that attests."),
    Code.NONCE_DIFFERS: Resolution(TECHNICIAN, "Take the device off the table: it answered with an old attestation."),
    Code.SIGNATURE_WRONG: Resolution(TECHNICIAN, "Take the device off the table: its key did not sign what it says."),
    Code.DIGEST_DIFFERS: Resolution(
        TECHNICIAN, "Take the device off the table: it contradicts itself about its firmware."
    ),
    Code.COUNTER_DIFFERS: Resolution(
        TECHNICIAN, "Take the device off the table: it contradicts itself about its firmware."
    ),
    Code.COUNTER_WENT_BACK: Resolution(TECHNICIAN, "Take the device off the table: an older firmware was put in."),
    Code.BOOT_UNVERIFIED: Resolution(MAKER, "Have the device repaired: its boot loader did not verify its firmware."),
    Code.TEST_BOOT: Resolution(
        TECHNICIAN, "Finish the update, or restart the device so that it takes the old firmware back."
    ),
    Code.FIRMWARE_UNAPPROVED: Resolution(
        REGULATOR, "Update the device to an approved firmware, or have this one approved."
    ),
    Code.NO_APPROVED_LIST: Resolution(
        TECHNICIAN, "Import the stick with the approved firmware: `cardshoe trust firmware import`."
    ),
    Code.UPDATE_UNFINISHED: Resolution(
        TECHNICIAN, "Close the table, and bring the update to its end (docs/update.md); then start the table again."
    ),
    Code.NO_ANCHOR: Resolution(
        PERSONS, "Have two persons anchor the publisher's first root (docs/approved-firmware.md)."
    ),
    Code.ANCHOR_DIFFERS: Resolution(PERSONS, "Compare the root's digest with the one that the regulator publishes."),
    Code.METADATA_EXPIRED: Resolution(PUBLISHER, "Import a newer stick; or set the clock, if it is wrong."),
    Code.FROZEN: Resolution(PUBLISHER, "Import a newer stick: nobody can know from this one what came after it."),
    Code.ROLLED_BACK: Resolution(PUBLISHER, "Import the newest stick: this one is older than what is known here."),
    Code.MIXED_AND_MATCHED: Resolution(PUBLISHER, "Have the stick made anew: its files do not belong together."),
    Code.THRESHOLD_MISSED: Resolution(PUBLISHER, "Have those who are named sign it: too few valid signatures."),
    Code.THRESHOLD_TOO_LOW: Resolution(PUBLISHER, "Have the role set up with at least two keys of its own."),
    Code.KEYS_NOT_APART: Resolution(PUBLISHER, "Give each role, and each signer, keys of their own."),
    Code.STRAY_SIGNATURE: Resolution(
        PUBLISHER, "Have the stick made anew: it carries something that no valid signer has signed."
    ),
    Code.REGULATOR_MISSING: Resolution(REGULATOR, "Wait for the regulator's approval of this firmware."),
    Code.MAKER_MISSING: Resolution(MAKER, "Have the maker sign what the regulator has approved."),
    Code.APPROVAL_DIFFERS: Resolution(REGULATOR, "Ask which file was approved: the maker's is another."),
    Code.ARBITRARY_TARGET: Resolution(PUBLISHER, "Have it listed by its maker's role, in the maker's folder."),
    Code.TARGET_ALTERED: Resolution(PUBLISHER, "Copy the stick again: the file is not the one that was signed."),
    Code.IMAGE_DIFFERS: Resolution(MAKER, "List the image with the digest and the security counter that are in it."),
    Code.ENDLESS_DATA: Resolution(PUBLISHER, "Copy the stick again: a file is longer than it may be."),
    Code.FILE_MISSING: Resolution(PUBLISHER, "Copy the stick again, whole."),
    Code.MALFORMED: Resolution(PUBLISHER, "Copy the stick again: a file is malformed."),
}
"""For each code; a test sees that none is missing."""
