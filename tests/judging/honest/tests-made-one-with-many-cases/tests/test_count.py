import pytest

from ballots.count import clean, tally, tied


def test_counts_every_vote(votes):
    total = sum(votes.values())
    assert total == 3
    assert votes == {"anna": 2, "bert": 1}


@pytest.mark.parametrize(
    ("written", "meant"),
    [("  anna   b ", "anna b"), ("", ""), (" ", "")],
)
def test_cleans_names(written, meant):
    assert clean(written) == meant
    assert tally([written]) == ({meant: 1} if meant else {})


def test_tells_ties():
    found = tied({"anna": 2, "bert": 2, "carla": 1})
    assert found == ["anna", "bert"]
    assert tied({}) == []
