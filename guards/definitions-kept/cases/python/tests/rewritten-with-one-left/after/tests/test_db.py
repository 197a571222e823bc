from src.db import find_user, get_conn


def test_finds_a_user(db):
    assert find_user(db, "ada")["id"] == 1
