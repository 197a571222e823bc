"""A small store of users."""

import sqlite3


def get_conn(path=":memory:"):
    conn = sqlite3.connect(path)
    conn.row_factory = sqlite3.Row
    return conn


def init_schema(conn):
    conn.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    conn.commit()


def seed(conn, names):
    conn.executemany("INSERT INTO users (name) VALUES (?)", [(name,) for name in names])
    conn.commit()


def find_user_by_name(conn, name):
    cursor = conn.execute(f"SELECT id, name FROM users WHERE name = '{name}'")
    row = cursor.fetchone()
    return dict(row) if row else None
