from src.db import find_user


def test_unknown_user_is_none(db):
    assert find_user(db, "nobody") is None
