def d():
    return 1
