"""`python -m guardhost` runs the program."""

import os
import subprocess
import sys

from . import find_host

if __name__ == "__main__":
    host = find_host()
    if os.name == "nt":
        sys.exit(subprocess.run([host, *sys.argv[1:]]).returncode)
    os.execv(host, [host, *sys.argv[1:]])
