import sqlite3


def get_conn(path, timeout):
    conn = sqlite3.connect(path, timeout)
    conn.row_factory = sqlite3.Row
    return conn


# ... rest of the file unchanged ...
