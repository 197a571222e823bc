//! An analyzer, natively, on cases: the tree below `after/`, and what it must score by metric.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Case, Source, find};
use crate::analysis::{Analyzer, Measurement, Tree};
use crate::{Change, guard};

/// Of `expect.json`, by metric. A metric that it leaves out is not compared.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Expected {
    /// The score in thousandths, and what each point earned of what it could, in order.
    Measured {
        score: u32,
        points: Vec<String>,
    },
    NotMeasured {
        not_measured: String,
    },
}

/// Runs the analyzer on every case below `folder`. `GUARD_TEST_UPDATE=1` writes the expectations of the metrics that a case names anew.
///
/// # Panics
/// When a case does not come out as expected, names no metric or cannot be read, when points break the contract, or when there is no case.
pub fn analyzed<A: Analyzer>(folder: impl AsRef<Path>) {
    let found = find(folder.as_ref());
    assert!(!found.is_empty(), "no case in {}", folder.as_ref().display());
    for location in found {
        run::<A>(&location.path).unwrap_or_else(|error| panic!("{}: {error}", location.path.display()));
    }
}

/// What the analyzer says of the tree of a case.
pub fn measure<A: Analyzer>(case: &Case, metric: &str) -> Result<Measurement, String> {
    A::measure(metric, &Tree(Change::from_tree(Source::new(case))), guard::entry::settings_of(&case.settings)?)
}

fn run<A: Analyzer>(path: &Path) -> Result<(), String> {
    let files = guard_cases::Case::read(path).map_err(|error| error.to_string())?;
    let case = Case::new(&files)?;
    let text = files.text("expect.json").map_err(|error| error.to_string())?.ok_or("it has no expect.json")?;
    let expected: BTreeMap<String, Expected> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if expected.is_empty() {
        return Err("it expects nothing of any metric".into());
    }
    let mut found = BTreeMap::new();
    for metric in expected.keys() {
        found.insert(metric.clone(), expectation::<A>(measure::<A>(&case, metric)?, &case)?);
    }
    if found == expected {
        return Ok(());
    }
    let found = serde_json::to_string_pretty(&found).map_err(|error| error.to_string())? + "\n";
    if guard_cases::updating() {
        return files.write("expect.json", &found).map(drop).map_err(|error| error.to_string());
    }
    Err(format!("it says\n{found}"))
}

fn expectation<A: Analyzer>(said: Measurement, case: &Case) -> Result<Expected, String> {
    let points = match said {
        Measurement::NotMeasured(why) => return Ok(Expected::NotMeasured { not_measured: why }),
        Measurement::Measured(points) => points,
    };
    for point in &points {
        let is_known = A::ABOUT.rules.iter().any(|rule| rule.id == point.rule);
        let is_in_tree = point.path.as_ref().is_none_or(|path| case.after.contains_key(path));
        if !is_known || !is_in_tree || point.earned > point.possible {
            return Err(format!("a point that no host takes: {point:?}"));
        }
        if point.earned < point.possible && point.help.is_empty() {
            return Err(format!("nobody is told how to earn the rest: {point:?}"));
        }
    }
    let score = points.iter().map(|point| point.earned).sum();
    let said = |point: &crate::analysis::Point| {
        let place = match (&point.path, point.line) {
            (Some(path), Some(line)) => format!(" ({path}:{line})"),
            (Some(path), None) => format!(" ({path})"),
            (None, _) => String::new(),
        };
        format!("{} {}/{}: {}{place}", point.rule, point.earned, point.possible, point.message)
    };
    Ok(Expected::Measured { score, points: points.iter().map(said).collect() })
}
