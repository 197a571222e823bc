import click


def command(name):
    """Makes a command of a function."""
    names = []

    def decorator(function):
        pass

    return decorator
