try:
    from src.db import init_schema
except ImportError:
    init_schema = None
