import pytest

from src.db import find_user, get_conn, init_schema


@pytest.fixture
def db():
    conn = get_conn(":memory:")
    init_schema(conn)
    yield conn
    conn.close()


def test_finds_a_user(db):
    db.execute("insert into users values (1, 'ada')")
    assert find_user(db, "ada")["id"] == 1


def test_quotes_do_no_harm(db):
    assert find_user(db, "' or 1 = 1 --") is None
    assert find_user(db, 'x" or 1 = 1 --') is None
