use guardhost_core::audit::{Audit, Measurement, Metric, Point};
use guardhost_core::change::Oid;
use guardhost_report::AuditReport;

/// Every measurement, and points with and without each part.
pub fn audit() -> AuditReport {
    let point = |rule: &str, earned, possible, place: Option<(&str, u32)>, help: &str| Point {
        rule: rule.to_owned(),
        earned,
        possible,
        path: place.map(|(path, _)| path.into()),
        line: place.map(|(_, line)| line),
        message: format!("what {rule} says"),
        help: help.to_owned(),
    };
    let metric = |id: &str, weight, measurement| Metric {
        id: id.to_owned(),
        weight,
        analyzer: "repository-metrics".to_owned(),
        measurement,
    };
    let build = vec![
        point("builds", 0, 1_000, None, "Fix the build before anything else."),
        point("build-error", 0, 0, Some(("src/lib.rs", 7)), ">    7 let x: u8 = \"\";"),
    ];
    let readme = vec![
        point("readme-present", 200, 200, Some(("README.md", 1)), ""),
        point("readme-length", 80, 150, Some(("README.md", 1)), "Say more."),
        point("readme-badge", 0, 150, None, "Show a badge."),
        point("readme-topic", 0, 67, None, "Add a section."),
        point("readme-topic", 0, 67, None, "Add a section."),
        point("readme-title", 0, 100, None, "Begin with a title."),
        point("readme-topic", 200, 200, None, ""),
    ];
    let license = vec![point("license", 1_000, 1_000, Some(("LICENSE", 1)), "")];
    let failed = Measurement::Failed { code: "trap", message: "wasm trap: unreachable\u{1b}[31m".to_owned() };
    let metrics = vec![
        metric("build", 5_000, Measurement::Measured(build)),
        metric("test_results", 4_000, Measurement::NotMeasured("pytest is not installed".to_owned())),
        metric("readme", 1_200, Measurement::Measured(readme)),
        metric("license", 800, Measurement::Measured(license)),
        metric("custom", 1_000, failed),
    ];
    AuditReport {
        audit: Audit { tree: Oid::from_str(&"c".repeat(40)).unwrap(), metrics },
        revision: "HEAD".to_owned(),
        micros: 81_200,
        notices: vec!["guards.toml is not committed".to_owned()],
    }
}
