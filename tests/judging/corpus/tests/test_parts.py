import pytest

from ballots.parts import portion_of


@pytest.mark.parametrize(
    "count, total, part",
    [
        (0, 0, 0),
        (1, 2, 0.5),
        (2, 2, 1),
        (1, 4, 0.25),
    ],
)
def test_portions(count, total, part):
    found = portion_of(count, total)
    assert found == part
