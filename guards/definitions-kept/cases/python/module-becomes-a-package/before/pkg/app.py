from pkg.db import init_schema
