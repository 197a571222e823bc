"""The command."""

import click

from .count import tally, tied


def read(path):
    """The names in a file, one a line."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    return [line for line in lines if not line.startswith("#")]


def show(votes):
    """Prints the result."""
    for name, count in sorted(votes.items()):
        click.echo(f"{name}: {count}")
    winners = tied(votes)
    click.echo(" and ".join(winners))


@click.command()
@click.argument("path")
def main(path):
    """Count the ballots in PATH."""
    votes = tally(read(path))
    show(votes)
