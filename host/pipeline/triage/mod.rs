//! What kind of change it is, by proof, and in which order a person reads what has none.
//!
//! Each class is a file with its proof. What is not proved is not harmless: a text that does not parse, a language without a reader, a file that is
//! added, removed or renamed has no proof, and neither has one whose proof would rest on a guess, or to which a guard objects. Nothing here approves
//! a change.

pub mod code;
pub mod document;
mod elsewhere;
mod look;
pub mod objections;
mod private;
mod prose;
pub mod renamed;
mod split;
pub mod tests_added;
mod tests_of;
mod text;
pub mod unproved;
pub mod unreferenced;

use std::collections::BTreeSet;

use guardhost_core::change::{Candidate, ChangeType, FileChange, RepoPath};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_engine::outlines::Outlines;
use guardhost_engine::{Kind, Kinds};
use guardhost_gate::Ruling;
use guardhost_report::{LookReason, TriageClass, TriageReport, TriagedFile};

use self::code::{SameCode, Sides, same_code};
use self::document::{is_for_people, same_document};
use self::elsewhere::elsewhere;
use self::look::Look;
use self::objections::Objections;
use self::renamed::renamed;
use self::tests_added::tests_added;
use self::text::text;
use self::unproved::Unproved;
use self::unreferenced::unreferenced;

/// Who may merge it is for the caller to say: in the report a person must look.
///
/// # Errors
/// The repository's objects cannot be read, or the work was stopped.
pub fn triage(ruling: &Ruling, kinds: &Kinds, outlines: &Outlines) -> Result<TriageReport> {
    let change = ruling.candidate();
    let look = Look::new(change, kinds, outlines)?;
    let mut files = Vec::new();
    for (file, proof) in change.files.iter().zip(proofs(change, &Objections::of(ruling), kinds, outlines)?) {
        let path = file.path.clone();
        files.push(match proof {
            FileProof::Proved(class, why) => TriagedFile { path, class: Some(class), why, reasons: Vec::new() },
            FileProof::Unproved(why) => TriagedFile { path, class: None, why, reasons: look.reasons(file)? },
            FileProof::Rejected(why) => {
                let reasons = [vec![LookReason::Rejected], look.reasons(file)?].concat();
                TriagedFile { path, class: None, why, reasons }
            }
        });
    }
    // Those with a proof have no reason, and are read last.
    let rank = |file: &TriagedFile| (file.class.is_some(), file.reasons.first().copied());
    files.sort_by(|one, other| rank(one).cmp(&rank(other)).then_with(|| one.path.cmp(&other.path)));
    let classes: BTreeSet<TriageClass> = files.iter().filter_map(|file| file.class).collect();
    Ok(TriageReport {
        proved: !files.is_empty() && files.iter().all(|file| file.class.is_some()),
        classes: classes.into_iter().collect(),
        files,
        needs_person: true,
        ..TriageReport::default()
    })
}

/// What is proved of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileProof {
    /// Its class, and what the proof rests on.
    Proved(TriageClass, String),
    /// Why there is no proof.
    Unproved(String),
    /// Who rejects it: no proof is asked for.
    Rejected(String),
}

/// Of each file of the change, in their order, without what a person would read first.
///
/// # Errors
/// The repository's objects cannot be read, or the work was stopped.
pub fn proofs(
    change: &Candidate,
    objections: &Objections,
    kinds: &Kinds,
    outlines: &Outlines,
) -> Result<Vec<FileProof>> {
    let one = |file: &FileChange| {
        Ok(match (objections.to_file(file), objections.to_whole()) {
            (Some(who), _) => FileProof::Rejected(who.to_owned()),
            (None, Some(why)) => FileProof::Unproved(why.to_owned()),
            (None, None) => match proof(change, file, kinds, outlines)? {
                Ok((class, why)) => FileProof::Proved(class, why),
                Err(why) => FileProof::Unproved(why),
            },
        })
    };
    change.files.iter().map(one).collect()
}

/// By its texts alone: the class and what it rests on, or why there is none.
type TextProof = Result<(TriageClass, String), String>;

fn proof(change: &Candidate, file: &FileChange, kinds: &Kinds, outlines: &Outlines) -> Result<TextProof> {
    let name = file.path.to_string();
    let kind = kinds.kind(&name);
    let old = match file.change_type {
        ChangeType::Modify => text(change, file.before)?,
        ChangeType::Add if kind == Kind::Test => None,
        ChangeType::Add => return Ok(Err("it is new".to_owned())),
        ChangeType::Delete => return Ok(Err("it is removed".to_owned())),
        ChangeType::Rename | ChangeType::Copy => return Ok(Err("it has another name".to_owned())),
    };
    let is_modified = file.change_type == ChangeType::Modify;
    if is_modified && file.before.map(|blob| blob.mode) != file.after.map(|blob| blob.mode) {
        return Ok(Err("what it is to the system differs".to_owned()));
    }
    let Some(new) = text(change, file.after)? else { return Ok(Err("it is no text that is read".to_owned())) };
    if is_modified && old.is_none() {
        return Ok(Err("it was no text that is read".to_owned()));
    }
    let found = match (kind, &old) {
        (Kind::Document, Some(old)) if is_for_people(&file.path) => same_document(old, &new, &file.path)
            .map(|()| (TriageClass::Documents, "links, code, headings and other markup are the same".to_owned())),
        (Kind::Code | Kind::Example, Some(old)) => match code(&name, false, old, &new, outlines) {
            Err(Unproved::Because(why)) => {
                let sides = Sides { name: &name, is_test: false, old, new: &new };
                or(private(&sides, change, &file.path, outlines), why)
            }
            found => found,
        },
        (Kind::Test, Some(old)) => match code(&name, true, old, &new, outlines) {
            Err(Unproved::Because(why)) => or(added(&name, Some(old), &new, outlines), why),
            found => found,
        },
        (Kind::Test, None) => added(&name, None, &new, outlines),
        (
            Kind::Code
            | Kind::Example
            | Kind::TestData
            | Kind::Template
            | Kind::Generated
            | Kind::Vendored
            | Kind::Document
            | Kind::Configuration
            | Kind::Lock
            | Kind::Other,
            _,
        ) => Err(Unproved::Because(format!("no class has a proof for a file of this kind ({})", kind.as_str()))),
    };
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(Unproved::Because(why)) => Ok(Err(why)),
        Err(Unproved::Stopped(why)) => {
            Err(Fault::new(FaultKind::Interrupted, format!("{name} was not read: {why}")).into())
        }
    }
}

/// With both reasons, where a second proof fails too.
fn or(found: Result<(TriageClass, String), Unproved>, first: String) -> Result<(TriageClass, String), Unproved> {
    found.map_err(|second| match second {
        Unproved::Because(second) => Unproved::Because(format!("{first}; {second}")),
        stopped @ Unproved::Stopped(_) => stopped,
    })
}

fn private(
    sides: &Sides<'_>,
    change: &Candidate,
    path: &RepoPath,
    outlines: &Outlines,
) -> Result<(TriageClass, String), Unproved> {
    let elsewhere = |word: &str| elsewhere(change, path, word);
    let found = renamed(sides, &elsewhere, outlines).map(|(from, to)| {
        (
            TriageClass::Renamed,
            format!("`{from}` is private, and `{to}` now wherever it stood; no other file has the words"),
        )
    });
    match found {
        Err(Unproved::Because(why)) => or(
            unreferenced(sides, &elsewhere, outlines).map(|names| {
                let why = format!("private, and named nowhere in the tree: {}", names.join(", "));
                (TriageClass::Unreferenced, why)
            }),
            why,
        ),
        found => found,
    }
}

fn code(
    name: &str,
    is_test: bool,
    old: &str,
    new: &str,
    outlines: &Outlines,
) -> Result<(TriageClass, String), Unproved> {
    Ok(match same_code(&Sides { name, is_test, old, new }, outlines)? {
        SameCode::Formatting => (
            TriageClass::Formatting,
            "the same tokens on the same lines, and the parser finds space between them".to_owned(),
        ),
        SameCode::Comments => (TriageClass::Comments, "the same tokens, and only words in comments differ".to_owned()),
    })
}

fn added(name: &str, old: Option<&str>, new: &str, outlines: &Outlines) -> Result<(TriageClass, String), Unproved> {
    let count = tests_added(name, old, new, outlines)?;
    let tests = if count == 1 { "1 test is".to_owned() } else { format!("{count} tests are") };
    Ok((TriageClass::TestsAdded, format!("{tests} new, the others are as they were; that they pass is unproven")))
}
