//! The file in a browser: read without script, with keys, by links, in both themes.

use std::path::{Path, PathBuf};

use guardhost_core::change::RunOutcome;
use guardhost_pages::{PageSettings, report};
use serde_json::json;

use crate::support::browser::{Browser, file};
use crate::support::issues::{batch, five, fix, pull};
use crate::support::{bundle, record, small, two_rounds};

const RUN: &str = "01a2063f-adf8-7482-b33b-738ff412adf6";

fn opened(browser: &mut Browser, folder: &Path, fragment: &str) -> PathBuf {
    let file = file(folder, &report(&small(), PageSettings::default()).html);
    browser.open_file(&file, fragment);
    file
}

#[test]
fn the_file_asks_for_nothing_and_complains_of_nothing() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = opened(&mut browser, folder.path(), "");
    for theme in ["light", "dark"] {
        browser.theme(theme);
        for page in ["board", "guards", "files", "statistics", "guard-docs-kept"] {
            browser.open_file(&file, &format!("#{page}"));
            assert_eq!(browser.value("document.querySelectorAll('section.page:not([hidden])').length"), json!(1));
            assert_eq!(browser.text("document.querySelector('section.page:not([hidden])').id"), page);
            assert_eq!(browser.requests.len(), 1, "{:?}", browser.requests);
        }
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn without_script_everything_is_there_to_read() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = file(folder.path(), &report(&small(), PageSettings::default()).html);
    browser.scripts(false);
    // Files that are out of sight are laid out when they come into it.
    browser.ask(
        "Emulation.setDeviceMetricsOverride",
        json!({ "width": 1280, "height": 12_000, "deviceScaleFactor": 1, "mobile": false }),
    );
    browser.ask("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
    // No expression is evaluated in a page without scripts: the tree is read instead.
    let words = [
        "Let counting ignore case",
        "Round 1",
        "rejected by docs-kept",
        "README.md lost its code",
        "Statistics",
        // A line of the diff that has no mark in it.
        "# tally",
    ];
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let mut text = String::new();
    while !words.iter().all(|word| text.contains(word)) {
        assert!(std::time::Instant::now() < deadline, "one of {words:?} is not to be seen:\n{text}");
        let snapshot =
            browser.ask("DOMSnapshot.captureSnapshot", json!({ "computedStyles": [], "includePaintOrder": false }));
        // Only what is laid out is seen: texts of hidden parts have no layout.
        let strings = snapshot["strings"].as_array().expect("strings").clone();
        let shown = snapshot["documents"][0]["layout"]["text"].as_array().expect("texts").clone();
        let shown = shown.iter().filter_map(|at| strings.get(usize::try_from(at.as_i64()?).ok()?)?.as_str());
        text = shown.collect::<Vec<_>>().join("\n");
    }
    assert!(!text.contains("Compare with"), "a control that does nothing is shown");
}

#[test]
fn links_lead_to_lines() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    for link in [format!("#change-{RUN}-1&f=README.md&L=2"), "#f=README.md&L=2".to_owned()] {
        opened(&mut browser, folder.path(), &link);
        assert_eq!(
            browser.text("document.querySelector('section.page:not([hidden])').id"),
            format!("change-{RUN}-1"),
            "{link}"
        );
        assert_eq!(browser.text("document.querySelector('tr.linked').cells[2].textContent"), "New words.", "{link}");
    }
    browser.value("document.querySelector('section.page:not([hidden]) tr.same td.no').click()");
    assert_eq!(browser.text("location.hash"), format!("#change-{RUN}-1&f=README.md&L=1"));
    browser.wait("document.querySelector('tr.linked').cells[2].textContent === '# tally'");
}

#[test]
fn the_scrubber_shows_a_stage_and_the_difference_of_any_two() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    opened(&mut browser, folder.path(), &format!("#run-{RUN}"));
    let shown = "[...document.querySelectorAll('article.round:first-of-type details.stage:not([hidden])')].map(panel => panel.dataset.stage).join()";
    assert_eq!(browser.text(shown), "verdicts", "it begins where the round stopped");
    let to = |stage: &str, other: &str| {
        format!(
            "(() => {{ const round = document.querySelector('article.round'); round.querySelector('select').value = '{other}'; \
             round.querySelector('.stages a[data-stage={stage}]').click(); return 0; }})()"
        )
    };
    browser.value(&to("reply", ""));
    assert_eq!(browser.text(shown), "reply");
    browser.value(&to("repaired", "reply"));
    assert_eq!(browser.text(shown), "");
    let difference = browser.text("[...document.querySelectorAll('article.round:first-of-type .difference div')].map(line => line.textContent).join('\\n')");
    assert!(
        difference.contains("− Here:") && difference.contains("− ```diff") && !difference.contains("− -Old"),
        "{difference}"
    );
    // The same bytes as another stage stand there once.
    browser.value(&to("candidate", "extracted"));
    assert_eq!(browser.text("document.querySelector('.difference').textContent"), "No difference.");
    // The slider, by key.
    browser.value("(() => { const round = document.querySelector('article.round'); round.querySelector('select').value = ''; round.querySelector('input').focus(); return 0; })()");
    browser.value(&to("reply", ""));
    browser.value("document.querySelector('article.round input').focus()");
    browser.key("]");
    browser.wait(&format!("{shown} === 'repaired'"));
    browser.key("[");
    browser.wait(&format!("{shown} === 'reply'"));
}

#[test]
fn keys_go_from_finding_to_finding() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    opened(&mut browser, folder.path(), &format!("#change-{RUN}-1"));
    browser.key("j");
    browser.wait("document.activeElement.matches('div.finding')");
    browser.key("n");
    browser.wait("document.activeElement.matches('details.file > summary')");
    browser.key("e");
    assert_eq!(browser.value("document.querySelector('section.page:not([hidden]) details.file').open"), json!(false));
    browser.key("?");
    browser.wait("document.getElementById('help').open");
    browser.key("?");
    browser.wait("!document.getElementById('help').open");
    browser.theme("light");
    browser.key("t");
    assert_eq!(browser.text("document.documentElement.dataset.theme"), "dark");
    browser.key("b");
    browser.wait("document.querySelector('section.page:not([hidden])').id === 'board'");
}

#[test]
fn times_are_the_readers() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    opened(&mut browser, folder.path(), "#board");
    let (shown, title) = (
        browser.text("document.querySelector('time').textContent"),
        browser.text("document.querySelector('time').title"),
    );
    assert!(title.ends_with("Z (UTC)"), "{title}");
    assert!(!shown.contains("UTC"), "{shown}");
    let local = browser.text("new Date(document.querySelector('time').dateTime).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })");
    assert_eq!(shown, local);
}

/// With `GUARDHOST_TEST_PICTURES=FOLDER`: every page, light and dark, to be looked at.
#[test]
fn every_page_has_a_picture_in_both_themes() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let state = tempfile::tempdir().unwrap();
    record(state.path(), RUN, "Let counting ignore case", &two_rounds(), true);
    record(state.path(), "01a2063f-rejected", "Say what the program does, and how", &two_rounds()[..1], true);
    let working = record(state.path(), "01a2063f-working", "Raise the version", &two_rounds(), false);
    records_of_an_audit(state.path());
    let fixes = "01a2063e-fixes";
    drop(fix(state.path(), fixes, &five(), true));
    batch(state.path(), "01a2063e-batch", fixes, "1.1");
    let said = "pull request 7: https://forge.example/tally/tally/pull/7";
    pull(state.path(), "01a2063e-pull", &format!("pull request of the run {fixes}"), RunOutcome::NoChange, said);
    let said = "the guards reject the change; nothing was pushed";
    pull(state.path(), "01a2063d-pull", "pull request of the run 01a2063f-rejected", RunOutcome::Rejected, said);
    let file = file(folder.path(), &report(&bundle(state.path()), PageSettings::default()).html);
    drop(working);
    let pictures = std::env::var_os("GUARDHOST_TEST_PICTURES").map_or_else(|| folder.path().to_owned(), PathBuf::from);
    let change = format!("change-{RUN}-1");
    let run = format!("run-{RUN}");
    let fixes = format!("run-{fixes}");
    let pages = [
        "board",
        &run,
        &change,
        "guards",
        "guard-docs-kept",
        "files",
        "statistics",
        "audit-01a2063f-improve",
        "issues",
        &fixes,
        "pulls",
    ];
    for theme in ["light", "dark"] {
        browser.theme(theme);
        for page in pages {
            browser.open_file(&file, &format!("#{page}"));
            let name = page.split('-').next().expect("a name");
            let name = match page {
                "guard-docs-kept" => "guard",
                page if page == fixes => "fix",
                _ => name,
            };
            browser.picture(&pictures.join(format!("{name}-{theme}.png")));
            let wide = browser.value("document.documentElement.scrollWidth <= innerWidth");
            assert_eq!(wide, json!(true), "{page} is wider than its window");
            let size = |width: u32| json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
            browser.ask("Emulation.setDeviceMetricsOverride", size(390));
            let wide = browser.value("document.documentElement.scrollWidth <= innerWidth");
            assert_eq!(wide, json!(true), "{page} is wider than a telephone");
            browser.picture(&pictures.join(format!("{name}-{theme}-narrow.png")));
            browser.ask("Emulation.setDeviceMetricsOverride", size(1280));
            let ground = browser.text("getComputedStyle(document.body).backgroundColor");
            assert_eq!(ground, if theme == "light" { "rgb(247, 247, 245)" } else { "rgb(19, 21, 24)" }, "{page}");
        }
    }
}

fn records_of_an_audit(state: &Path) {
    use guardhost_report::journal::Artifact;
    let records = record(state, "01a2063f-improve", "Improve what the audit measured", &two_rounds(), true);
    let audit = |docs: f64| {
        json!({ "overall": 0.5 + docs / 4.0, "metrics": [
            { "id": "documentation", "score": docs, "points": [{ "rule": "has-usage", "earned": docs, "of": 1.0, "path": "README.md", "line": 4, "message": "no example of a call", "help": "Show one call and its result." }] },
            { "id": "tests", "score": 0.8, "points": [] },
            { "id": "build", "score": null, "reason": "no build tool is installed", "points": [] },
        ] }).to_string()
    };
    records.keep(0, Artifact::Audit, audit(0.4).as_bytes()).expect("kept");
    records.keep(0, Artifact::AuditAfter, audit(0.75).as_bytes()).expect("kept");
}
