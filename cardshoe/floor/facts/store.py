"""Store each fact in the transaction that moves its log's position.

Storing an existing fact changes nothing, so two projectors are harmless.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from cardshoe.floor.database import Db
from cardshoe.floor.facts.told import Begun, Fact, FaultBegun, FaultOver, IrregularityClosed
from cardshoe.screens.rounds.acts import Act
from cardshoe.screens.rounds.fact import RoundFact

_STATEMENTS: Final[dict[type, str]] = {
    RoundFact: """
        INSERT INTO rounds (table_id, log, round, shoe, at, outcome, voided, demonstration, corrected, seq, last_seq,
            entry, last_entry, staked, house, tags, start)
        VALUES (%(table)s, %(log)s, %(round)s, %(shoe)s, %(at)s, %(outcome)s, %(voided)s, %(demonstration)s,
                %(corrected)s, %(seq)s, %(last_seq)s, %(entry)s, %(last_entry)s, %(staked)s, %(house)s, %(tags)s,
                %(start)s)
        ON CONFLICT (table_id, log, round) DO UPDATE SET outcome = excluded.outcome, voided = excluded.voided,
            demonstration = excluded.demonstration, corrected = excluded.corrected, last_seq = excluded.last_seq,
            last_entry = excluded.last_entry, staked = excluded.staked, house = excluded.house,
            tags = excluded.tags""",
    Begun: """
        INSERT INTO irregularities (table_id, log, irregularity, seq, at, round, shoe, code, article, detail)
        VALUES (%(table)s, %(log)s, %(irregularity)s, %(seq)s, %(at)s, %(round)s, %(shoe)s, %(code)s, %(article)s,
                %(detail)s) ON CONFLICT DO NOTHING""",
    IrregularityClosed: """
        UPDATE irregularities SET settled_at = %(at)s, settled_by = %(by)s, action = %(action)s,
            settled_article = %(article)s
        WHERE table_id = %(table)s AND log = %(log)s AND irregularity = %(irregularity)s""",
    Act: """
        INSERT INTO acts (table_id, log, seq, kind, at, round, by, article, code, reason, irregularity)
        VALUES (%(table)s, %(log)s, %(seq)s, %(kind)s, %(at)s, %(round)s, %(by)s, %(article)s, %(code)s, %(reason)s,
                %(irregularity)s) ON CONFLICT DO NOTHING""",
    FaultBegun: """
        INSERT INTO device_faults (table_id, log, seq, device, serial, model, firmware, code, origin, at)
        VALUES (%(table)s, %(log)s, %(seq)s, %(device)s, %(serial)s, %(model)s, %(firmware)s, %(code)s, %(origin)s,
                %(at)s) ON CONFLICT DO NOTHING""",
    FaultOver: """
        UPDATE device_faults SET over_at = %(at)s WHERE table_id = %(table)s AND log = %(log)s
            AND device = %(device)s AND code = %(code)s AND origin = %(origin)s AND over_at IS NULL""",
}
_POSITION: Final = """
INSERT INTO projected (table_id, log, entry, form) VALUES (%(table)s, %(log)s, %(entry)s, %(form)s)
ON CONFLICT (table_id, log) DO UPDATE SET entry = greatest(projected.entry, excluded.entry), form = excluded.form
"""
_KEPT: Final = "UPDATE projected SET kept = %(kept)s, kept_at = %(entry)s WHERE table_id = %(table)s AND log = %(log)s"
_FAULT: Final = """
INSERT INTO projected (table_id, log, entry, form, fault) VALUES (%(table)s, %(log)s, -1, %(form)s, %(fault)s)
ON CONFLICT (table_id, log) DO UPDATE SET fault = excluded.fault, form = excluded.form
"""
Key = tuple[str, str]


def store_position(db: Db, key: Key, entry: int, form: int, kept: bytes | None) -> None:
    table, log = key
    db.execute(_POSITION, {"table": table, "log": log, "entry": entry, "form": form})
    if kept is not None:
        db.execute(_KEPT, {"table": table, "log": log, "entry": entry, "kept": kept})


def store_facts(db: Db, key: Key, facts: Sequence[Fact]) -> None:
    """Store facts in order.

    Raises:
        psycopg.DataError, psycopg.IntegrityError: the lines are not of a genuine log.
    """
    table, log = key
    for fact in facts:
        db.execute(_STATEMENTS[type(fact)], {"table": table, "log": log, **msgspec.structs.asdict(fact)})


def store_fault(db: Db, key: Key, form: int, fault: str) -> None:
    db.execute(_FAULT, {"table": key[0], "log": key[1], "form": form, "fault": fault[:500]})


def forget(db: Db, key: Key) -> None:
    db.execute("DELETE FROM projected WHERE table_id = %s AND log = %s", key)
