def blast() -> int:
    return 1
