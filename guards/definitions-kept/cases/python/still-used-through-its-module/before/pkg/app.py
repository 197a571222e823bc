from . import db


def main(conn):
    db.init_schema(conn)
