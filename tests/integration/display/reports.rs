//! Every report in every format.

use guardhost_display::{Appearance, OutputFormat, render, summary};
use guardhost_report::Report;
use serde_json::Value;

use super::{FORMATS, LOOK};
use crate::integration::report::samples::check::{accepted, check};
use crate::integration::report::samples::reports;

/// Samples whose JSON and SARIF are snapshots too.
const VALUES_SHOWN: [&str; 9] = [
    "check-rejected",
    "check-accepted",
    "check-refused",
    "apply",
    "apply-misfit",
    "run",
    "guards",
    "doctor",
    "failure",
];

#[test]
fn every_report_in_every_format() {
    for (name, report) in reports() {
        for format in FORMATS {
            let text = String::from_utf8(render(&report, format, &LOOK)).unwrap();
            assert!(
                text.ends_with('\n')
                    || text.is_empty() && matches!(format, OutputFormat::Rdjsonl | OutputFormat::AgentTrace),
                "{name} {format:?}"
            );
            let format = format!("{format:?}").to_lowercase();
            match format.as_str() {
                // Their keys and types are held by schemas (`report/json.rs`, `sarif.rs`, `for_tools.rs`); values are shown for a few.
                "json" | "sarif" | "gitlab" | "rdjson" => {
                    assert_eq!(text.lines().count(), 1);
                    let value: Value = serde_json::from_str(&text).unwrap();
                    if VALUES_SHOWN.contains(&name) {
                        insta::assert_json_snapshot!(format!("{name}_{format}"), value);
                    }
                }
                // The diagnostics of `rdjson`.
                "rdjsonl" => {}
                // Everywhere but in `host show` it is the JSON; there `agent_trace.rs` reads it.
                "agenttrace" => {}
                _ => insta::assert_snapshot!(format!("{name}_{format}"), text),
            }
        }
    }
}

#[test]
fn a_step_summary_and_colours() {
    insta::assert_snapshot!("summary", summary(&Report::Check(check())));
    let verbose = render(&Report::Check(check()), OutputFormat::Human, &Appearance { verbose: true, ..LOOK });
    insta::assert_snapshot!("verbose", String::from_utf8(verbose).unwrap());
    let plain = render(&Report::Check(check()), OutputFormat::Human, &LOOK);
    let coloured = render(&Report::Check(check()), OutputFormat::Human, &Appearance { color: true, ..LOOK });
    assert_ne!(plain, coloured);
    assert_eq!(plain, anstream::adapter::strip_bytes(&coloured).into_vec());
    let ascii = render(&Report::Check(accepted()), OutputFormat::Human, &Appearance { unicode: false, ..LOOK });
    assert!(ascii.is_ascii(), "{}", String::from_utf8_lossy(&ascii));
}

/// A terminal of any width gets the same words in the same order: lines are broken at spaces, and nothing is cut.
#[test]
fn a_narrow_terminal_loses_no_word() {
    let words = |page: &[u8]| -> String {
        let text = String::from_utf8(page.to_vec()).unwrap();
        // Without the bar before each part of a line that was broken. A part that looks like a command of a GitHub runner has a space more.
        text.split_whitespace().filter(|word| *word != "│").collect()
    };
    for (name, report) in reports() {
        let wide = render(&report, OutputFormat::Human, &LOOK);
        for columns in [20, 40, 60, 80] {
            let narrow = render(&report, OutputFormat::Human, &Appearance { width: Some(columns), ..LOOK });
            assert_eq!(words(&narrow), words(&wide), "{name} {columns}");
            let coloured =
                render(&report, OutputFormat::Human, &Appearance { width: Some(columns), color: true, ..LOOK });
            let plain = anstream::adapter::strip_bytes(&coloured).into_vec();
            assert_eq!(String::from_utf8(narrow), String::from_utf8(plain), "{name} {columns}");
        }
    }
    let narrow = render(&Report::Check(check()), OutputFormat::Human, &Appearance { width: Some(48), ..LOOK });
    let narrow = String::from_utf8(narrow).unwrap();
    // A row of the table has a margin for its last column.
    assert!(narrow.lines().all(|line| line.chars().count() <= 48 + 8), "{narrow}");
    insta::assert_snapshot!("narrow", narrow);
}

/// What superseded rounds and guards that had nothing to say wrote is there for those who ask for it.
#[test]
fn a_run_in_full() {
    let report = Report::Run(Box::new(crate::integration::report::samples::run::run()));
    let verbose = render(&report, OutputFormat::Human, &Appearance { verbose: true, ..LOOK });
    insta::assert_snapshot!("run-in-full", String::from_utf8(verbose).unwrap());
}
