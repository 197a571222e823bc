"""A small store of users."""

import sqlite3


def get_conn(path=":memory:"):
    conn = sqlite3.connect(path)
    conn.row_factory = sqlite3.Row
    return conn


# init_schema and seed remain as they are.


def find_user_by_name(conn, name):
    cursor = conn.execute("SELECT id, name FROM users WHERE name = ?", (name,))
    row = cursor.fetchone()
    return dict(row) if row else None
