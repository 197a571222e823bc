"""Makes github.json, which the tests compare every request and answer with, from GitHub's own description of its API.

    npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz
    python3 prune.py package/generated/api.github.com.json > github.json

It keeps the operations that the host uses and what they refer to, leaves out prose and examples, and turns the dialect of OpenAPI 3.0 into
JSON Schema: `nullable` becomes the type `null`.
"""

import json
import re
import sys

REPO = "/repos/{owner}/{repo}"
OPERATIONS = {
    "/rate_limit": ["get"],
    "/user": ["get"],
    REPO: ["get"],
    f"{REPO}/pulls": ["get", "post"],
    f"{REPO}/pulls/{{pull_number}}": ["get", "patch"],
    f"{REPO}/pulls/{{pull_number}}/files": ["get"],
    f"{REPO}/pulls/{{pull_number}}/comments": ["get", "post"],
    f"{REPO}/pulls/{{pull_number}}/reviews": ["get", "post"],
    f"{REPO}/pulls/{{pull_number}}/reviews/{{review_id}}": ["put"],
    f"{REPO}/code-scanning/sarifs": ["post"],
    f"{REPO}/installation": ["get"],
    "/app/installations/{installation_id}/access_tokens": ["post"],
    f"{REPO}/pulls/comments/{{comment_id}}": ["patch"],
    f"{REPO}/issues/{{issue_number}}": ["get"],
    f"{REPO}/issues/{{issue_number}}/comments": ["get", "post"],
    f"{REPO}/issues/{{issue_number}}/labels": ["get", "post"],
    f"{REPO}/issues/comments/{{comment_id}}": ["patch"],
    f"{REPO}/statuses/{{sha}}": ["post"],
    f"{REPO}/commits/{{ref}}/statuses": ["get"],
    f"{REPO}/commits/{{ref}}/check-runs": ["get"],
    f"{REPO}/check-runs": ["post"],
    f"{REPO}/check-runs/{{check_run_id}}": ["patch"],
    f"{REPO}/actions/runs": ["get"],
    f"{REPO}/actions/runs/{{run_id}}": ["get"],
    f"{REPO}/actions/runs/{{run_id}}/jobs": ["get"],
    f"{REPO}/actions/runs/{{run_id}}/rerun-failed-jobs": ["post"],
    f"{REPO}/actions/jobs/{{job_id}}/logs": ["get"],
}
PROSE = {"description", "example", "examples", "externalDocs", "title", "deprecated", "summary", "x-multi-segment", "readOnly"}


class Pruner:
    def __init__(self, source):
        self.source = source
        self.schemas = {}

    def of(self, ref):
        found = self.source
        for part in ref.removeprefix("#/").split("/"):
            found = found[part]
        return found

    def schema(self, node):
        if isinstance(node, list):
            return [self.schema(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[1]
            if name not in self.schemas:
                self.schemas[name] = None
                self.schemas[name] = self.schema(self.of(node["$ref"]))
            return {"$ref": f"#/$defs/{name}"}
        made = {}
        for key, value in node.items():
            if key == "properties":
                made[key] = {name: self.schema(inner) for name, inner in value.items()}
            elif key == "enum":
                made[key] = value
            elif key not in PROSE and key != "nullable":
                made[key] = self.schema(value)
        if node.get("nullable"):
            if "enum" in made and None not in made["enum"]:
                made["enum"] = [*made["enum"], None]
            if isinstance(made.get("type"), str):
                made["type"] = [made["type"], "null"]
            elif "type" not in made:
                made = {"anyOf": [made, {"type": "null"}]}
        return made

    def body(self, node):
        """The schemas of a body by its media type."""
        if "$ref" in node:
            node = self.of(node["$ref"])
        return {kind: self.schema(media.get("schema", {})) for kind, media in node.get("content", {}).items()}

    def operation(self, path, method):
        operation = self.source["paths"][path][method]
        query = {}
        for parameter in operation.get("parameters", []):
            parameter = self.of(parameter["$ref"]) if "$ref" in parameter else parameter
            if parameter["in"] == "query":
                query[parameter["name"]] = self.schema(parameter["schema"])
        made = {"method": method.upper(), "path": path, "query": query}
        if "requestBody" in operation:
            made["request"] = self.body(operation["requestBody"]).get("application/json", {})
            made["required"] = operation["requestBody"].get("required", False)
        made["responses"] = {status: self.body(answer) for status, answer in operation["responses"].items()}
        return made


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        source = json.load(file)
    pruner = Pruner(source)
    operations = [pruner.operation(path, method) for path, methods in OPERATIONS.items() for method in methods]
    made = {
        "source": f"npm @octokit/openapi {source['info']['version']}: GitHub's published description of its REST API, MIT licence, pruned by prune.py",
        "operations": operations,
        "$defs": dict(sorted(pruner.schemas.items())),
    }
    text = json.dumps(made, separators=(",", ":"), ensure_ascii=True)
    # A line for each part, so that a new version can be compared with the old one.
    print(re.sub(r'(?<=[}\]]),("[^"]+":\{"(?:type|oneOf|anyOf|allOf|properties)")', r",\n\1", text))


if __name__ == "__main__":
    main()
