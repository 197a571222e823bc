import pkg.db


def main():
    return pkg.db.get_conn("x")
