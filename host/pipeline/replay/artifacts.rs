//! Whether the files of a run are as they were written.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path};

use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_os::{open_regular, read_regular};
use guardhost_report::journal::{ArtifactRef, History, ObjectBody, RECORDS, SealState};
use guardhost_report::{ProblemKind, RecordProblem};

/// Bytes of one file. A reply has at most a few MiB, and answers at most 8 MiB a guard.
pub const LARGEST: u64 = 256 << 20;

/// What of the run's folder is not as it was written: each line of the records, and each file that a record names.
///
/// # Errors
/// The records cannot be read.
pub fn problems(history: &History) -> Result<Vec<RecordProblem>> {
    let mut found = Vec::new();
    let mut problem = |kind, what: &str, message: String| {
        found.push(RecordProblem { kind, what: what.to_owned(), message });
    };
    let was_not = "is not what was written, or a line before it is gone";
    match history.seal_state()? {
        SealState::Kept => {}
        SealState::Unsealed => {}
        SealState::Changed(line) => problem(ProblemKind::RecordsChanged, RECORDS, format!("line {line} {was_not}")),
        SealState::Torn(line) => {
            problem(
                ProblemKind::RecordsTorn,
                RECORDS,
                format!("line {line} has no end: its writer was killed, or the file was cut"),
            );
        }
    }
    if history.unread > 0 {
        problem(ProblemKind::RecordsUnreadable, RECORDS, format!("{} of its lines cannot be read", history.unread));
    }
    if let Some((object, _)) = history.run().filter(|(object, _)| object.object_id != history.run) {
        let message = format!("they are of the run {}", object.object_id.escape_debug());
        problem(ProblemKind::RecordsChanged, RECORDS, message);
    }
    for artifact in named(history).values() {
        match read(history, artifact) {
            Ok(bytes) if ArtifactRef::key_of(&bytes) == artifact.key => {}
            Ok(_) => problem(ProblemKind::ArtifactChanged, &artifact.path, format!("it is not {}", artifact.key)),
            Err(error) => problem(ProblemKind::ArtifactMissing, &artifact.path, format!("{error:#}")),
        }
    }
    Ok(found)
}

/// Every file that a record names, by its path. Of a file that was written again, the last.
fn named(history: &History) -> BTreeMap<&str, &ArtifactRef> {
    let mut named = BTreeMap::new();
    for object in &history.objects {
        let artifacts: Vec<&ArtifactRef> = match &object.body {
            ObjectBody::PatchSet(patch_set) => patch_set.artifact.iter().collect(),
            ObjectBody::Evidence(evidence) => evidence.report_artifacts.iter().collect(),
            ObjectBody::Decision(decision) => decision.artifacts.iter().collect(),
            ObjectBody::Run(_) | ObjectBody::Issue(_) => Vec::new(),
        };
        named.extend(artifacts.into_iter().map(|artifact| (artifact.path.as_str(), artifact)));
    }
    named
}

/// The records and every file that they name, as far as they are there.
///
/// # Errors
/// The records cannot be read.
pub fn files(history: &History) -> Result<BTreeMap<String, Vec<u8>>> {
    let path = history.dir.join(RECORDS);
    let records =
        read_regular(&path, LARGEST).with_context(|| format!("cannot read the records {}", path.display()))?;
    let mut files = BTreeMap::from([(RECORDS.to_owned(), records)]);
    for (path, artifact) in named(history) {
        // One that is gone is named where the runs are judged.
        if let Ok(bytes) = read(history, artifact) {
            files.insert(path.to_owned(), bytes);
        }
    }
    Ok(files)
}

/// The bytes of a file in the run's folder. Records may come from elsewhere, so a path that leads out of the folder is an error.
///
/// # Errors
/// [`FaultKind::Git`]: it is not there, is too large, or is no file of the run.
pub fn read(history: &History, artifact: &ArtifactRef) -> Result<Vec<u8>> {
    let path = Path::new(&artifact.path);
    let inside = path.components().all(|part| matches!(part, Component::Normal(_))) && artifact.store == "file";
    let full = history.dir.join(path);
    if !inside || full.is_symlink() {
        let what = format!("`{}` is no file of the run", artifact.path.escape_debug());
        return Err(Fault::new(FaultKind::Git, what).into());
    }
    let cannot = || Fault::new(FaultKind::Git, format!("cannot read {}", artifact.path));
    let mut bytes = Vec::new();
    let file = open_regular(&full).with_context(cannot)?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).with_context(cannot)?;
    if bytes.len() as u64 > LARGEST {
        let what = format!("{} has more than {} MiB", artifact.path, LARGEST >> 20);
        return Err(Fault::new(FaultKind::Git, what).into());
    }
    Ok(bytes)
}

/// The bytes of a file of the run, if they are those that were recorded.
///
/// # Errors
/// They are not, or cannot be read.
pub fn unchanged(history: &History, artifact: &ArtifactRef) -> Result<Vec<u8>> {
    let bytes = read(history, artifact)?;
    if ArtifactRef::key_of(&bytes) != artifact.key {
        return Err(Fault::new(FaultKind::Git, format!("{} is not what was recorded", artifact.path)).into());
    }
    Ok(bytes)
}
