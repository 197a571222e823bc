from src.db import find_user_by_name, get_conn


def test_finds_an_existing_user(db):
    assert find_user_by_name(db, "alice") == {"id": 1, "name": "alice"}
