//! Records of Agent Trace 0.1.0 (<https://agent-trace.dev>, `application/vnd.agent-trace.record+json`), one a line: which lines of a commit a
//! model wrote.

use guardhost_report::{CommitTrace, Report, TracedFile, TracedWriter, escape, json};
use serde_json::{Value, json};

const VERSION: &str = "0.1.0";

/// Characters of a model's id; the format allows no more.
const LONGEST_ID: usize = 250;

/// A line for each commit of the run; a report about something else as JSON.
pub fn render(report: &Report) -> Vec<u8> {
    match report {
        Report::LogRun { run } => run.traces.iter().flat_map(|trace| escape::json(&record(trace))).collect(),
        other => json::render(other),
    }
}

fn record(trace: &CommitTrace) -> Value {
    let files: Vec<Value> = trace.files.iter().map(|each| file(each, &trace.writer)).collect();
    json!({
        "version": VERSION,
        "id": trace.id,
        "timestamp": trace.recorded_at,
        "vcs": { "type": "git", "revision": trace.commit },
        "tool": { "name": "guardhost", "version": env!("CARGO_PKG_VERSION") },
        "files": files,
    })
}

fn file(file: &TracedFile, writer: &TracedWriter) -> Value {
    let range = |range: &guardhost_report::TracedRange| json!({ "start_line": range.first, "end_line": range.last, "content_hash": range.digest });
    let ranges: Vec<Value> = file.ranges.iter().map(range).collect();
    let conversation = json!({ "contributor": contributor(writer, file.is_fixed), "ranges": ranges });
    json!({ "path": file.path.to_string(), "conversations": [conversation] })
}

/// A model that is not named has no id: the format has none for that.
fn contributor(writer: &TracedWriter, is_fixed: bool) -> Value {
    let TracedWriter::Model { provider, model } = writer else { return json!({ "type": "unknown" }) };
    let mut contributor = json!({ "type": if is_fixed { "mixed" } else { "ai" } });
    let id = model.as_ref().map(|model| match model.contains('/') {
        true => model.clone(),
        false => format!("{provider}/{model}"),
    });
    if let Some(id) = id.filter(|id| id.chars().count() <= LONGEST_ID) {
        contributor["model_id"] = id.into();
    }
    contributor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contributors_are_named_as_far_as_they_are_known() {
        let model =
            |model: Option<&str>| TracedWriter::Model { provider: "local".into(), model: model.map(Into::into) };
        for (writer, is_fixed, expected) in [
            (model(Some("m-1")), false, json!({ "type": "ai", "model_id": "local/m-1" })),
            (model(Some("maker/m-1")), false, json!({ "type": "ai", "model_id": "maker/m-1" })),
            (model(None), false, json!({ "type": "ai" })),
            (model(Some("m-1")), true, json!({ "type": "mixed", "model_id": "local/m-1" })),
            (model(Some(&"m".repeat(300))), false, json!({ "type": "ai" })),
            (TracedWriter::Unknown, true, json!({ "type": "unknown" })),
        ] {
            assert_eq!(contributor(&writer, is_fixed), expected);
        }
    }
}
