class Reader:
    def read(self, size):
        data = self.source.read(size)
        return data


def parse(text):
    return int(text)
