//! Each door, with the real program behind it.

use std::fs;
use std::path::Path;

use guardhost_core::change::{NullObserver, Reply};
use guardhost_core::process_env::ProcessEnv;
use guardhost_engine::JudgeContext;
use guardhost_gate::Door;
use guardhost_pipeline::many::PatchJudge;
use guardhost_policy::PolicySource;
use serde_json::{Value, json};

use super::cases::Case;
use super::{Presented, Said};
use crate::support::cli::{Ran, command, host, host_with};
use crate::support::lsp::LspClient;
use crate::support::repo::TestRepo;

/// A repository in which the base of the case is committed, and the change is staged.
pub struct Place<'c> {
    pub repo: TestRepo,
    case: &'c Case,
}

impl<'c> Place<'c> {
    pub fn new(case: &'c Case) -> Self {
        let repo = TestRepo::with(&[("README.md", "# r\n")]);
        let place = Place { repo, case };
        for (path, text) in case.base {
            place.write(path, text);
        }
        place.repo.commit("base");
        for (path, text) in case.change {
            match text {
                Some(text) => place.write(path, text),
                None => place.repo.remove(path),
            }
        }
        place.repo.stage_all();
        place
    }

    /// Texts that only the program can write are named by a word.
    fn write(&self, path: &str, text: &str) {
        match text {
            "LOCK" => drop(host(self.repo.path(), &["guard", "lock"]).expect(0)),
            "BASELINE" => {
                let own = TestRepo::with(&[("x.py", "def y():\n    return 1\n")]);
                let change = self.case.change.iter().find_map(|(path, text)| Some((*path, (*text)?)));
                let (changed, text) = change.expect("a change that the baseline knows");
                own.write(changed, text);
                own.stage_all();
                host(own.path(), &["check", "--staged", "--write-baseline", path]).expect(0);
                self.repo.write(path, own.read(path));
            }
            text => self.repo.write(path, text),
        }
    }

    fn host(&self, args: &[&str], stdin: &str) -> Ran {
        host_with(self.repo.path(), args, stdin.as_bytes(), &self.variables())
    }

    fn variables(&self) -> Vec<(&'static str, &'static str)> {
        let allowed = self.case.allows_rules.then_some(("GUARDHOST_ALLOW_RULE_CHANGES", "1"));
        self.case.variable.into_iter().chain(allowed).collect()
    }

    /// The change as a patch beside the repository; the work tree is the base again.
    fn patch(&self) -> String {
        let diff = self.repo.git(&["diff", "--cached", "--binary"]) + "\n";
        fs::write(self.repo.path().join("../change.patch"), &diff).expect("a patch");
        self.repo.git(&["reset", "-q", "--hard"]);
        diff
    }

    /// A provider that answers with the patch.
    fn provider(&self) -> String {
        let line = json!({ "round": 1, "provider": "recorded", "reply": self.patch() }).to_string();
        fs::write(self.repo.path().join("../reply.jsonl"), line + "\n").expect("a recording");
        "replay:../reply.jsonl".to_owned()
    }

    /// The only file of the change, if the change writes one text.
    fn only_file(&self) -> Option<(&'static str, &'static str)> {
        match self.case.change {
            [(path, Some(text))] if *text != "LOCK" && !text.contains('\0') => Some((*path, *text)),
            _ => None,
        }
    }
}

pub fn present(door: Door, place: &Place<'_>) -> Presented {
    let case = place.case;
    Presented::Said(match door {
        Door::Check => check(&place.host(&["check", "--staged", "--format", "json"], "")),
        Door::CheckPatch => {
            place.patch();
            check(&place.host(&["check", "--patch", "../change.patch", "--format", "json"], ""))
        }
        Door::Apply => {
            place.patch();
            apply(&place.host(&["apply", "--patch", "../change.patch", "--dry-run", "--format", "json"], ""))
        }
        Door::Run => {
            let provider = place.provider();
            let task = ["run", "--task", "change it", "--rounds", "1", "--no-fix", "--format", "json", "--provider"];
            round(&place.host(&[&task[..], &[&provider]].concat(), ""), "/rounds/0/failure/kind")
        }
        Door::Patch => {
            let Some((path, _)) = place.only_file() else { return Presented::NotHere("a patch of one file") };
            if place.repo.git(&["ls-tree", "--name-only", "HEAD", path]).is_empty() {
                return Presented::NotHere("the target is there already");
            }
            let provider = place.provider();
            let asked = ["--source", "README.md", "--instruction", "change it", "--rounds", "1", "--no-fix"];
            let args =
                [&["patch", "--target", path][..], &asked, &["--format", "json", "--provider", &provider]].concat();
            round(&place.host(&args, ""), "/apply/refusal/kind")
        }
        Door::Accept => match accept(place) {
            Some(ran) => check_in(&ran, "/check"),
            None => return Presented::NotHere("a run cannot begin on rules that do not fit together"),
        },
        Door::Review => {
            fs::write(place.repo.path().join("../answers.jsonl"), "").expect("no answers");
            let args = ["review", "--staged", "--answers", "../answers.jsonl", "--format", "json"];
            check_in(&place.host(&args, ""), "/check")
        }
        Door::PullRequest | Door::MergeQueue => return Presented::NotHere("tests/integration/pr has a forge"),
        Door::Job => {
            if case.variable.is_some() {
                return Presented::NotHere("workers read the rules from the base commit, and submit says so");
            }
            let ran = place.host(&["submit", "--queue", "memory:", "--staged", "--format", "json"], "");
            check_in(&ran, "/check")
        }
        Door::Session => session(place),
        Door::AgentEdit => {
            let Some((path, text)) = place.only_file() else { return Presented::NotHere("an edit of one file") };
            place.repo.git(&["reset", "-q", "--hard"]);
            let input = json!({ "file_path": place.repo.path().join(path), "content": text });
            hook(place, &["hook", "claude", "PreToolUse"], &event(place.repo.path(), "PreToolUse", &input))
        }
        Door::AgentStop => hook(place, &["hook", "claude", "Stop"], &event(place.repo.path(), "Stop", &Value::Null)),
        Door::Editor => {
            let Some((path, text)) = place.only_file() else { return Presented::NotHere("a text of one file") };
            place.repo.git(&["reset", "-q", "--hard"]);
            editor(place, path, text)
        }
        Door::PreCommit => hook(place, &["hook", "git", "pre-commit"], ""),
        Door::PrePush => {
            let base = place.repo.oid("HEAD");
            let new = place.repo.commit("change");
            hook(
                place,
                &["hook", "git", "pre-push", "origin"],
                &format!("refs/heads/main {new} refs/heads/main {base}\n"),
            )
        }
        Door::BranchMove => {
            let (base, tree) = (place.repo.oid("HEAD"), place.repo.git(&["write-tree"]));
            let new = place.repo.git(&["commit-tree", &tree, "-p", "HEAD", "-m", "change"]);
            hook(
                place,
                &["hook", "git", "reference-transaction", "prepared"],
                &format!("{base} {new} refs/heads/main\n"),
            )
        }
        Door::Past => {
            if place.repo.git(&["ls-files", "guards.toml"]) == "guards.toml" {
                return Presented::NotHere("host init is for repositories without rules");
            }
            if case.variable.is_some() {
                return Presented::NotHere("the rules of host init are the built-in ones");
            }
            place.repo.commit("change");
            let report = place.host(&["init", "--dry-run", "--commits", "1", "--format", "json"], "").expect(0).json();
            let guards = report["guards"].as_array().expect("guards").clone();
            match guards.iter().any(|guard| guard["rejected"].as_u64() > Some(0)) {
                true => Said::Rejected,
                false => Said::Accepted,
            }
        }
        Door::Library => {
            if case.variable.is_some() {
                return Presented::NotHere("a library reads no variable");
            }
            library(place)
        }
    })
}

fn event(cwd: &Path, name: &str, input: &Value) -> String {
    json!({ "hook_event_name": name, "cwd": cwd, "tool_name": "Write", "tool_input": input }).to_string()
}

/// By the exit code of `host check`.
fn check(ran: &Ran) -> Said {
    match ran.code {
        0 => Said::Accepted,
        1 => Said::Rejected,
        7 => Said::Refused,
        3 => Said::Failed,
        _ => panic!("{ran:?}"),
    }
}

/// The report of a check within another.
fn check_in(ran: &Ran, at: &str) -> Said {
    if ran.code == 3 {
        return Said::Failed;
    }
    let report = ran.json();
    let check = report.pointer(at).unwrap_or_else(|| panic!("{at}: {ran:?}"));
    match (check["refusal"].is_null(), check["verdict"].as_str()) {
        (false, _) => Said::Refused,
        (true, Some("pass")) => Said::Accepted,
        (true, Some("reject")) => Said::Rejected,
        _ => panic!("{ran:?}"),
    }
}

fn apply(ran: &Ran) -> Said {
    if ran.code == 3 {
        return Said::Failed;
    }
    let report = ran.json();
    match (report["applied"] == true, report["refusal"].is_null() && report["check"]["refusal"].is_null()) {
        (true, _) => Said::Accepted,
        (false, true) => Said::Rejected,
        (false, false) => Said::Refused,
    }
}

/// A run, whose only round failed by what `kind` says.
fn round(ran: &Ran, kind: &str) -> Said {
    match ran.code {
        3 => return Said::Failed,
        7 => return Said::Refused,
        _ => {}
    }
    let report = ran.json();
    match (report["outcome"].as_str(), report.pointer(kind).and_then(Value::as_str)) {
        (Some("committed" | "staged"), _) => Said::Accepted,
        (Some("rejected"), None | Some("rejected")) => Said::Rejected,
        (Some("rejected"), Some(_)) => Said::Refused,
        _ => panic!("{ran:?}"),
    }
}

/// The change lies between HEAD and what a run committed, so that it is judged when the run is accepted.
fn accept(place: &Place) -> Option<Ran> {
    let base = place.repo.oid("HEAD");
    place.repo.commit("change");
    let reply = "--- a/README.md\n+++ b/README.md\n@@ -1 +1,3 @@\n # r\n+\n+Text.\n";
    let line = json!({ "round": 1, "provider": "recorded", "reply": reply }).to_string();
    fs::write(place.repo.path().join("../reply.jsonl"), line + "\n").expect("a recording");
    let run = ["run", "--task", "a text", "--provider", "replay:../reply.jsonl", "--format", "json"];
    let ran = host(place.repo.path(), &run);
    if ran.code != 0 {
        return None;
    }
    place.repo.git(&["reset", "-q", "--hard", &base.to_string()]);
    Some(place.host(&["accept", "--format", "json"], ""))
}

/// A hook says rules in parentheses, and what it could not judge in words.
fn hook(place: &Place, args: &[&str], stdin: &str) -> Said {
    let ran = place.host(args, stdin);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    match said.as_str() {
        "" => Said::Accepted,
        said if said.contains("could not judge") => Said::Failed,
        said if said.contains("[syntax-holds/") || said.contains("[host:") => Said::Rejected,
        _ => Said::Refused,
    }
}

/// Over MCP, as a client sends it.
fn session(place: &Place) -> Said {
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "check", "arguments": { "staged": true } } });
    let ran = place.host(&["mcp"], &format!("{hello}\n{ready}\n{call}\n"));
    let answer = ran.stdout.lines().find_map(|line| {
        let answer: Value = serde_json::from_str(line).ok()?;
        (answer["id"] == 2).then(|| answer["result"].clone())
    });
    let answer = answer.unwrap_or_else(|| panic!("{ran:?}"));
    let report: Value =
        serde_json::from_str(answer["content"][0]["text"].as_str().unwrap_or_default()).unwrap_or_default();
    match (report["refusal"].is_null(), report["verdict"].as_str()) {
        (false, _) => Said::Refused,
        (true, Some("pass")) => Said::Accepted,
        (true, Some("reject")) => Said::Rejected,
        _ => Said::Failed,
    }
}

/// What an editor shows beside the text, which nobody has saved.
fn editor(place: &Place, path: &str, text: &str) -> Said {
    let mut client = LspClient::start(&mut command(place.repo.path(), &["lsp"], &place.variables()));
    client.hello(json!({}));
    let uri = client.open(&place.repo.path().join(path), text);
    let found = client.diagnostics(&uri)["diagnostics"].clone();
    client.end();
    let errors = found.as_array().expect("a list").iter().filter(|found| found["severity"] == 1);
    let codes: Vec<&str> = errors.filter_map(|found| found["code"].as_str()).collect();
    match codes.as_slice() {
        [] => Said::Accepted,
        ["config"] => Said::Failed,
        [code, ..] if code.starts_with("needs-approval") => Said::Refused,
        _ => Said::Rejected,
    }
}

fn library(place: &Place) -> Said {
    let process = ProcessEnv {
        cwd: place.repo.path().to_owned(),
        exe: env!("CARGO_BIN_EXE_host").into(),
        threads: 1,
        ..ProcessEnv::default()
    };
    let source = PolicySource {
        process: &process,
        embedded: &guards::EMBEDDED,
        config: None,
        offline: true,
        demands_lock: false,
        fresh: true,
        shared: None,
        remember: None,
    };
    let patch = place.patch();
    let opened = place.repo.open();
    let head = opened.head().expect("HEAD");
    let Ok(judge) = PatchJudge::new(opened, head, &source) else { return Said::Failed };
    let reply = Reply { bytes: patch.into_bytes(), ..Reply::default() };
    match judge.judge(&reply, &JudgeContext { task: None, observer: &NullObserver }).expect("it judges") {
        Ok(ruling) if ruling.is_accepted() => Said::Accepted,
        Ok(ruling) if ruling.judged().is_some() => Said::Rejected,
        Ok(_) | Err(_) => Said::Refused,
    }
}
