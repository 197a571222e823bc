//! A change that no guard judged: what reports say, and what the policy makes of it.

use std::fs;

use serde_json::Value;

use crate::support::cli::{Ran, host};
use crate::support::repo::TestRepo;

const GUARD: &str = "[[guard]]\nid = \"docs-kept\"\n";

fn project(rules: &str) -> TestRepo {
    let repo = TestRepo::with(&[("main.zig", "package main\n"), ("data.bin", "1\n"), ("README.md", "# Words\n")]);
    repo.write("guards.toml", format!("schema = 1\n{rules}"));
    repo.commit("rules");
    repo
}

/// `host check` of this file, staged with one line more.
fn check(rules: &str, path: &str) -> Ran {
    let repo = project(rules);
    let text = [repo.read(path), b"more\n".to_vec()].concat();
    repo.write(path, text);
    repo.stage_all();
    host(repo.path(), &["check", "--staged", "--format", "json"])
}

/// `host run` of a patch that adds a line to this file.
fn run(rules: &str, path: &str, first: &str) -> Ran {
    let repo = project(rules);
    let agent = repo.path().join("../agent.sh");
    let patch = format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1,2 @@\n {first}\n+more\n");
    fs::write(&agent, format!("cat > /dev/null\ncat <<'END'\n{patch}END\n")).unwrap();
    let provider = format!("command:sh {}", agent.display());
    host(repo.path(), &["run", "--task", "Add more", "--provider", &provider, "--rounds", "2", "--format", "json"])
}

fn rows(report: &Value) -> Vec<&str> {
    report["guards"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect()
}

/// A script needs no extension to be source.
#[test]
fn a_script_is_not_committed_unjudged() {
    let repo = project(GUARD);
    repo.write("tool", "#!/bin/sh\n");
    repo.commit("a tool");
    let agent = repo.path().join("../agent.sh");
    let patch = "--- a/tool\n+++ b/tool\n@@ -1 +1,2 @@\n #!/bin/sh\n+more\n";
    fs::write(&agent, format!("cat > /dev/null\ncat <<'END'\n{patch}END\n")).unwrap();
    let provider = format!("command:sh {}", agent.display());
    let args = ["run", "--task", "Add more", "--provider", &provider, "--rounds", "1", "--format", "json"];
    let report = host(repo.path(), &args).json();
    assert_eq!(report["rounds"][0]["check"]["guards"][1]["id"], "host:judged", "{report}");
}

#[test]
fn check_reports_it_and_rejects_only_if_the_policy_says_so() {
    let accepted = check(GUARD, "main.zig").expect(0).json();
    assert_eq!((&accepted["unjudged"], rows(&accepted)), (&Value::Bool(true), vec!["docs-kept"]));
    let judged = check(GUARD, "README.md").expect(0).json();
    assert_eq!(judged["unjudged"], false);

    for path in ["main.zig", "data.bin"] {
        let rejected = check(&format!("[policy]\nunjudged = \"reject\"\n{GUARD}"), path).expect(1).json();
        assert_eq!((&rejected["unjudged"], rows(&rejected)), (&Value::Bool(true), vec!["docs-kept", "host:judged"]));
        let help = rejected["guards"][1]["findings"][0]["help"].as_str().unwrap();
        assert!(help.contains("unjudged = \"accept\""), "{help}");
    }
    // Without a guard nothing can judge, and a guard that is only monitored does not.
    check("guards = []\n[policy]\nunjudged = \"reject\"\n", "main.zig").expect(1);
    let monitored = format!("[policy]\nunjudged = \"reject\"\n{GUARD}mode = \"monitor\"\n");
    check(&monitored, "README.md").expect(1);
    check("[policy]\nunjudged = \"perhaps\"\n", "main.zig").expect(3);
}

#[test]
fn people_are_told() {
    let repo = project(&format!("{GUARD}mode = \"monitor\"\n"));
    for (path, words) in
        [("main.zig", "no guard had anything to judge"), ("README.md", "only monitored guards looked at it")]
    {
        repo.write(path, "# Words\n\nand more\n");
        repo.stage_all();
        let ran = host(repo.path(), &["check", "--staged"]).expect(0);
        assert!(ran.stdout.contains("nothing judged this change") && ran.stdout.contains(words), "{ran:?}");
    }
    // Skipping the rule is a decision of the person at the command line.
    let repo = project(&format!("[policy]\nunjudged = \"reject\"\n{GUARD}"));
    repo.write("main.zig", "package x\n");
    repo.stage_all();
    host(repo.path(), &["check", "--staged"]).expect(1);
    host(repo.path(), &["check", "--staged", "--skip", "host:judged"]).expect(0);
}

#[test]
fn a_run_commits_no_source_file_that_nothing_judged() {
    let rejected = run(GUARD, "main.zig", "package main").expect(1).json();
    let round = &rejected["rounds"][0];
    assert_eq!((&rejected["outcome"], &round["check"]["unjudged"]), (&Value::from("rejected"), &Value::Bool(true)));
    let feedback = round["feedback"].as_str().unwrap();
    assert!(feedback.contains("host:judged/unjudged") && feedback.contains("main.zig"), "{feedback}");

    // What is no source file, and what something judged, is committed; and whatever the policy accepts.
    run(GUARD, "data.bin", "1").expect(0);
    run(GUARD, "README.md", "# Words").expect(0);
    run(&format!("[policy]\nunjudged = \"accept\"\n{GUARD}"), "main.zig", "package main").expect(0);
    run(&format!("[policy]\nunjudged = \"reject\"\n{GUARD}"), "data.bin", "1").expect(1);
    // A monitored guard judges nothing.
    run("[[guard]]\nid = \"syntax-holds\"\nmode = \"monitor\"\n", "main.zig", "package main").expect(1);
    // A set without guards is wrong settings.
    run("guards = []\n", "main.zig", "package main").expect(3);
}
