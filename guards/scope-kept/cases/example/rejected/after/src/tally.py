def count(words):
    return len(words or [])
