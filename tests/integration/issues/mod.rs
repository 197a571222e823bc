//! `host fix`: recorded flows with the status of every issue, and what a host that is killed leaves.

mod detectors;
mod flows;
mod kill;
mod limits;
mod lists;
mod merged;
mod scanners;
mod settings;
mod tracked;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::cli::{Ran, command, host_with};
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

/// Reports every line with `XXX` as SARIF: what a scanner is, as small as it can be.
const SCANNER: &str = r#"#!/bin/sh
results=$(grep -rn XXX --include='*.py' --include='*.js' . | sort | awk -F: '{
  gsub(/^\.\//, "", $1)
  printf "%s{\"ruleId\":\"no-xxx\",\"message\":{\"text\":\"an XXX is left\"},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"%s\"},\"region\":{\"startLine\":%s}}}]}", (NR > 1 ? "," : ""), $1, $2
}')
echo "{\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"xxx\"}},\"results\":[$results]}]}"
"#;

/// Whether commands can be run in a sandbox here. Where not, detectors cannot tell, and the tests that need one say that they are skipped.
pub fn has_sandbox() -> bool {
    let doctor = crate::support::cli::host(&std::env::temp_dir(), &["doctor", "--format", "json"]).stdout;
    let value: Value = serde_json::from_str(&doctor).unwrap_or_default();
    let mut row = value["checks"].as_array().into_iter().flatten();
    let is_there = |row: &Value| !row["detail"].as_str().unwrap_or_default().starts_with("no sandbox");
    let works = row.any(|row| row["name"] == "sandbox" && is_there(row));
    // Where the host finds none, Landlock is missing too, and the skip is said; else the host is wrong, and the test fails.
    works || needs(Tool::Landlock).is_some()
}

/// A repository with issues, and beside it a scanner, an author and reviewers.
pub struct Place {
    pub repo: TestRepo,
}

/// The only line of a file, and the issue behind it: a comment of its language, since a file that does not parse is judged anew when it does.
fn line(path: &str) -> (String, &'static str) {
    let name = path.split(['.', '/']).next().expect("a name");
    (format!("{name} = 1"), if path.ends_with(".js") { "  // XXX" } else { "  # XXX" })
}

/// The fix of a file: `XXX` goes.
pub fn fix(path: &str) -> String {
    let (line, issue) = line(path);
    format!("--- a/{path}\n+++ b/{path}\n@@ -1,1 +1,1 @@\n-{line}{issue}\n+{line}")
}

impl Place {
    /// Each file has one issue, in its only line.
    pub fn new(files: &[&str]) -> Self {
        let text = |path: &str| {
            let (line, issue) = line(path);
            format!("{line}{issue}\n")
        };
        let texts: Vec<(&str, String)> = files.iter().map(|path| (*path, text(path))).collect();
        let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let place = Place::with(&files);
        place.program("xxx-scan", SCANNER);
        place
    }

    pub fn with(files: &[(&str, &str)]) -> Self {
        Place { repo: TestRepo::with(files) }
    }

    pub fn beside(&self, name: &str) -> PathBuf {
        self.repo.path().parent().expect("a folder").join("tools").join(name)
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.beside(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, text).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    }

    /// `answers`: words of a question, and the recorded reply; the first that fits. Without one it fails. `before` is shell code.
    pub fn agent(&self, name: &str, before: &str, answers: &[(&str, &str)]) {
        let mut script = format!(
            "#!/bin/sh\ncat > \"$0.prompt\"\ncat \"$0.prompt\" >> \"$0.all\"\necho asked >> \"$0.calls\"\n{before}\n"
        );
        for (word, reply) in answers {
            script += &format!("if grep -q -e '{word}' \"$0.prompt\"; then cat <<'END'\n{reply}\nEND\nexit 0\nfi\n");
        }
        self.program(name, &(script + "echo 'I am broken' >&2\nexit 1\n"));
    }

    pub fn asked(&self, name: &str) -> usize {
        fs::read_to_string(self.beside(&format!("{name}.calls"))).map_or(0, |calls| calls.lines().count())
    }

    /// All that an agent was asked.
    pub fn questions(&self, name: &str) -> String {
        fs::read_to_string(self.beside(&format!("{name}.all"))).unwrap_or_default()
    }

    /// What the scanner says of HEAD.
    pub fn scan(&self) -> PathBuf {
        let output = Command::new(self.beside("xxx-scan")).current_dir(self.repo.path()).output().expect("it runs");
        let file = self.beside("scan.sarif");
        fs::write(&file, output.stdout).expect("written");
        file
    }

    pub fn list(&self, issues: Value) -> PathBuf {
        let file = self.beside("issues.json");
        fs::write(&file, json!({ "issues": issues }).to_string()).expect("written");
        file
    }

    pub fn arguments(&self, reviewers: &[&str], more: &[&str]) -> Vec<String> {
        let agent = |name: &str| format!("command:{}", self.beside(name).display());
        let mut words: Vec<String> =
            ["fix", "--rounds", "1", "--format", "json", "--provider"].map(str::to_owned).into();
        words.push(agent("author"));
        reviewers.iter().for_each(|name| words.extend(["--reviewer".to_owned(), agent(name)]));
        words.extend(more.iter().map(ToString::to_string));
        words
    }

    pub fn path(&self) -> String {
        format!("{}:{}", self.beside("").display(), std::env::var("PATH").unwrap_or_default())
    }

    pub fn fix_with(&self, reviewers: &[&str], more: &[&str]) -> Ran {
        let words = self.arguments(reviewers, more);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        host_with(self.repo.path(), &words, b"", &[("PATH", &self.path())])
    }

    /// From the scanner's report, with the scanner as the detector.
    pub fn fix_scanned(&self, reviewers: &[&str], more: &[&str]) -> Ran {
        let scan = self.scan();
        let own = ["--sarif", scan.to_str().expect("UTF-8"), "--detector", "xxx-scan"];
        self.fix_with(reviewers, &[&own, more].concat())
    }
}

/// A reviewer's answer: a score, and for each issue its id, its verdict, and a line.
pub fn review(score: u8, issues: &[(&str, &str, &str, u32)]) -> String {
    let of = |(id, verdict, path, line): &(&str, &str, &str, u32)| json!({ "id": id, "verdict": verdict, "path": path, "line": line, "says": "see there" });
    json!({ "score": score, "issues": issues.iter().map(of).collect::<Vec<_>>(), "blocking": [] }).to_string()
}

pub fn statuses(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let issues = report["issues"].as_array().unwrap_or_else(|| panic!("{report:#}"));
    issues.iter().map(|issue| (text(&issue["id"]), text(&issue["status"]))).collect()
}

pub fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(id, status)| (id.to_string(), status.to_string())).collect()
}

/// Starts `host` and leaves it to the caller.
pub fn spawn(place: &Place, words: &[String]) -> std::process::Child {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    command(place.repo.path(), &words, &[("PATH", &place.path())]).spawn().expect("it runs")
}

/// For each file that the commits of a branch touched, how often.
pub fn touched(repo: &Path, range: &str) -> Vec<String> {
    let text = crate::support::repo::git_in(repo, &["log", "--reverse", "--format=", "--name-only", range], b"");
    text.split_whitespace().map(str::to_owned).collect()
}
