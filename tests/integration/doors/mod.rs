//! One change, one verdict, whichever door it comes through: a table of cases against every door.
//!
//! A door that is added to [`Door`] does not compile in `present.rs` until it is in.

mod cases;
mod present;

use std::fmt::Write as _;

use guardhost_core::change::RememberedVerdict;
use guardhost_gate::Door;
use guardhost_report::rulings::{PastRuling, read};
use jiff::Timestamp;

use cases::{CASES, Case};
use present::{Place, present};

/// What a door came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    Accepted,
    /// By guards, or by a rule of the host that judges beside them.
    Rejected,
    /// Before any guard was asked.
    Refused,
    /// The rules themselves cannot be used.
    Failed,
}

/// How a case is presented at a door.
pub enum Presented {
    Said(Said),
    /// The door cannot get such a change, and why.
    NotHere(&'static str),
}

#[test]
fn one_change_has_one_verdict() {
    let mut wrong = String::new();
    let mut asked = 0;
    for case in CASES {
        for door in Door::ALL {
            let place = Place::new(case);
            match present(door, &place) {
                Presented::NotHere(why) => assert!(!why.is_empty()),
                Presented::Said(said) => {
                    asked += 1;
                    let wanted = wanted(case, door);
                    if said != wanted {
                        let _ = writeln!(wrong, "{}: {door:?} says {said:?}, and {wanted:?} is right", case.name);
                    }
                    if let Err(why) = is_remembered(door, said, &place) {
                        let _ = writeln!(wrong, "{}: {door:?} says {said:?}, and {why}", case.name);
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    // A table that asks nobody holds nothing.
    assert!(asked > CASES.len() * 8, "{asked} answers for {} cases", CASES.len());
}

/// The verdict of the case, or the exception that names the door, which has a reason.
fn wanted(case: &Case, door: Door) -> Said {
    let exception = case.otherwise.iter().find(|(doors, ..)| doors.contains(&door));
    exception.map_or(case.said, |(_, said, _)| *said)
}

/// A ruling leaves exactly one record, which says what the door said; what never came to a ruling leaves none.
fn is_remembered(door: Door, said: Said, place: &Place<'_>) -> Result<(), String> {
    let found = read(&place.repo.path().join(".git/guardhost"), Timestamp::now()).expect("the records");
    assert_eq!(found.unread, 0, "{door:?}");
    // A run that is accepted left a record of its own.
    let found: Vec<PastRuling> = found.rulings.into_iter().filter(|past| past.ruling.door == door.as_str()).collect();
    let wanted = match (door.is_remembered(), said) {
        (false, _) | (true, Said::Failed) => None,
        // A patch that names the files of the rules is no candidate: the gate is not asked.
        (true, Said::Refused) if PLACES_PATCHES.contains(&door) => None,
        (true, Said::Accepted) => Some(RememberedVerdict::Accepted),
        (true, Said::Rejected) => Some(RememberedVerdict::Rejected),
        (true, Said::Refused) => Some(RememberedVerdict::Refused),
    };
    let verdicts: Vec<RememberedVerdict> = found.iter().map(|past| past.ruling.verdict).collect();
    if verdicts != Vec::from_iter(wanted) {
        return Err(format!("{wanted:?} is to be remembered, not {verdicts:?}"));
    }
    let is_whole = |past: &PastRuling| {
        let ruling = &past.ruling;
        !ruling.files.is_empty() && ruling.rules.starts_with("sha256:") && ruling.author == author(door)
    };
    match found.iter().all(is_whole) {
        true => Ok(()),
        false => Err(format!("a record lacks something: {found:?}")),
    }
}

/// Where a patch is read, and refused before there is a change to rule on.
const PLACES_PATCHES: [Door; 5] = [Door::CheckPatch, Door::Apply, Door::Run, Door::Patch, Door::AgentEdit];

fn author(door: Door) -> &'static str {
    door.author().as_str()
}
