import os
import pytest
import pytest_magic_mocks
from freezegun import freeze_time
