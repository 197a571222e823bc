//! The Node.js runner of a project, by its `package.json`.

use serde_json::Value;

use super::{PlannedTests, TestRunner, jest, node_test};
use crate::job::{MissingTool, ProjectTool};
use crate::job_context::JobContext;
use crate::projects::Project;
use crate::report::NotRun;
use crate::request::TestSelection;
use crate::test_files::below;
use guard_files::relative::above;
use guardhost_core::error::Result;

/// The runner of the project, or of the nearest one above it that has one: packages of a workspace are often tested from its root.
pub fn job(context: &JobContext, project: &Project, selection: &TestSelection) -> Result<Option<PlannedTests>> {
    for folder in above(&project.folder) {
        let package = context.files.package(folder)?;
        let script = package["scripts"]["test"].as_str().unwrap_or_default();
        let here = TestSelection { paths: below(&selection.paths, folder), ..selection.clone() };
        if let Some(job) = in_folder(context, &package, script, folder, &here) {
            return Ok(Some(job));
        }
    }
    Ok(None)
}

const JEST_LIKE: [TestRunner; 2] = [TestRunner::Vitest, TestRunner::Jest];

fn in_folder(
    context: &JobContext,
    package: &Value,
    script: &str,
    folder: &str,
    here: &TestSelection,
) -> Option<PlannedTests> {
    let words = || script.split([' ', '/']);
    let named = JEST_LIKE.into_iter().find(|runner| words().any(|word| word == runner.name()));
    if let Some(runner) = named {
        return Some(jest::job(context, runner, folder, here));
    }
    if let Some(script) = node_test_alone(script) {
        return Some(node_test::job(context, folder, script, &here.paths));
    }
    let depends = |name: &str| ["dependencies", "devDependencies"].iter().any(|key| package[*key].get(name).is_some());
    match JEST_LIKE.into_iter().find(|runner| depends(runner.name())) {
        Some(tool) => Some(jest::job(context, tool, folder, here)),
        None if script.is_empty() || script.contains("no test specified") => None,
        None => Some(Err(MissingTool {
            tool: TestRunner::NodeTest,
            project: folder.to_owned(),
            why: NotRun::ByTheTree {
                by_the_tree: format!("its test script runs neither vitest, jest nor `node --test` by itself: {script}"),
            },
        })),
    }
}

/// A script that is `node … --test …` and nothing else.
fn node_test_alone(script: &str) -> Option<&str> {
    let script = script.trim();
    let is_node = script.split(' ').next() == Some("node") && script.split(' ').any(|word| word == "--test");
    (is_node && !script.contains(['|', '&', ';', '>', '<', '`', '$', '\n'])).then_some(script)
}
