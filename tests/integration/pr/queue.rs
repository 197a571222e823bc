//! `host pr queue`: fifty pull requests, of which some break one another.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Place;
use crate::support::forge::Pull;
use crate::support::repo::git_in;

const CORE: &str =
    "def total(values):\n    return sum(values)\n\n\ndef mean(values):\n    return total(values) / len(values)\n";
const SHOW: &str = "def show(value):\n    return str(value)\n\n\ndef pad(text):\n    return text.rjust(8)\n";
const OLD: &str = "LIMIT = 9\n";

/// One pull request: its number, and its files; None deletes one.
type Change<'a> = (u64, Vec<(String, Option<String>)>);

impl Place {
    /// Opens pull requests at the forge, each one commit on `main`.
    fn pulls(&self, changes: &[Change<'_>]) {
        let mut stream = String::new();
        for (number, files) in changes {
            let _ = write!(
                stream,
                "commit refs/heads/pr-{number}\ncommitter T <t@example.org> 0 +0000\ndata 6\nchange\nfrom refs/heads/main^0\n"
            );
            for (path, text) in files {
                let _ = match text {
                    Some(text) => write!(stream, "M 100644 inline {path}\ndata {}\n{text}\n", text.len()),
                    None => writeln!(stream, "D {path}"),
                };
            }
        }
        git_in(&self.forge.repository(), &["fast-import", "--quiet", "--force"], stream.as_bytes());
        let mut state = self.forge.state();
        for (number, _) in changes {
            state.pulls.push(Pull {
                number: *number,
                title: format!("Change {number}"),
                body: String::new(),
                is_open: true,
                is_merged: false,
                head: format!("pr-{number}"),
                base: "main".into(),
                draft: false,
                labels: Vec::new(),
                ..Pull::default()
            });
        }
    }

    fn queue(&self, code: i32, more: &[&str]) -> Value {
        self.host(&[&["pr", "queue", "--format", "json"], more].concat()).expect(code).json()
    }
}

fn place() -> Place {
    let modules: Vec<(String, String)> =
        (0..50).map(|at| (format!("tally/m{at}.py"), format!("def f{at}(a):\n    return a + {at}\n"))).collect();
    let mut files: Vec<(&str, &str)> = modules.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.extend([("tally/__init__.py", ""), ("tally/core.py", CORE), ("tally/show.py", SHOW), ("tally/old.py", OLD)]);
    Place::new(&files)
}

fn edit(path: &str, text: &str) -> (String, Option<String>) {
    (path.to_owned(), Some(text.to_owned()))
}

/// A change of a module of its own.
fn innocent(number: u64) -> Change<'static> {
    (
        number,
        vec![edit(
            &format!("tally/m{}.py", number - 1),
            &format!("def f{}(a):\n    return a * {number}\n", number - 1),
        )],
    )
}

fn pairs(report: &Value) -> Vec<(Value, &str)> {
    let breaks = report["breaks"].as_array().expect("breaks");
    breaks
        .iter()
        .map(|found| (found["pulls"].clone(), found["guards"][0]["id"].as_str().unwrap_or("conflict")))
        .collect()
}

fn outcomes(report: &Value, outcome: &str) -> Vec<u64> {
    let pulls = report["pulls"].as_array().expect("pulls");
    pulls
        .iter()
        .filter(|pull| pull["outcome"] == outcome)
        .map(|pull| pull["number"].as_u64().expect("a number"))
        .collect()
}

/// Each of these is fine by itself, and merges without a conflict: a signature and a call of it, an import and a renaming, a file that goes
/// and one that imports it.
#[test]
fn of_fifty_pull_requests_those_that_break_one_another_are_named_by_twos() {
    let place = place();
    let mut changes: Vec<Change<'_>> = (1..=50).map(innocent).collect();
    changes[6].1.push(edit(
        "tally/core.py",
        &CORE
            .replace("def total(values):", "def total(values, start):")
            .replace("sum(values)", "sum(values, start)")
            .replace("total(values) /", "total(values, 0) /"),
    ));
    changes[30].1.push(edit(
        "tally/report.py",
        "from tally.core import total\n\n\ndef report(values):\n    return total(values)\n",
    ));
    changes[11].1.push(edit(
        "tally/table.py",
        "from tally.show import show\n\n\ndef row(values):\n    return [show(value) for value in values]\n",
    ));
    changes[39].1.push(edit("tally/show.py", &SHOW.replace("def show", "def shown")));
    changes[19].1.push(("tally/old.py".to_owned(), None));
    changes[20]
        .1
        .push(edit("tally/bounds.py", "from tally.old import LIMIT\n\n\ndef fits(value):\n    return value < LIMIT\n"));
    place.pulls(&changes);
    let before = place.repo.git(&["for-each-ref"]);
    let report = place.queue(1, &[]);
    eprintln!(
        "{} judgements of 50 pull requests in {} ms",
        report["judged"],
        report["micros"].as_u64().unwrap_or(0) / 1000
    );
    assert_eq!(
        pairs(&report),
        [
            (json!([20, 21]), "imports-resolve"),
            (json!([7, 31]), "calls-match-signatures"),
            (json!([12, 40]), "definitions-kept"),
        ]
    );
    assert_eq!(outcomes(&report, "breaks"), [21, 31, 40]);
    assert_eq!(outcomes(&report, "fits").len(), 47);
    assert_eq!(report["fits"], false);
    // No branch, no work tree and no index changed, and no object of a merge was written.
    let refs = place.repo.git(&["for-each-ref", "--format=%(refname)"]);
    assert!(before.lines().all(|line| refs.contains(line.split('\t').next_back().expect("a name"))), "{refs}");
    assert!(refs.lines().all(|name| !name.starts_with("refs/guardhost/") || name.starts_with("refs/guardhost/pulls/")));
    assert_eq!(place.repo.git(&["status", "--porcelain"]), "");
    let prefix = report["pulls"][49]["prefix"].as_str().expect("a tree");
    let found = place.repo.git_with(&["cat-file", "--batch-check"], prefix.as_bytes());
    assert!(found.ends_with("missing"), "the tree is on disk: {found}");
    place.forge.check();

    // What was fetched is not fetched again.
    let requests = |place: &Place| {
        place.forge.state().command_lines.iter().filter(|line| line.contains("refs/pull/7/head")).count()
    };
    let fetched = requests(&place);
    assert!(fetched > 0);
    assert_eq!(pairs(&place.queue(1, &[])).len(), 3);
    assert_eq!(requests(&place), fetched);
}

#[test]
fn conflicts_rejections_and_what_is_merged_already_are_told_apart() {
    let place = place();
    place.pulls(&[
        innocent(1),
        // The same line as the first.
        (2, vec![edit("tally/m0.py", "def f0(a):\n    return a - 2\n")]),
        // Rejected by itself.
        (3, vec![edit("tally/m2.py", "def f2(a:\n")]),
        (4, Vec::new()),
        innocent(5),
    ]);
    git_in(&place.forge.repository(), &["update-ref", "refs/heads/pr-4", "main"], b"");
    let report = place.queue(1, &["--base", "main"]);
    let words: Vec<&str> = report["pulls"]
        .as_array()
        .expect("pulls")
        .iter()
        .map(|pull| pull["outcome"].as_str().expect("a word"))
        .collect();
    assert_eq!(words, ["fits", "breaks", "rejected", "nothing", "fits"]);
    assert_eq!(report["breaks"], json!([{ "pulls": [1, 2], "conflicts": ["tally/m0.py"], "guards": [] }]));
    assert_eq!(report["pulls"][2]["guards"][0]["id"], "syntax-holds");
    let human = place.host(&["pr", "queue"]).expect(1).stdout;
    assert!(human.contains("#1 and #2 change the same lines of tally/m0.py"), "{human}");

    // The base moves: the second conflicts with it.
    git_in(&place.forge.repository(), &["update-ref", "refs/heads/main", "pr-1"], b"");
    let report = place.queue(1, &["--limit", "2"]);
    assert_eq!((outcomes(&report, "nothing"), outcomes(&report, "conflicts")), (vec![1], vec![2]));
    assert_eq!(report["pulls"][1]["conflicts"], json!(["tally/m0.py"]));
    assert!(report["notices"].to_string().contains("only the oldest 2 of 5"), "{report}");
}

/// Two bindings of one name go, and a use of it comes: any two of them are fine.
#[test]
fn three_that_break_only_together_are_named_as_three() {
    let text = "import os as paths\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 2\n\n\nimport posixpath as paths\n\n\ndef three():\n    return 3\n\n\ndef four():\n    return 4\n";
    let place = Place::new(&[("tally/paths.py", text)]);
    let changed = |old: &str, new: &str| vec![edit("tally/paths.py", &text.replace(old, new))];
    place.pulls(&[
        (1, changed("import os as paths\n", "")),
        (2, changed("import posixpath as paths\n", "")),
        (3, changed("return 4", "return paths.sep")),
    ]);
    let report = place.queue(1, &[]);
    assert_eq!(pairs(&report), [(json!([1, 2, 3]), "no-undefined-names")]);
    assert_eq!((outcomes(&report, "fits"), outcomes(&report, "breaks")), (vec![1, 2], vec![3]));
}

#[test]
fn without_pull_requests_there_is_nothing() {
    let place = place();
    assert_eq!(place.queue(8, &[])["pulls"], json!([]));
    let said = place.host(&["pr", "queue", "--offline"]).expect(2).stderr;
    assert!(said.contains("needs the network"), "{said}");
}
