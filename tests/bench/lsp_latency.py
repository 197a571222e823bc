#!/usr/bin/env python3
"""Times from a change of a document to its diagnostics, over `host lsp` as an editor starts it.

    lsp_latency.py --host PROGRAM [--files N] [--lines N] [--repeat N]

Makes a repository of so many Python files of so many lines, opens one of them, and types a character at its end again and again. Prints the
median and the extremes of the milliseconds until the diagnostics of that version arrive, the pause of the server in which it waits for more
keys included.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path


class Server:
    def __init__(self, program, folder):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([program, "lsp"], cwd=folder, **pipes)
        self.asked = 0

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.asked += 1
        self.send({"id": self.asked, "method": method, "params": params})
        while self.read().get("id") != self.asked:
            pass

    def read(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            name, value = line.split(b": ")
            if name == b"Content-Length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def diagnostics(self, version):
        while True:
            said = self.read()
            if said.get("method") == "textDocument/publishDiagnostics" and said["params"]["version"] == version:
                return said["params"]["diagnostics"]


def repository(folder, files, lines):
    functions = "".join(f"\n\ndef f{n}(value):\n    return value + {n}\n" for n in range(lines // 4))
    for number in range(files):
        (folder / f"m{number}.py").write_text(f'"""Module {number}."""\n{functions}')
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", folder]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "base"]):
        subprocess.run([*git, *words], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", required=True)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=20)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        repository(folder, chosen.files, chosen.lines)
        server = Server(Path(chosen.host).resolve(), folder)
        server.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        server.tell("initialized", {})
        file = folder / "m0.py"
        document = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": file.read_text()}
        begun = time.perf_counter()
        server.tell("textDocument/didOpen", {"textDocument": document})
        server.diagnostics(1)
        first = (time.perf_counter() - begun) * 1000
        line = document["text"].count("\n")
        taken = []
        for count in range(chosen.repeat):
            at = {"line": line, "character": count}
            change = {"range": {"start": at, "end": at}, "text": "x"}
            version = count + 2
            begun = time.perf_counter()
            document = {"uri": file.as_uri(), "version": version}
            server.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
            found = server.diagnostics(version)
            taken.append((time.perf_counter() - begun) * 1000)
        server.ask("shutdown", None)
        server.tell("exit", None)
        server.process.stdin.close()
        server.process.wait()
    print(f"opened: {first:.0f} ms; {chosen.repeat} changes of one character: median {statistics.median(taken):.0f} ms, ", end="")
    print(f"{min(taken):.0f} to {max(taken):.0f} ms; {len(found)} diagnostics at the end")


if __name__ == "__main__":
    main()
