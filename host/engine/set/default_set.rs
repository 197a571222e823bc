//! The guard set of a repository without `guards.toml`.

use crate::describe::{Need, Stage};
use crate::embedded::EmbeddedGuards;
use crate::set::GuardSpec;
use guardhost_core::error::Result;

/// Embedded guards, sorted by id, each with the grants that it needs: it was reviewed with the binary.
///
/// Two kinds are included only when `also` names them: guards that run the repository's code, because the model may have written it,
/// and guards that only score, because no threshold suits every repository.
pub fn default_set(embedded: &EmbeddedGuards, also: &[String]) -> Result<Vec<GuardSpec>> {
    let mut specs = Vec::new();
    for guard in embedded.guards {
        let description = guard.description.get();
        let runs_code = description.needs.iter().any(|need| need.name == "toolchain");
        let only_scores = description.stages.iter().all(|stage| *stage == Stage::Score);
        if !(runs_code || only_scores) || also.iter().any(|id| id == guard.id) {
            let grants = description.needs.iter().flat_map(Need::grants).collect();
            specs.push(GuardSpec { grants, ..GuardSpec::builtin(guard.id) });
        }
    }
    Ok(specs)
}
