# src.db.init_schema makes the tables
TEXT = "init_schema"
