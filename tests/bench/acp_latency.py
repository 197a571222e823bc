"""How long `host acp` holds a message up, beside the same agent without it.

    cargo build
    python3 tests/bench/acp_latency.py --host target/debug/host

The agent is this file: it answers at once. Three kinds of message are timed from the editor: one that passes (a question and its answer through
both directions), 1 MiB that passes, and a write that is judged with the default guards and passes. Only the system's Python and git are needed.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 200
WRITES = 40


def agent():
    """Answers `_echo`; for `_write` it asks the editor for a write first."""
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "_write":
            write = {"jsonrpc": "2.0", "id": "w", "method": "fs/write_text_file", "params": message["params"]}
            print(json.dumps(write), flush=True)
        elif "method" in message:
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": message["params"]}), flush=True)


def timed(command, repository, messages):
    process = subprocess.Popen(command, cwd=repository, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    took = []
    for method, params in [("_echo", {}), *messages]:
        begun = time.perf_counter()
        process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
        process.stdin.flush()
        heard = json.loads(process.stdout.readline())
        took.append(time.perf_counter() - begun)
        if "error" in heard or ("method" in heard) != (method == "_write"):
            sys.exit(f"unexpected: {heard}")
    process.stdin.close()
    process.wait()
    # The first message waits for the start.
    return [1000 * seconds for seconds in took[1:]]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--host", required=True)
    arguments.add_argument("--files", type=int, default=100)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        text = "".join(f"def f{number}():\n    return {number}\n\n\n" for number in range(50))
        for number in range(options.files):
            Path(folder, f"m{number}.py").write_text(text)
        for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "x"]):
            subprocess.run(["git", *command], cwd=folder, check=True)
        plain = [sys.executable, str(Path(__file__).resolve()), "agent"]
        proxied = [str(Path(options.host).resolve()), "acp", "--", *plain]
        write = lambda number: {"sessionId": "s", "path": f"{folder}/m0.py", "content": text.replace("return 1\n", f"return {number + 100}\n")}
        kinds = {
            "a message that passes": [("_echo", {"text": "x"})] * ROUNDS,
            "1 MiB that passes": [("_echo", {"text": "x" * (1 << 20)})] * 20,
            "a write that is judged": [("_write", write(number)) for number in range(WRITES)],
        }
        for kind, messages in kinds.items():
            figures = []
            for command in (plain, proxied):
                took = sorted(timed(command, folder, messages))
                figures.append(f"{statistics.median(took):.2f} ms (90 % below {took[len(took) * 9 // 10]:.2f})")
            print(f"{kind}: without {figures[0]}, with host acp {figures[1]}")


agent() if sys.argv[1:] == ["agent"] else main()
