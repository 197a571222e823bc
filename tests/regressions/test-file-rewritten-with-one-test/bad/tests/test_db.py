from src.db import find_user_by_name, get_conn


def test_find_user_by_name():
    conn = get_conn()
    assert find_user_by_name(conn, "alice") is not None
