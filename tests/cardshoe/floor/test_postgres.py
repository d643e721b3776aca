"""The PostgreSQL of tests and demonstration: what is killed is gone."""

from pathlib import Path

import psycopg
import pytest

from tests.cardshoe.floor.postgres import Postgres, needs_postgres

pytestmark = needs_postgres


def test_no_process_of_a_killed_cluster_runs_any_more(postgres: Postgres) -> None:
    with psycopg.connect(postgres.address()) as one, psycopg.connect(postgres.address()) as two:
        backends = {db.info.backend_pid for db in (one, two)}
        started = int((postgres.data / "postmaster.pid").read_text().split()[0])
        children = [int(pid) for pid in Path(f"/proc/{started}/task/{started}/children").read_text().split()]
        postgres.kill()
        still = [pid for pid in (started, *children) if _state(pid) not in {"", "Z"}]
        for db in (one, two):
            with pytest.raises(psycopg.OperationalError):
                db.execute("SELECT 1")
    postgres.start()
    assert backends <= set(children)
    assert still == []
    with psycopg.connect(postgres.address()) as db:
        assert db.execute("SELECT 1").fetchone() == (1,)


def test_no_two_databases_are_one(postgres: Postgres) -> None:
    assert postgres.database("same") != postgres.database("same")


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""
