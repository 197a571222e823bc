//! Two metrics of a repository for which its builds and its tests are run, by the host, in a sandbox.

mod build;
mod cause;
mod results;
mod rules;
mod source;
mod unready;

use guard_sdk::analysis::{Analyzer, Measurement, Metric, Tree};
use guard_sdk::{About, Capability, Denied, Need, NoSettings, Stage, analyzer};

pub struct ToolchainMetrics;

impl Analyzer for ToolchainMetrics {
    type Settings = NoSettings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "What was not built or tested is said to be not measured.",
        stages: &[Stage::Analysis],
        needs: &[
            Need::new(Capability::Repo, "errors are shown with the lines around them"),
            Need::new(Capability::Toolchain, "builds and tests are what is measured"),
        ],
        rules: rules::RULES,
        ..About::NONE
    };

    /// The weights are those of the pipeline that the metrics come from.
    const METRICS: &'static [Metric] =
        &[Metric { id: "build", weight: 5_000 }, Metric { id: "test_results", weight: 4_000 }];

    fn measure(metric: &str, tree: &Tree, _: NoSettings) -> Result<Measurement, String> {
        match metric {
            "build" => build::measure(tree),
            "test_results" => results::measure(tree),
            other => Err(format!("it has no metric `{other}`")),
        }
    }
}

analyzer!(ToolchainMetrics);

/// What the metric says when the host runs nothing.
fn not_measured(denied: Denied) -> Result<Measurement, String> {
    match denied {
        Denied::Unavailable(why) => Ok(Measurement::NotMeasured(why)),
        Denied::TimedOut(limit) => Ok(Measurement::NotMeasured(format!("it did not end within {} s", limit / 1_000))),
        other => Err(format!("{other:?}")),
    }
}

/// The folder of a project, for people.
fn folder(project: &str) -> String {
    if project.is_empty() { "the root".to_owned() } else { format!("{project}/") }
}

/// What the point of each project is worth, by whether it came out well. One project that fails makes the whole metric fail, however many
/// do not: together they earn less than a warning.
fn worth(well: &[bool]) -> Vec<u32> {
    const BESIDE_FAILURES: usize = 390;
    let good = well.iter().filter(|well| **well).count();
    if good == well.len() {
        return shares(1_000, well.len());
    }
    let of_good = u32::try_from(BESIDE_FAILURES * good / well.len()).unwrap_or(0);
    let (mut good, mut bad) =
        (shares(of_good, good).into_iter(), shares(1_000 - of_good, well.len() - good).into_iter());
    let next = |well: &bool| if *well { good.next() } else { bad.next() };
    well.iter().map(next).map(Option::unwrap_or_default).collect()
}

/// `whole` in as many parts, of which the first ones are larger by the remainder.
fn shares(whole: u32, parts: usize) -> Vec<u32> {
    let parts = u32::try_from(parts.max(1)).unwrap_or(1);
    (0..parts).map(|part| whole / parts + u32::from(part < whole % parts)).collect()
}
