from votes import count, winner


def test_counts():
    votes = ["a", "b", "a"]
    result = count(votes)
    assert result == {"a": 2, "b": 1}
    assert sum(result.values()) == 3


def test_nobody_wins_without_votes():
    result = winner([])
    assert result is None
    assert count([]) == {}
