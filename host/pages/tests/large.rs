//! 5,000 findings in 200 files. Figures are printed; no time is asserted.

use guardhost_core::change::GuardVerdict;
use guardhost_pages::{PageSettings, report};

use crate::support::browser::{Browser, file};
use crate::support::{Round, bundle, evidence, finding, record};

const FILES: u32 = 200;
const FINDINGS: u32 = 25;

#[test]
fn a_change_with_five_thousand_findings_is_painted() {
    let (mut diff, mut found) = (String::new(), Vec::new());
    for file in 0..FILES {
        let path = format!("src/module_{file:03}/file.py");
        diff += &format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,1 +1,51 @@\n import os\n");
        for line in 0..50 {
            diff += &format!("+    value_{line} = compute(value_{line}, \"{file}\")  # a line of usual length\n");
        }
        found.extend(
            (0..FINDINGS).map(|at| {
                finding("a-rule", &path, 2 + at * 2, "this name is not bound here; it may be a typing error")
            }),
        );
    }
    let round = Round {
        reply: diff.clone(),
        evidence: vec![evidence("no-undefined-names", GuardVerdict::Reject(found))],
        diff,
        ..Round::default()
    };
    let state = tempfile::tempdir().expect("a folder");
    record(state.path(), "01a2063f-large", "A large change", &[round], true);
    let bundle = bundle(state.path());
    let began = std::time::Instant::now();
    let html = report(&bundle, PageSettings::default()).html;
    println!("rendered in {} ms, {} bytes", began.elapsed().as_millis(), html.len());
    assert_eq!(html.matches("<div class=\"finding bad\"").count(), (FILES * FINDINGS) as usize);

    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = file(folder.path(), &html);
    browser.open_file(&file, "#change-01a2063f-large-1");
    let paint = "performance.getEntriesByName('first-contentful-paint')[0]";
    browser.wait(paint);
    println!("first paint after {} ms", browser.value(&format!("Math.round({paint}.startTime)")));
    assert_eq!(browser.value("document.querySelectorAll('details.file').length"), serde_json::json!(FILES));
    let opened = browser.value(
        "(async () => { const file = document.querySelectorAll('details.file')[150], began = performance.now(); file.open = true; \
         file.scrollIntoView(); await new Promise(done => requestAnimationFrame(() => setTimeout(done))); return performance.now() - began; })()",
    );
    println!("a file opens in {opened} ms");
    assert_eq!(browser.requests.len(), 1, "{:?}", browser.requests);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// Ten thousand runs: what a person sees is one page of them, found by words, state and provider. Figures are printed; no time is asserted.
#[test]
fn ten_thousand_runs_are_found_and_paged() {
    const RUNS: usize = 10_000;
    const GROUPED: &str = "10\u{2009}000";
    let mut bundle = crate::support::small();
    let (id, run) = bundle.runs.pop_first().expect("a run");
    // The objects of a run refer to one another by their ids.
    let mut all = serde_json::to_string(&bundle.objects.values().collect::<Vec<_>>()).expect("JSON");
    for other in bundle.objects.keys().filter(|other| **other != id) {
        all = all.replace(other, &format!("{other}-NUMBER"));
    }
    bundle.objects.clear();
    for number in 0..RUNS {
        let new = format!("01a2063f-{:04x}-7000-8000-{number:012}", number / 100);
        let mut text = all.replace(&id, &new).replace("NUMBER", &number.to_string());
        if number == 7_777 {
            text = text.replace("Let counting ignore case", "Find me among many");
        }
        let objects: Vec<guardhost_report::journal::Object> = serde_json::from_str(&text).expect("objects");
        bundle.objects.extend(objects.into_iter().map(|object| (object.object_id.clone(), object)));
        bundle.runs.insert(new, run.clone());
    }
    let began = std::time::Instant::now();
    let html = report(&bundle, PageSettings::default()).html;
    println!("rendered in {} ms, {} bytes", began.elapsed().as_millis(), html.len());

    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = file(folder.path(), &html);
    browser.open_file(&file, "#board");
    let paint = "performance.getEntriesByName('first-contentful-paint')[0]";
    browser.wait(paint);
    println!("first paint after {} ms", browser.value(&format!("Math.round({paint}.startTime)")));
    browser.wait("document.getElementById('find') && !document.getElementById('find').hidden");
    let shown = "[...document.querySelectorAll('#run-list > li.run')].length";
    let count = "document.getElementById('find-count').textContent";
    assert_eq!(browser.value(shown), serde_json::json!(100));
    assert_eq!(browser.text(count), format!("1 to 100 of {GROUPED}"));
    let timed = |act: &str| {
        format!(
            "(async () => {{ const began = performance.now(); {act} await new Promise(done => requestAnimationFrame(() => setTimeout(done))); \
             return Math.round(performance.now() - began); }})()"
        )
    };
    let pages = browser.value(&timed("document.getElementById('find-older').click();"));
    assert_eq!(browser.text(count), format!("101 to 200 of {GROUPED}"));
    let word = "const box = document.getElementById('find-text'); box.value = 'among MANY'; box.dispatchEvent(new Event('input', { bubbles: true }));";
    let found = browser.value(&timed(word));
    assert_eq!((browser.value(shown), browser.text(count)), (serde_json::json!(1), "1 to 1 of 1".to_owned()));
    println!("the next page after {pages} ms, a word after {found} ms");
    // The address says what is shown, and each condition is taken away singly.
    assert_eq!(browser.text("location.hash"), "#board&q=among+MANY");
    browser.open_file(&file, "#board&since=2020-01-01&q=among&sort=oldest");
    assert_eq!(
        (browser.value(shown), browser.text("document.getElementById('find-text').value")),
        (serde_json::json!(1), "among".to_owned())
    );
    let conditions =
        "[...document.querySelectorAll('#find-conditions button')].map(button => button.textContent).join()";
    assert_eq!(browser.text(conditions), "Find: among ×,From: 2020-01-01 ×");
    browser.value("document.querySelector('#find-conditions button').click()");
    assert_eq!(browser.text(conditions), "From: 2020-01-01 ×");
    assert_eq!(browser.text(count), format!("1 to 100 of {GROUPED}"));
    assert_eq!(browser.text("location.hash"), "#board&since=2020-01-01&sort=oldest");
    // A link to a row that is not shown clears the search and shows it.
    let oldest = "b-01a2063f-0000-7000-8000-000000000000";
    browser.open_file(&file, &format!("#{oldest}"));
    browser.wait(&format!("document.getElementById('{oldest}')"));
    browser.key("/");
    browser.wait("document.activeElement.id === 'find-text'");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}
