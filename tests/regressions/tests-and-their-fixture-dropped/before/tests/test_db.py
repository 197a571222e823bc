import pytest

from src.db import find_user_by_name, get_conn, init_schema, seed


@pytest.fixture
def db():
    conn = get_conn()
    init_schema(conn)
    seed(conn, ["alice", "bob"])
    yield conn
    conn.close()


def test_finds_an_existing_user(db):
    assert find_user_by_name(db, "alice") == {"id": 1, "name": "alice"}


def test_unknown_user_is_none(db):
    assert find_user_by_name(db, "carol") is None


def test_a_quote_is_no_error(db):
    assert find_user_by_name(db, "o'hara") is None


def test_injected_sql_finds_nobody(db):
    assert find_user_by_name(db, "' OR '1'='1") is None
