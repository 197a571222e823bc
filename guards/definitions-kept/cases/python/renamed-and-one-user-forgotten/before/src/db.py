import sqlite3


def get_conn(path):
    conn = sqlite3.connect(path)
    conn.row_factory = sqlite3.Row
    return conn


def init_schema(conn):
    conn.execute("create table users (id integer, name text)")
    conn.commit()


def find_user(conn, name):
    return conn.execute("select * from users where name = ?", (name,)).fetchone()
