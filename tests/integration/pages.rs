//! `host report`: the pages and the bundle of recorded runs, by the program itself.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::cli::host;
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

/// The demonstration's repository, with one run of two rounds.
fn demonstration(folder: &Path) -> std::path::PathBuf {
    host(folder, &["demo", "--dir", "demo", "--format", "json"]).expect(0);
    folder.join("demo")
}

fn bundle(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).expect("a bundle")).expect("JSON")
}

#[test]
fn a_report_is_one_file_with_every_stage_and_finding() {
    let folder = tempfile::tempdir().expect("a folder");
    let repo = demonstration(folder.path());
    let ran = host(&repo, &["report", "--output", "report.html"]).expect(0);
    assert!(ran.stdout.is_empty() && ran.stderr.starts_with("1 run, "), "{ran:?}");
    let page = fs::read_to_string(repo.join("report.html")).expect("a page");
    for word in [
        "Let counting ignore case",
        "README.md lost 100 % of its code",
        "string values must be quoted",
        "Keep every code block verbatim",
        // A guard says what it promises.
        "What it promises",
        "code-loss",
    ] {
        assert!(page.contains(word), "{word}");
    }
    let promise =
        host(&repo, &["explain", "docs-kept", "--format", "json"]).expect(0).json()["guard"]["promise"].clone();
    let promise = promise.as_str().expect("a promise").replace('&', "&amp;").replace('<', "&lt;");
    assert!(page.contains(&promise), "{promise}");
    for outside in ["src=\"", "http-equiv=\"refresh", "@import", "url("] {
        assert!(!page.contains(outside), "the file asks for something: {outside}");
    }
}

#[test]
fn bundles_go_through_files_merge_and_are_redacted() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    for place in [&one, &two] {
        fs::create_dir(place).expect("a folder");
        let repo = demonstration(place);
        host(&repo, &["report", "--format", "bundle", "--quiet", "--output", "../bundle.json"]).expect(0);
    }
    // Bundles need no repository.
    let args = [
        "report",
        "--bundle",
        "one/bundle.json",
        "--bundle",
        "two/bundle.json",
        "--format",
        "bundle",
        "--output",
        "both.json",
    ];
    let ran = host(folder.path(), &args).expect(0);
    assert!(ran.stderr.starts_with("2 runs, "), "{ran:?}");
    let both = bundle(&folder.path().join("both.json"));
    let ids = |bundle: &Value| bundle["objects"].as_object().expect("objects").len();
    assert_eq!(ids(&both), ids(&bundle(&one.join("bundle.json"))) + ids(&bundle(&two.join("bundle.json"))));

    host(folder.path(), &["report", "--bundle", "both.json", "--redact", "--output", "public.html"]).expect(0);
    let page = fs::read_to_string(folder.path().join("public.html")).expect("a page");
    assert!(page.contains("Redacted") && page.contains("docs-kept"));
    for word in ["Rose", "README.md", "tally", "code blocks", "You change files of a git repository"] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn what_cannot_be_reported_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let repo = demonstration(folder.path());
    fs::write(repo.join("no.json"), "{}").expect("written");
    for (args, says) in [
        (&["report", "--bundle", "no.json"][..], "no.json is no bundle of runs"),
        (&["report", "--bundle", "missing.json"], "cannot read missing.json"),
        (&["report", "nosuchrun"], "no run begins with `nosuchrun`"),
        (&["report", "--format", "sarif"], "a report of runs has no such format"),
    ] {
        let ran = host(&repo, args).expect(2);
        assert!(format!("{}{}", ran.stdout, ran.stderr).contains(says), "{ran:?}");
    }
}

/// The files of the first round of a run with this reply.
fn first_round(repo: &TestRepo, reply: &str) -> std::path::PathBuf {
    let recorded = serde_json::json!({ "round": 1, "provider": "test", "reply": reply }).to_string();
    fs::write(repo.path().join("../replies.jsonl"), recorded).expect("written");
    let args =
        ["run", "--task", "Add a tool", "--provider", "replay:../replies.jsonl", "--rounds", "1", "--format", "json"];
    let run = host(repo.path(), &args).json()["run"].as_str().expect("an id").to_owned();
    repo.path().join(".git/guardhost/runs").join(run).join("1")
}

#[test]
fn records_keep_a_repaired_reply_only_where_it_differs() {
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    let reply = "```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n```\n";
    assert!(!first_round(&repo, reply).join("mended.txt").exists());
    let round = first_round(&repo, &format!("\u{feff}{reply}"));
    assert!(fs::read_to_string(round.join("reply.txt")).expect("a reply").starts_with('\u{feff}'));
    assert_eq!(fs::read_to_string(round.join("mended.txt")).expect("repaired"), reply);
}

#[test]
fn records_keep_fixes_as_diffs() {
    let repo = TestRepo::with(&[("x.py", "def x():\n    return 1\n")]);
    let reply = "```diff\ndiff --git a/tool.py b/tool.py\nnew file mode 100644\n--- /dev/null\n+++ b/tool.py\n@@ -0,0 +1,4 @@\n+```python\n+def tool():\n+    return 1\n+```\n```\n";
    let fixes: Value =
        serde_json::from_slice(&fs::read(first_round(&repo, reply).join("fixes.json")).expect("fixes")).expect("JSON");
    assert_eq!((fixes[0]["guard"].as_str(), fixes[0]["finding"].as_u64()), (Some("syntax-holds"), Some(0)));
    let diff = fixes[0]["diff"].as_str().expect("a diff");
    assert!(diff.contains("-```python\n def tool():\n     return 1\n-```\n"), "{diff}");
}

#[test]
fn a_browser_shows_the_report() {
    let Some(browser) = needs(Tool::Chromium) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let repo = demonstration(folder.path());
    host(&repo, &["report", "--output", "report.html"]).expect(0);
    let page = format!("file://{}", repo.join("report.html").display());
    let shown =
        Command::new(browser).args(["--no-sandbox", "--disable-gpu", "--dump-dom", &page]).output().expect("it runs");
    let dom = String::from_utf8_lossy(&shown.stdout);
    // The script has run: one page is shown, at the stage where the first round stopped.
    assert!(dom.contains("<html lang=\"en\" class=\"js\">"), "{dom:.400}");
    assert!(dom.contains("aria-current=\"step\""));
}

/// What hinders people who use a keyboard, a screen reader, or other colours: nothing of it on any page, in both themes.
#[test]
fn pages_are_open_to_everybody() {
    let (Some(browser), Some(axe)) = (needs(Tool::Chromium), needs(Tool::Axe)) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let repo = demonstration(folder.path());
    host(&repo, &["report", "--output", "report.html"]).expect(0);
    let html = fs::read_to_string(repo.join("report.html")).expect("a page");
    let axe = fs::read_to_string(axe.join("node_modules/axe-core/axe.min.js")).expect("its script");
    // The file lets no script but its own run.
    let policy = html.find("<meta http-equiv=\"Content-Security-Policy\"").expect("a policy");
    let end = policy + html[policy..].find('>').expect("its end") + 1;
    let report = "axe.run(document, { resultTypes: ['violations'] }).then(found => { document.title = 'axe: ' + JSON.stringify(found.violations.map(one => [one.id, one.nodes.map(node => node.html.slice(0, 200))])); })";
    let script = format!(
        "<script>{axe}</script><script>addEventListener('load', () => setTimeout(() => {report}, 200))</script>"
    );
    let page = folder.path().join("axe.html");
    fs::write(&page, format!("{}{}{script}", &html[..policy], &html[end..])).expect("written");
    let sections =
        html.split("<section class=\"page\"").skip(1).filter_map(|part| part.split("id=\"").nth(1)?.split('"').next());
    // The pages of all guards are made alike.
    let pages: Vec<&str> = sections.filter(|id| !id.starts_with("guard-") || *id == "guard-docs-kept").collect();
    assert!(pages.len() > 6, "{pages:?}");
    for (id, theme) in pages.iter().flat_map(|id| ["1", "0"].map(|theme| (id, theme))) {
        let theme = format!("--blink-settings=preferredColorScheme={theme}");
        let address = format!("file://{}#{id}", page.display());
        let args =
            ["--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--window-size=1280,900", "--dump-dom"];
        let shown = Command::new(&browser).args(args).args([&theme, &address]).output().expect("it runs");
        let dom = String::from_utf8_lossy(&shown.stdout).into_owned();
        let title = dom.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).unwrap_or_default();
        assert_eq!(title, "axe: []", "{id}, {theme}");
    }
}
