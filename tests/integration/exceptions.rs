//! Comments `guardhost: allow RULE reason`, and baselines.

use serde_json::Value;

use crate::support::cli::{host, host_with};
use crate::support::repo::TestRepo;

fn repo() -> TestRepo {
    TestRepo::with(&[("a.txt", "one\n"), ("b.json", "{}\n")])
}

fn check(repo: &TestRepo, arguments: &[&str], code: i32) -> Value {
    host(repo.path(), &[&["check", "--format", "json"], arguments].concat()).expect(code).json()
}

fn syntax_result(report: &Value) -> &Value {
    let guards = report["guards"].as_array().expect("guards");
    guards.iter().find(|guard| guard["id"] == "syntax-holds").expect("syntax-holds")
}

/// A page with a conflict in it, and the words above the mark.
fn page(above: &str) -> String {
    format!("one\n{above}<<<<<<< ours\ntwo\n=======\nthree\n>>>>>>> theirs\n")
}

const COMMENT: &str = "# guardhost: allow conflict-markers the page explains them\n";

#[test]
fn a_comment_of_a_person_allows_the_rule_that_it_names() {
    let repo = repo();
    let stage = |above: &str| {
        repo.write("a.txt", page(above));
        repo.stage_all();
    };
    stage("");
    check(&repo, &["--staged"], 1);
    for other in [
        "# guardhost: allow conflict-markers\n",
        "# guardhost: allow json-syntax another rule\n",
        "guardhost: allow docs-kept/conflict-markers x\n",
    ] {
        stage(other);
        check(&repo, &["--staged"], 1);
    }
    stage(COMMENT);
    let report = check(&repo, &["--staged"], 0);
    let syntax = syntax_result(&report);
    assert_eq!(syntax["verdict"], "pass");
    assert_eq!(syntax["allowed"][0]["finding"]["rule"], "conflict-markers");
    assert_eq!(syntax["allowed"][0]["by"]["reason"], "the page explains them");
    let shown = host(repo.path(), &["check", "--staged"]).expect(0);
    assert!(
        shown.stdout.contains("allowed: a.txt:3-7 syntax-holds/conflict-markers: the page explains them"),
        "{shown:?}"
    );
    let sarif = host(repo.path(), &["check", "--staged", "--format", "sarif"]).expect(0).json();
    assert_eq!(sarif["runs"][0]["results"][0]["suppressions"][0]["kind"], "inSource");
}

/// A model does not excuse itself, neither now nor for a later change.
#[test]
fn a_comment_in_a_patch_counts_only_where_policy_says_so() {
    let repo = repo();
    let patch = format!(
        "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,7 @@\n one\n+{}",
        page(COMMENT).lines().skip(1).collect::<Vec<_>>().join("\n+") + "\n"
    );
    let judge = |code| {
        host_with(repo.path(), &["check", "--patch", "-", "--format", "json"], patch.as_bytes(), &[])
            .expect(code)
            .json()
    };
    let report = judge(1);
    assert_eq!(syntax_result(&report)["verdict"], "reject");
    assert_eq!(syntax_result(&report)["allowed"].as_array().map(Vec::len), Some(0));
    let own = report["guards"].as_array().and_then(|guards| guards.last()).expect("the host's rule");
    assert_eq!((&own["id"], &own["findings"][0]["line"]), (&"host:exceptions".into(), &2.into()), "{own}");

    repo.write("guards.toml", "schema = 1\n[policy]\nallow_comments = \"any\"\n[[guard]]\nid = \"syntax-holds\"\n");
    repo.commit("rules");
    assert_eq!(syntax_result(&judge(0))["verdict"], "pass");
    repo.write("guards.toml", "schema = 1\n[policy]\nallow_comments = \"none\"\n[[guard]]\nid = \"syntax-holds\"\n");
    repo.commit("rules");
    repo.write("a.txt", page(COMMENT));
    repo.stage_all();
    check(&repo, &["--staged"], 1);
}

#[test]
fn a_baseline_allows_each_of_its_findings_once() {
    let repo = repo();
    repo.write("a.txt", page(""));
    repo.stage_all();
    let written = check(&repo, &["--staged", "--write-baseline", "baseline.json"], 0);
    assert_eq!(syntax_result(&written)["allowed"][0]["by"]["kind"], "baseline");
    repo.write("a.txt", format!("zero\n{}", page("")));
    repo.stage_all();
    // Lines above it came, and the file of the baseline is part of the change: the base has none.
    check(&repo, &["--staged", "--baseline", "baseline.json"], 1);
    repo.git(&["rm", "-q", "--cached", "baseline.json"]);
    check(&repo, &["--staged", "--baseline", "baseline.json"], 0);
    repo.write("a.txt", format!("{}{}", page(""), page("")));
    repo.git(&["add", "a.txt"]);
    check(&repo, &["--staged", "--baseline", "baseline.json"], 1);

    repo.write("none.json", "[]");
    host(repo.path(), &["check", "--staged", "--baseline", "none.json"]).expect(3);
    host(repo.path(), &["check", "--staged", "--baseline", "absent.json"]).expect(2);
}

/// The repository is reached by a link, and the baseline is a link that the change leads to another file.
#[test]
fn a_change_does_not_choose_its_baseline_by_a_link() {
    let repo = repo();
    repo.write("a.txt", page(""));
    repo.stage_all();
    check(&repo, &["--staged", "--write-baseline", "all.json"], 0);
    repo.git(&["reset", "-q", "--hard"]);
    repo.write("none.json", r#"{"schema_version":1,"findings":[]}"#);
    std::os::unix::fs::symlink("none.json", repo.path().join("base.json")).unwrap();
    repo.git(&["add", "all.json", "none.json", "base.json"]);
    repo.git(&["commit", "-q", "-m", "baselines"]);
    std::fs::remove_file(repo.path().join("base.json")).unwrap();
    std::os::unix::fs::symlink("all.json", repo.path().join("base.json")).unwrap();
    repo.write("a.txt", page(""));
    repo.stage_all();
    let elsewhere = tempfile::tempdir().unwrap();
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(repo.path(), &link).unwrap();
    let named = link.join("base.json");
    for baseline in [named.to_str().unwrap(), "base.json"] {
        check(&repo, &["--staged", "--baseline", baseline], 1);
    }
}

/// A report does not show the secret that it is about.
#[test]
fn no_line_with_a_secret_is_quoted() {
    // Put together, so that no scanner takes it for one of this repository.
    let token = format!("ghp_{}", "x7Kd92LmQp4RtVw8ZyBn3CfHj5GsTa6UeXi1");
    let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
    repo.write("a.py", format!("x = 1\nuse(\"{token}\", 2)\n"));
    repo.stage_all();
    for format in ["human", "json", "sarif", "github", "junit", "gitlab", "rdjson"] {
        let ran = host(repo.path(), &["check", "--staged", "--format", format]).expect(1);
        assert!(!ran.stdout.contains(&token) && !ran.stderr.contains(&token), "{format}: {ran:?}");
    }
    // Two of one form on a line, of which the guard may find one; a text with a mark of byte order; a file of the other encoding.
    let other = format!("ghp_{}", "a8Rw27QxNp4LtVz9ByEn3KfHj5DsTc6UmGi0");
    repo.write("a.py", format!("x = 1\nuse([\"{token}\", \"{other}\"])\n"));
    repo.write("b.py", format!("\u{feff}use(\"{token}\", 2)\n"));
    let wide: Vec<u8> = format!("\u{feff}token = {token}\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    repo.write("c.ini", wide);
    repo.stage_all();
    for format in ["human", "json", "sarif", "github", "junit", "gitlab", "rdjson"] {
        let ran = host(repo.path(), &["check", "--staged", "--format", format]).expect(1);
        let said = format!("{}{}", ran.stdout, ran.stderr).replace('\0', "");
        assert!(!said.contains(&token[8..]) && !said.contains(&other[8..]), "{format}: {said}");
    }
}
