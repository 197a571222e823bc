//! The analysis stage: analyzers measure one tree. Each metric is a call in a fresh sandbox, so that one that fails fails alone.

mod cache;
mod measurement;

use std::sync::Arc;

use guardhost_core::audit::{Measurement, Metric};
use guardhost_core::change::{Candidate, Failed, GuardVerdict};

use crate::analysis::cache::MeasurementCache;
use crate::analysis::measurement::MetricAbout;
use crate::call::store_data::StoreData;
use crate::call::{self};
use crate::describe::Stage;
use crate::grant::Capability;
use crate::judge::change_view::{ChangeView, TreeSide};
use crate::judge::listed::ListedFindings;
use crate::judge::{change_view, parallel};
use crate::load::Loaded;
use crate::set::{Guard, GuardSet};

/// What is measured.
pub struct MetricRequest<'a> {
    /// Ids of metrics; empty means all.
    pub metrics: &'a [String],
    /// Why nothing can be built or tested: the answer of the analyzers that would.
    pub no_builds: Option<&'a str>,
}

impl MetricRequest<'_> {
    fn wants(&self, metric: &String) -> bool {
        self.metrics.is_empty() || self.metrics.contains(metric)
    }
}

/// One call to make.
struct AnalyzerCall<'s> {
    guard: &'s Guard,
    loaded: &'s Loaded,
    metric: MetricAbout,
}

/// Measures the candidate's tree by every analyzer of the set, in order. The candidate's base has to be the same tree; its files decide in
/// which projects builds and tests run. Never fails: the failure of an analyzer is a [`Measurement::Failed`] under the analyzer's id, or under
/// that of the metric.
pub fn measure(candidate: &Candidate, set: &GuardSet, asked: &MetricRequest) -> Vec<Metric> {
    let objects = Arc::new(ListedFindings::new(candidate.objects.clone(), candidate.tree));
    let view = change_view(&Candidate { objects, ..candidate.clone() }, None, set);
    let mut calls = Vec::new();
    let mut metrics = Vec::new();
    for guard in &set.guards {
        match offered(guard, set) {
            Ok(found) => calls.extend(found.into_iter().filter(|call| asked.wants(&call.metric.id))),
            Err(verdict) => metrics.push(Metric {
                id: guard.spec.id.clone(),
                weight: 0,
                analyzer: guard.spec.id.clone(),
                measurement: failure(verdict),
            }),
        }
    }
    let kept = MeasurementCache::new(set);
    let measured = parallel::map(&calls, set.machine.threads, |call| match asked.no_builds {
        Some(why) if call.guard.grants.capabilities().contains(&Capability::Toolchain) => {
            call.metric(Measurement::NotMeasured(why.to_owned()))
        }
        _ => measured(call, &view, set, asked, &kept),
    });
    metrics.extend(measured);
    metrics
}

/// The calls that a guard asks for: none unless it is an analyzer.
fn offered<'s>(guard: &'s Guard, set: &'s GuardSet) -> Result<Vec<AnalyzerCall<'s>>, GuardVerdict> {
    let outline = guard.outline(set).map_err(|failure| failure.verdict())?;
    if !outline.stages.contains(&Stage::Analysis) {
        return Ok(Vec::new());
    }
    let loaded = guard.load(set).map_err(|failure| failure.verdict())?;
    let data = StoreData::without_change(set.machine.services.clone(), &guard.spec.limits, set.stop());
    let metrics = measurement::metrics(call::metrics(&loaded.pre, data, &guard.spec.limits)?)?;
    Ok(metrics.into_iter().map(|metric| AnalyzerCall { guard, loaded, metric }).collect())
}

fn measured(
    call: &AnalyzerCall,
    view: &Arc<ChangeView>,
    set: &GuardSet,
    asked: &MetricRequest,
    kept: &MeasurementCache,
) -> Metric {
    let name = cache::name(call.guard, &call.metric.id, view.tree(TreeSide::After));
    if let Some(measurement) = kept.get(name.as_deref()) {
        return call.metric(measurement);
    }
    call.metric(match ask(call, view, set, asked) {
        Ok(measurement) => {
            kept.put(name.as_deref(), &measurement);
            measurement
        }
        Err(verdict) => failure(verdict),
    })
}

impl AnalyzerCall<'_> {
    fn metric(&self, measurement: Measurement) -> Metric {
        let AnalyzerCall { guard, metric, .. } = self;
        Metric { id: metric.id.clone(), weight: metric.weight, analyzer: guard.spec.id.clone(), measurement }
    }
}

fn ask(
    call: &AnalyzerCall,
    view: &Arc<ChangeView>,
    set: &GuardSet,
    asked: &MetricRequest,
) -> Result<Measurement, GuardVerdict> {
    let AnalyzerCall { guard, loaded, metric } = call;
    let limits = &guard.spec.limits;
    let data = StoreData::without_change(set.machine.services.clone(), limits, set.stop());
    let data = data.for_change(view.clone(), Vec::new(), guard.grants.repo().clone());
    let (answer, drafts, unanswered) = call::measure(&loaded.pre, data, limits, &metric.id, &guard.settings)?;
    let measured = measurement::checked(answer, drafts, view, &loaded.description)?;
    Ok(if asked.metrics.is_empty() { measured } else { unanswered.named(measured) })
}

fn failure(verdict: GuardVerdict) -> Measurement {
    match verdict {
        // The analyzer would measure it in a whole clone. What is missing may be there the next time, so it is not kept.
        GuardVerdict::Error { message, failed: Failed::PartialClone, .. } => Measurement::NotMeasured(message),
        GuardVerdict::Error { code, message, failed: Failed::Load | Failed::Run | Failed::Machine } => {
            Measurement::Failed { code, message }
        }
        GuardVerdict::Pass(_) | GuardVerdict::Reject(_) | GuardVerdict::NotApplicable(_) => {
            Measurement::Failed { code: "bad-export", message: "it judges instead of measuring".to_owned() }
        }
    }
}
