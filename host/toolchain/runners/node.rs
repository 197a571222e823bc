//! The Node.js runner of a project, by its `package.json`.

use serde_json::Value;

use super::{jest, node_test};
use crate::job::{Job, MissingTool};
use crate::job_context::JobContext;
use crate::projects::{Project, upwards};
use crate::test_files::below;
use guardhost_core::error::Result;

/// The runner of the project, or of the nearest one above it that has one: packages of a workspace are often tested from its root.
pub fn job(context: &JobContext, project: &Project, only: &[String]) -> Result<Option<Result<Job, MissingTool>>> {
    for folder in upwards(&project.folder) {
        let package = context.files.package(folder)?;
        let script = package["scripts"]["test"].as_str().unwrap_or_default();
        if let Some(job) = in_folder(context, &package, script, folder, &below(only, folder)) {
            return Ok(Some(job));
        }
    }
    Ok(None)
}

fn in_folder(
    context: &JobContext,
    package: &Value,
    script: &str,
    folder: &str,
    only: &[String],
) -> Option<Result<Job, MissingTool>> {
    let words = || script.split([' ', '/']);
    if words().any(|word| word == jest::VITEST) {
        return Some(jest::job(context, jest::VITEST, folder, only));
    }
    if words().any(|word| word == jest::JEST) {
        return Some(jest::job(context, jest::JEST, folder, only));
    }
    if let Some(script) = node_test_alone(script) {
        return Some(node_test::job(context, folder, script, only));
    }
    let depends = |name| ["dependencies", "devDependencies"].iter().any(|key| package[*key].get(name).is_some());
    let tool = [jest::VITEST, jest::JEST].into_iter().find(|name| depends(*name));
    match tool {
        Some(tool) => Some(jest::job(context, tool, folder, only)),
        None if script.is_empty() || script.contains("no test specified") => None,
        None => Some(Err(MissingTool {
            tool: node_test::NAME,
            project: folder.to_owned(),
            why: format!("its test script runs neither vitest, jest nor `node --test` by itself: {script}"),
        })),
    }
}

/// A script that is `node … --test …` and nothing else.
fn node_test_alone(script: &str) -> Option<&str> {
    let script = script.trim();
    let is_node = script.split(' ').next() == Some("node") && script.split(' ').any(|word| word == "--test");
    (is_node && !script.contains(['|', '&', ';', '>', '<', '`', '$', '\n'])).then_some(script)
}
