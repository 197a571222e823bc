//! Tries each door to the outside and says what it got.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use guard_sdk::{About, Change, Edit, Finding, Guard, Stage, Status, Verdict, guard};
use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    door: String,
}

pub struct Probe;

impl Guard for Probe {
    type Settings = Settings;

    const ABOUT: About = About {
        id: "{{name}}",
        version: "0.1.0",
        promise: "Tells what it could reach.",
        stages: &[Stage::Content],
        settings_schema: r#"{"type": "object", "additionalProperties": false, "properties": {"door": {"type": "string"}}}"#,
        event: "probe.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        if settings.door == "everything" {
            return Ok(Verdict::from_findings(vec![everything(change)]));
        }
        let got = match settings.door.as_str() {
            "files" => std::fs::read_to_string("/etc/passwd").map_err(|error| error.to_string()),
            "environment" => Ok(format!("{:?}", std::env::var_os("HOME"))),
            "arguments" => Ok(format!("{:?}", std::env::args_os().collect::<Vec<_>>())),
            "network" => std::net::TcpStream::connect("127.0.0.1:80").map(|_| "a connection".into()).map_err(|error| error.to_string()),
            "clock" => Ok(format!("{:?}", std::time::SystemTime::now())),
            "process" => std::process::Command::new("true").status().map(|_| "a process".into()).map_err(|error| error.to_string()),
            "random" => Ok(RandomState::new().hash_one(1).to_string()),
            other => Err(format!("there is no door {other}")),
        };
        let said = got.map_or_else(|why| format!("refused: {why}"), |what| format!("got {what}"));
        Ok(Verdict::from_findings(vec![Finding::info("probe", said)]))
    }
}

fn everything(change: &Change) -> Finding {
    let file = change.files().next().expect("a file");
    let commit = &change.commits()[0];
    let (status, task) = (file.status() == Status::Modified, change.task().is_some());
    let (status, task) = (if status { "modified" } else { "something else" }, if task { "a task" } else { "no task" });
    let given = format!(
        "{status}, {task}, {}: {} by {} <{}>, {}={}",
        commit.oid.as_deref().unwrap_or_default().len(),
        commit.message.trim(),
        commit.author.name,
        commit.author.email,
        commit.trailers[0].key,
        commit.trailers[0].value
    );
    Finding::error("probe", given)
        .at(file.path(), 1)
        .to(2)
        .columns(1, 3)
        .help("Leave it out.")
        .fix("Write one", vec![Edit::replace(file.path(), 0..3, "one")])
        .related(file.path(), 1..=2, "it begins here")
        .attribute("confidence", "0.9")
}

guard!(Probe);
