from src.db import find_user, get_conn, init_schema


def main():
    conn = get_conn(":memory:")
    init_schema(conn)
    return find_user(conn, "ada")
