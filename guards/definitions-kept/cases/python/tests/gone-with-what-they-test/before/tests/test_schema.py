from src.db import init_schema


def test_schema_is_made(conn):
    init_schema(conn)
    assert conn.execute("select count(*) from users").fetchone()[0] == 0
