//! What makes acceptance impossible is found before a model is paid: causes against the commands that ask.

use std::fs;

use crate::support::cli::host_with;
use crate::support::repo::TestRepo;

/// What is wrong, the rules, a variable, and the exit code that a judgement would have ended with.
#[rustfmt::skip]
const CAUSES: &[(&str, &str, (&str, &str), i32)] = &[
    ("no guard judges", "schema = 1\nguards = []\n", ("", ""), 3),
    ("a grant is missing", "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n\n[[guard]]\nid = \"definitions-kept\"\ngrants = []\n", ("", ""), 4),
    ("there is no sandbox", "schema = 1\n\n[[guard]]\nid = \"no-test-regressions\"\ngrants = [\"toolchain\", \"repo\"]\n", ("GUARDHOST_SANDBOX", "none"), 5),
    ("all is well", "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n", ("", ""), 0),
];

const COMMANDS: &[&[&str]] = &[
    &["run", "--task", "Let x return 2"],
    &["run", "--plan", "../plan.json"],
    &["patch", "--source", "x.py", "--target", "y.py", "--instruction", "Follow x"],
    &["fix", "--sarif", "../issues.sarif", "--reviewer", "command:false", "--no-builds", "--allow-same-family"],
    &["improve", "--no-builds"],
];

const PLAN: &str = r#"{ "tasks": [{ "title": "Better", "subtasks": [{ "title": "Let x return 2", "file_hints": ["x.py"], "action": "modify" }] }] }"#;

const ISSUES: &str = r#"{ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "lint" } }, "results": [{ "ruleId": "R1", "message": { "text": "x is wrong" },
    "locations": [{ "physicalLocation": { "artifactLocation": { "uri": "x.py" }, "region": { "startLine": 1 } } }] }] }] }"#;

#[test]
fn no_provider_is_asked_for_what_could_not_be_accepted() {
    for (cause, rules, variable, code) in CAUSES {
        for command in COMMANDS {
            let repo =
                TestRepo::with(&[("x.py", "def x():\n    return 1\n"), ("y.py", "y = 1\n"), ("guards.toml", rules)]);
            repo.write("x.py", "def x():\n    return 3\n");
            repo.stage_all();
            fs::write(repo.path().join("../plan.json"), PLAN).expect("written");
            fs::write(repo.path().join("../issues.sarif"), ISSUES).expect("written");
            let mark = repo.path().join("../asked");
            let provider = format!("command:touch {}", mark.display());
            let args = [command, &["--provider", &provider, "--format", "json"][..]].concat();
            let variables: &[(&str, &str)] = if variable.0.is_empty() { &[] } else { &[*variable] };
            let ran = host_with(repo.path(), &args, b"", variables);
            let what = format!("{cause}, {command:?}: {}", ran.stdout);
            assert_eq!(mark.exists(), *code == 0, "{what}");
            if *code != 0 {
                let report = ran.expect(*code).json();
                assert!(report["error"]["hint"].to_string().contains("no provider was asked"), "{what}");
            }
        }
    }
}

/// Who could not answer is known before the audit: nothing is measured, and no other provider is paid.
#[test]
fn an_improvement_whose_providers_cannot_be_asked_ends_before_it_measures() {
    let repo = TestRepo::with(&[("x.py", "def x():\n    return 1\n")]);
    let mark = repo.path().join("../asked");
    let present = format!("command:touch {}", mark.display());
    for missing in ["--provider", "--reviewer", "--voter", "--refine", "--judge", "--critic"] {
        let gone = if missing == "--critic" { "critic-devil=command:not-there" } else { "command:not-there" };
        let mut args = vec!["improve", "--no-builds", "--allow-same-family", "--format", "json", missing, gone];
        if missing != "--provider" {
            args.extend(["--provider", present.as_str()]);
        }
        if missing == "--voter" {
            args.extend(["--voter", present.as_str()]);
        }
        let report = host_with(repo.path(), &args, b"", &[]).expect(6).json();
        let error = report["error"].to_string();
        assert!(error.contains("there is no program `not-there` on the PATH"), "{missing}: {error}");
        assert!(error.contains("no provider was asked") && !mark.exists(), "{missing}: {error}");
        assert!(!repo.path().join(".git/guardhost/runs").exists(), "{missing}");
    }
}
