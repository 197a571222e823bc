import pkg.db
