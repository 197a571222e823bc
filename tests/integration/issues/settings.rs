//! `[fix]` of guards.toml: who reviews, what approves, and what the repository tells those who fix, review and vote.

use std::fs;

use serde_json::{Value, json};

use super::{Place, fix, pairs, review, statuses};
use crate::support::cli::{Ran, host_with};

const GOOD: (&str, &str, &str, u32) = ("I001", "resolved", "a.py", 1);

/// A place whose base has these settings, and an author who fixes `a.py`.
fn place(settings: &str) -> Place {
    let place = Place::new(&["a.py"]);
    place.agent("author", "", &[("a.py", &fix("a.py"))]);
    place.repo.write("guards.toml", format!("schema = 1\n\n[fix]\n{settings}\n\n[[guard]]\nid = \"syntax-holds\"\n"));
    place.repo.commit("rules");
    place
}

fn fix_listed(place: &Place, reviewers: &[&str], more: &[&str], variables: &[(&str, &str)]) -> Ran {
    let list = place.list(json!([{ "title": "XXX", "path": "a.py" }]));
    let words = place.arguments(reviewers, &[&["--issues", list.to_str().unwrap()][..], more].concat());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    host_with(place.repo.path(), &words, b"", variables)
}

#[test]
fn a_team_keeps_its_terms_in_the_repository_and_an_option_outweighs_them() {
    let place = place("threshold = 70\niterations = 1\naccept_touched = true");
    place.agent("reviewer", "", &[("", &review(75, &[GOOD]))]);
    let report = fix_listed(&place, &["reviewer"], &[], &[]).expect(0).json();
    assert_eq!((statuses(&report), &report["reviews"][0]["threshold"]), (pairs(&[("I001", "touched")]), &json!(70)));
    let report = fix_listed(&place, &["reviewer"], &["--threshold", "80", "--again"], &[]).expect(1).json();
    assert_eq!((statuses(&report), &report["iterations"]), (pairs(&[("I001", "failed")]), &json!(1)), "{report:#}");
    // What a change does to the settings counts from the next base on.
    place.repo.write("guards.toml", "schema = 1\n\n[fix]\nthreshold = 101\n");
    place.repo.commit("wrong");
    let wrong = fix_listed(&place, &["reviewer"], &[], &[]).expect(3).json();
    assert!(wrong["error"].to_string().contains("fix.threshold: 101"), "{wrong:#}");
}

/// A repository chooses among what its user has, and adds no program.
#[test]
fn reviewers_of_the_settings_are_providers_of_the_user() {
    let place = place("reviewers = [\"strict\", \"command:touch ran\"]\naccept_touched = true");
    place.agent("reviewer", "", &[("", &review(97, &[GOOD]))]);
    let none = fix_listed(&place, &[], &[], &[]).expect(2).json();
    let said = none["error"].to_string();
    assert!(said.contains("no reviewer is named") && said.contains("`strict`"), "{none:#}");
    let config = place.beside("config");
    fs::create_dir_all(config.join("guardhost")).unwrap();
    let own = format!("[providers.strict]\ncommand = \"{}\"\n", place.beside("reviewer").display());
    fs::write(config.join("guardhost/config.toml"), own).unwrap();
    let variables = [("XDG_CONFIG_HOME", config.to_str().unwrap())];
    let report = fix_listed(&place, &[], &[], &variables).expect(0).json();
    assert_eq!((statuses(&report), place.asked("reviewer")), (pairs(&[("I001", "touched")]), 1), "{report:#}");
    assert!(report["notices"].to_string().contains("`command:touch ran`"), "{report:#}");
    assert!(!place.repo.path().join("ran").exists());
}

/// Who was told which of the files.
fn told(questions: &str) -> Vec<&'static str> {
    let all = ["fixer", "principles", "dev-be", "dev-fe", "challenger", "be-quality", "be-design", "fe-quality"];
    all.into_iter().filter(|name| questions.contains(&format!("RULE {name}."))).collect()
}

#[test]
fn agent_files_of_the_base_reach_whom_they_are_for() {
    let place = Place::new(&["a.py"]);
    for (file, name) in [
        ("fixer", "fixer"),
        ("engineering_principles", "principles"),
        ("dev_be", "dev-be"),
        ("dev_fe", "dev-fe"),
        ("fix_challenger", "challenger"),
        ("reviewer_be_quality", "be-quality"),
        ("reviewer_be_design", "be-design"),
        ("reviewer_fe_quality", "fe-quality"),
    ] {
        place.repo.write(format!("agents/{file}.md"), format!("RULE {name}.\n"));
    }
    place.repo.commit("agents");
    // What is not committed is of nobody's base.
    place.repo.write("agents/reviewer_be_quality.md", "RULE changed.\n");
    place.agent("author", "", &[("a.py", &fix("a.py"))]);
    place.agent("reviewer", "", &[("", &review(97, &[GOOD]))]);
    let report = fix_listed(&place, &["reviewer"], &["--accept-touched"], &[]).expect(0).json();
    assert_eq!(told(&place.questions("author")), ["fixer", "principles", "dev-be"]);
    assert_eq!(told(&place.questions("reviewer")), ["challenger", "be-quality", "be-design"]);
    assert!(!place.questions("reviewer").contains("RULE changed"));

    // Of the frontend others are told.
    let place_of_page = Place::new(&["c.js"]);
    for (file, name) in
        [("dev_be", "dev-be"), ("dev_fe", "dev-fe"), ("reviewer_be_x", "be-quality"), ("reviewer_fe_x", "fe-quality")]
    {
        place_of_page.repo.write(format!("agents/{file}.md"), format!("RULE {name}.\n"));
    }
    place_of_page.repo.commit("agents");
    place_of_page.agent("author", "", &[("c.js", &fix("c.js"))]);
    place_of_page.agent("reviewer", "", &[("", &review(97, &[("I001", "resolved", "c.js", 1)]))]);
    let list = place_of_page.list(json!([{ "title": "XXX", "path": "c.js" }]));
    place_of_page.fix_with(&["reviewer"], &["--issues", list.to_str().unwrap(), "--accept-touched"]).expect(0);
    assert_eq!(told(&place_of_page.questions("author")), ["dev-fe"]);
    assert_eq!(told(&place_of_page.questions("reviewer")), ["fe-quality"]);

    // Voters are told what is for the sides of the change, and nothing that is for reviewers of fixes.
    let vote = json!({ "score": 90, "reasons": [{ "path": "a.py", "line": 1, "says": "good" }] }).to_string();
    place.agent("voter", "", &[("", &vote)]);
    let voter = format!("command:{}", place.beside("voter").display());
    let run = report["run"].as_str().unwrap();
    let words =
        ["review", "--run", run, "--voter", &voter, "--voter", &voter, "--allow-same-family", "--format", "json"];
    let reviewed: Value = host_with(place.repo.path(), &words, b"", &[]).expect(0).json();
    assert_eq!(reviewed["votes"].as_array().map(Vec::len), Some(2), "{reviewed:#}");
    assert_eq!(told(&place.questions("voter")), ["be-quality", "be-design"]);
}
