//! Scanners that people use, each from its registry: their SARIF is read, and they are run again on what was committed.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::{Place, has_sandbox};
use crate::support::cli::{Ran, host_with};
use crate::support::tools::{Tool, needs};

/// A scanner, a project that it finds fault with, and two answers of a provider.
struct Scanner {
    tool: Tool,
    /// As in `docs/fix.md`.
    command: &'static str,
    files: &'static [(&'static str, &'static str)],
    /// The file with the issues, as it should be.
    mended: &'static str,
    /// The same, but one issue only got another form.
    half_mended: (&'static str, &'static str),
    /// The rules of the issues in the order of the report, and which one the half-fixed file still breaks.
    rules: &'static [&'static str],
    left: &'static str,
}

const RUFF: Scanner = Scanner {
    tool: Tool::Ruff,
    command: "ruff check --no-cache --output-format sarif .",
    files: &[
        (
            "pyproject.toml",
            "[project]\nname = \"tally\"\nversion = \"0.1.0\"\n\n[tool.ruff.lint]\nselect = [\"B\", \"F\"]\n",
        ),
        ("src/tally/__init__.py", "\"\"\"Counts things.\"\"\"\n"),
        (
            "src/tally/store.py",
            "\"\"\"Keeps counts in a file.\"\"\"\n\nimport json\nimport os\nfrom pathlib import Path\n\n\ndef load(path: Path) -> dict[str, int]:\n    try:\n        return json.loads(path.read_text())\n    except FileNotFoundError as error:\n        return {}\n\n\ndef add(counts: dict[str, int], name: str, seen=[]) -> dict[str, int]:\n    seen.append(name)\n    counts[name] = counts.get(name, 0) + len(seen)\n    return counts\n",
        ),
    ],
    mended: "\"\"\"Keeps counts in a file.\"\"\"\n\nimport json\nfrom pathlib import Path\n\n\ndef load(path: Path) -> dict[str, int]:\n    try:\n        return json.loads(path.read_text())\n    except FileNotFoundError:\n        return {}\n\n\ndef add(counts: dict[str, int], name: str, seen=None) -> dict[str, int]:\n    seen = [*(seen or []), name]\n    counts[name] = counts.get(name, 0) + len(seen)\n    return counts\n",
    half_mended: ("seen=None", "seen=list()"),
    rules: &["F401", "F841", "B006"],
    left: "B006",
};

const BANDIT: Scanner = Scanner {
    tool: Tool::Bandit,
    command: "bandit -q -r -f sarif .",
    files: &[
        ("setup.cfg", "[metadata]\nname = backup\n"),
        (
            "backup/archive.py",
            "\"\"\"Packs folders.\"\"\"\n\nimport hashlib\nimport subprocess\n\n\ndef pack(folder, target):\n    return subprocess.call(\"tar cf \" + target + \" \" + folder, shell=True)\n\n\ndef digest(data):\n    return hashlib.md5(data).hexdigest()\n",
        ),
    ],
    mended: "\"\"\"Packs folders.\"\"\"\n\nimport hashlib\nimport tarfile\n\n\ndef pack(folder, target):\n    with tarfile.open(target, \"w\") as archive:\n        archive.add(folder)\n    return 0\n\n\ndef digest(data):\n    return hashlib.sha256(data).hexdigest()\n",
    half_mended: ("sha256", "sha1"),
    rules: &["B404", "B602", "B324"],
    left: "B324",
};

const ESLINT: Scanner = Scanner {
    tool: Tool::Eslint,
    command: "node_modules/.bin/eslint -f @microsoft/eslint-formatter-sarif .",
    files: &[
        ("package.json", "{\n  \"name\": \"basket\",\n  \"private\": true,\n  \"type\": \"module\"\n}\n"),
        (".gitignore", "node_modules\n"),
        (
            "eslint.config.js",
            "export default [\n  { rules: { \"no-var\": \"error\", \"no-unused-vars\": \"error\", eqeqeq: \"error\" } },\n];\n",
        ),
        (
            "src/total.js",
            "export function total(items) {\n  var sum = 0;\n  const count = items.length;\n  for (const item of items) {\n    if (item.price == null) continue;\n    sum += item.price;\n  }\n  return sum;\n}\n",
        ),
    ],
    mended: "export function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    if (item.price === undefined) continue;\n    sum += item.price;\n  }\n  return sum;\n}\n",
    half_mended: (
        "if (item.price === undefined) continue;\n    sum += item.price;",
        "if (item.price != null) sum += item.price;",
    ),
    rules: &["no-var", "no-unused-vars", "eqeqeq"],
    left: "eqeqeq",
};

/// A scanner in a place of its own.
struct Bench {
    scanner: Scanner,
    place: Place,
    /// The environment or the folder of packages that the scanner is installed in.
    installed: PathBuf,
}

impl Bench {
    fn new(scanner: Scanner) -> Option<Self> {
        if !has_sandbox() {
            return None;
        }
        let installed = needs(scanner.tool)?;
        let bench = Bench { place: Place::with(scanner.files), scanner, installed };
        bench.install_packages(bench.place.repo.path());
        Some(bench)
    }

    /// Packages of npm lie in the work tree, where git ignores them.
    fn install_packages(&self, folder: &Path) {
        let packages = self.installed.join("node_modules");
        if packages.is_dir() {
            let copied = Command::new("cp").arg("-a").arg(packages).arg(folder).status().expect("cp");
            assert!(copied.success());
        }
    }

    fn path(&self) -> String {
        format!("{}/bin:{}", self.installed.display(), self.place.path())
    }

    /// The scanner's report of a folder, without a sandbox.
    fn scan(&self, folder: &Path) -> Vec<u8> {
        let mut scanner = Command::new("sh");
        scanner.args(["-c", self.scanner.command]).current_dir(folder).env("PATH", self.path());
        let output = scanner.output().expect("it runs");
        assert!(output.status.code().is_some_and(|code| code < 2), "{output:?}");
        output.stdout
    }

    fn rules(report: &[u8]) -> Vec<String> {
        let report: Value = serde_json::from_slice(report).expect("SARIF");
        let results = report["runs"][0]["results"].as_array().unwrap_or_else(|| panic!("{report:#}"));
        results.iter().map(|result| result["ruleId"].as_str().expect("a rule").to_owned()).collect()
    }

    /// Has the issues fixed by a provider that writes the file with the issues anew.
    fn fix(&self, text: &str) -> Ran {
        let repo = &self.place.repo;
        let (file, _) = self.scanner.files.last().expect("a file");
        repo.write(file, text);
        let patch = repo.git(&["diff"]);
        repo.git(&["checkout", "-q", "."]);
        let report = self.scan(repo.path());
        assert_eq!(Self::rules(&report), self.scanner.rules, "{}", self.scanner.command);
        let scan = self.place.beside("scan.sarif");
        self.place.agent("author", "", &[("", &patch)]);
        let issues: Vec<Value> = (1..=self.scanner.rules.len())
            .map(|at| json!({ "id": format!("I{at:03}"), "verdict": "resolved", "path": file, "line": 1, "says": "it is gone" }))
            .collect();
        let review = json!({ "score": 98, "issues": issues, "blocking": [] }).to_string();
        self.place.agent("reviewer", "", &[("", &review)]);
        std::fs::write(&scan, report).expect("written");
        let more = ["--sarif", scan.to_str().expect("UTF-8"), "--detector", self.scanner.command, "--iterations", "1"];
        let words = self.place.arguments(&["reviewer"], &more);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        host_with(repo.path(), &words, b"", &[("PATH", &self.path())])
    }

    /// The rules that the scanner reports on the branch of a run, and what became of each issue.
    fn left(&self, report: &Value) -> (Vec<String>, Vec<(String, String)>) {
        let folder = tempfile::tempdir().expect("a folder");
        let clone = folder.path().join("clone");
        let branch = report["branch"].as_str().expect("a branch");
        let (from, to) = (self.place.repo.path().to_str().expect("UTF-8"), clone.to_str().expect("UTF-8"));
        self.place.repo.git(&["clone", "-q", "-b", branch, from, to]);
        self.install_packages(&clone);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let issues = report["issues"].as_array().unwrap_or_else(|| panic!("{report:#}"));
        let ends = issues.iter().map(|issue| (text(&issue["rule"]), text(&issue["status"]))).collect();
        (Self::rules(&self.scan(&clone)), ends)
    }
}

fn is_verified_by_its_second_run(scanner: Scanner) {
    let Some(bench) = Bench::new(scanner) else { return };
    let Scanner { mended, half_mended: (good, bad), rules, left, .. } = bench.scanner;
    let ends = |of: &dyn Fn(&str) -> &'static str| -> Vec<(String, String)> {
        rules.iter().map(|rule| (rule.to_string(), of(rule).to_owned())).collect()
    };
    // The reviewer approves of this one too; the scanner does not.
    let half = mended.replace(good, bad);
    assert_ne!(half, mended);
    let report = bench.fix(&half).expect(1).json();
    let expected = ends(&|rule| if rule == left { "failed" } else { "resolved" });
    assert_eq!(bench.left(&report), (vec![left.to_owned()], expected), "{report:#}");
    let issue = report["issues"].as_array().unwrap().iter().find(|issue| issue["rule"] == left).unwrap();
    assert!(issue["why"].as_str().unwrap_or_default().contains("its detector still reports it"), "{report:#}");

    let Some(bench) = Bench::new(bench.scanner) else { return };
    let report = bench.fix(mended).expect(0).json();
    assert_eq!(bench.left(&report), (vec![], ends(&|_| "resolved")), "{report:#}");
}

#[test]
fn ruff_is_verified_by_its_second_run() {
    is_verified_by_its_second_run(RUFF);
}

#[test]
fn bandit_is_verified_by_its_second_run() {
    is_verified_by_its_second_run(BANDIT);
}

#[test]
fn eslint_is_verified_by_its_second_run() {
    is_verified_by_its_second_run(ESLINT);
}

/// The commands that are tested here are those that the documentation names.
#[test]
fn the_documentation_names_these_commands() {
    let docs = include_str!("../../../docs/fix.md");
    for scanner in [RUFF, BANDIT, ESLINT] {
        assert!(docs.contains(&format!("| `{}` |", scanner.command)), "{}", scanner.command);
    }
}
