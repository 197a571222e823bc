import pytest


@pytest.mark.skip("broken")
def test_a():
    assert helper(1) == 2


def test_b():
    assert helper(2) == 3
