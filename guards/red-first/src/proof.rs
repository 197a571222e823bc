//! What each new or changed test says of the change.

use guard_sdk::{TestOutcome, TestReport};

use crate::fresh::Fresh;
use crate::missing::{Missing, missing};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// It fails without the change, and passes with it.
    RedFirst,
    /// It passes without the change too.
    NeverRed,
    /// It fails with the change.
    StillRed,
    /// Why nobody knows.
    Unknown(String),
}

impl Proof {
    pub const NOT_KNOWN: &str = "not-known";
    pub const RED_FIRST: &str = "red-first";
    pub const KINDS: [&str; 4] = [Self::RED_FIRST, "never-red", "still-red", Self::NOT_KNOWN];

    pub fn as_str(&self) -> &'static str {
        match self {
            Proof::RedFirst => Self::RED_FIRST,
            Proof::NeverRed => "never-red",
            Proof::StillRed => "still-red",
            Proof::Unknown(_) => Self::NOT_KNOWN,
        }
    }
}

pub struct Proofs<'r> {
    pub tests: Vec<(&'r Fresh<'r>, Option<Proof>)>,
    added: &'r [String],
}

impl<'r> Proofs<'r> {
    /// `added`: names that the code of the change brings in, sorted.
    pub fn new(added: &'r [String], fresh: &'r [Fresh<'r>]) -> Self {
        let tests = fresh.iter().map(|fresh| (fresh, at_once(fresh))).collect();
        Proofs { tests, added }
    }

    /// One run on the base's code. Of two runs that differ nothing is known.
    pub fn see(&mut self, reports: &[TestReport]) {
        for (fresh, proof) in &mut self.tests {
            let seen = on_base(fresh, reports, self.added);
            *proof = Some(match proof.take() {
                Some(fixed @ (Proof::StillRed | Proof::Unknown(_))) => fixed,
                None => seen,
                Some(known) if known == seen => known,
                Some(_) => Proof::Unknown("it is flaky: two runs on the base's code differ".to_owned()),
            });
        }
    }

    /// There is no run.
    pub fn unknown(&mut self, why: &str) {
        for (_, proof) in &mut self.tests {
            if !matches!(proof, Some(Proof::StillRed)) {
                *proof = Some(Proof::Unknown(why.to_owned()));
            }
        }
    }

    /// The tests of others that were red first.
    pub fn take_red(&mut self, others: Proofs<'r>) {
        self.tests.extend(others.tests.into_iter().filter(|(_, proof)| *proof == Some(Proof::RedFirst)));
    }

    /// Whether another run could show that a result is none.
    pub fn decides(&self) -> bool {
        self.tests.iter().any(|(_, proof)| matches!(proof, Some(Proof::RedFirst | Proof::NeverRed)))
    }

    pub fn with_kind(&self, kind: &str) -> impl Iterator<Item = (&'r Fresh<'r>, &Proof)> {
        let known = self.tests.iter().filter_map(|(fresh, proof)| Some((*fresh, proof.as_ref()?)));
        known.filter(move |(_, proof)| proof.as_str() == kind)
    }

    pub fn count(&self, kind: &str) -> usize {
        self.with_kind(kind).count()
    }
}

/// What is known without a run on the base.
fn at_once(fresh: &Fresh) -> Option<Proof> {
    match fresh.test.outcome {
        TestOutcome::Failed | TestOutcome::Errored => Some(Proof::StillRed),
        TestOutcome::Skipped => Some(Proof::Unknown("it is skipped".to_owned())),
        TestOutcome::Passed if fresh.written.is_some_and(|written| written.has_no_base) => {
            Some(Proof::Unknown("the file of code that it stands in is new".to_owned()))
        }
        TestOutcome::Passed => None,
    }
}

fn on_base(fresh: &Fresh, reports: &[TestReport], added: &[String]) -> Proof {
    let (runner, project) = (&fresh.report.runner, &fresh.report.project);
    let Some(report) = reports.iter().find(|report| (&report.runner, &report.project) == (runner, project)) else {
        return Proof::Unknown(format!("{runner} is not what runs the tests of the base"));
    };
    if let Some(why) = &report.not_run {
        return Proof::Unknown(why.clone());
    }
    if let Some(test) = report.tests.iter().find(|test| test.id == fresh.test.id) {
        return match test.outcome {
            TestOutcome::Passed => Proof::NeverRed,
            TestOutcome::Failed | TestOutcome::Errored => Proof::RedFirst,
            TestOutcome::Skipped => Proof::Unknown("it is skipped on the base's code".to_owned()),
        };
    }
    // Its file or its package cannot be loaded.
    let holder =
        report.tests.iter().find(|test| test.outcome == TestOutcome::Errored && holds(&test.id, &fresh.test.id));
    let output = match holder {
        Some(holder) => format!("{}\n{}", report.output, holder.detail),
        None if !report.is_complete => report.output.clone(),
        None => return Proof::Unknown("a run on the base's code does not tell of it".to_owned()),
    };
    let said = holder.map(|holder| holder.detail.as_str()).filter(|detail| !detail.is_empty()).unwrap_or(&output);
    match (missing(said, added), missing(&output, added)) {
        (Missing::OfTheChange, _) | (_, Missing::OfTheChange) => Proof::RedFirst,
        (Missing::Else(why), _) => Proof::Unknown(format!(
            "it cannot be run on the base's code, for want of something else than the change adds: {why}"
        )),
    }
}

/// Whether a test stands in a file or package of that name.
fn holds(whole: &str, id: &str) -> bool {
    let separated = |rest: &str| [" > ", "::", " "].iter().any(|separator| rest.starts_with(separator));
    id.strip_prefix(whole).is_some_and(separated)
}
