"""A small store of users."""

import sqlite3


# ... rest of the file unchanged ...


def find_user_by_name(conn, name):
    cursor = conn.execute("SELECT id, name FROM users WHERE name = ?", (name,))
    row = cursor.fetchone()
    return dict(row) if row else None
