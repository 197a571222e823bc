"""A client that speaks the shapes of the pipeline map, with the standard library alone: every method gives a benign default when anything
is wrong. Prints one JSON object with what it saw."""
import json
import sys
import urllib.error
import urllib.parse
import urllib.request


class Client:
    def __init__(self, base, timeout=2.0):
        self.base, self.timeout = base.rstrip("/"), timeout

    def call(self, method, path, query=None, body=None):
        url = self.base + path + ("?" + urllib.parse.urlencode(query) if query else "")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data=data, method=method, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                return json.loads(response.read())
        except (urllib.error.URLError, TimeoutError, ValueError, OSError):
            return None

    def get_repo_fingerprint(self, target):
        found = self.call("GET", "/repo/fingerprint", {"target": target})
        return found if isinstance(found, dict) else None

    def get_repo_context(self, target):
        found = self.call("GET", "/repo/context", {"target": target})
        return found if isinstance(found, dict) else None

    def get_agent_log(self, since="24h", limit=20, **more):
        found = self.call("GET", "/repo/agent-log", {"since": since, "limit": limit, **more})
        return found if isinstance(found, list) else []

    def post_observation(self, observation):
        found = self.call("POST", "/observation", body=observation)
        try:
            return int(found["id"])
        except (TypeError, KeyError, ValueError):
            return None


def main(base, target):
    client, seen = Client(base), {}
    seen["ids"] = [
        client.post_observation({
            "run_id": "run-1", "agent": "gitoma", "subtask_id": f"T001-S0{number}", "model": "gemma", "branch": "gitoma/x",
            "commit_sha": None, "outcome": outcome, "touched_files": ["src/a.py"] if number else None,
            "failure_modes": ["ast_diff"] if outcome == "fail" else [], "confidence": 0.5,
        })
        for number, outcome in enumerate(["success", "fail", "partial", "aborted", "skipped"])
    ]
    seen["refused"] = client.post_observation({"run_id": "run-1", "agent": "gitoma", "outcome": "won"})
    seen["log"] = client.get_agent_log()
    seen["wide"] = len(client.get_agent_log(since="7d", limit=200, run_id="run-1", agent="gitoma"))
    seen["nobody"] = client.get_agent_log(agent="somebody-else")
    seen["fingerprint"] = client.get_repo_fingerprint(target)
    seen["context"] = client.get_repo_context(target)
    seen["claim"] = client.call("POST", "/claim", body={"path": "src/a.py", "agent": "one", "ttl": 5})
    seen["second_claim"] = client.call("POST", "/claim", body={"path": "src/a.py", "agent": "two"})
    seen["claimed"] = client.call("GET", "/claim", {"path": "src/a.py"})
    seen["released"] = client.call("DELETE", "/claim", {"path": "src/a.py", "agent": "one", "fence": seen["claim"]["fence"]})
    seen["away"] = Client("http://127.0.0.1:9").get_agent_log()
    json.dump(seen, sys.stdout)


main(*sys.argv[1:])
