//! A repository with the same base commit in every run, a home folder of its own, and recordings of commands that run there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::ends::{WHOLE, decisive, fold};
use super::mask::Mask;
use crate::support::cli::{Ran, command, host_with};
use crate::support::recorded::{compare, compare_line};
use crate::support::repo::{TestRepo, git_in};

/// The time of commits that are made here, in seconds since 1970.
const TIME: &str = "1767225600";

pub struct Place {
    pub repo: TestRepo,
    home: tempfile::TempDir,
}

impl Place {
    /// One commit of these files.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let place = Place { repo: TestRepo::new(), home: tempfile::tempdir().unwrap() };
        for (path, content) in files {
            place.repo.write(path, content);
        }
        place.commit("base");
        place
    }

    /// Commits everything in the work tree; the id depends on nothing but what is committed.
    pub fn commit(&self, message: &str) -> String {
        self.repo.stage_all();
        let tree = self.repo.git(&["write-tree"]);
        let parent = self.repo.git(&["for-each-ref", "--format=parent %(objectname)%0a", "refs/heads/main"]);
        let parent = if parent.is_empty() { parent } else { format!("{}\n", parent.trim_end()) };
        let person = format!("Test <test@example.org> {TIME} +0000");
        let text = format!("tree {tree}\n{parent}author {person}\ncommitter {person}\n\n{message}\n");
        let id = self.repo.git_with(&["hash-object", "-t", "commit", "-w", "--stdin"], text.as_bytes());
        self.repo.git(&["update-ref", "HEAD", &id]);
        id
    }

    pub fn stage(&self, path: &str, content: &str) -> &Self {
        self.repo.write(path, content);
        self.repo.stage_all();
        self
    }

    /// A file beside the repository, in no tree.
    pub fn beside(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.folder().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// The user's settings.
    pub fn settings(&self, text: &str) {
        let folder = self.home.path().join(".config/guardhost");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.toml"), text).unwrap();
    }

    fn folder(&self) -> &Path {
        self.repo.path().parent().unwrap()
    }

    pub fn host(&self, args: &[&str], stdin: &str) -> Ran {
        host_with(self.repo.path(), args, stdin.as_bytes(), &self.variables())
    }

    /// The command, for a test that starts it itself.
    pub fn command(&self, args: &[&str]) -> Command {
        command(self.repo.path(), args, &self.variables())
    }

    /// A home of its own has a cache of its own: recordings hold whether a guard was compiled before. What a guard said before is not taken
    /// from there: `hostile/reuse.rs` is about that.
    fn variables(&self) -> [(&str, &str); 3] {
        [
            ("HOME", self.home.path().to_str().unwrap()),
            ("PATH", "/usr/local/bin:/usr/bin:/bin"),
            ("GUARDHOST_FRESH", "1"),
        ]
    }

    /// Records a command's exit code and its JSON.
    pub fn record(&self, name: &str, args: &[&str]) -> Ran {
        self.record_with(name, args, "")
    }

    pub fn record_with(&self, name: &str, args: &[&str], stdin: &str) -> Ran {
        let args = [args, &["--format", "json"]].concat();
        let ran = self.host(&args, stdin);
        let report = parsed(&ran.stdout);
        self.keep(name, json!({ "command": args, "exit_code": ran.code, "report": report }));
        ran
    }

    /// Records a command's exit code and its lines, in another format than JSON.
    pub fn record_text(&self, name: &str, args: &[&str], format: &str) {
        let args = [args, &["--format", format]].concat();
        let ran = self.host(&args, "");
        let output = match format {
            "sarif" => parsed(&ran.stdout),
            _ => ran.stdout.lines().map(without_times).collect(),
        };
        self.keep(name, json!({ "command": args, "exit_code": ran.code, "output": output }));
    }

    /// The same, and all that the host left in the repository: references, and for every run its trace, its objects, its
    /// judgements and the names of its files.
    pub fn record_runs(&self, name: &str, args: &[&str]) -> Ran {
        let args = [args, &["--format", "json"]].concat();
        let ran = self.host(&args, "");
        let report = parsed(&ran.stdout);
        let state = self.repo.path().join(".git/guardhost");
        let mut kept = Vec::new();
        walk(&state, &mut kept);
        let names: Vec<_> = kept.iter().map(|path| path.strip_prefix(&state).unwrap().to_str().unwrap()).collect();
        let read = |name: &str, lines: bool| {
            let files = kept.iter().zip(&names).filter(|(path, _)| path.ends_with(name));
            let content = |(path, name): (&PathBuf, &&str)| {
                let text = fs::read_to_string(path).unwrap();
                let content = if lines { text.split_inclusive('\n').map(parsed).collect() } else { parsed(&text) };
                json!({ "file": name, "content": content })
            };
            files.map(content).collect::<Vec<_>>()
        };
        let value = json!({
            "command": args,
            "exit_code": ran.code,
            "report": report,
            "traces": read("trace.jsonl", true),
            "records": read("records.jsonl", true),
            "judgements": read("judgement.json", false),
            "plans": read("plan.json", false),
            "kept": names,
            "references": self.repo.git(&["for-each-ref", "--format=%(refname)"]).lines().collect::<Vec<_>>(),
        });
        self.keep(name, value);
        ran
    }

    /// Records the JSON of `host doctor`; of rows about this machine only the keys.
    pub fn record_checks(&self, name: &str, args: &[&str], of_the_machine: &[&str]) {
        let args = [args, &["--format", "json"]].concat();
        let ran = self.host(&args, "");
        let mut report = parsed(&ran.stdout);
        for row in report["checks"].as_array_mut().unwrap() {
            if of_the_machine.iter().any(|name| row["name"] == *name) {
                row.as_object_mut().unwrap().values_mut().skip(1).for_each(|value| *value = "<machine>".into());
            }
        }
        self.keep(name, json!({ "command": args, "exit_code": ran.code, "report": report }));
    }

    /// Records a file of JSON lines beside the repository.
    pub fn record_lines(&self, name: &str, file: &str) {
        let text = fs::read_to_string(self.folder().join(file)).unwrap();
        self.keep(name, text.split_inclusive('\n').map(parsed).collect());
    }

    /// Compares a value with its recording, placeholders put in; of what is not recorded whole, what it came to.
    pub fn keep(&self, name: &str, mut value: Value) {
        if !WHOLE.contains(&name) {
            return compare_line("ends.txt", name, &decisive(&value));
        }
        fold(name, &mut value);
        let texts = vec![
            (self.folder().to_str().unwrap().to_owned(), "<folder>"),
            (self.home.path().to_str().unwrap().to_owned(), "<home>"),
            (format!("guardhost/{}", env!("CARGO_PKG_VERSION")), "guardhost/<version>"),
        ];
        let made = commits(self.repo.path()) + &commits(&self.folder().join("demo"));
        let commits = made.lines().filter_map(|line| line.split_once(' ')).filter(|(time, _)| *time != TIME);
        Mask::new(texts, commits.map(|(_, id)| id.to_owned()).collect()).value(&mut value);
        compare(&format!("{name}.json"), &(serde_json::to_string_pretty(&value).unwrap() + "\n"));
    }
}

/// Time and id of every commit of a repository, if it is there.
fn commits(repo: &Path) -> String {
    if !repo.exists() {
        return String::new();
    }
    git_in(repo, &["log", "--all", "--format=%ct %H"], b"") + "\n"
}

/// JSON with its keys in the order of the text.
#[track_caller]
pub fn parsed(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("not JSON ({error}): {text}"));
    assert_eq!(serde_json::to_string(&value).unwrap() + "\n", text, "one compact line");
    value
}

/// `time="0.000812"` with zeros.
fn without_times(line: &str) -> String {
    let Some((before, after)) = line.split_once(" time=\"") else { return line.to_owned() };
    let (time, after) = after.split_once('"').unwrap();
    let time: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    format!("{before} time=\"{time}\"{after}")
}

/// All files below, in order.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() { walk(&path, found) } else { found.push(path) }
    }
}
