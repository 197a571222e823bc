from db import connect, create_tables


def main():
    conn = connect(":memory:")
    create_tables(conn)
    return conn
