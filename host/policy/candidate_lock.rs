//! A change of the rules must leave rules that fit together: whoever takes it is judged by them next.

use guardhost_core::change::{Candidate, FileMode, Finding, RepoPath, Severity};
use guardhost_core::error::{Error, Fault, FaultKind, Result, fault, kind};

use crate::config::{ComponentSource, Config, Digest, FILE, LOCK, LockFile, Pin, check_lock};
use crate::guard_files::{in_repository, through_link};
use crate::resolve_pins::vendored;

/// What does not fit among `guards.toml`, `guards.lock` and the components in the candidate's tree. For a change that touches one of
/// them. Components that are embedded or fetched are compared when they judge.
///
/// # Errors
/// When the repository's objects cannot be read.
pub fn check_candidate_lock(candidate: &Candidate) -> Result<Vec<Finding>> {
    let (objects, tree) = (&*candidate.objects, candidate.tree);
    let label = "the candidate";
    let config = match Config::from_tree(objects, tree, label, Vec::new()) {
        Ok(config) => config,
        Err(error) => return config_finding(FILE, error),
    };
    let lock = match config.lock_from_tree(objects, tree, label) {
        Ok(lock) => lock,
        Err(error) => return config_finding(LOCK, error),
    };
    if let Some((lock, origin)) = &lock
        && let Err(error) = check_lock(&config.rules, lock, origin)
    {
        return config_finding(LOCK, error);
    }
    let mut findings = Vec::new();
    for pin in config.rules.pins() {
        findings.extend(component(candidate, pin, lock.as_ref().map(|(lock, _)| lock))?);
    }
    Ok(findings)
}

fn config_finding(path: &str, error: Error) -> Result<Vec<Finding>> {
    if kind(&error) != FaultKind::Config {
        return Err(error);
    }
    let finding = |message: String, fault: Option<&Fault>| Finding {
        path: Some(path.to_owned()),
        line: fault.and_then(|fault| Some(fault.frame.as_ref()?.line)),
        help: fault.and_then(|fault| fault.hint.clone()),
        ..Finding::new("lock-mismatch", Severity::Error, message)
    };
    let first = fault(&error);
    let others = first.iter().flat_map(|first| &first.others).map(|other| finding(other.to_string(), Some(other)));
    Ok([finding(format!("{error:#}"), first)].into_iter().chain(others).collect())
}

/// The component of the pin that lies in the candidate, if it is not what the pin or its lock says.
fn component(candidate: &Candidate, pin: &Pin, lock: Option<&LockFile>) -> Result<Option<Finding>> {
    let path = match &pin.source {
        ComponentSource::Path(path) => in_repository(path),
        ComponentSource::Https(_) | ComponentSource::Oci(_) => RepoPath::from(vendored(&pin.id).as_str()),
        ComponentSource::Builtin => return Ok(None),
    };
    let locked = lock.and_then(|lock| lock.get(&pin.id)).map(|locked| &locked.digest);
    let expected = locked.or(pin.digest.as_ref());
    let finding = |rule: &str, message: String, help: String| {
        let help = Some(help);
        Some(Finding { path: Some(path.to_string()), help, ..Finding::new(rule, Severity::Error, message) })
    };
    let Pin { kind, id, .. } = pin;
    let entry = candidate.objects.entry(candidate.tree, &path)?;
    if let Some(link) = through_link(&*candidate.objects, candidate.tree, &path)? {
        return Ok(finding(
            "component-replaced",
            format!(
                "{kind} `{id}` ({path}) is reached through a symbolic link, {link}, and no link is followed to a component"
            ),
            format!("Put the component itself at {path}."),
        ));
    }
    let file = entry.filter(|entry| matches!(entry.mode, FileMode::File | FileMode::Executable)).map(|entry| entry.oid);
    match (file, expected) {
        (Some(oid), Some(expected)) => {
            let actual = Digest::of(&candidate.objects.blob(oid)?);
            Ok(if actual == *expected {
                None
            } else {
                finding(
                    "component-mismatch",
                    format!(
                        "{kind} `{id}` ({path}) is not the one that was locked: expected {expected}, actual {actual}"
                    ),
                    format!(
                        "Restore {path}; or, if it should be another, run `host guard update {id}` and stage guards.lock."
                    ),
                )
            })
        }
        // Without a known digest only a committed component judges; with one it may be a build product on the disk.
        (None, None) if matches!(pin.source, ComponentSource::Path(_)) => Ok(finding(
            "component-missing",
            format!("{kind} `{id}` is pinned to {path}, and the candidate has no such file"),
            format!("Stage {path}; or run `host guard lock` and stage guards.lock; or remove the pin."),
        )),
        (Some(_), None) | (None, _) => Ok(None),
    }
}
