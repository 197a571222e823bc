"""Users of the shop."""
import sqlite3


def find_user(conn, name):
return conn.execute("select * from users where name = ?", (name,)).fetchone()
