//! Which of Node's runners a project uses, by its `package.json`; and what all of them need.

use serde_json::Value;

use super::{Bench, jest, node_test};
use crate::error::Result;
use crate::toolchain::job::{Job, Missing};
use crate::toolchain::machine::prefix;
use crate::toolchain::projects::{Project, join, upwards};

/// The runner of the project, or of the nearest one above it that has one: packages of a workspace are often tested from its root.
pub fn job(bench: &Bench, project: &Project, only: &[String]) -> Result<Option<Result<Job, Missing>>> {
    for folder in upwards(&project.folder) {
        let package = bench.files.package(folder)?;
        let script = package["scripts"]["test"].as_str().unwrap_or_default();
        if let Some(job) = of(bench, &package, script, folder, &super::told(only, folder)) {
            return Ok(Some(job));
        }
    }
    Ok(None)
}

fn of(bench: &Bench, package: &Value, script: &str, folder: &str, only: &[String]) -> Option<Result<Job, Missing>> {
    let words = || script.split([' ', '/']);
    if words().any(|word| word == jest::VITEST) {
        return Some(jest::job(bench, jest::VITEST, folder, only));
    }
    if words().any(|word| word == jest::JEST) {
        return Some(jest::job(bench, jest::JEST, folder, only));
    }
    if let Some(script) = plain(script) {
        return Some(node_test::job(bench, folder, script, only));
    }
    let depends = |name| ["dependencies", "devDependencies"].iter().any(|key| package[*key].get(name).is_some());
    let tool = [jest::VITEST, jest::JEST].into_iter().find(|name| depends(*name));
    match tool {
        Some(tool) => Some(jest::job(bench, tool, folder, only)),
        None if script.is_empty() || script.contains("no test specified") => None,
        None => Some(Err(Missing {
            tool: node_test::NAME,
            project: folder.to_owned(),
            why: format!("its test script runs neither vitest, jest nor `node --test` by itself: {script}"),
        })),
    }
}

/// A script that is `node … --test …` and nothing else.
fn plain(script: &str) -> Option<&str> {
    let script = script.trim();
    let is_node = script.split(' ').next() == Some("node") && script.split(' ').any(|word| word == "--test");
    (is_node && !script.contains(['|', '&', ';', '>', '<', '`', '$', '\n'])).then_some(script)
}

pub fn base(bench: &Bench, tool: &'static str, folder: &str) -> Result<Job, Missing> {
    let project = folder.to_owned();
    let Some(program) = bench.machine.find("node") else {
        return Err(Missing { tool, project, why: "Node.js is not installed".to_owned() });
    };
    let reads = prefix(&program).into_iter().collect();
    let install = "Node.js does not start".to_owned();
    let version = (program.clone(), vec!["--version".to_owned()]);
    Ok(Job { tool, project, program, reads, version, install, ..Job::default() })
}

/// Makes the job start a program of the user's `node_modules`, nearest first.
pub fn installed(bench: &Bench, job: &mut Job, folder: &str, name: &str) -> Result<(), Missing> {
    let missing = |why: String| Missing { tool: job.tool, project: folder.to_owned(), why };
    let Some(workdir) = bench.workdir else {
        return Err(missing(format!("{name} is not installed: a bare repository has no node_modules")));
    };
    let found = upwards(folder).find(|folder| workdir.join(folder).join("node_modules/.bin").join(name).exists());
    let found =
        found.ok_or_else(|| missing(format!("{name} is not in node_modules: install the project's packages")))?;
    job.args = vec![format!("{{tree}}/{}", join(found, &format!("node_modules/.bin/{name}")))];
    Ok(())
}
