//! One change, one verdict, whichever door it comes through: a table of cases against every door.
//!
//! A door that is added to [`Door`] does not compile in `present.rs` until it is in.

mod cases;
mod present;

use std::fmt::Write as _;

use guardhost_gate::Door;

use cases::{CASES, Case};
use present::present;

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
            match present(door, case) {
                Presented::NotHere(why) => assert!(!why.is_empty()),
                Presented::Said(said) => {
                    asked += 1;
                    let wanted = wanted(case, door);
                    if said != wanted {
                        let _ = writeln!(wrong, "{}: {door:?} says {said:?}, and {wanted:?} is right", case.name);
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
