"""A small store of users."""

import psycopg2


def find_user_by_name(name):
    conn = connect_to_database()
    cursor = conn.cursor()
    cursor.execute("SELECT id, name FROM users WHERE name = %s", (name,))
    row = cursor.fetchone()
    return {"id": row[0], "name": row[1]} if row else None
