def c():
    return 1
