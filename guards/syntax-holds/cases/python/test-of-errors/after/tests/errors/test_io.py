def test_a(:
