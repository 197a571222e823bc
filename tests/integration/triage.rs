//! What of a change is proved to be harmless: the proofs, and that none of them is given to an edit that changes what a program does.

mod edits;
mod private;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use guardhost_core::change::RepoPath;
use guardhost_core::stop::StopToken;
use guardhost_engine::outlines::Outlines;
use guardhost_pipeline::triage::code::{LANGUAGES, SameCode, Sides, same_code};
use guardhost_pipeline::triage::document::{is_for_people, same_document};
use guardhost_pipeline::triage::tests_added::tests_added;
use guardhost_pipeline::triage::unproved::Unproved;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::cli::host;
use crate::support::random::Random;
use crate::support::repo::TestRepo;
use edits::{changing, keeping};

fn outlines() -> &'static Outlines {
    static OUTLINES: OnceLock<Outlines> = OnceLock::new();
    OUTLINES.get_or_init(|| Outlines::new(&guards::EMBEDDED, StopToken::default()))
}

/// The sources in the folder of samples.
fn samples() -> &'static [(String, String)] {
    static SAMPLES: OnceLock<Vec<(String, String)>> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/triage");
        let entries = fs::read_dir(folder).expect("samples").map(|entry| entry.expect("a sample").path());
        let mut samples: Vec<_> = entries
            .map(|path| {
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                (name, fs::read_to_string(&path).expect("a text"))
            })
            .collect();
        samples.sort();
        samples
    })
}

fn proved(name: &str, old: &str, new: &str) -> Result<SameCode, String> {
    same_code(&Sides { name, is_test: false, old, new }, outlines()).map_err(|unproved| match unproved {
        Unproved::Because(why) => why,
        Unproved::Stopped(why) => panic!("{name}: {why}"),
    })
}

#[test]
fn every_sample_is_read() {
    let mut read_languages = BTreeSet::new();
    for (name, text) in samples() {
        let read = outlines().code(name, false, text).expect("no stop");
        let code = read.unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(code.comments.len() >= 2, "{name}: {:?}", code.comments);
        read_languages.insert(code.language);
    }
    // Nothing is proved in a language whose reader was not tried.
    assert_eq!(read_languages.into_iter().collect::<Vec<_>>(), LANGUAGES);
}

#[test]
fn what_is_the_same_program_is_told() {
    use SameCode::{Comments, Formatting};
    for (name, old, new, expected) in [
        ("a.py", "x = 1  # old\ny = 2\n", "x = 1 # new words\n\n\n# More of them.\ny = 2\n", Ok(Comments)),
        ("a.py", "x = 1   \n\n\ny = 2", "x = 1\ny = 2\n", Ok(Formatting)),
        ("a.py", "if x:\n    y = 2\n    z = 3\n", "if x:\n    y = 2\nz = 3\n", Err("a line ends, or is indented")),
        ("a.py", "x = 'a  b'\n", "x = 'a b'\n", Err("spaces differ inside of a line")),
        ("a.py", "x = \"\"\"a\n\nb\"\"\"\n", "x = \"\"\"a\n\n\nb\"\"\"\n", Err("part of a text")),
        ("a.py", "x = 1  # type: ignore\n", "x = 1\n", Err("tools may read")),
        ("a.py", "\n\n# coding: latin-1\nx = 1\n", "\n# coding: latin-1\nx = 1\n", Err("tools may read")),
        ("a.py", "x = (\n", "x = (\n\n", Err("does not parse")),
        ("a.ts", "f(a,  b); // x\n", "f(a, b); // y\n", Ok(Comments)),
        ("a.ts", "  f(a,  b);\n", "\tf(a, b);\n", Ok(Formatting)),
        ("a.ts", "const a = `x  y`;\n", "const a = `x y`;\n", Err("part of a text")),
        ("a.ts", "return_(a)\n(b)\n", "return_(a) (b)\n", Err("a line ends")),
        ("a.ts", "x = 1;\n", "x = 1; // @ts-ignore\n", Err("tools may read")),
        (
            "a.go",
            "package a\n\n//go:build x\nvar  b = 1\n",
            "package a\n//go:build x\nvar b = 1\n",
            Err("tools may read"),
        ),
        (
            "a.go",
            "package a\n\n// #include <x.h>\nimport \"C\"\n",
            "package a\n\n// other words\nimport \"C\"\n",
            Err(""),
        ),
        ("a.c", "#define A 1 \\\n  + 2\nint a;\n", "#define A 1 \\\n\n  + 2\nint a;\n", Err("")),
        ("a.rb", "puts [1]\n", "puts[1]\n", Err("its code differs")),
        // Its grammar finds comments in heredocs.
        ("a.php", "<?php\n$a = <<<T\nx\n\ny\nT;\n", "<?php\n$a = <<<T\nx\n\n\ny\nT;\n", Err("was not tried")),
        ("a.txt", "x\n", "x\n\n", Err("no reader")),
    ] {
        match (proved(name, old, new), expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{name}: {old:?} {new:?}"),
            (Err(why), Err(expected)) => assert!(why.contains(expected), "{name}: {why}"),
            (found, _) => panic!("{name}: {found:?}: {old:?} {new:?}"),
        }
    }
}

#[test]
fn documents_are_sentences_between_what_is_kept() {
    const OLD: &str = "# Title\n\nSome words here.\nSee [the guide](guide.md) first.\n\n```sh\nrun me\n```\n\n    indented\n\nMore.\n";
    let same = |new: &str| same_document(OLD, new, &RepoPath::from("README.md")).is_ok();
    assert!(same(&OLD.replace("Some words here.", "Some other words, here.\nAnd a line.")));
    assert!(same(&OLD.replace("More.\n", "")));
    for (old, new) in [
        ("# Title", "# Other"),
        ("guide.md", "other.md"),
        ("run me", "run you"),
        ("    indented", "    other"),
        ("More.", "Run `it`."),
        ("More.", "More\n----"),
        ("More.", "<b>More.</b>"),
        ("```sh\nrun me\n```\n", ""),
        ("Some words", "Some --force words"),
        ("Some words", "https://x.example words"),
    ] {
        assert!(!same(&OLD.replace(old, new)), "{old} {new}");
    }
    for (path, is_read) in [
        ("README.md", true),
        ("docs/guide.md", true),
        ("packages/a/CHANGELOG.md", true),
        ("LICENSE.md", false),
        ("AGENTS.md", false),
        ("docs/AGENTS.md", false),
        (".github/README.md", false),
        ("src/prompts/system.md", false),
        ("docs/requirements.txt", false),
    ] {
        assert_eq!(is_for_people(&RepoPath::from(path)), is_read, "{path}");
    }
}

#[test]
fn tests_are_added_when_no_other_is_touched() {
    const OLD: &str = "import a\n\n\ndef test_one():\n    assert a.x == 1\n";
    const NEW: &str = "\n\ndef test_two():\n    assert a.y == 2\n";
    let added = |new: &str| tests_added("test_a.py", Some(OLD), new, outlines());
    assert_eq!(added(&format!("{OLD}{NEW}")), Ok(1));
    assert_eq!(added(&format!("import b\n{OLD}{NEW}")), Ok(1));
    assert_eq!(tests_added("test_b.py", None, &format!("import a\n{NEW}"), outlines()), Ok(1));
    for (what, new) in [
        ("changed", OLD.replace("== 1", "== 2") + NEW),
        ("gone", OLD.replace("    assert a.x == 1\n", "    pass\n") + NEW),
        ("the same name", format!("{OLD}{}", NEW.replace("test_two", "test_one"))),
        ("skipped", format!("{OLD}\n\nimport pytest\n\n\n@pytest.mark.skip\ndef test_two():\n    assert a.y == 2\n")),
        ("nothing checked", format!("{OLD}\n\ndef test_two():\n    print(1)\n")),
        ("code outside", format!("{OLD}{NEW}\n\na.x = 1\n")),
        ("a name that was bound", format!("{}{NEW}", OLD.replace("import a\n", "import a\nimport b as a\n"))),
        ("in an old test", OLD.replace("    assert", "    return\n    assert") + NEW),
        ("none", format!("{OLD}\n")),
    ] {
        assert!(added(&new).is_err(), "{what}: {new}");
    }
    let script = "test('one', () => {\n  expect(1).toBe(1);\n});\n";
    let more = "test.only('two', () => {\n  expect(2).toBe(2);\n});\n";
    assert!(tests_added("a.test.js", Some(script), &format!("{script}{more}"), outlines()).is_err());
    assert_eq!(
        tests_added("a.test.js", Some(script), &format!("{script}{}", more.replace(".only", "")), outlines()),
        Ok(1)
    );
}

/// Of each case, some edits of each sample: `PROPTEST_CASES=600` are 100,000.
const EDITS: usize = 12;

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_edit_that_changes_a_program_is_proved_harmless(seed: u64) {
        let mut random = Random::new(seed);
        for (name, text) in samples() {
            for _ in 0..EDITS {
                let (what, edited) = changing(text, name, outlines(), &mut random);
                prop_assert!(proved(name, text, &edited).is_err(), "{what} in {name}:\n{edited}");
            }
        }
    }

    #[test]
    fn edits_that_keep_a_program_are_proved_harmless(seed: u64) {
        let mut random = Random::new(seed);
        // Beside a string that may show its own white space, only words in comments are proved.
        for (name, text) in samples().iter().filter(|(name, _)| name != "shown.py") {
            let (what, edited) = keeping(text, name, outlines(), &mut random);
            let found = proved(name, text, &edited);
            prop_assert!(found.is_ok(), "{what} in {name}: {found:?}\n{edited}");
        }
    }
}

const TESTS: &str = "import a\nimport pytest\n\n\n# What is fixed.\n@pytest.fixture\ndef box():\n    return a.Box()\n\n\ndef test_one(box):\n    assert box.x == 1\n\n\nclass TestBox:\n    def test_two(self):\n        assert a.y == \"one  two\"\n";
const MORE: &str = "\n\ndef test_three():\n    assert a.z == 3\n";
const PAGE: &str = "---\ntitle: a\n---\n# Votes\n\nCounts votes.\n\n```sh\nhost  one\n\ntwo\n```\n\n- See [the guide](guide.md), or <https://x.example>.\n\n    indented  code\n\nUse `host` first.\n\nTitle\n=====\n\n| a | b |\n";

proptest! {
    #![proptest_config(ProptestConfig { cases: cases() * 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_edit_of_an_old_test_is_proved_harmless(seed: u64) {
        let mut random = Random::new(seed);
        for _ in 0..EDITS {
            let (what, edited) = changing(TESTS, "test_a.py", outlines(), &mut random);
            let found = tests_added("test_a.py", Some(TESTS), &(edited.clone() + MORE), outlines());
            prop_assert!(found.is_err(), "{what}:\n{edited}");
        }
        prop_assert_eq!(tests_added("test_a.py", Some(TESTS), &format!("{TESTS}{MORE}"), outlines()), Ok(1));
    }

    #[test]
    fn no_edit_of_what_a_document_keeps_is_proved_harmless(seed: u64) {
        let mut random = Random::new(seed);
        let kept: Vec<usize> = (0..PAGE.len()).filter(|at| PAGE.as_bytes()[*at] != b'\n').collect();
        let sentence = PAGE.find("Counts votes.").expect("a sentence");
        for _ in 0..EDITS * 10 {
            let at = kept[random.below(kept.len())];
            if (sentence..sentence + "Counts votes.".len()).contains(&at) {
                continue;
            }
            let edited = match random.below(3) {
                0 => format!("{}{}", &PAGE[..at], &PAGE[at + 1..]),
                1 => format!("{}q{}", &PAGE[..at], &PAGE[at..]),
                _ => format!("{}  {}", &PAGE[..at], &PAGE[at..]),
            };
            prop_assert!(same_document(PAGE, &edited, &RepoPath::from("README.md")).is_err(), "{edited}");
        }
        let words = PAGE.replacen("Counts votes.", "Counts them once.\nAll of them.", 1);
        prop_assert!(same_document(PAGE, &words, &RepoPath::from("README.md")).is_ok());
    }
}

/// Fewer than usual: each case is many edits.
fn cases() -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    asked.unwrap_or(20)
}

#[test]
fn the_rules_of_the_base_say_what_needs_no_person() {
    let rules = "schema = 1\n\n[triage]\nwithout_person = [\"comments\"]\n";
    let files = [
        ("guards.toml", rules),
        ("README.md", "# Votes\n\nCounts votes.\n"),
        ("count.py", "def count(votes):\n    # Once.\n    return len(votes)\n"),
    ];
    let repo = TestRepo::with(&files);
    repo.write("count.py", "def count(votes):\n    # Each of them once.\n    return len(votes)\n");
    let triage = checked(&repo, "--triage=rules", 0)["triage"].clone();
    assert_eq!((&triage["needs_person"], &triage["allowed"]), (&json!(false), &json!(["comments"])));
    repo.write("README.md", "# Votes\n\nCounts votes, each of them once.\n");
    let triage = checked(&repo, "--triage=rules", 1)["triage"].clone();
    assert_eq!((&triage["proved"], &triage["needs_person"]), (&json!(true), &json!(true)));
    // The choice of the caller widens that of the rules.
    checked(&repo, "--triage=rules,documents", 0);
    // A change of the rules does not rule on itself.
    repo.write("guards.toml", rules.replace("[\"comments\"]", "[\"comments\", \"documents\"]"));
    repo.stage_all();
    let options = ["check", "--staged", "--triage=rules", "--allow-rule-changes", "--format", "json"];
    let triage = host(repo.path(), &options).expect(1).json()["triage"].clone();
    assert_eq!((&triage["needs_person"], &triage["allowed"]), (&json!(true), &json!(["comments"])));

    // Without the setting nothing is approved.
    let repo = TestRepo::with(&files[1..]);
    repo.write("count.py", "def count(votes):\n    # Each of them once.\n    return len(votes)\n");
    let triage = checked(&repo, "--triage=rules", 1)["triage"].clone();
    assert_eq!((&triage["proved"], &triage["needs_person"]), (&json!(true), &json!(true)));
}

fn checked(repo: &TestRepo, option: &str, code: i32) -> Value {
    repo.stage_all();
    host(repo.path(), &["check", "--staged", option, "--format", "json"]).expect(code).json()
}

#[test]
fn a_check_tells_the_classes_and_what_to_read_first() {
    let repo = TestRepo::with(&[
        ("README.md", "# Votes\n\nCounts votes.\n"),
        ("src/count.py", "def count(votes):\n    # Once.\n    return len(votes)\n"),
        ("src/box.py", "def box():\n    return 1\n"),
        ("tests/test_count.py", "from count import count\n\n\ndef test_count():\n    assert count([1]) == 1\n"),
    ]);
    repo.write("README.md", "# Votes\n\nCounts votes, each of them once.\n");
    repo.write("src/count.py", "def count(votes):\n    # Each of them once.\n    return len(votes)\n");
    let report = checked(&repo, "--triage=comments,documents", 0);
    let triage = &report["triage"];
    assert_eq!((&triage["proved"], &triage["classes"]), (&json!(true), &json!(["comments", "documents"])));
    let report = checked(&repo, "--triage=documents", 1);
    assert_eq!(report["verdict"], "pass");

    // Nothing is proved of what does something else, and it is read before the rest.
    repo.write("src/box.py", "def box():\n    return 2\n");
    repo.write("requirements.txt", "requests==2.32.0\n");
    repo.write(".github/workflows/ci.yml", "on: push\njobs: {}\n");
    let report = host(repo.path(), &["check", "--worktree", "--triage", "--format", "json"]).json();
    let triage = &report["triage"];
    assert_eq!(triage["proved"], false);
    let read: Vec<(&str, &str)> = triage["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| {
            let why = file["class"].as_str().or_else(|| file["reasons"][0].as_str());
            (file["path"].as_str().expect("a path"), why.expect("a class or a reason"))
        })
        .collect();
    let expected = [
        (".github/workflows/ci.yml", "rejected"),
        ("requirements.txt", "new-dependency"),
        ("src/box.py", "not-tested"),
        ("README.md", "documents"),
        ("src/count.py", "comments"),
    ];
    assert_eq!(read, expected);
    let human = host(repo.path(), &["check", "--worktree", "--triage"]).stdout;
    for words in ["a person must look: 2 of 5 files proved", "new dependency", "code that no test names"] {
        assert!(human.contains(words), "{words}: {human}");
    }
    // The verdict is that of the guards, with it or without.
    assert!(host(repo.path(), &["check", "--worktree", "--format", "json"]).json()["triage"].is_null());
}

/// The texts of both files show that words in comments differ, or sentences: what a guard objects to is read by a person all the same.
#[test]
fn what_a_guard_rejects_has_no_proof() {
    let count = |comment: &str| format!("def count(votes):\n    # {comment}\n    return len(votes)\n");
    let repo = TestRepo::with(&[("README.md", "# Votes\n\nCounts votes.\n"), ("count.py", &count("Once."))]);
    repo.write("count.py", count("Each of them once."));
    repo.write("README.md", "Here's the updated README:\n\n# Votes\n\nCounts votes.\n");
    let rejected = checked(&repo, "--triage", 1);
    assert_eq!(rejected["verdict"], "reject", "{rejected:#}");
    let triage = &rejected["triage"];
    let rows: Vec<(&str, &Value, &Value)> = triage["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| (file["path"].as_str().expect("a path"), &file["class"], &file["reasons"][0]))
        .collect();
    assert_eq!(
        rows,
        [("README.md", &Value::Null, &json!("rejected")), ("count.py", &json!("comments"), &Value::Null)],
        "{triage:#}"
    );
    assert_eq!((&triage["proved"], &triage["needs_person"]), (&json!(false), &json!(true)));
    let human = host(repo.path(), &["check", "--staged", "--triage"]).stdout;
    assert!(human.contains("a guard rejects it"), "{human}");
}
