//! What a tree scores.

use guardhost_core::audit::{Audit, Metric};
use guardhost_core::change::{MissingObject, Oid};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_engine::GuardSet;
use guardhost_engine::analysis::{MetricRequest, measure};
use guardhost_git::{Repo, candidate, whole_tree};
use guardhost_policy::Policy;

/// What is to be measured.
pub struct MeasureRequest<'a> {
    /// Whether builds and tests are run; the embedded analyzers were made for the same.
    pub runs_code: bool,
    /// Ids; empty means all.
    pub metrics: &'a [String],
}

/// Measures a tree by the analyzers that the policy pins and by the embedded ones.
///
/// # Errors
/// Of the repository; [`FaultKind::Usage`] when nothing measures what is wanted; an interruption.
pub fn measured(
    repo: &Repo,
    policy: &Policy,
    embedded: &GuardSet,
    tree: Oid,
    wanted: &MeasureRequest,
) -> Result<Audit> {
    // Which projects are built and tested is decided by the files. Nothing else asks for them, and to list them takes long.
    let of_tree = || candidate(repo, None, tree, tree);
    let (candidate, absent) = match wanted.runs_code {
        false => (of_tree()?, None),
        true => match whole_tree(repo, tree) {
            Ok(candidate) => (candidate, None),
            // A tree that is not all here can neither be built nor tested; what only reads may find what it needs.
            Err(error) => match error.downcast_ref::<MissingObject>() {
                Some(missing) => (of_tree()?, Some(missing.to_string())),
                None => return Err(error),
            },
        },
    };
    // A metric of a pinned analyzer stands in the place of the embedded one.
    let asked = MetricRequest { metrics: wanted.metrics, no_builds: absent.as_deref() };
    let mut metrics = measure(&candidate, &policy.guards, &asked);
    for metric in measure(&candidate, embedded, &asked) {
        if !metrics.iter().any(|known: &Metric| known.id == metric.id) {
            metrics.push(metric);
        }
    }
    // An analyzer that could not be loaded may be the one that measures what is wanted.
    let known = |id: &String| metrics.iter().any(|metric| metric.id == *id);
    let lacks_one = !wanted.metrics.iter().all(known);
    let has_no_metrics = |metric: &Metric| metric.id == metric.analyzer;
    metrics.retain(|metric| {
        wanted.metrics.is_empty() || wanted.metrics.contains(&metric.id) || lacks_one && has_no_metrics(metric)
    });
    if metrics.is_empty() {
        let known = wanted.metrics.join(", ");
        return Err(Fault::new(FaultKind::Usage, format!("no analyzer measures {known}"))
            .hint("`host audit` without --metric lists every metric")
            .into());
    }
    embedded.stop().check().map_err(|stopped| stopped.into_error("measuring the tree"))?;
    Ok(Audit { tree, metrics })
}
