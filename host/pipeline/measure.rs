//! What a tree scores.

use guardhost_core::audit::{Audit, Metric};
use guardhost_core::change::Oid;
use guardhost_core::error::{Fault, Kind, Result};
use guardhost_engine::GuardSet;
use guardhost_engine::analysis::measure;
use guardhost_git::{Repo, candidate, whole_tree};
use guardhost_policy::Policy;

/// What is to be measured.
pub struct Wanted<'a> {
    /// Whether builds and tests are run; the embedded analyzers were made for the same.
    pub runs_code: bool,
    /// Ids; empty means all.
    pub metrics: &'a [String],
}

/// Measures a tree by the analyzers that the policy pins and by the embedded ones.
///
/// # Errors
/// Of the repository; [`Kind::Usage`] when nothing measures what is wanted; an interruption.
pub fn measured(repo: &Repo, policy: &Policy, embedded: &GuardSet, tree: Oid, wanted: &Wanted) -> Result<Audit> {
    // Which projects are built and tested is decided by the files. Nothing else asks for them, and to list them takes long.
    let candidate = match wanted.runs_code {
        true => whole_tree(repo, tree)?,
        false => candidate(repo, None, tree, tree)?,
    };
    // A metric of a pinned analyzer stands in the place of the embedded one.
    let mut metrics = measure(&candidate, &policy.guards);
    for metric in measure(&candidate, embedded) {
        if !metrics.iter().any(|known: &Metric| known.id == metric.id) {
            metrics.push(metric);
        }
    }
    metrics.retain(|metric| wanted.metrics.is_empty() || wanted.metrics.contains(&metric.id));
    if metrics.is_empty() {
        let known = wanted.metrics.join(", ");
        return Err(Fault::new(Kind::Usage, format!("no analyzer measures {known}"))
            .hint("`host audit` without --metric lists every metric")
            .into());
    }
    embedded.stop().check().map_err(|stopped| stopped.into_error("measuring the tree"))?;
    Ok(Audit { tree, metrics })
}
