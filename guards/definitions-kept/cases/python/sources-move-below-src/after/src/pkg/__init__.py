from .db import init_schema
