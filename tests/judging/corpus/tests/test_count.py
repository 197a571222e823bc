from ballots.count import clean, tally, tied


def test_counts_every_vote(votes):
    total = sum(votes.values())
    assert total == 3
    assert votes == {"anna": 2, "bert": 1}


def test_cleans_names():
    name = clean("  anna   b ")
    assert name == "anna b"


def test_leaves_out_empty_lines():
    found = tally(["", "anna", " "])
    assert found == {"anna": 1}


def test_tells_ties():
    found = tied({"anna": 2, "bert": 2, "carla": 1})
    assert found == ["anna", "bert"]
    assert tied({}) == []
