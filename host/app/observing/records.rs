//! Tells the observer what the records of a run say and its trace does not: what plan it is a step of, why it ended so; and of runs that ask
//! no provider themselves (plans, fixes, improvements, visits to a forge), which have no trace, everything. Objects are sent as events whose
//! numbers are their places in the records, so that each is kept once however often it is sent.

use std::fs;
use std::path::Path;

use guardhost_core::error::Result;
use guardhost_git::Repo;
use guardhost_observer::outbox::{Letter, Outbox};
use guardhost_observer::wire::{EventBatch, EventSource, RunEvent};
use guardhost_report::journal::{Artifact, FoundRun, History, Object, ObjectBody, find};
use serde_json::{Value, json};

use super::source::event_source;
use super::{client_of, identity::identity, notice, settings};
use crate::context::CommandContext;

/// Events of one batch.
const BATCH: usize = 200;
/// The number of the first object: a trace has fewer lines.
const FIRST_OBJECT: u64 = 1 << 32;
/// Files of a run that pages show, and the number of the first.
const FILES: [Artifact; 2] = [Artifact::Audit, Artifact::AuditAfter];
const FIRST_FILE: u64 = 1 << 40;
/// Bytes of such a file; a larger one is left out.
const FILE: usize = 1 << 20;

/// Sends what is recorded of the run so far. In words: what the observer was absent for. Without an observer nothing is sent.
pub fn tell_records(ctx: &CommandContext, repo: &Repo, run: &str) -> Vec<String> {
    let Some(settings) = settings(ctx) else { return Vec::new() };
    let from = event_source(ctx, repo);
    let reported = identity(repo).and_then(|repo_id| {
        let client = client_of(&settings, ctx).map_err(|absence| absence.to_string())?;
        let state_dir = repo.state_dir().map_err(|error| format!("{error:#}"))?;
        let outbox = Outbox::new(state_dir.join("outbox"));
        for letter in letters(&state_dir, &repo_id, run, &from) {
            outbox.put(&letter).map_err(|absence| absence.to_string())?;
        }
        match outbox.drain(&client).absence {
            Some(absence) => Err(absence.to_string()),
            None => Ok(()),
        }
    });
    reported.err().map(|why| notice(&why)).into_iter().collect()
}

/// What is recorded of a run so far; nothing where that cannot be read.
pub fn letters(state_dir: &Path, repo_id: &str, run: &str, from: &EventSource) -> Vec<Letter> {
    let events = events(state_dir, run).unwrap_or_default();
    let batch = |part: &[RunEvent]| EventBatch {
        repo: repo_id.to_owned(),
        run: run.to_owned(),
        events: part.to_vec(),
        from: from.clone(),
    };
    events.chunks(BATCH).map(|part| Letter::Events(batch(part))).collect()
}

fn events(state_dir: &Path, run: &str) -> Result<Vec<RunEvent>> {
    let FoundRun::One(history) = find(state_dir, run)? else { return Ok(Vec::new()) };
    let objects = (FIRST_OBJECT..).zip(&history.objects).filter(|(_, object)| is_shared(object));
    let mut events: Vec<RunEvent> = objects
        .map(|(n, object)| event(&history, n, "record", &object.created_at, json!({ "object": object })))
        .collect();
    for (n, artifact) in (FIRST_FILE..).zip(FILES) {
        let path = format!("0/{}", artifact.file());
        let text = fs::read_to_string(history.dir.join(&path)).ok().filter(|text| text.len() <= FILE);
        if let (Some(text), Some((object, _))) = (text, history.run()) {
            let file = event(&history, n, "record-file", &object.created_at, json!({ "path": path, "text": text }));
            events.extend(Some(file).filter(|file| file.data_bytes() <= RunEvent::MAX_DATA_BYTES));
        }
    }
    Ok(events)
}

/// What a run is asked for, what became of it and of its issues. Patches stay on this machine.
fn is_shared(object: &Object) -> bool {
    match &object.body {
        ObjectBody::Run(_) | ObjectBody::Decision(_) | ObjectBody::Issue(_) => true,
        ObjectBody::PatchSet(_) | ObjectBody::Evidence(_) => false,
    }
}

fn event(history: &History, n: u64, name: &str, ts: &str, more: Value) -> RunEvent {
    let mut data = json!({ "ts": ts, "run": history.run, "round": 0, "seq": n, "event": name });
    if let (Value::Object(data), Value::Object(more)) = (&mut data, more) {
        data.extend(more);
    }
    RunEvent { n, name: name.to_owned(), data }
}
