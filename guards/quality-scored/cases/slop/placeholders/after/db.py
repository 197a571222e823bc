import sqlite3

# ... existing code ...


def close(conn):
    # your code here
    pass


# ... rest of the file unchanged ...
