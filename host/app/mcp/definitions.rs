//! The tools as clients see them: names, descriptions, schemas of arguments and results.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rmcp::schemars::JsonSchema;
use serde_json::{Value, json};

use super::arguments::{
    AuditArguments, Check, FixIssues, LogArguments, PlanArguments, PullArguments, ReadFile, ReviewArguments, SafePatch,
    WriteFile,
};
use guardhost_core::change::Verdict;

/// The nine tools, and with `reaches_forge` the one for pull requests.
pub(super) fn tools(reaches_forge: bool) -> Vec<Tool> {
    let reads = || ToolAnnotations::new().read_only(true).open_world(false);
    let writes = || ToolAnnotations::new().read_only(false).destructive(true).idempotent(false).open_world(false);
    let mut tools = vec![
        tool::<ReadFile>(
            "read_file",
            "Read a file of the repository, with the sha256 of its whole content and a version. Bytes that are not UTF-8 come as base64.",
        )
        .annotate(reads()),
        tool::<SafePatch>(
            "safe_patch",
            "Change a file with a unified diff. It is applied exactly or not at all, judged by the repository's guards, and written atomically.",
        )
        .annotate(writes()),
        tool::<WriteFile>(
            "write_file",
            "Write a whole file, new or existing. For a file that exists prefer safe_patch.",
        )
        .annotate(writes()),
        tool::<Check>("check", "Let the repository's guards judge everything that is not committed.")
            .with_raw_output_schema(verdict_schema())
            .annotate(reads()),
        tool::<AuditArguments>(
            "audit",
            "Measure HEAD by metrics, each point of a score with its reason and with what would earn more. Runs the build and the tests only if asked to.",
        )
        .annotate(reads()),
        tool::<PlanArguments>(
            "plan",
            "Check a plan of small steps before you work on it: steps that name files that do not exist, leave the scope, or were rejected before are dropped, each with the reason.",
        )
        .annotate(reads()),
        tool::<LogArguments>(
            "log",
            "List earlier runs in this repository, newest first: what was tried, how it ended, and which guards rejected it; with an observer those of other machines too.",
        )
        .annotate(reads()),
        tool::<ReviewArguments>(
            "review",
            "Ask models what they think of what is not committed and the guards accept: critics that advise, and independent votes. It may take minutes.",
        )
        .annotate(asks_models(true)),
        tool::<FixIssues>(
            "fix",
            "Have issues fixed by one provider under all guards and reviewed by another, on a branch of its own. The work tree stays as it is. It may take many minutes.",
        )
        .annotate(asks_models(false)),
    ];
    if reaches_forge {
        tools.push(
            tool::<PullArguments>(
                "pr",
                "Open the pull request of what a run of the host committed, or bring the open one up to date, or show its state. It reaches the forge of the repository's remote.",
            )
            .annotate(asks_models(false)),
        );
    }
    tools
}

fn asks_models(read_only: bool) -> ToolAnnotations {
    ToolAnnotations::new().read_only(read_only).destructive(false).open_world(true)
}

fn tool<A: JsonSchema + 'static>(name: &'static str, description: &'static str) -> Tool {
    let mut tool = Tool::new(name, description, JsonObject::new()).with_input_schema::<A>();
    without_formats(Arc::make_mut(&mut tool.input_schema).values_mut());
    tool
}

/// `uint64` and the like are formats of Rust: clients warn of each one that they do not know.
fn without_formats<'v>(values: impl Iterator<Item = &'v mut Value>) {
    for value in values {
        match value {
            Value::Object(fields) => {
                if fields.get("format").is_some_and(Value::is_string) {
                    fields.shift_remove("format");
                }
                without_formats(fields.values_mut());
            }
            Value::Array(items) => without_formats(items.iter_mut()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// The keys of `host check`'s JSON that every answer has, with the guards that found something, and how many did not.
fn verdict_schema() -> Arc<JsonObject> {
    let properties = json!({
        "schema_version": { "const": 1 },
        "verdict": { "enum": [Verdict::Pass, Verdict::Reject, Verdict::Error] },
        "guards": { "type": "array", "items": { "type": "object" } },
        "passed": { "type": "integer" },
        "not_applicable": { "type": "integer" },
    });
    let required = json!(["schema_version", "verdict", "guards", "passed", "not_applicable"]);
    let members = [("type", json!("object")), ("properties", properties), ("required", required)];
    Arc::new(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}
