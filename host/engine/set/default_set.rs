//! The guard set of a repository without `guards.toml`.

use crate::describe::Stage;
use crate::embedded::{Builtin, EmbeddedGuards};
use crate::grant::Capability;
use crate::limits::Limits;
use crate::set::GuardSpec;
use guardhost_core::error::Result;
use guardhost_core::renamed_guards::means;

/// Embedded guards, sorted by id, each with the grants that it needs: it was reviewed with the binary.
///
/// Three kinds are included only when `also` names them: guards that run the repository's code, because the model may have written it,
/// guards that ask models, because that costs time and money, and guards that only score, because no threshold suits every repository.
pub fn default_set(embedded: &EmbeddedGuards, also: &[String]) -> Result<Vec<GuardSpec>> {
    let mut specs = Vec::new();
    for guard in embedded.guards {
        let runs_code = guard.grants.contains(&Capability::Toolchain.name());
        let asks_models = guard.grants.contains(&Capability::Model.name());
        // Whoever adds a package need not want its registry to hear of it before it is committed.
        let asks_registries = guard.grants.contains(&Capability::Registry.name());
        let only_scores = guard.outline.stages.iter().all(|stage| *stage == Stage::Score);
        if !(runs_code || asks_models || asks_registries || only_scores) || also.iter().any(|id| means(id, guard.id)) {
            let grants = guard.grants.iter().map(ToString::to_string).collect();
            specs.push(GuardSpec { grants, ..GuardSpec::builtin(guard.id) });
        }
    }
    Ok(specs)
}

/// The embedded analyzers, sorted by id, each with the grants that it needs. What a tree has to be read for is more than a change has.
pub fn analyzers(embedded: &EmbeddedGuards) -> Vec<GuardSpec> {
    let limits = Limits { fuel: 10 * Limits::default().fuel, ..Limits::default() };
    let spec = |guard: &Builtin| {
        let grants = guard.grants.iter().map(ToString::to_string).collect();
        GuardSpec { grants, limits, ..GuardSpec::builtin(guard.id) }
    };
    embedded.analyzers.iter().map(spec).collect()
}
