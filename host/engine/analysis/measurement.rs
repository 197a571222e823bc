//! Checks an analyzer's answers against the contract. A violation is the analyzer's error, never a score.

use std::collections::BTreeSet;

use guardhost_core::audit::{Measurement, Point, WHOLE};
use guardhost_core::change::{Failed, GuardVerdict, RepoPath};
use wasmtime::component::Resource;

use crate::bindings::exports::guardhost::analysis::measure as answer;
use crate::describe::Description;
use crate::drafts::PointDraft;
use crate::handles::PointHandle;
use crate::judge::change_view::{ChangeView, TreeSide};
use crate::limits::FINDINGS;
use crate::text::escape::{escape, escape_line};

/// Metrics of one analyzer.
const METRICS: usize = 100;

/// Bytes of a metric's id.
const ID: usize = 64;

/// The heaviest metric, in thousandths.
const WEIGHT: u32 = 100_000;

/// Bytes of a point's message, and of its help.
const TEXT: usize = 2_000;

pub struct MetricAbout {
    pub id: String,
    /// In thousandths.
    pub weight: u32,
}

/// Checks the answer of `metrics`.
pub fn metrics(offered: Vec<answer::Metric>) -> Result<Vec<MetricAbout>, GuardVerdict> {
    if offered.is_empty() || offered.len() > METRICS {
        return Err(bad_output(format!("it has {} metrics; 1 to {METRICS} are allowed", offered.len())));
    }
    let mut known = BTreeSet::new();
    let check = |answer::Metric { id, weight }: answer::Metric| {
        if !is_snake(&id) {
            let id = escape_line(&id, ID);
            return Err(bad_output(format!("a metric is called {id:?}; lower-case words joined by `_` are an id")));
        }
        if weight > WEIGHT {
            return Err(bad_output(format!("`{id}` weighs {weight}; {WEIGHT} is the limit")));
        }
        match known.insert(id.clone()) {
            true => Ok(MetricAbout { id, weight }),
            false => Err(bad_output(format!("it has two metrics `{id}`"))),
        }
    };
    offered.into_iter().map(check).collect()
}

/// Checks the answer of `measure`.
pub fn checked(
    measurement: answer::Measurement,
    drafts: Vec<PointDraft>,
    view: &ChangeView,
    description: &Description,
) -> Result<Measurement, GuardVerdict> {
    let points = match measurement {
        answer::Measurement::NotMeasured(why) if why.trim().is_empty() => {
            return Err(bad_output("it measures nothing, and does not say why"));
        }
        answer::Measurement::NotMeasured(why) => return Ok(Measurement::NotMeasured(escape(&why, TEXT))),
        answer::Measurement::Measured(points) => points,
    };
    if points.len() > FINDINGS {
        return Err(error("output-limit", format!("it has {} points; {FINDINGS} is the limit", points.len())));
    }
    let mut drafts: Vec<Option<PointDraft>> = drafts.into_iter().map(Some).collect();
    let of_handle = |handle: Resource<PointHandle>| {
        let draft = drafts.get_mut(handle.rep() as usize).and_then(Option::take);
        point(draft.ok_or_else(|| bad_output("it returned a point that it does not have"))?, view, description)
    };
    let points = points.into_iter().map(of_handle).collect::<Result<Vec<_>, _>>()?;
    match points.iter().map(|point| u64::from(point.earned)).sum::<u64>() {
        sum if sum > u64::from(WHOLE) => Err(bad_output(format!("its points earn {sum}; {WHOLE} is the whole score"))),
        _ => Ok(Measurement::Measured(points)),
    }
}

fn point(draft: PointDraft, view: &ChangeView, description: &Description) -> Result<Point, GuardVerdict> {
    let PointDraft { rule, earned, possible, path, line, message, help } = draft;
    if !description.rules.iter().any(|known| known.rule == rule) {
        return Err(bad_output(format!(
            "a point is for the rule {:?}, which it does not describe",
            escape_line(&rule, ID)
        )));
    }
    if earned > possible || possible > WHOLE {
        return Err(bad_output(format!("`{rule}` earns {earned} of {possible}, of a whole of {WHOLE}")));
    }
    let path = path.map(|path| RepoPath::from_form(&path));
    if let Some(path) = &path {
        let entry = view.candidate.objects.entry(view.tree(TreeSide::After), path);
        let entry = entry.map_err(|why| GuardVerdict::Error {
            code: "repository",
            message: format!("{why:#}"),
            failed: Failed::Machine,
        })?;
        if entry.is_none() {
            return Err(bad_output(format!("`{rule}` names {path}, which the tree does not have")));
        }
    }
    match (line, &path) {
        (Some(0), _) => return Err(bad_output(format!("`{rule}` names line 0; lines count from 1"))),
        (Some(_), None) => return Err(bad_output(format!("`{rule}` names a line without a path"))),
        (Some(_), Some(_)) | (None, _) => {}
    }
    Ok(Point { rule, earned, possible, path, line, message: escape(&message, TEXT), help: escape(&help, TEXT) })
}

fn is_snake(id: &str) -> bool {
    let of_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    id.len() <= ID && id.split('_').all(of_word)
}

fn error(code: &'static str, message: String) -> GuardVerdict {
    GuardVerdict::Error { code, message, failed: Failed::Run }
}

fn bad_output(message: impl Into<String>) -> GuardVerdict {
    error("bad-output", message.into())
}
