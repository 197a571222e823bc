class Store:
    def __init__(self):
        self.rows = []

    def _key(self, row):
        return row["id"], row["name"]

    def add(self, row):
        self.rows.append((self._key(row), row))
