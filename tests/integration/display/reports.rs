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
            assert!(text.ends_with('\n'), "{name} {format:?}");
            let format = format!("{format:?}").to_lowercase();
            match format.as_str() {
                // Their keys and types are held by schemas (`report/json.rs`, `sarif.rs`); values are shown for a few.
                "json" | "sarif" => {
                    assert_eq!(text.lines().count(), 1);
                    let value: Value = serde_json::from_str(&text).unwrap();
                    if VALUES_SHOWN.contains(&name) {
                        insta::assert_json_snapshot!(format!("{name}_{format}"), value);
                    }
                }
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

/// The width may only cut the ends of lines: every line is still there and begins with the same word.
#[test]
fn a_narrow_terminal_loses_no_line() {
    for (name, report) in reports() {
        let narrow = render(&report, OutputFormat::Human, &Appearance { width: 20, ..LOOK });
        let wide = render(&report, OutputFormat::Human, &LOOK);
        let first = |page: &[u8]| -> Vec<String> {
            let text = String::from_utf8(page.to_vec()).unwrap();
            text.lines().map(|line| line.split_whitespace().next().unwrap_or_default().to_owned()).collect()
        };
        assert_eq!(first(&narrow), first(&wide), "{name}");
    }
}
