//! `host stats` after a scripted fortnight of three agents and two people: the real program, real git, and the hooks of both. Time is put into
//! the records afterwards, so that nobody waits for it.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use guardhost_core::change::{RememberedFinding, RememberedRuling, RememberedVerdict};
use guardhost_report::rulings::{PastRuling, Rulings, stats};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};

use crate::support::cli::{Ran, home, host, host_with};
use crate::support::repo::TestRepo;

const RULES: &str = "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n\n[[guard]]\nid = \"no-secrets\"\n";
const GOOD: &str = "def x():\n    return 2\n";
const BAD: &str = "def x(:\n    return 2\n";

/// A repository whose hook of git is the host's.
struct Scripted {
    repo: TestRepo,
    /// Of this week.
    monday: jiff::civil::Date,
}

impl Scripted {
    fn new() -> Self {
        let repo = TestRepo::with(&[("x.py", "def x():\n    return 1\n"), ("guards.toml", RULES)]);
        let hook = repo.path().join(".git/hooks/pre-commit");
        fs::create_dir_all(hook.parent().expect("a folder")).expect("a folder");
        let program = env!("CARGO_BIN_EXE_host");
        fs::write(&hook, format!("#!/bin/sh\nexec '{program}' hook git pre-commit\n")).expect("a hook");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&hook, mode).expect("a program");
        let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
        let monday = today.saturating_sub(i64::from(today.weekday().to_monday_zero_offset()).days());
        Scripted { repo, monday }
    }

    /// The file that records are written to.
    fn records(&self) -> String {
        let folder = self.repo.path().join(".git/guardhost/rulings");
        let files = fs::read_dir(folder).into_iter().flatten().map(|file| file.expect("an entry").path());
        files.map(|file| fs::read_to_string(file).expect("text")).collect()
    }

    /// What `act` leaves is dated: days from the Monday of this week, and the hour.
    fn at<T>(&self, days: i64, hour: i8, act: impl FnOnce(&Self) -> T) -> T {
        let before = self.records();
        let result = act(self);
        let after = self.records();
        let new: Vec<String> = after[before.len()..]
            .lines()
            .filter(|line| !line.is_empty())
            .map(|line| {
                let mut record: Value = serde_json::from_str(line).expect("a record");
                let day = self.monday.saturating_add(days.days());
                record["time"] = json!(format!("{day}T{hour:02}:00:00.000Z"));
                format!("\n{record}\n")
            })
            .collect();
        assert_eq!(new.len(), 1, "one act, one ruling: {new:?}");
        let folder = fs::read_dir(self.repo.path().join(".git/guardhost/rulings")).expect("a folder");
        let files: Vec<_> = folder.map(|file| file.expect("an entry").path()).collect();
        let [only] = files.as_slice() else { panic!("{files:?}") };
        fs::write(only, format!("{before}{}", new.concat())).expect("written");
        result
    }

    fn claude_writes(&self, path: &str, text: &str) -> Ran {
        let root = self.repo.path();
        let input = json!({ "hook_event_name": "PreToolUse", "cwd": root, "tool_name": "Write",
            "tool_input": { "file_path": root.join(path), "content": text } });
        host_with(root, &["hook", "claude", "PreToolUse"], input.to_string().as_bytes(), &[])
    }

    /// The index holds this beside HEAD, and nothing else.
    fn stage(&self, path: &str, text: &str) {
        self.repo.git(&["reset", "-q", "--hard"]);
        self.repo.git(&["clean", "-fdq"]);
        self.repo.write(path, text);
        self.repo.stage_all();
    }

    fn check(&self, more: &[&str], shell_of: Option<&str>) -> Ran {
        let variables: Vec<(&str, &str)> = shell_of.map(|variable| (variable, "1")).into_iter().collect();
        host_with(self.repo.path(), &[&["check", "--staged"], more].concat(), b"", &variables)
    }

    /// As a person types it, with the hook of git.
    fn commits(&self, name: &str) -> bool {
        let mut git = Command::new("git");
        git.current_dir(self.repo.path()).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        git.env("HOME", home()).env("GIT_CONFIG_NOSYSTEM", "1");
        let who = [format!("user.name={name}"), format!("user.email={name}@example.org")];
        git.args(["-c", &who[0], "-c", &who[1], "commit", "-q", "-m", "a change"]);
        git.output().expect("git").status.success()
    }
}

fn token() -> String {
    format!("TOKEN = \"ghp_{}\"", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8")
}

#[test]
fn the_figures_of_a_scripted_fortnight_are_what_was_scripted() {
    let place = Scripted::new();
    // Last week. Claude's edit is stopped, and so is not made; the next one of the file is right.
    place.at(-7, 9, |place| place.claude_writes("x.py", BAD));
    place.at(-7, 10, |place| place.claude_writes("x.py", GOOD));
    // Codex is told twice of the same change, which is one change and one alarm, and a person lets it through without the guard.
    place.stage("a.py", BAD);
    place.at(-6, 9, |place| place.check(&[], Some("CODEX_CI")).expect(1));
    place.at(-6, 10, |place| place.check(&[], Some("CODEX_CI")).expect(1));
    place.at(-6, 11, |place| place.check(&["--skip", "syntax-holds"], None).expect(0));
    // This week. Of Gemini one change is fixed by the guard's own fix, another is never looked at again.
    place.stage("b.json", "{\n  \"a\": [1, 2,],\n}\n");
    place.at(0, 9, |place| place.check(&["--fix"], Some("GEMINI_CLI")).expect(0));
    place.stage("d.py", BAD);
    place.at(0, 10, |place| place.check(&[], Some("GEMINI_CLI")).expect(1));
    // One person is stopped by the hook of git, fixes the change, and commits.
    place.stage("e.py", BAD);
    assert!(!place.at(1, 9, |place| place.commits("ada")));
    place.stage("e.py", GOOD);
    assert!(place.at(1, 10, |place| place.commits("ada")));
    // The other excuses four lines, of which only the first had been objected to before.
    place.stage("keys/0.py", &format!("{}\n", token()));
    assert!(!place.at(2, 9, |place| place.commits("bob")));
    for n in 0..4 {
        let text = format!("{}  # guardhost: allow token-added it opens nothing, number {n}\n", token());
        place.stage(&format!("keys/{n}.py"), &text);
        assert!(place.at(2, 10 + n, |place| place.commits("bob")));
    }

    let badge = place.repo.path().join("../badge.svg");
    let args = ["stats", "--format", "json", "--badge", badge.to_str().expect("a path")];
    let report = host(place.repo.path(), &args).expect(0).json();
    let alarms = |raised: u32, mended: u32, heeded: u32, by: &[(&str, u32)], open: u32| {
        let overridden: u32 = by.iter().map(|(_, count)| count).sum();
        json!({ "raised": raised, "mended": mended, "heeded": heeded, "overridden": overridden,
            "overridden_by": by.iter().copied().collect::<BTreeMap<_, _>>(), "open": open })
    };
    let figures =
        |found: &Value| json!([found["rulings"], found["changes"], found["stopped"], found["mended"], found["alarms"]]);
    let weeks: Vec<Value> = report["weeks"].as_array().expect("weeks").iter().map(&figures).collect();
    let last = json!([5, 3, 2, 0, alarms(2, 0, 1, &[("skip", 1)], 0)]);
    let this = json!([9, 9, 3, 1, alarms(7, 1, 1, &[("comment", 4)], 1)]);
    assert_eq!(weeks, [last, this], "{report:#}");
    assert_eq!(report["weeks"][1]["week"], json!(place.monday.to_string()));
    let both = alarms(9, 1, 2, &[("skip", 1), ("comment", 4)], 1);
    assert_eq!(figures(&report["total"]), json!([14, 12, 5, 1, both]), "{report:#}");
    let agents: BTreeMap<&str, Value> = report["agents"]
        .as_array()
        .expect("agents")
        .iter()
        .map(|row| (row["agent"].as_str().expect("a name"), figures(row)))
        .collect();
    let expected = BTreeMap::from([
        ("claude", json!([2, 2, 1, 0, alarms(1, 0, 1, &[], 0)])),
        // The person's check of Codex's change is a ruling of the person's on a change of Codex.
        ("codex", json!([2, 1, 1, 0, alarms(1, 0, 0, &[("skip", 1)], 0)])),
        ("gemini", json!([2, 2, 1, 1, alarms(2, 1, 0, &[], 1)])),
        ("person", json!([8, 7, 2, 0, alarms(5, 0, 1, &[("comment", 4)], 0)])),
    ]);
    assert_eq!(agents, expected, "{report:#}");
    let guards = json!([
        [report["guards"][0]["guard"], report["guards"][0]["raised"], report["guards"][0]["overridden"]],
        [report["guards"][1]["guard"], report["guards"][1]["raised"], report["guards"][1]["overridden"]],
    ]);
    assert_eq!(guards, json!([["syntax-holds", 5, 1], ["no-secrets", 4, 4]]), "{report:#}");
    // Claude's edit and Ada's commit came back right, Codex's and Bob's were let through, and Gemini's is still where it was.
    let after = |row: &Value| {
        json!([row["after_stop"]["repaired"], row["after_stop"]["overruled"], row["after_stop"]["unknown"]])
    };
    assert_eq!(after(&report["total"]), json!([2, 2, 1]), "{report:#}");
    assert_eq!(
        report["weeks"].as_array().expect("weeks").iter().map(after).collect::<Vec<_>>(),
        [json!([1, 1, 0]), json!([1, 1, 1])]
    );
    let rules = report["rules"].as_array().expect("rules").iter();
    let rules: Vec<Value> =
        rules.map(|row| json!([row["guard"], row["rule"], row["raised"], row["overridden"]])).collect();
    assert!(rules.contains(&json!(["no-secrets", "token-added", 4, 4])), "{rules:?}");
    // All of one guard's alarms were overridden, in one folder.
    let quiet = json!([{ "guard": "no-secrets", "raised": 4, "overridden": 4,
        "setting": "[[guard]]\nid = \"no-secrets\"\npaths = { exclude = [\"keys/**\"] }" }]);
    assert_eq!(report["quiet"], quiet);
    assert!(report["total"]["micros"].as_u64() > Some(0) && report["total"]["fuel"].as_u64() > Some(0));

    let svg = fs::read_to_string(badge).expect("a badge");
    assert!(svg.starts_with("<svg ") && svg.contains("12 judged, 5 stopped, 5 of 9 alarms overridden"), "{svg}");
    let shown = host(place.repo.path(), &["stats"]).expect(0).stdout;
    assert!(shown.contains("people overrode 4 of 4 alarms of no-secrets"), "{shown}");
    assert!(shown.contains("of the 5 stopped: 2 were repaired and accepted, 2 were overruled by a person"), "{shown}");
    // Only the current week.
    let one = host(place.repo.path(), &["stats", "--weeks", "1", "--format", "json"]).expect(0).json();
    assert_eq!((figures(&one["total"]), one["weeks"].as_array().map(Vec::len)), (weeks_of(&weeks, 1), Some(1)));

    // The same rulings in the list, newest first, and those of one guard and one door.
    let list = |more: &[&str]| {
        let args = [&["log", "--rulings", "--format", "json", "-n", "100"], more].concat();
        let report = host(place.repo.path(), &args).expect(0).json();
        report["rulings"].as_array().expect("rulings").clone()
    };
    let all = list(&[]);
    assert_eq!(
        (all.len(), all[0]["door"].as_str(), all[13]["agent"].as_str()),
        (14, Some("pre-commit"), Some("claude"))
    );
    assert_eq!(list(&["--guard", "no-secrets"]).len(), 1);
    assert_eq!(list(&["--door", "agent-edit"]).len(), 2);
    assert!(host(place.repo.path(), &["log"]).expect(0).stdout.contains("no runs"));
    has_a_page(&place.repo);
}

/// The page has the same figures; redacted, no path of the repository; and a bundle keeps what it is made of, merged once.
fn has_a_page(repo: &TestRepo) {
    let page = |more: &[&str]| {
        let html = host(repo.path(), &[&["report"], more].concat()).expect(0).stdout;
        let section = html
            .split("<h1>What the guards saved</h1>")
            .nth(1)
            .unwrap_or_else(|| panic!("{more:?}: no page"))
            .to_owned();
        section.split("</section>").next().unwrap_or_default().to_owned()
    };
    let fact = |name: &str, number: u32| format!(">{name}</dt><dd>{number}</dd>");
    let facts = [
        fact("Changes judged", 12),
        fact("Stopped", 5),
        fact("… came back repaired", 2),
        fact("… overruled by a person", 2),
        fact("… not known", 1),
        fact("Fixed by guards", 1),
    ];
    let open = page(&[]);
    assert!(facts.iter().all(|fact| open.contains(fact)), "{open}");
    assert!(open.contains("keys/**") && open.contains("claude"), "{open}");
    let redacted = page(&["--redact"]);
    assert!(facts.iter().all(|fact| redacted.contains(fact)) && !redacted.contains("keys"), "{redacted}");
    let bundle = repo.path().join("../bundle.json");
    let bundle = bundle.to_str().expect("a path");
    host(repo.path(), &["report", "--format", "bundle", "--output", bundle]).expect(0);
    assert_eq!(page(&["--bundle", bundle]), open);
    assert_eq!(page(&["--bundle", bundle, "--bundle", bundle]), open);
}

fn weeks_of(weeks: &[Value], at: usize) -> Value {
    weeks[at].clone()
}

/// A guard is named from three of four on, and from four alarms on.
#[test]
fn a_guard_is_quieted_where_three_of_four_alarms_were_overridden() {
    let now: Timestamp = "2026-11-25T12:00:00Z".parse().expect("a time");
    let quiet = |overridden: usize, heeded: usize| {
        let mut rulings = Vec::new();
        for n in 0..overridden + heeded {
            let file = format!("src/{n}.py");
            let finding = RememberedFinding {
                guard: "no-print".to_owned(),
                rule: "print".to_owned(),
                file: Some(file.clone()),
                count: 1,
            };
            let ruling = |tree: &str| RememberedRuling {
                base: "b".to_owned(),
                tree: format!("{tree}{n}"),
                files: vec![file.clone()],
                verdict: RememberedVerdict::Accepted,
                ..RememberedRuling::default()
            };
            let stopped =
                RememberedRuling { verdict: RememberedVerdict::Rejected, findings: vec![finding], ..ruling("bad") };
            let next = match n < overridden {
                true => RememberedRuling { skipped: vec!["no-print".to_owned()], ..ruling("bad") },
                false => RememberedRuling { passed: vec!["no-print".to_owned()], ..ruling("good") },
            };
            let at = |ruling| PastRuling { time: "2026-11-25T11:00:00.000Z".to_owned(), ruling };
            rulings.extend([at(stopped), at(next)]);
        }
        let report = stats(&Rulings { rulings, unread: 0 }, 1, now);
        assert_eq!(report.total.alarms.raised, overridden + heeded);
        report.quiet.into_iter().map(|guard| guard.setting).collect::<Vec<_>>()
    };
    assert!(quiet(3, 0).is_empty(), "three alarms say little");
    assert!(quiet(2, 2).is_empty() && quiet(5, 2).is_empty());
    assert_eq!(quiet(3, 1), ["[[guard]]\nid = \"no-print\"\nmode = \"monitor\""]);
    assert_eq!(quiet(4, 0), ["[[guard]]\nid = \"no-print\"\npaths = { exclude = [\"src/**\"] }"]);
}
