"""Codes of refusals, with remedy and responsible role (``docs/trust.md``).

Codes are permanent: journals and other programs contain them.
"""

from enum import StrEnum
from typing import Final, NamedTuple


class TrustCode(StrEnum):
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


class Remedy(NamedTuple):
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

RESOLUTIONS: Final[dict[TrustCode, Remedy]] = {
    TrustCode.OK: Remedy(NOBODY, "Nothing needs to be done."),
    TrustCode.BAD_PASSPHRASE: Remedy(CALLER, "Give the passphrase of this key; it cannot be recovered."),
    TrustCode.PASSPHRASE_SHORT: Remedy(CALLER, "Choose a passphrase of at least 12 characters."),
    TrustCode.FILE_OPEN_TO_OTHERS: Remedy(
        CALLER, "Make it yours alone by the command that is named, and think about who may have read it."
    ),
    TrustCode.FILE_EXISTS: Remedy(CALLER, "Name another file; nothing was overwritten."),
    TrustCode.FILE_UNREADABLE: Remedy(CALLER, "Name a file that is there and that you may read and write."),
    TrustCode.FILE_DAMAGED: Remedy(CALLER, "Fetch it again from where it came, or take it from the backup."),
    TrustCode.BAD_KEY: Remedy(TECHNICIAN, "Make a key that is Ed25519 or ECDSA P-256, and a request with it."),
    TrustCode.BAD_NAME: Remedy(
        CALLER, "Give a name of small letters, digits and hyphens, at most 63; a table may have capitals."
    ),
    TrustCode.NAME_TAKEN: Remedy(CALLER, "Choose another name, or revoke the one that has it."),
    TrustCode.TOO_FEW_PERSONS: Remedy(PERSONS, "Add a person first: two must always be left."),
    TrustCode.UNKNOWN_PERSON: Remedy(PERSONS, "Have the person added by two who are in the registry."),
    TrustCode.SAME_PERSON: Remedy(PERSONS, "Have another person approve it, with a key of their own."),
    TrustCode.UNKNOWN_PROPOSAL: Remedy(CALLER, "Look at `cardshoe trust list` for what is proposed."),
    TrustCode.CHANGED_PROPOSAL: Remedy(
        PERSONS, "Ask the person who proposed it for the number; if it was not this one, find out who changed it."
    ),
    TrustCode.STALE_PROPOSAL: Remedy(PERSONS, "Propose it again, and approve it in time."),
    TrustCode.CLOSED_PROPOSAL: Remedy(CALLER, "It was approved or withdrawn before; propose again if need be."),
    TrustCode.ALREADY_ENROLLED: Remedy(CALLER, "Nothing needs to be done; or revoke the device first."),
    TrustCode.REGISTRY_ALTERED: Remedy(
        AUTHORITY, "Take the registry from the backup, compare its head, and find out who wrote to it."
    ),
    TrustCode.REGISTRY_WENT_BACK: Remedy(
        AUTHORITY, "Put the newer registry back: this one lacks what was seen before."
    ),
    TrustCode.REGISTRY_EXPIRED: Remedy(
        PERSONS,
        "Bring the newest registry to the table; if this is it, renew it: `cardshoe trust enrol renewal`, and another "
        "person's approval.",
    ),
    TrustCode.CLOCK_WENT_BACK: Remedy(
        TECHNICIAN, "Set the clock of this computer. If it is right now, it was wrong before (docs/trust.md)."
    ),
    TrustCode.NO_CERTIFICATE: Remedy(TECHNICIAN, "Connect the device by TLS (docs/trust.md); plain is for bring-up."),
    TrustCode.UNKNOWN_ISSUER: Remedy(PERSONS, "Enrol the device at this site; keep it off the table until then."),
    TrustCode.EXPIRED: Remedy(PERSONS, "Enrol the device again, with a new key, after revoking it."),
    TrustCode.NOT_YET_VALID: Remedy(TECHNICIAN, "Set the clock of this computer, and compare the certificate's dates."),
    TrustCode.UNKNOWN_DEVICE: Remedy(PERSONS, "Enrol the device, or take it off the table."),
    TrustCode.CERTIFICATE_DIFFERS: Remedy(AUTHORITY, "Find out who issued a second certificate for this device."),
    TrustCode.REVOKED: Remedy(PERSONS, "Take it off the table. It comes back only by enrolment with a new key."),
    TrustCode.NO_REVOKED_LIST: Remedy(AUTHORITY, "Write a list, `cardshoe trust crl`, and bring it to the tables."),
    TrustCode.REVOKED_LIST_EXPIRED: Remedy(
        AUTHORITY, "Write a newer list, `cardshoe trust crl`, and bring it to the tables."
    ),
    TrustCode.KEY_SHARED: Remedy(MAKER, "Give each device a key of its own; take these off the tables."),
    TrustCode.SERIAL_CLONED: Remedy(
        TECHNICIAN, "Compare the number on the housing: one of the two devices is not what it says."
    ),
    TrustCode.IDENTITY_DIFFERS: Remedy(TECHNICIAN, "Identify the device: its certificate belongs to another one."),
    TrustCode.NOT_ATTESTED: Remedy(
        TECHNICIAN, "Start the device again; if it still does not attest, take it off the table."
    ),
    TrustCode.CANNOT_ATTEST: Remedy(PERSONS, "Have two persons admit this device by name, or use one that attests."),
    TrustCode.NONCE_DIFFERS: Remedy(TECHNICIAN, "Take the device off the table: it answered with an old attestation."),
    TrustCode.SIGNATURE_WRONG: Remedy(TECHNICIAN, "Take the device off the table: its key did not sign what it says."),
    TrustCode.DIGEST_DIFFERS: Remedy(
        TECHNICIAN, "Take the device off the table: it contradicts itself about its firmware."
    ),
    TrustCode.COUNTER_DIFFERS: Remedy(
        TECHNICIAN, "Take the device off the table: it contradicts itself about its firmware."
    ),
    TrustCode.COUNTER_WENT_BACK: Remedy(TECHNICIAN, "Take the device off the table: an older firmware was put in."),
    TrustCode.BOOT_UNVERIFIED: Remedy(MAKER, "Have the device repaired: its boot loader did not verify its firmware."),
    TrustCode.TEST_BOOT: Remedy(
        TECHNICIAN, "Finish the update, or restart the device so that it takes the old firmware back."
    ),
    TrustCode.FIRMWARE_UNAPPROVED: Remedy(
        REGULATOR, "Update the device to an approved firmware, or have this one approved."
    ),
    TrustCode.NO_APPROVED_LIST: Remedy(
        TECHNICIAN, "Import the stick with the approved firmware: `cardshoe trust firmware import`."
    ),
    TrustCode.UPDATE_UNFINISHED: Remedy(
        TECHNICIAN, "Close the table, and bring the update to its end (docs/update.md); then start the table again."
    ),
    TrustCode.NO_ANCHOR: Remedy(
        PERSONS, "Have two persons anchor the publisher's first root (docs/approved-firmware.md)."
    ),
    TrustCode.ANCHOR_DIFFERS: Remedy(PERSONS, "Compare the root's digest with the one that the regulator publishes."),
    TrustCode.METADATA_EXPIRED: Remedy(PUBLISHER, "Import a newer stick; or set the clock, if it is wrong."),
    TrustCode.FROZEN: Remedy(PUBLISHER, "Import a newer stick: this one has expired information."),
    TrustCode.ROLLED_BACK: Remedy(PUBLISHER, "Import the newest stick: this one is older than what is known here."),
    TrustCode.MIXED_AND_MATCHED: Remedy(PUBLISHER, "Have the stick rebuilt: its files do not belong together."),
    TrustCode.THRESHOLD_MISSED: Remedy(PUBLISHER, "Have those who are named sign it: too few valid signatures."),
    TrustCode.THRESHOLD_TOO_LOW: Remedy(PUBLISHER, "Have the role set up with at least two keys of its own."),
    TrustCode.KEYS_NOT_APART: Remedy(PUBLISHER, "Give each role, and each signer, keys of their own."),
    TrustCode.STRAY_SIGNATURE: Remedy(PUBLISHER, "Have the stick rebuilt: it has content without a valid signature."),
    TrustCode.REGULATOR_MISSING: Remedy(REGULATOR, "Wait for the regulator's approval of this firmware."),
    TrustCode.MAKER_MISSING: Remedy(MAKER, "Have the maker sign what the regulator has approved."),
    TrustCode.APPROVAL_DIFFERS: Remedy(REGULATOR, "Ask which file was approved: the maker's is another."),
    TrustCode.ARBITRARY_TARGET: Remedy(PUBLISHER, "Have it listed by its maker's role, in the maker's folder."),
    TrustCode.TARGET_ALTERED: Remedy(PUBLISHER, "Copy the stick again: the file is not the one that was signed."),
    TrustCode.IMAGE_DIFFERS: Remedy(MAKER, "List the image with the digest and the security counter that are in it."),
    TrustCode.ENDLESS_DATA: Remedy(PUBLISHER, "Copy the stick again: a file is longer than it may be."),
    TrustCode.FILE_MISSING: Remedy(PUBLISHER, "Copy the stick again, whole."),
    TrustCode.MALFORMED: Remedy(PUBLISHER, "Copy the stick again: a file is malformed."),
}
