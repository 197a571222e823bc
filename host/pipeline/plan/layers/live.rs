//! What several layers ask of a plan.

use guardhost_core::error::Result;

use super::super::model::{Plan, PlannedStep};
use super::super::sources::under_test;
use super::super::tree_files::TreeFiles;

/// The steps that no layer dropped yet.
pub fn live(plan: &Plan) -> impl Iterator<Item = &PlannedStep> {
    plan.steps().map(|(_, step)| step).filter(|step| step.dropped.is_none())
}

/// The sources that the failing tests are about: those that the failure names, else those that the test's file imports.
pub fn failing_sources(plan: &Plan, files: &TreeFiles) -> Result<Vec<String>> {
    let mut sources: Vec<String> = Vec::new();
    for test in &plan.context.failing_tests {
        let named: Vec<String> = test.named.iter().filter(|path| files.has(path)).cloned().collect();
        let found = match (&test.path, named.is_empty()) {
            (_, false) => named,
            (Some(path), true) => under_test(path, files)?,
            (None, true) => Vec::new(),
        };
        for source in found {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
    }
    Ok(sources)
}
