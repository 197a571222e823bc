//! The diffs of pages: changed words, lines that unfold, and findings wherever they are.

use guard_files::Language;
use guardhost_core::change::GuardVerdict;
use guardhost_core::syntax::{Syntax, SyntaxByPath};
use guardhost_pages::{Mount, Page, PageSettings, document, report};

use crate::support::browser::{Browser, file};
use crate::support::{Round, bundle, evidence, finding, record, two_rounds};

const DIFF: &str = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -30,3 +30,4 @@ def f():\n     a = 1\n-    total = count(a)\n+    total = count(a, 2)\n+    b = 3\n     return b\n";
/// Two lines above the hunk, one below, and one far away that has a finding.
const AROUND: &str = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -28,2 +28,2 @@\n class C:\n   def f():\n@@ -33,1 +34,1 @@\n after\n@@ -79,1 +80,1 @@\n far = away\n";

fn change(around: &str, lines: &[u32]) -> guardhost_pages::Bundle {
    let [first, _] = two_rounds();
    let found = lines.iter().map(|line| finding("a-rule", "x.py", *line, &format!("said of {line}"))).collect();
    let round = Round {
        diff: DIFF.to_owned(),
        around: Some(around.to_owned()),
        evidence: vec![evidence("no-undefined-names", GuardVerdict::Reject(found))],
        ..first
    };
    let state = tempfile::tempdir().expect("a folder");
    record(state.path(), "01a2063f-diffs", "A task", &[round], true);
    bundle(state.path())
}

fn page(around: &str, lines: &[u32]) -> String {
    let page = Page::Change("01a2063f-diffs".to_owned(), 1);
    document(&change(around, lines), &page, &Mount::default(), PageSettings::default()).expect("the page").html
}

struct ByName;

impl SyntaxByPath for ByName {
    fn syntax(&self, path: &str) -> Option<Syntax> {
        Syntax::of(Language::from_path(path)?).cloned()
    }
}

#[test]
fn comments_and_strings_have_colours_beside_the_marks() {
    let [first, _] = two_rounds();
    let diff = DIFF.replace("count(a)", "count('<a>') # old").replace("count(a, 2)", "count('<a>', 2) # old");
    let state = tempfile::tempdir().expect("a folder");
    record(state.path(), "01a2063f-diffs", "A task", &[Round { diff, around: None, ..first }], true);
    let (bundle, page) = (bundle(state.path()), Page::Change("01a2063f-diffs".to_owned(), 1));
    let html = |syntax| {
        document(&bundle, &page, &Mount::default(), PageSettings { syntax, ..PageSettings::default() })
            .expect("the page")
            .html
    };
    let (plain, coloured) = (html(None), html(Some(&ByName as &dyn SyntaxByPath)));
    let [comment, quoted] = ["<span class=\"comment\"># old</span>", "<span class=\"quoted\">'&lt;a&gt;'</span>"];
    assert_eq!(coloured.matches(comment).count(), 2);
    assert!(coloured.contains(&format!("count({quoted}<mark>, 2</mark>) {comment}")), "{coloured}");
    // Colours change no text.
    assert_eq!(
        coloured.replace("<span class=\"comment\">", "").replace("<span class=\"quoted\">", "").replace("</span>", ""),
        plain.replace("</span>", "")
    );
}

/// What a reader sees one below the other: lines with their numbers, folds, and what findings say.
fn seen(html: &str) -> Vec<String> {
    let file = html.split("<details class=\"file\"").nth(1).expect("a file").split("</main").next().expect("a text");
    let mut seen = Vec::new();
    for part in file.split('<') {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        match tag {
            _ if tag.starts_with("details class=\"around\"") => {
                seen.push(if tag.ends_with(" open") { "open" } else { "fold" }.to_owned())
            }
            "/details" => seen.push("end".to_owned()),
            _ if tag.starts_with("tr class=\"") => seen.push(tag.split('"').nth(1).expect("a class").to_owned()),
            "td class=\"no\"" | "td" => seen.last_mut().expect("a row").push_str(&format!(" {}", text.trim())),
            "mark" => seen.last_mut().expect("a row").push_str(&format!("[{text}]")),
            "/mark" => seen.last_mut().expect("a row").push_str(text),
            "p" if text.starts_with("said of") => seen.push(text.to_owned()),
            _ => {}
        }
    }
    seen
}

#[test]
fn words_are_marked_lines_unfold_and_every_finding_has_its_place() {
    let expected = [
        "said of 7",
        "fold",
        "same 28 28 class C:",
        "same 29 29 def f():",
        "end",
        "hunk",
        "same 30 30 a = 1",
        "del 31  total = count(a)",
        "add hit  31 total = count(a[, 2])",
        "notes",
        "said of 31",
        "add  32 b = 3",
        "same 32 33 return b",
        "fold",
        "same 33 34 after",
        "end",
        "said of 50",
        "open",
        "same hit 79 80 far = away",
        "notes",
        "said of 80",
        "end",
        "said of 99",
        "end",
    ];
    assert_eq!(seen(&page(AROUND, &[7, 31, 50, 80, 99])), expected);
    // Records of older versions have nothing around.
    let without = seen(&page("", &[80]));
    assert!(!without.iter().any(|line| line == "fold" || line == "open"), "{without:?}");
    assert_eq!(without.iter().filter(|line| *line == "said of 80").count(), 1);
}

/// What is recorded as lines around a change may change nothing: a bundle comes from anybody.
#[test]
fn lines_around_add_nothing_to_the_change() {
    let planted = AROUND.replace(" far = away", "+far = away").replace("-79,1", "-79,0");
    assert!(!page(&planted, &[]).contains("far = away"));
    let other = AROUND.replace("x.py", "y.py");
    assert!(!page(&other, &[]).contains("far = away"), "a file that is not in the change");
}

/// A fold opens without a script, and a link to a line in it opens it.
#[test]
fn a_link_to_a_folded_line_unfolds_it() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = file(folder.path(), &report(&change(AROUND, &[]), PageSettings::default()).html);
    browser.open_file(&file, "#change-01a2063f-diffs-1");
    let open = "[...document.querySelectorAll('details.around')].map(fold => fold.open).join()";
    assert_eq!(browser.text(open), "false,false,false");
    assert_eq!(
        browser.text("document.querySelector('details.around summary').textContent"),
        "2 unchanged lines from line 28"
    );
    browser.open_file(&file, "#change-01a2063f-diffs-1&f=x.py&L=80");
    assert_eq!(browser.text(open), "false,false,true");
    assert_eq!(browser.text("document.querySelector('tr.linked').cells[2].textContent"), "far = away");
    let shades = "(() => { const of = part => getComputedStyle(part).backgroundColor, mark = document.querySelector('.add mark'); \
                  return of(mark) !== of(mark.closest('td')) && of(mark.closest('td')) !== of(document.querySelector('tr.same td')); })()";
    for theme in ["light", "dark"] {
        browser.theme(theme);
        assert_eq!(browser.value(shades), serde_json::json!(true), "{theme}");
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}
