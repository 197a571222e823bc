//! 5,000 findings in 200 files. Figures are printed; no time is asserted.

use guardhost_core::change::GuardVerdict;
use guardhost_pages::{PageLimits, report};

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
    let html = report(&bundle, PageLimits::default()).html;
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
