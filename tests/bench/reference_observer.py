"""Runs the contract test of another observer, by its own script, against `host serve`.

    python3 tests/bench/reference_observer.py SERVER REFERENCE

SERVER is the program `guardhost-server`, REFERENCE a checkout of the observer whose `tests/test_coordination.sh` is run. The script builds
and starts its own gateway with `go build`: for this run a `go` of ours stands first in PATH, which writes a program that starts `host serve`
on the port that the script asks for. Nothing of the reference is copied or changed.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

GO = """#!/bin/sh
# go build -o FILE .
cat > "$3" <<'END'
#!/bin/sh
exec "{server}" serve --listen "127.0.0.1:$API_PORT" --data "{data}" --root "${{TMPDIR:-/tmp}}"
END
chmod +x "$3"
"""


def main(server, reference):
    with tempfile.TemporaryDirectory() as folder:
        go = pathlib.Path(folder, "go")
        go.write_text(GO.format(server=pathlib.Path(server).resolve(), data=pathlib.Path(folder, "data")))
        go.chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
        script = pathlib.Path(reference, "tests", "test_coordination.sh")
        ran = subprocess.run(["bash", str(script)], env=environment)
    return ran.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
