import sqlite3


def connect(path):
    return sqlite3.connect(path)


def create_tables(conn):
    conn.execute("create table users (id integer, name text)")
    conn.commit()
