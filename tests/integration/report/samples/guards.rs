//! Lists and descriptions of guards, and explanations.

use guardhost_core::change::{Fix, Mode, Severity};
use guardhost_core::limits::Limits;
use guardhost_report::{
    ClaimedLanguage, Example, ExplainReport, ExplainRow, Explained, ExplainedRule, GuardInfo, GuardList, GuardRight,
    GuardRow, Judges, LanguageInfo, LanguageRow, RuleMeaning, Setting, VerdictKind,
};
use serde_json::json;

use super::check::finding;

pub fn guard_list() -> GuardList {
    let notices = vec!["this is the built-in set".to_owned()];
    let of_folder = GuardRow {
        id: "links-resolve-site".to_owned(),
        guard: Some("links-resolve".to_owned()),
        folder: Some("site".to_owned()),
        ..guard_row()
    };
    GuardList { guards: vec![guard_row(), of_folder], languages: vec![language_row()], notices }
}

fn language_row() -> LanguageRow {
    LanguageRow {
        id: "toy".to_owned(),
        version: "0.1.0".to_owned(),
        source: "path:tools/toy.wasm".to_owned(),
        digest: "sha256:01".to_owned(),
        size: 90_000,
        reads: vec!["toy".to_owned(), "toy-template".to_owned()],
    }
}

pub fn language_info() -> LanguageInfo {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    LanguageInfo {
        row: language_row(),
        pinned: true,
        imports: Vec::new(),
        exports: texts(&["reader"]),
        toolchain: texts(&["rustc 1.95.0"]),
        claims: vec![
            ClaimedLanguage {
                language: "toy".to_owned(),
                endings: texts(&["toy"]),
                names: texts(&["toyfile"]),
                interpreters: texts(&["toy"]),
                line_comments: texts(&["#"]),
                block_comments: vec![("#[".to_owned(), "]#".to_owned())],
                sleep_marks: texts(&["skip"]),
                error_marks: texts(&["rescue"]),
                answers: texts(&["problems", "outline"]),
            },
            ClaimedLanguage {
                language: "toy-template".to_owned(),
                endings: texts(&["toy.html"]),
                answers: texts(&["surface"]),
                ..ClaimedLanguage::default()
            },
        ],
    }
}

pub fn guard_row() -> GuardRow {
    GuardRow {
        id: "links-resolve".to_owned(),
        guard: None,
        folder: None,
        mark: "G14".to_owned(),
        version: "0.1.0".to_owned(),
        source: "builtin".to_owned(),
        digest: "sha256:00".to_owned(),
        mode: Mode::Monitor,
        size: 215_000,
        imports: vec!["repo".to_owned(), "net".to_owned()],
        grants: vec!["repo".to_owned()],
        promise: "Every link that the change adds points to something.".to_owned(),
    }
}

pub fn guard_info() -> GuardInfo {
    let right = |name: &str, why: &str, granted| GuardRight { name: name.to_owned(), why: why.to_owned(), granted };
    GuardInfo {
        row: GuardRow { source: "https://guards.example/links.wasm".to_owned(), ..guard_row() },
        pinned: true,
        rights: vec![
            right("repo", "to see the files that links point to", true),
            right("net", "to ask whether a page exists", false),
        ],
        exports: vec!["guardhost:guard/guard@0.1.0".to_owned()],
        toolchain: vec!["rustc 1.95.0".to_owned()],
        stages: vec!["content".to_owned()],
        globs: vec!["**/*.md".to_owned()],
        settings_schema: r#"{"type":"object"}"#.to_owned(),
    }
}

fn examples() -> Vec<Example> {
    let mut gone = finding("gone", Severity::Error, Some(("README.md", 2, 2)), "no file `guide.md`");
    gone.fix = Some(Fix { title: "point to docs/guide.md".to_owned(), edits: Vec::new() });
    let rejected = Example {
        verdict: VerdictKind::Reject,
        given: [("settings".to_owned(), json!({ "net": false }))].into_iter().collect(),
        beside: vec!["docs/guide.md".to_owned()],
        diff: "--- a/README.md\n+++ b/README.md\n@@ -1 +1,2 @@\n # Tool\n+[guide](guide.md)\n".to_owned(),
        findings: vec![gone],
    };
    let accepted = Example {
        verdict: VerdictKind::Pass,
        diff: rejected.diff.replace("(guide.md)", "(docs/guide.md)"),
        given: serde_json::Map::new(),
        findings: Vec::new(),
        ..rejected.clone()
    };
    vec![rejected, accepted]
}

pub fn explain_all() -> ExplainReport {
    let row = |id: &str, judges| ExplainRow {
        row: GuardRow { id: id.to_owned(), ..guard_row() },
        stages: vec!["content".to_owned()],
        judges,
    };
    ExplainReport::All {
        guards: vec![row("links-resolve", Judges::Here), row("no-test-regressions", Judges::WhenAsked)],
    }
}

pub fn explain_guard() -> ExplainReport {
    let setting = Setting {
        name: "net".to_owned(),
        kind: "boolean".to_owned(),
        default: json!(true),
        meaning: "Ask whether pages exist.".to_owned(),
    };
    let guard = Box::new(Explained {
        info: guard_info(),
        judges: Judges::WhenAsked,
        event: "critic_links.fail".to_owned(),
        limits: Limits { fuel: 2_000_000_000, memory: 64 << 20, seconds: 600 },
        settings: vec![setting],
        rules: Some(vec![RuleMeaning {
            rule: "gone".to_owned(),
            meaning: "when: a link points to no file".to_owned(),
        }]),
        examples: examples(),
        of_rules: Vec::new(),
    });
    ExplainReport::Guard { guard }
}

pub fn explain_rule() -> ExplainReport {
    let rule = Box::new(ExplainedRule {
        guard: "links-resolve".to_owned(),
        mark: "G14".to_owned(),
        rule: "gone".to_owned(),
        meaning: "when: a link points to no file".to_owned(),
        examples: examples().into_iter().take(1).collect(),
    });
    ExplainReport::Rule { rule }
}
