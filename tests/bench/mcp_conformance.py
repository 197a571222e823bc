"""What the conformance suite of the Model Context Protocol says of `host mcp`, through a bridge: the suite speaks HTTP, the host standard streams.

    npm install @modelcontextprotocol/conformance@0.2.0-alpha.12       # it needs Node 22
    python3 tests/bench/mcp_conformance.py --host target/debug/host --suite node_modules/@modelcontextprotocol/conformance [--node NODE]

Prints a line for each scenario of both revisions: how many checks passed, and which failed. Most scenarios ask for tools, prompts and resources
of a server that is made for the suite, which no other server has.
"""

import argparse
import json
import subprocess
import tempfile
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

REVISIONS = ["2025-11-25", "2026-07-28"]


class Host:
    """One `host mcp`, asked one request after another."""

    def __init__(self, program, repository):
        self.process = subprocess.Popen([program, "mcp"], cwd=repository, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.turn = threading.Lock()

    def tell(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, request):
        """All that is said up to the answer, the answer last."""
        with self.turn:
            self.tell(request)
            said = []
            for line in self.process.stdout:
                said.append(json.loads(line))
                if "method" not in said[-1] and said[-1].get("id") == request["id"]:
                    return said
        raise ConnectionError("the host has ended")


class Bridge(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, code, body=b"", kind="application/json", **headers):
        self.send_response(code)
        for name, value in {"Content-Type": kind, "Content-Length": len(body), **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(405)

    def do_DELETE(self):
        self.server.hosts.pop(self.headers.get("Mcp-Session-Id"), None)
        self.answer(200)

    def do_POST(self):
        name = self.headers.get("Host", "").rsplit(":", 1)[0]
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if name not in ("localhost", "127.0.0.1") or self.headers.get("Origin", "http://localhost").split("//")[-1].split(":")[0] not in ("localhost", "127.0.0.1"):
            return self.answer(403)
        message = json.loads(body)
        session, headers = self.headers.get("Mcp-Session-Id"), {}
        is_alone = session is None
        if message.get("method") == "initialize":
            session = uuid.uuid4().hex
            headers["Mcp_Session_Id"] = session
        host = self.server.hosts.get(session) or self.server.hosts.setdefault(session, Host(*self.server.start))
        if "id" not in message or "method" not in message:
            host.tell(message)
            return self.answer(202)
        said = host.ask(message)
        if len(said) == 1:
            # The codes that this revision wants of a server that speaks HTTP itself.
            code = said[0].get("error", {}).get("code")
            status = {-32601: 404}.get(code, 400) if code and is_alone else 200
            return self.answer(status, json.dumps(said[0]).encode(), **headers)
        events = "".join(f"event: message\ndata: {json.dumps(one)}\n\n" for one in said)
        return self.answer(200, events.encode(), "text/event-stream", **headers)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--host", required=True)
    arguments.add_argument("--suite", required=True, type=Path)
    arguments.add_argument("--node", default="node")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder, "repository")
        subprocess.run(["git", "init", "--quiet", repository], check=True)
        server = ThreadingHTTPServer(("127.0.0.1", 0), Bridge)
        server.hosts, server.start = {}, (str(Path(options.host).resolve()), repository)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://localhost:{server.server_port}/mcp"
        for revision in REVISIONS:
            results = Path(folder, revision)
            suite = [options.node, options.suite / "dist/index.js", "server", "--url", url, "--requirements", revision, "-o", results]
            subprocess.run(suite, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for checks in sorted(results.glob("*/checks.json")):
                report(revision, checks)


def report(revision, file):
    checks = json.loads(file.read_text())
    counted = [check for check in checks if check["status"] in ("SUCCESS", "FAILURE", "WARNING")]
    failed = [check for check in counted if check["status"] != "SUCCESS"]
    scenario = file.parent.name.removeprefix("server-").rsplit("-20", 1)[0]
    print(f"{revision} {scenario}: {len(counted) - len(failed)} of {len(counted)}")
    for check in failed:
        print(f"    {check['status'].lower()} {check['id']}: {check.get('errorMessage', '')[:200]}")


main()
