import click


def command(name):
    """Makes a command of a function."""
    names = []

    def decorator(function):
        names.append(name or function.__name__)
        made = click.Command(names[-1])
        made.callback = function
        return made

    return decorator
