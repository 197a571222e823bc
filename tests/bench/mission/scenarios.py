"""What the built binary can show by itself, each in a repository of its own. A scenario fails by an assertion."""

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
GOOD = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n"
BROKEN = GOOD.replace("return 2", "return (2")
X = "def x():\n    return 1\n"


class Place:
    """A repository, with programs beside it that stand in for agents."""

    def __init__(self, host, files):
        self.host, self.folder = host, tempfile.TemporaryDirectory()
        self.top = Path(self.folder.name)
        self.repo = self.top / "repo"
        self.repo.mkdir()
        (self.top / "home").mkdir()
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.top / "home"), "LANG": "C.UTF-8"}
        self.git("init", "--quiet", "--initial-branch", "main")
        for name, value in (("user.name", "x"), ("user.email", "x@localhost"), ("commit.gpgsign", "false")):
            self.git("config", name, value)
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "base")

    def write(self, files):
        for name, text in files.items():
            path = self.repo / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.repo, env=self.env, check=True, capture_output=True, text=True).stdout

    def agent(self, name, *answers):
        """Each answer is a pattern of the question and the reply; the first that fits. All questions are kept."""
        script = '#!/bin/sh\ncat > "$0.prompt"\ncat "$0.prompt" >> "$0.all"\n'
        for pattern, reply in answers:
            script += f"if grep -q -e '{pattern}' \"$0.prompt\"; then cat <<'END'\n{reply}\nEND\nexit 0\nfi\n"
        path = self.top / name
        path.write_text(script + "exit 1\n")
        path.chmod(0o755)
        return f"command:{path}"

    def asked(self, name):
        return (self.top / f"{name}.all").read_text()

    def run(self, *words, code=0, stdin=""):
        ran = subprocess.run([self.host, *words], cwd=self.repo, env=self.env, input=stdin, capture_output=True, text=True)
        assert ran.returncode == code, f"{' '.join(words)}: {ran.returncode}, not {code}\n{ran.stdout[-3000:]}{ran.stderr[-2000:]}"
        return ran.stdout

    def json(self, *words, code=0, stdin=""):
        return json.loads(self.run(*words, "--format", "json", code=code, stdin=stdin))

    def records(self, run, name="records.jsonl"):
        file = self.repo / ".git/guardhost/runs" / run / name
        return [json.loads(line) for line in file.read_text().splitlines()]

    def events(self, run):
        return [event["event"] for event in self.records(run, "trace.jsonl")]


def patch(host):
    place = Place(host, {"talk.md": "# Talk\n\nOne vote.\n", "summary.md": "# Summary\n\n1 vote\n"})
    place.write({"talk.md": "# Talk\n\nTwo votes.\n"})
    place.git("add", "--all")
    diff = "diff --git a/summary.md b/summary.md\nindex 1111111..2222222 100644\n--- a/summary.md\n+++ b/summary.md\n@@ -1,3 +1,3 @@\n # Summary\n \n-1 vote\n+2 votes"
    agent = place.agent("agent", ("", f"Here it is.\n<<<AI_DIFF_START>>>\n{diff}\n<<<AI_DIFF_END>>>"))
    place.run("patch", "--source", "talk.md", "--target", "summary.md", "--instruction", "Count the votes", "--provider", agent)
    asked = place.asked("agent")
    for part in ("-One vote.", "+Two votes.", "# Talk", "1 vote", "Count the votes"):
        assert part in asked, part
    assert place.git("show", ":summary.md").endswith("2 votes\n")
    kept = {file.name.split(".", 1)[1].split(".", 1)[-1] for file in (place.repo / ".git/ai-rules-debug").iterdir()}
    assert {"raw.out", "clean.diff", "sanitized.diff", "final.diff"} <= {re.sub(r"^.*?(raw\.out|\w+\.diff)$", r"\1", name) for name in kept}, kept


def sentinel(host):
    place = Place(host, {"x.py": X})
    agent = place.agent("agent", ("", "NO_CHANGES_NEEDED"))
    assert place.json("run", "--task", "Look at x", "--provider", agent)["outcome"] == "no-change"


def records(host):
    place = Place(host, {"x.py": X})
    agent = place.agent("agent", ("syntax-holds/", f"Now it is closed.\n\n```diff\n{GOOD}```"), ("", f"```diff\n{BROKEN}```"))
    report = place.json("run", "--task", "Let x return 2", "--provider", agent)
    objects = place.records(report["run"])
    of = lambda kind: [found for found in objects if found["object_type"] == kind]
    run, sets = of("run")[0], of("patch_set")
    assert [found["sequence"] for found in sets] == [0, 1] and {found["run"] for found in sets} == {run["object_id"]}
    assert all(found["format"] in ("unified_diff", "git_diff") and found["artifact"] and found["commit"] for found in sets), sets
    assert sets[1]["touched"][0]["path"] == "x.py" and "closed" in sets[1]["rationale"]
    assert [found["decision_type"] for found in of("decision")][:2] == ["retry", "commit"], of("decision")
    assert any(found["tool"] == "syntax-holds" for found in of("evidence"))


def batches(host):
    # A comment of its language: a file that does not parse is judged anew when it does.
    issue = {"py": "  # XXX", "js": "  // XXX"}
    files = {f"{name}.{end}": f"{name} = 1{issue[end]}\n" for name, end in (("a", "py"), ("b", "py"), ("c", "js"))}
    place = Place(host, files)
    fix = lambda name, end: f"--- a/{name}.{end}\n+++ b/{name}.{end}\n@@ -1,1 +1,1 @@\n-{name} = 1{issue[end]}\n+{name} = 1"
    author = place.agent("author", ("c at c.js", fix("c", "js")), ("", fix("a", "py") + "\n" + fix("b", "py")))
    verdict = lambda score: json.dumps({"score": score, "blocking": [], "issues": [
        {"id": name, "verdict": "resolved", "path": f"{name}.{end}", "line": 1, "says": "gone"} for name, end in (("a", "py"), ("b", "py"), ("c", "js"))]})
    reviewer = place.agent("reviewer", ("", verdict(96)))
    issues = [{"id": name, "title": "XXX", "path": f"{name}.{end}", "estimated_effort": effort, "estimated_files_count": 1} for name, end, effort in (("c", "js", 3), ("a", "py", 5), ("b", "py", 1))]
    (place.top / "issues.json").write_text(json.dumps({"issues": issues}))
    words = ("fix", "--issues", "../issues.json", "--provider", author, "--reviewer", reviewer, "--accept-touched")
    report = place.json(*words)
    assert [(batch["side"], batch["points"]) for batch in report["batches"]] == [("backend", 6), ("frontend", 3)], report["batches"]
    assert report["reviews"][0]["mean"] == 96 and report["reviews"][0]["threshold"] == 95
    assert "b = 1" in place.asked("reviewer") and "c = 1" in place.asked("reviewer")
    place.agent("reviewer", ("", verdict(94)))
    report = place.json(*words, "--again", "--iterations", "2", code=1)
    assert not report["reviews"][0]["approved"] and report["commit"] is None


def audit(host):
    place = Place(host, {"x.py": X, "README.md": "# x\n\nIt is x.\n"})
    metrics = place.json("audit", "--no-builds")["metrics"]
    assert len(metrics) == 11, [metric["id"] for metric in metrics]


PLAN = {"tasks": [{"title": "Better", "subtasks": [{"title": "Let x return 2", "file_hints": ["x.py"], "action": "modify"}, {"title": "Say more in the README", "file_hints": ["README.md"], "action": "modify"}]}]}


def plan(host):
    manifest = '{\n  "name": "x",\n  "dependencies": { "react": "19.0.0" }\n}\n'
    place = Place(host, {"x.py": X, "README.md": "# x\n", "package.json": manifest})
    planner = place.agent("planner", ("You plan changes", json.dumps(PLAN)), ("Let x return 2", GOOD))
    made = place.json("plan", "--task", "Improve x", "--provider", planner)
    asked = place.asked("planner")
    assert "README" in asked and "react" in asked and "Earlier changes here" not in asked and made["layers"], made
    (place.top / "plan.json").write_text(json.dumps(made))
    report = place.json("run", "--plan", "../plan.json", "--provider", planner)
    assert [step["outcome"] for step in report["steps"]].count("committed") == 1, report["steps"]
    place.json("plan", "--task", "Improve x again", "--provider", planner)
    assert "Earlier changes here" in place.asked("planner")


def scoped_plan(host):
    place = Place(host, {"x.py": X, "README.md": "# x\n"})
    audit = place.run("audit", "--no-builds", "--format", "json")
    (place.top / "audit.json").write_text(audit)
    planner = place.agent("planner", ("", json.dumps(PLAN)))
    made = place.json("plan", "--from-audit", "../audit.json", "--scope", "docs", "--provider", planner)
    assert {"scope.metrics_filtered", "scope.plan_filtered"} <= set(place.events(made["run"])), place.events(made["run"])


def layers(host):
    place = Place(host, {"tally.py": "def tally():\n    return 1\n", "test_tally.py": "from tally import tally\n\n\ndef test_tally():\n    assert tally() == 2\n", "README.md": "# x\n"})
    steps = [{"title": title, "file_hints": [hint], "action": "modify"} for title, hint in (("Let tally be 2", "test_tally.py"), ("Say more", "README.md"))]
    context = {"failed_metrics": ["test_results"], "failing_tests": [{"id": "test_tally.py::test_tally", "path": "test_tally.py"}]}
    agent = place.agent("agent", ("", "NO_CHANGES_NEEDED"))
    for more in (steps, steps[1:]):
        plan = {"context": context, "tasks": [{"title": "Mend tally", "subtasks": more}]}
        (place.top / "plan.json").write_text(json.dumps(plan))
        made = place.json("run", "--plan", "../plan.json", "--provider", agent)
        first = "plan.occam_rewrite" if more == steps else "plan.real_bug_synthesized"
        assert {first, "plan.readme_banished"} <= set(place.events(made["plan"])), made["layers"]


def failed_step(host):
    place = Place(host, {"x.py": X})
    (place.top / "plan.json").write_text(json.dumps({"tasks": [{"title": "Better", "subtasks": PLAN["tasks"][0]["subtasks"][:1]}]}))
    agent = place.agent("agent", ("", BROKEN))
    report = place.json("run", "--plan", "../plan.json", "--provider", agent, "--rounds", "1", code=1)
    step = report["steps"][0]
    [failed] = [event for event in place.records(step["run"], "trace.jsonl") if event["event"] == "worker.subtask.failed"]
    assert failed["plan"] == report["plan"] and failed["step"] == step["id"] and "syntax-holds" in failed["error"], failed


def events(host):
    """One reply that as many guards as possible object to."""
    grants = {"syntax-holds": [], "schema-holds": [], "known-frameworks": ["facts"], "known-packages": ["facts", "repo"], "docs-kept": [],
              "links-resolve": ["net", "repo"], "definitions-kept": ["repo"], "quality-scored": ["facts"]}
    pins = "schema = 1\n" + "".join(f"\n[[guard]]\nid = \"{name}\"\ngrants = {json.dumps(grant)}\n" for name, grant in grants.items())
    pins += "settings = { threshold = 0.99 }\n"
    example = "```sh\ntally add 1\ntally add 2\ntally add 3\ntally sum\ntally list --all\n```\n"
    place = Place(host, {
        "guards.toml": pins, "x.py": X + "\n\ndef kept():\n    return x()\n", "use.py": "from x import kept\n\nkept()\n",
        "package.json": '{\n  "name": "x",\n  "version": "1.0.0"\n}\n', "README.md": f"# Tally\n\n{example}\nThat is all.\n", "docs/guide.md": "# Guide\n", "bad.py": "y = 1\n",
    })
    after = {
        "x.py": X, "bad.py": "y = (1\n", "package.json": '{\n  "name": "x",\n  "version": "1.0.0",\n  "scripts": "none"\n}\n',
        "README.md": "# Tally\n\nThat is all.\n", "docs/guide.md": "# Guide\n\nBuilt with React and Django. See [more](missing/page.md).\n",
        "eslint.config.js": 'import plugin from "eslint-plugin-that-nobody-has";\n\nexport default [plugin];\n',
    }
    place.write(after)
    place.git("add", "--all")
    reply = place.git("diff", "--cached")
    place.git("reset", "--quiet", "--hard")
    agent = place.agent("agent", ("", f"<<<AI_DIFF_START>>>\n{reply}<<<AI_DIFF_END>>>"))
    report = place.json("run", "--task", "Tidy", "--provider", agent, "--rounds", "1", "--no-fix", "--offline", code=1)
    seen = set(place.events(report["run"]))
    wanted = {"run-started", "run-ended", "psi_lite.scored", "critic_psi_lite.fail"} | {f"critic_{name}.fail" for name in (
        "syntax_check", "schema_check", "content_grounding", "config_grounding", "doc_preservation", "url_grounding", "ast_diff")}
    assert wanted <= seen, sorted(wanted - seen)


def critics(host):
    place = Place(host, {"x.py": X})
    place.write({"x.py": X.replace("1", "2")})
    agent = place.agent("agent", ("", '{"findings": []}'))
    report = place.json("review", "--worktree", "--provider", agent, "--critic", "critic-panel", "--critic", "critic-devil", "--critic", "critic-questions")
    seen = place.events(report["run"])
    assert {"critic_panel.review.end", "critic_devil.review.end", "critic_qa.crashed"} <= set(seen), seen


def denied(host):
    place = Place(host, {"x.py": X})
    paths = [".git/config", ".GIT/hooks/pre-commit", "../outside", "/etc/passwd", ".github/workflows/ci.yml", ".gitlab-ci.yml", ".env", ".npmrc", "guards.toml", "guards.lock"]
    for path in paths:
        patch = f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n"
        ran = subprocess.run([host, "check", "--patch", "-"], cwd=place.repo, env=place.env, input=patch, capture_output=True, text=True)
        assert ran.returncode == 7, f"{path}: {ran.returncode}\n{ran.stdout}"


def size(host):
    place = Place(host, {"x.py": X})
    lines = "".join(f"+{'x' * 1023}\n" for _ in range(2049))
    place.run("check", "--patch", "-", code=7, stdin=f"--- /dev/null\n+++ b/big.txt\n@@ -0,0 +1,2049 @@\n{lines}")


def guard(host, name):
    """The example that `host explain` shows of the guard is rejected, and the other one is not."""
    for word, code in (("rejected", 1), ("accepted", 0)):
        parts = re.split(r"(?m)^-- (.+) --\n", (ROOT / "guards" / name / "cases/example" / f"{word}.case").read_text())
        files = dict(zip(parts[1::2], parts[2::2]))
        side = lambda side: {path.removeprefix(f"{side}/"): text for path, text in files.items() if path.startswith(f"{side}/")}
        place = Place(host, side("before") or {".keep": ""})
        for gone in set(side("before")) - set(side("after")):
            (place.repo / gone).unlink()
        place.write(side("after"))
        task = json.loads(files["task.json"]) if "task.json" in files else {}
        more = [word for hint in task.get("hints", []) for word in ("--file-hint", hint)]
        more += ["--task", task["text"]] if task.get("text") else []
        place.run("check", "--worktree", "--guard", name, "--offline", "--allow-rule-changes", *more, code=code)


def models(host):
    """The agents' own programs are stood in for: what they are called with, and the question on their input."""
    place = Place(host, {"x.py": X})
    programs = place.top / "bin"
    programs.mkdir()
    place.env["PATH"] = f"{programs}:{place.env['PATH']}"
    for name, model in (("claude", "opus"), ("gemini", "gemini-2.5-pro"), ("codex", "gpt-5")):
        program = programs / name
        program.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > "$0.words"\ncat > "$0.input"\nexit 1\n')
        program.chmod(0o755)
        subprocess.run([host, "run", "--task", "Let x return 2", "--provider", f"{name}:{model}", "--rounds", "1"], cwd=place.repo, env=place.env, capture_output=True)
        words, asked = (programs / f"{name}.words").read_text().split("\n"), (programs / f"{name}.input").read_text()
        assert model in words and "Let x return 2" in asked and not any("dangerously" in word for word in words), (name, words)


def dependencies(host):
    names = set(re.findall(r'(?m)^name = "(.+)"$', (ROOT / "Cargo.lock").read_text()))
    wanted = {"wasmtime", "wit-bindgen", "clap", "tokio", "serde", "git2", "reqwest", "cap-std", "tracing", "anyhow"}
    assert wanted <= names, wanted - names
    assert all((ROOT / path).exists() for path in ("host", "wit", "guards", "sdk", "tests", "README.md"))


def commands(host):
    for words in ("run", "patch", "check", "apply", "plan", "improve", "fix", "review", "audit", "pr open", "pr watch", "log", "show", "accept", "replay", "guard new", "guard add", "mcp"):
        ran = subprocess.run([host, *words.split(), "--help"], capture_output=True, text=True)
        assert ran.returncode == 0 and "Examples:" in ran.stdout, words
    scopes = subprocess.run([host, "improve", "--help"], capture_output=True, text=True).stdout
    assert all(scope in " ".join(scopes.split()) for scope in ("docs", "quality", "tests", "issue", "migrate"))


def variables(host):
    said = subprocess.run([host, "help", "variables"], capture_output=True, text=True).stdout
    for name in ("MODEL", "TIMEOUT", "OFFLINE", "SCOPE", "CRITIC", "REFINE", "OBSERVER"):
        assert f"GUARDHOST_{name}" in said, name


ALL = {function.__name__.replace("_", "-"): function for function in (
    patch, sentinel, records, batches, audit, plan, scoped_plan, layers, failed_step, events, critics, denied, size, models, dependencies, commands, variables)}
