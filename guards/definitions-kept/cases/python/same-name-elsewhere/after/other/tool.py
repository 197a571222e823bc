from other.lib import init_schema

init_schema(1)
