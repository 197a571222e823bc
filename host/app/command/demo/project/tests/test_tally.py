import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "src"))

from tally import count


class CountTest(unittest.TestCase):
    def test_counts_words(self):
        self.assertEqual(count("a rose is a rose")["rose"], 2)

    def test_empty(self):
        self.assertEqual(count(""), {})


if __name__ == "__main__":
    unittest.main()
