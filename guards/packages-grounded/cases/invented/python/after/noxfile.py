import nox
import nox_helpers.more
