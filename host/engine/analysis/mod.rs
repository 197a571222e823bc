//! The analysis stage: analyzers measure one tree. Each metric is a call in a fresh sandbox, so that one that fails fails alone.

mod kept;
mod measurement;

use std::sync::Arc;

use guardhost_core::audit::{Measurement, Metric};
use guardhost_core::change::{Candidate, GuardVerdict};

use crate::analysis::kept::Kept;
use crate::analysis::measurement::MetricAbout;
use crate::call::store_data::StoreData;
use crate::call::{self};
use crate::describe::Stage;
use crate::judge::change_view::{ChangeView, Side};
use crate::judge::{change_view, parallel};
use crate::load::Loaded;
use crate::set::{Guard, GuardSet};

/// One call to make.
struct Call<'s> {
    guard: &'s Guard,
    loaded: &'s Loaded,
    metric: MetricAbout,
}

/// Measures the candidate's tree by every analyzer of the set, in order. The candidate's base has to be the same tree; its files decide in
/// which projects builds and tests run. Never fails: the failure of an analyzer is a [`Measurement::Failed`] under the analyzer's id, or under
/// that of the metric.
pub fn measure(candidate: &Candidate, set: &GuardSet) -> Vec<Metric> {
    let view = change_view(candidate, None, set);
    let mut calls = Vec::new();
    let mut metrics = Vec::new();
    for guard in &set.guards {
        match offered(guard, set) {
            Ok(found) => calls.extend(found),
            Err(verdict) => metrics.push(Metric {
                id: guard.spec.id.clone(),
                weight: 0,
                analyzer: guard.spec.id.clone(),
                measurement: failure(verdict),
            }),
        }
    }
    let kept = Kept::of(set);
    let measured = parallel::map(&calls, set.machine.threads, |call| measured(call, &view, set, &kept));
    metrics.extend(measured);
    metrics
}

/// The calls that a guard asks for: none unless it is an analyzer.
fn offered<'s>(guard: &'s Guard, set: &'s GuardSet) -> Result<Vec<Call<'s>>, GuardVerdict> {
    let outline = guard.outline(set).map_err(|failure| failure.verdict())?;
    if !outline.stages.contains(&Stage::Analysis) {
        return Ok(Vec::new());
    }
    let loaded = guard.load(set).map_err(|failure| failure.verdict())?;
    let data = StoreData::without_change(set.machine.services.clone(), &guard.spec.limits, set.stop());
    let metrics = measurement::metrics(call::metrics(&loaded.pre, data, &guard.spec.limits)?)?;
    Ok(metrics.into_iter().map(|metric| Call { guard, loaded, metric }).collect())
}

fn measured(call: &Call, view: &Arc<ChangeView>, set: &GuardSet, kept: &Kept) -> Metric {
    let Call { guard, loaded, metric } = call;
    let name = kept::name(guard, &metric.id, view.tree(Side::After));
    let measurement = kept.get(name.as_deref()).unwrap_or_else(|| {
        let measurement = ask(call, loaded, view, set);
        kept.put(name.as_deref(), &measurement);
        measurement
    });
    Metric { id: metric.id.clone(), weight: metric.weight, analyzer: guard.spec.id.clone(), measurement }
}

fn ask(call: &Call, loaded: &Loaded, view: &Arc<ChangeView>, set: &GuardSet) -> Measurement {
    let Call { guard, metric, .. } = call;
    let limits = &guard.spec.limits;
    let data = StoreData::without_change(set.machine.services.clone(), limits, set.stop());
    let data = data.for_change(view.clone(), Vec::new(), guard.grants.repo().clone());
    let answer = call::measure(&loaded.pre, data, limits, &metric.id, &guard.settings);
    let checked = answer.and_then(|(answer, drafts)| measurement::checked(answer, drafts, view, &loaded.description));
    checked.unwrap_or_else(failure)
}

fn failure(verdict: GuardVerdict) -> Measurement {
    match verdict {
        GuardVerdict::Error { code, message, .. } => Measurement::Failed { code, message },
        GuardVerdict::Pass(_) | GuardVerdict::Reject(_) | GuardVerdict::NotApplicable(_) => {
            Measurement::Failed { code: "bad-export", message: "it judges instead of measuring".to_owned() }
        }
    }
}
