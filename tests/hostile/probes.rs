//! Guards in every language that try to escape: files, environment, network, clock, random numbers. They are granted nothing, and get
//! nothing or a fixed value; two runs must give the same.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::author::{NAME, TemplateProject, host, root};
use crate::support::repo::TestRepo;

/// The probe of a language, built.
fn probe(language: &'static str, source: &str, place: &str) -> Option<PathBuf> {
    let probe = root().join("tests/probes").join(language).join(source);
    TemplateProject::build_template(language)?.build("probe", |folder| {
        fs::write(folder.join(place), fs::read_to_string(&probe).unwrap().replace("{{name}}", NAME)).unwrap();
    })
}

/// What a guard got from each of its attempts, a line each.
fn attempts(language: &'static str, source: &str, place: &str, attempts: &[&str]) -> Option<String> {
    let guard = probe(language, source, place)?;
    every_property_arrives(language, &guard);
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    repo.write("a.txt", "two\n");
    repo.stage_all();
    let mut answers = String::new();
    for attempt in attempts {
        let pin = json!({"id": NAME, "source": format!("path:{}", guard.display()), "settings": {"door": attempt}});
        let rules = repo.path().join("../rules.toml");
        fs::write(&rules, toml::to_string(&json!({"schema": 1, "guard": [pin]})).unwrap()).unwrap();
        let run = || {
            let ran =
                host(repo.path(), &["check", "--staged", "--format", "json", "--config", rules.to_str().unwrap()])
                    .json();
            let guard = &ran["guards"][0];
            let finding = guard["findings"][0]["message"].as_str().map(str::to_owned);
            let log = guard["log"]
                .as_array()
                .unwrap()
                .iter()
                .map(|line| format!("\n    log: {}", line["text"].as_str().unwrap()));
            let failed = || format!("the guard ends [{}]", guard["code"].as_str().unwrap_or("without a code"));
            finding.unwrap_or_else(failed) + &log.collect::<String>()
        };
        let first = run();
        assert_eq!(first, run(), "{language}: {attempt}: another time, another answer");
        // Which number it is depends on the compiler.
        let a_number = attempt.ends_with("random") && first.ends_with(|c: char| c.is_ascii_digit());
        let shown = if a_number { "got the same number at every run" } else { &first };
        answers += &format!("{attempt}: {shown}\n");
    }
    Some(answers)
}

/// A commit with an author and a trailer reaches the guard; a finding with every property reaches the report. The same words in
/// every language.
fn every_property_arrives(language: &str, guard: &Path) {
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    repo.write("a.txt", "two\nlines\n");
    repo.commit("Change it\n\nReviewed-by: Ada");
    let pin = json!({"id": NAME, "source": format!("path:{}", guard.display()), "settings": {"door": "everything"}});
    let rules = repo.path().join("../everything.toml");
    fs::write(&rules, toml::to_string(&json!({"schema": 1, "guard": [pin]})).unwrap()).unwrap();
    let arguments = ["check", "--range", "HEAD~1..HEAD", "--format", "json", "--config", rules.to_str().unwrap()];
    let ran = host(repo.path(), &arguments).expect(1).json();
    let mut finding = ran["guards"][0]["findings"][0].clone();
    let message = finding["message"].take();
    let message = message.as_str().unwrap();
    let begin = "modified, no task, 40: Change it\n\nReviewed-by: Ada by ";
    let begins = message.replace("\\n", "\n").starts_with(begin);
    assert!(begins && message.ends_with(">, Reviewed-by=Ada"), "{language}: {message}");
    insta::assert_json_snapshot!("every_property", finding);
}

#[test]
fn rust() {
    let names = ["files", "environment", "arguments", "network", "process", "clock", "random"];
    if let Some(answers) = attempts("rust", "lib.rs", "src/lib.rs", &names) {
        insta::assert_snapshot!(answers);
    }
}

const JAVASCRIPT: [&str; 8] =
    ["files", "environment", "network", "clock", "another-clock", "clock-behind-the-sdk", "random", "another-random"];

#[test]
fn javascript() {
    if let Some(answers) = attempts("js", "guard.js", "guard.js", &JAVASCRIPT) {
        insta::assert_snapshot!(answers);
    }
}

#[test]
fn typescript() {
    if let Some(answers) = attempts("ts", "guard.ts", "src/guard.ts", &JAVASCRIPT) {
        insta::assert_snapshot!(answers);
    }
}

#[test]
fn python() {
    let names = [
        "files",
        "files-behind-the-sdk",
        "environment",
        "environment-behind-the-sdk",
        "network",
        "clock",
        "random",
        "another-random",
    ];
    if let Some(answers) = attempts("python", "app.py", "src/app.py", &names) {
        insta::assert_snapshot!(answers);
    }
}

#[test]
fn c() {
    let names = ["files", "another-file", "environment", "network", "clock", "random", "output"];
    if let Some(answers) = attempts("c", "guard.c", "guard.c", &names) {
        insta::assert_snapshot!(answers);
    }
}

#[test]
fn go() {
    let names = ["files", "environment", "arguments", "network", "clock", "sleep", "random", "another-random"];
    if let Some(answers) = attempts("go", "main.go", "main.go", &names) {
        insta::assert_snapshot!(answers);
    }
}

/// Built the way these tools build by default, a guard imports WASI; the host has none, and says so before anything is compiled.
#[test]
fn with_wasi_they_are_refused() {
    for language in ["js", "python"] {
        let Some(project) = TemplateProject::build_template(language) else { continue };
        let built = project.build("wasi", |folder| {
            let recipe = folder.join("guard.toml");
            let text = fs::read_to_string(&recipe).unwrap();
            assert!(text.contains("\"--stub-wasi\", "), "the recipe of {language}");
            fs::write(&recipe, text.replace("\"--stub-wasi\", ", "")).unwrap();
        });
        let Some(guard) = built else { continue };
        let repo = TestRepo::with(&[("a.txt", "one\n")]);
        repo.write("a.txt", "two\n");
        repo.stage_all();
        let pin = json!({"schema": 1, "guard": [{"id": NAME, "source": format!("path:{}", guard.display())}]});
        let rules = repo.path().join("../rules.toml");
        fs::write(&rules, toml::to_string(&pin).unwrap()).unwrap();
        let ran = host(repo.path(), &["check", "--staged", "--format", "json", "--config", rules.to_str().unwrap()])
            .expect(4);
        let guard = &ran.json()["guards"][0];
        assert_eq!(guard["code"], "ungranted-import", "{language}: {guard}");
        assert!(guard["reason"].as_str().unwrap().contains("this host has no WASI"), "{language}: {guard}");
    }
}
