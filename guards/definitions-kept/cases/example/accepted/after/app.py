from db import connect


def main():
    conn = connect(":memory:")
    return conn
