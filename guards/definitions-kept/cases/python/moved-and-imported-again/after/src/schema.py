def init_schema(conn):
    conn.execute("create table users (id integer, name text)")
    conn.commit()
