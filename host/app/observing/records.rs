//! Tells the observer of runs that ask no provider themselves: plans, fixes, improvements, visits to a forge. They have no trace, so the
//! objects of their records are sent as events, each with its place in the records as its number, and so kept once however often it is sent.

use std::fs;

use guardhost_core::error::Result;
use guardhost_git::Repo;
use guardhost_observer::outbox::{Letter, Outbox};
use guardhost_observer::wire::{EventBatch, RunEvent};
use guardhost_report::journal::{Artifact, Body, FoundRun, History, Object, find};
use serde_json::{Value, json};

use super::{client_of, identity::identity, notice, settings};
use crate::command::CommandContext;

/// Events of one batch.
const BATCH: usize = 200;
/// Files of a run that pages show, and the number of the first; records have fewer objects.
const FILES: [Artifact; 2] = [Artifact::Audit, Artifact::AuditAfter];
const FIRST_FILE: u64 = 1 << 32;
/// Bytes of such a file; a larger one is left out.
const FILE: usize = 1 << 20;

/// Sends what is recorded of the run so far. In words: what the observer was absent for. Without an observer nothing is sent.
pub fn tell_records(ctx: &CommandContext, repo: &Repo, run: &str) -> Vec<String> {
    let Some(settings) = settings(ctx) else { return Vec::new() };
    let told = identity(repo).and_then(|repo_id| {
        let events = events(repo, run).map_err(|error| format!("the records of the run cannot be read: {error:#}"))?;
        let client = client_of(&settings, ctx).map_err(|absence| absence.to_string())?;
        let outbox = Outbox::new(repo.state_dir().map_err(|error| format!("{error:#}"))?.join("outbox"));
        for part in events.chunks(BATCH) {
            let batch = EventBatch { repo: repo_id.clone(), run: run.to_owned(), events: part.to_vec() };
            outbox.put(&Letter::Events(batch)).map_err(|absence| absence.to_string())?;
        }
        match outbox.drain(&client).absence {
            Some(absence) => Err(absence.to_string()),
            None => Ok(()),
        }
    });
    told.err().map(|why| notice(&why)).into_iter().collect()
}

fn events(repo: &Repo, run: &str) -> Result<Vec<RunEvent>> {
    let FoundRun::One(history) = find(&repo.state_dir()?, run)? else { return Ok(Vec::new()) };
    let objects = (0..).zip(&history.objects).filter(|(_, object)| is_told(object));
    let mut events: Vec<RunEvent> = objects
        .map(|(n, object)| event(&history, n, "record", &object.created_at, json!({ "object": object })))
        .collect();
    for (n, artifact) in (FIRST_FILE..).zip(FILES) {
        let path = format!("0/{}", artifact.file());
        let text = fs::read_to_string(history.dir.join(&path)).ok().filter(|text| text.len() <= FILE);
        if let (Some(text), Some((object, _))) = (text, history.run()) {
            events.push(event(&history, n, "record-file", &object.created_at, json!({ "path": path, "text": text })));
        }
    }
    Ok(events)
}

/// What a run of this kind is asked for, what became of it and of its issues. Patches stay on this machine.
fn is_told(object: &Object) -> bool {
    match &object.body {
        Body::Run(_) | Body::Decision(_) | Body::Issue(_) => true,
        Body::PatchSet(_) | Body::Evidence(_) => false,
    }
}

fn event(history: &History, n: u64, name: &str, ts: &str, more: Value) -> RunEvent {
    let mut data = json!({ "ts": ts, "run": history.run, "round": 0, "seq": n, "event": name });
    if let (Value::Object(data), Value::Object(more)) = (&mut data, more) {
        data.extend(more);
    }
    RunEvent { n, name: name.to_owned(), data }
}
