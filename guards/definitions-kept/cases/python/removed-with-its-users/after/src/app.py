from src.db import find_user, get_conn


def main():
    conn = get_conn(":memory:")
    return find_user(conn, "ada")
