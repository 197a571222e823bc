from pkg.db import init_schema
import pkg

pkg.init_schema
