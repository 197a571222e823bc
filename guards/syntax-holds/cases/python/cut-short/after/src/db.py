"""Users of the shop."""
import sqlite3


def find_user(conn, name):
    """Returns the row, or None."""
    return conn.execute("select * from users where name = ?", 