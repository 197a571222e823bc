//! Text of models, guards and files runs no script, and leaves the page as it is.

use guardhost_core::change::{GuardVerdict, Inapplicable, RunOutcome};
use guardhost_core::issue::IssueEnd;
use guardhost_pages::{PageSettings, report};

use crate::support::browser::{Browser, file};
use crate::support::issues::{ScriptedIssue, ended, fix, pull, tried};
use crate::support::{Round, bundle, evidence, finding, record};

/// Each tries to run `hit(NUMBER)` if it can, or to break the page.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "<script>window.hit=1</script>",
        "</script><script>window.hit=1</script>",
        "</pre></details><script>window.hit=1</script>",
        "</style><script>window.hit=1</script>",
        "</title><script>window.hit=1</script>",
        "</textarea><script>window.hit=1</script>",
        "<!--><script>window.hit=1</script>-->",
        "<![CDATA[<script>window.hit=1</script>]]>",
        "<img src=x onerror=window.hit=1>",
        "<svg onload=window.hit=1>",
        "<svg><script>window.hit=1</script></svg>",
        "<svg><animate onbegin=window.hit=1 attributeName=x>",
        "<body onload=window.hit=1>",
        "<iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
        "<iframe src=javascript:parent.hit=1></iframe>",
        "<object data=javascript:window.hit=1>",
        "<embed src=javascript:window.hit=1>",
        "<a href=javascript:window.hit=1>here</a>",
        "<form action=javascript:window.hit=1><button>go</button></form>",
        "<link rel=stylesheet href=https://example.invalid/a.css>",
        "<meta http-equiv=refresh content='0;url=https://example.invalid'>",
        "<base href=https://example.invalid/>",
        "<style>body{display:none}</style>",
        "<template><script>window.hit=1</script></template>",
        "<math><mtext><script>window.hit=1</script>",
        "<details open ontoggle=window.hit=1>",
        "<input autofocus onfocus=window.hit=1>",
        "<video><source onerror=window.hit=1></video>",
        "\" onmouseover=\"window.hit=1\" x=\"",
        "' onmouseover='window.hit=1' x='",
        "\" autofocus onfocus=window.hit=1 \"",
        "`${window.hit=1}`",
        "{{constructor.constructor('window.hit=1')()}}",
        "javascript:window.hit=1",
        "data:text/html,<script>window.hit=1</script>",
        "&lt;script&gt;window.hit=1&lt;/script&gt;",
        "\u{202e}reversed\u{2066}\u{2069}",
        "\x1b[2J\x1b]0;title\x07\x1b[31mred",
        "\u{feff}\u{200b}\u{2028}\u{2029}\0\u{7f}\u{85}",
        "../../../etc/passwd#f=x&L=1\"><b>",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.push("x".repeat(1 << 20));
    texts.push("<".repeat(1 << 20));
    texts
}

#[test]
fn hostile_text_runs_nothing_and_asks_for_nothing() {
    let Some(mut browser) = Browser::start() else { return };
    let texts = texts();
    assert!(texts.len() >= 40);
    let state = tempfile::tempdir().expect("a folder");
    let rounds: Vec<Round> = texts
        .iter()
        .map(|text| {
            let line = text.replace(['\n', '\0'], " ");
            let mut found = finding(text, &line, 1, text);
            found.help = Some(text.clone());
            Round {
                reply: format!("{text}\n"),
                mended: Some(format!("{text}\nmended")),
                // Names and numbers that no host writes.
                account: Some(
                    serde_json::json!([
                        { "from": 1, "to": 1, "part": "rest", "edit": null },
                        { "from": 2, "to": 9, "part": text, "edit": usize::MAX },
                        { "from": 0, "to": 1, "part": "edit", "edit": 1 },
                        { "from": 7, "to": usize::MAX, "part": "edit", "edit": 1 },
                    ])
                    .to_string(),
                ),
                diff: format!("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@ {line}\n-{line}\n+{line}.\n"),
                evidence: vec![
                    evidence(text, GuardVerdict::Reject(vec![found, finding("rule", "a", 1, text)])),
                    evidence("other", GuardVerdict::NotApplicable(Inapplicable::NothingHere(text.clone()))),
                ],
                ..Round::default()
            }
        })
        .collect();
    record(state.path(), "01a2063f-hostile", &texts.join("\n"), &rounds, true);
    let issues: Vec<_> = texts
        .iter()
        .map(|text| {
            let facts = vec![tried(1, text), ended(IssueEnd::Failed, Some(text), Some(text))];
            ScriptedIssue { id: text, title: text, path: Some(text), facts }
        })
        .collect();
    drop(fix(state.path(), "01a2063f-issues", &issues, true));
    pull(state.path(), "01a2063f-pull", &texts.join("\n"), RunOutcome::NoChange, &texts.join("\n"));
    // Names that do not come from the recorder.
    let mut bundle = bundle(state.path());
    for (number, text) in texts.iter().enumerate().take(40) {
        let mut run = bundle.runs["01a2063f-hostile"].clone();
        run.files.clear();
        run.moments.clear();
        bundle.runs.insert(format!("{text}{number}"), run);
    }
    let document = report(&bundle, PageSettings::default());
    println!("{} hostile texts, {} bytes", texts.len(), document.html.len());
    let folder = tempfile::tempdir().expect("a folder");
    let file = file(folder.path(), &document.html);
    for page in [
        "",
        "#guards",
        "#files",
        "#statistics",
        "#issues",
        "#pulls",
        "#run-01a2063f-issues",
        "#run-01a2063f-hostile",
        "#change-01a2063f-hostile-1",
        "#<script>window.hit=1</script>",
    ] {
        browser.open_file(&file, page);
        // What a reader might set off.
        browser.value("document.querySelectorAll('details').forEach(box => { box.open = true; }); 0");
        browser.value("document.querySelectorAll('article.round').forEach(round => { for (const link of round.querySelectorAll('.stages a')) link.click(); }); 0");
        assert_eq!(browser.value("window.hit === undefined"), serde_json::json!(true), "{page}: a script ran");
        assert_eq!(browser.requests.len(), 1, "{page}: {:?}", browser.requests);
        assert_eq!(
            browser.value("document.querySelectorAll('script, style, link, iframe, object, embed, img, base').length"),
            serde_json::json!(2)
        );
        assert_eq!(browser.value("[...document.querySelectorAll('*')].some(node => [...node.attributes].some(a => a.name.startsWith('on')))"), serde_json::json!(false));
        assert_eq!(
            browser.value("/[\\u202a-\\u202e\\u2066-\\u2069\\x1b\\x00]/.test(document.body.textContent)"),
            serde_json::json!(false),
            "{page}"
        );
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// Of a bundle that nobody's program wrote. Sums that overflow would end this program.
#[test]
fn numbers_at_their_limits_are_shown() {
    let mut text = String::from_utf8(crate::support::small().to_json().expect("JSON")).expect("UTF-8");
    for (from, to) in [
        ("\"micros\":2300000", "\"micros\":18446744073709551615"),
        ("\"input_tokens\":1200", "\"input_tokens\":18446744073709551615"),
        ("\"cost_usd\":0.012", "\"cost_usd\":1e308"),
        ("@@ -1,3 +1,3 @@", "@@ -4294967295,3 +4294967295,3 @@"),
        ("\"micros\":5000000", "\"micros\":18446744073709551615"),
        ("\"round\":1", "\"round\":4294967295"),
    ] {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    // The events go backwards.
    for second in 0..10 {
        text = text.replacen("\"ts\":\"2", &format!("\"ts\":\"1{second}"), 1);
    }
    let bundle = guardhost_pages::Bundle::from_json("a file", text.as_bytes()).expect("a bundle");
    let html = report(&bundle, PageSettings::default()).html;
    assert!(html.contains("4294967295"));
    assert!(report(&bundle.redacted(), PageSettings::default()).html.contains("Redacted"));
}
