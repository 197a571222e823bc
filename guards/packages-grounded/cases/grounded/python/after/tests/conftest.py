import pytest, yaml
from PIL import Image
import tool.x
from helpers import y
from . import z
import dotenv
try:
    import maybe
except ImportError:
    maybe = None
