def load(path):
    with open(path) as file:
        text = file.read()
    return text.strip()
