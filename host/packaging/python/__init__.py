"""Guardhost is a program: this package only finds it."""

import os
import sysconfig


def find_host():
    """The path of the program that this package installed."""
    name = "host" + (sysconfig.get_config_var("EXE") or "")
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", os.name + "_user")]
    # `pip install --target DIR` puts programs into DIR/bin.
    folders.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError("guardhost is installed without its program; looked in " + ", ".join(folders))
