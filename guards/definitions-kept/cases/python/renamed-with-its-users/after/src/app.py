from src.db import find_user, get_conn, create_tables


def main():
    conn = get_conn(":memory:")
    create_tables(conn)
    return find_user(conn, "ada")
