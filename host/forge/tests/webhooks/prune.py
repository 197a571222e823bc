"""Makes github.json, which the tests read as deliveries of webhooks, from recorded payloads.

    npm pack @octokit/webhooks-examples@7.6.1 && tar xzf octokit-webhooks-examples-7.6.1.tgz
    python3 prune.py package/api.github.com/index.json > github.json

It keeps the first payload of each event and action that concern a pull request's builds, and a few that do not, without addresses other than those
that git fetches from.
"""

import json
import sys

EVENTS = ["check_run", "check_suite", "issue_comment", "ping", "pull_request", "push", "status", "workflow_job", "workflow_run"]
ACTIONS = {"pull_request": {"opened", "synchronize", "closed", "reopened", "labeled"}, "issue_comment": {"created"}}


def without_addresses(node):
    if isinstance(node, dict):
        is_kept = lambda key: key == "clone_url" or key != "url" and not key.endswith("_url")
        return {key: without_addresses(value) for key, value in node.items() if is_kept(key)}
    return [without_addresses(item) for item in node] if isinstance(node, list) else node


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        source = json.load(file)
    found = {}
    for event in source:
        for payload in event["examples"] if event["name"] in EVENTS else []:
            action = payload.get("action")
            if action is None or action in ACTIONS.get(event["name"], {action}):
                found.setdefault((event["name"], action), {"event": event["name"], "payload": without_addresses(payload)})
    lines = [json.dumps(entry, separators=(",", ":")) for entry in found.values()]
    print("[" + ",\n".join(lines) + "]")


if __name__ == "__main__":
    main()
