//! A folder is the same to every guard: what one passes as test data no other rejects, and `[paths]` says so once for all.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::cli::host;
use crate::support::repo::TestRepo;

/// A mistake that each guard finds: its id, the name of the file, and the text.
const MISTAKES: [(&str, &str, &str); 5] = [
    ("texts-parse", "a.css", "a { color: red;\n"),
    ("syntax-holds", "a.ts", "const x = (;\n"),
    ("schema-holds", "package.json", "{\"name\": 7}\n"),
    ("no-undefined-names", "b.py", "print(undefined_here)\n"),
    ("links-resolve", "guide.md", "See [that](nowhere.md).\n"),
];

/// What becomes of a mistake.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Answer {
    Error,
    Warning,
    Silent,
}

/// What a folder is to the guards.
#[derive(Debug, Clone, Copy)]
enum Folder {
    Code,
    Test,
    TestData,
    Vendored,
}

/// What each guard does with a kind, and nothing else: the one place where they differ.
fn expected(folder: Folder, guard: &str) -> Answer {
    match (folder, guard) {
        (Folder::Code, _) => Answer::Error,
        // Documents of tests link to what tests make.
        (Folder::Test, "links-resolve") => Answer::Silent,
        (Folder::Test, _) => Answer::Error,
        // What does not parse may be meant so; names and links are not looked at.
        (Folder::TestData, "no-undefined-names" | "links-resolve") => Answer::Silent,
        (Folder::TestData, _) => Answer::Warning,
        // Nobody edits links and names of others. A file that does not parse is broken, whoever wrote it.
        (Folder::Vendored, "no-undefined-names" | "links-resolve") => Answer::Silent,
        (Folder::Vendored, _) => Answer::Error,
    }
}

/// Folders that guards took for different things, and where they stand in the table of kinds.
const FOLDERS: [(&str, Folder); 21] = [
    ("testdata", Folder::TestData),
    ("fixtures", Folder::TestData),
    ("snapshots", Folder::TestData),
    ("cases", Folder::TestData),
    ("corpus", Folder::TestData),
    ("golden", Folder::TestData),
    ("stubs", Folder::TestData),
    ("tests/data", Folder::TestData),
    ("tests/ui", Folder::TestData),
    ("tests/expected", Folder::TestData),
    ("tests/vendor", Folder::TestData),
    ("mocks", Folder::Test),
    ("__mocks__", Folder::Test),
    ("playground", Folder::Test),
    ("e2e", Folder::Test),
    ("samples", Folder::Code),
    ("src/data", Folder::Code),
    ("src/ui", Folder::Code),
    ("src/expected", Folder::Code),
    ("src/resources", Folder::Code),
    ("third_party", Folder::Vendored),
];

/// What the guards say of each mistake in each folder, by folder and guard.
fn answers(rules: &str, folders: &[&str]) -> BTreeMap<(String, String), Answer> {
    let pins: String = MISTAKES
        .iter()
        .map(|(id, ..)| {
            let grants = guards::builtin().iter().find(|guard| guard.id == *id).expect("the guard").grants;
            format!("[[guard]]\nid = {id:?}\ngrants = {grants:?}\n")
        })
        .collect();
    let repo = TestRepo::with(&[("guards.toml", &format!("schema = 1\n{rules}{pins}"))]);
    for folder in folders {
        for (_, name, text) in MISTAKES {
            repo.write(format!("{folder}/{name}"), text);
        }
    }
    repo.stage_all();
    let ran = host(repo.path(), &["check", "--staged", "--offline", "--format", "json"]);
    let report = ran.json();
    let mut answers = BTreeMap::new();
    for guard in report["guards"].as_array().expect("guards") {
        let id = guard["id"].as_str().expect("an id");
        let (_, name, _) = MISTAKES.iter().find(|(known, ..)| *known == id).expect("one of them");
        for folder in folders {
            let path = format!("{folder}/{name}");
            let of_file = |finding: &&Value| finding["path"] == path.as_str();
            let found: Vec<&Value> = guard["findings"].as_array().expect("findings").iter().filter(of_file).collect();
            let answer = match found.iter().any(|finding| finding["severity"] == "error") {
                true => Answer::Error,
                false if found.is_empty() => Answer::Silent,
                false => Answer::Warning,
            };
            answers.insert(((*folder).to_owned(), id.to_owned()), answer);
        }
    }
    answers
}

/// The lines of the table that do not come out as expected.
fn differences(rules: &str, folders: &[(&str, Folder)]) -> Vec<String> {
    let names: Vec<&str> = folders.iter().map(|(folder, _)| *folder).collect();
    let answers = answers(rules, &names);
    assert_eq!(answers.len(), names.len() * MISTAKES.len());
    let mut wrong = Vec::new();
    for (folder, kind) in folders {
        for (guard, file, _) in MISTAKES {
            let (said, wanted) = (answers[&((*folder).to_owned(), guard.to_owned())], expected(*kind, guard));
            if said != wanted {
                wrong.push(format!("{folder}/{file}, {guard}: {wanted:?} is expected, it is {said:?}"));
            }
        }
    }
    wrong
}

#[test]
fn a_folder_is_the_same_to_every_guard() {
    assert_eq!(differences("", &FOLDERS), Vec::<String>::new());
}

#[test]
fn what_the_rules_say_of_paths_holds_for_every_guard() {
    let rules = "[paths]\ntest_data = [\"inputs/**\"]\nvendored = [\"external\"]\ncode = [\"legal/cases/\"]\n";
    let folders = [
        ("inputs", Folder::TestData),
        ("src/inputs", Folder::Code),
        ("lib/external", Folder::Vendored),
        ("legal/cases", Folder::Code),
        ("other/cases", Folder::TestData),
    ];
    assert_eq!(differences(rules, &folders), Vec::<String>::new());
}

/// What `[paths]` says is part of what decided: another verdict is not taken for the same.
#[test]
fn a_verdict_is_not_reused_under_other_paths() {
    let repo = TestRepo::with(&[("guards.toml", "schema = 1\n[[guard]]\nid = \"syntax-holds\"\n")]);
    let check = |code| {
        repo.write("inputs/a.py", "x = (\n");
        repo.stage_all();
        let report = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(code).json();
        repo.git(&["rm", "-q", "-f", "inputs/a.py"]);
        report["guards"][0]["findings"][0]["severity"].clone()
    };
    assert_eq!(check(1), "error");
    repo.write("guards.toml", "schema = 1\n[paths]\ntest_data = [\"inputs\"]\n[[guard]]\nid = \"syntax-holds\"\n");
    repo.commit("rules");
    assert_eq!(check(0), "warning");
}

#[test]
fn a_wrong_glob_is_shown_in_its_place() {
    let repo =
        TestRepo::with(&[("guards.toml", "schema = 1\n[paths]\nvendored = [\"a\", \"[b\"]\n"), ("a.txt", "x\n")]);
    repo.write("a.txt", "y\n");
    repo.stage_all();
    let report = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(3).json();
    let message = report["error"]["message"].as_str().expect("a message");
    assert!(message.contains(":3:18: `paths.vendored` has a wrong path"), "{message}");
}

/// A glob that was written for the root alone is read as every other one, and its author is told.
#[test]
fn a_glob_that_means_more_than_before_is_noted() {
    let repo = TestRepo::with(&[
        (
            "guards.toml",
            "schema = 1\n[policy]\nprotect = [\"*.md\", \"/a.txt\"]\n[[guard]]\nid = \"syntax-holds\"\nsettings = { allow_broken = [\"*.{json,py}\", \"**/*.rs\"] }\n",
        ),
        ("x.txt", "x\n"),
    ]);
    repo.write("deep/a.py", "x = (\n");
    repo.stage_all();
    let report = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(0).json();
    let notices: Vec<&str> = report["notices"].as_array().expect("notices").iter().filter_map(Value::as_str).collect();
    let about = |what: &str| notices.iter().filter(|text| text.contains(what)).count();
    assert_eq!(
        (about("`*.md` matches at any depth"), about("`*.{json,py}` matches at any depth")),
        (1, 1),
        "{notices:?}"
    );
    assert_eq!((about("a.txt"), about("*.rs")), (0, 0), "{notices:?}");
    let patch = "--- /dev/null\n+++ b/docs/n.md\n@@ -0,0 +1 @@\n+x\n";
    let ran = crate::support::cli::host_with(repo.path(), &["check", "--patch", "-"], patch.as_bytes(), &[]);
    assert_eq!(ran.code, 7, "{ran:?}");
}
