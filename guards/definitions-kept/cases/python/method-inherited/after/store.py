from lib import Base


class Store(Base):
    def __init__(self):
        self.rows = []

    def add(self, row):
        self.rows.append((self._key(row), row))
