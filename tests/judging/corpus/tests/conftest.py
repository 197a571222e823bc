import pytest

from ballots.count import tally


@pytest.fixture
def votes():
    return tally(["anna", "bert", "anna"])
