//! `cargo check`, by its messages (<https://doc.rust-lang.org/cargo/reference/external-tools.html#json-messages>).

use serde::Deserialize;

use super::{BuildTool, PlannedBuild};
use crate::job::{FinishedJob, MissingTool, ProjectTool, ToolJob};
use crate::job_context::JobContext;
use crate::projects::Project;
use crate::report::{BuildReport, Diagnostic};

#[derive(Deserialize)]
struct CargoLine {
    message: Option<CargoMessage>,
}

#[derive(Deserialize)]
struct CargoMessage {
    level: String,
    message: String,
    rendered: Option<String>,
    spans: Vec<CargoSpan>,
}

#[derive(Deserialize)]
struct CargoSpan {
    file_name: String,
    line_start: u32,
    is_primary: bool,
}

/// Cargo without the network. Its build folder is kept between runs.
pub fn base<T>(context: &JobContext, tool: T, project: &Project) -> Result<ToolJob<T>, MissingTool<T>> {
    let Some(program) = context.machine.find("cargo") else {
        return Err(MissingTool::not_installed(tool, &project.folder, "cargo is not installed"));
    };
    let env = [("CARGO_TARGET_DIR", "{built}"), ("CARGO_NET_OFFLINE", "true"), ("CARGO_TERM_COLOR", "never")];
    let env = env.map(|(name, value)| (name, value.to_owned())).into();
    let install = "cargo does not start: is the toolchain installed that the project asks for?".to_owned();
    let version = (program.clone(), vec!["-vV".to_owned()]);
    Ok(ToolJob { env, version, install, ..ToolJob::new(tool, &project.folder, program) })
}

pub fn job(context: &JobContext, project: &Project) -> PlannedBuild {
    let mut job = base(context, BuildTool::Cargo, project)?;
    job.args = ["check", "--workspace", "--all-targets", "--offline", "--keep-going", "--message-format=json"]
        .map(str::to_owned)
        .into();
    Ok(job)
}

pub fn read(finished: &FinishedJob<BuildTool>) -> BuildReport {
    let text = finished.text();
    let errors = diagnostics(finished, &text, |level| (level == "error").then_some(()));
    let errors = errors.into_iter().map(|((), diagnostic)| diagnostic).collect();
    let quiet: Vec<&str> = text.lines().filter(|line| !line.starts_with('{')).collect();
    BuildReport::new(
        finished.job.tool.name(),
        &finished.job.project,
        finished.exit.code == 0,
        errors,
        quiet.join("\n").as_bytes(),
    )
}

/// The messages that name a place, with what `severity` makes of their level; None leaves them out.
pub fn diagnostics<T, S: PartialEq>(
    finished: &FinishedJob<T>,
    text: &str,
    severity: impl Fn(&str) -> Option<S>,
) -> Vec<(S, Diagnostic)> {
    let lines = text.lines().filter(|line| line.starts_with('{'));
    let messages = lines.filter_map(|line| serde_json::from_str::<CargoLine>(line).ok()?.message);
    let mut found: Vec<(S, Diagnostic)> = Vec::new();
    for message in messages.filter(|message| !message.spans.is_empty()) {
        let Some(severity) = severity(&message.level) else { continue };
        let span = message.spans.iter().find(|span| span.is_primary);
        let diagnostic = Diagnostic {
            path: span.and_then(|span| finished.path(&span.file_name)),
            line: span.map(|span| span.line_start),
            message: message.rendered.unwrap_or(message.message),
        };
        // A library is checked twice, for itself and for its tests.
        if found.iter().all(|(_, known)| *known != diagnostic) {
            found.push((severity, diagnostic));
        }
    }
    found
}
