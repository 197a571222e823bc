//! What became of a change that was stopped, as far as later rulings prove it.

use std::collections::{BTreeMap, BTreeSet};

use super::PastRuling;
use super::alarms::{AlarmEnd, RaisedAlarm};

/// A change, by its trees.
pub(super) type ChangeKey<'a> = (&'a str, &'a str);

pub(super) fn change(past: &PastRuling) -> ChangeKey<'_> {
    (&past.ruling.base, &past.ruling.tree)
}

/// What became of a stopped change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Whatever was objected to is gone from a later change of the same files, and such a change was accepted.
    Repaired,
    /// A person let at least one of the findings stand.
    Overruled,
    /// Not known so far, or a guard failed and had objected to nothing.
    Unknown,
}

/// The fates of all changes that guards objected to.
pub(super) struct StopFates<'a> {
    alarms: BTreeMap<ChangeKey<'a>, Vec<RaisedAlarm>>,
    /// For each file the place of the last ruling that accepted a change of it.
    accepted: BTreeMap<&'a str, usize>,
    /// Changes that were accepted as they are, so that nobody can have repaired them.
    as_they_are: BTreeSet<ChangeKey<'a>>,
}

impl<'a> StopFates<'a> {
    pub fn new(rulings: &'a [PastRuling], all: &[RaisedAlarm]) -> Self {
        let mut alarms: BTreeMap<ChangeKey<'a>, Vec<RaisedAlarm>> = BTreeMap::new();
        for alarm in all {
            let mut changes: Vec<ChangeKey<'a>> = alarm.seen.iter().map(|at| change(&rulings[*at])).collect();
            changes.sort_unstable();
            changes.dedup();
            changes.into_iter().for_each(|change| alarms.entry(change).or_default().push(alarm.clone()));
        }
        let mut accepted: BTreeMap<&str, usize> = BTreeMap::new();
        let mut as_they_are = BTreeSet::new();
        for (at, past) in rulings.iter().enumerate().filter(|(_, past)| past.ruling.verdict.is_accepted()) {
            accepted.extend(past.ruling.files.iter().map(|file| (file.as_str(), at)));
            if !past.ruling.mended {
                as_they_are.insert(change(past));
            }
        }
        StopFates { alarms, accepted, as_they_are }
    }

    pub fn fate(&self, change: ChangeKey<'_>) -> Fate {
        let alarms = self.alarms.get(&change).map(Vec::as_slice).unwrap_or_default();
        if alarms.iter().any(|alarm| matches!(alarm.end, AlarmEnd::Overridden(_))) {
            return Fate::Overruled;
        }
        let is_repaired = |alarm: &RaisedAlarm| alarm.ended.is_some_and(|at| self.is_accepted_since(alarm, at));
        match !alarms.is_empty() && !self.as_they_are.contains(&change) && alarms.iter().all(is_repaired) {
            true => Fate::Repaired,
            false => Fate::Unknown,
        }
    }

    /// A change of the file was accepted by that ruling, or by a later one.
    fn is_accepted_since(&self, alarm: &RaisedAlarm, at: usize) -> bool {
        let since = |file: &String| self.accepted.get(file.as_str()).is_some_and(|last| *last >= at);
        match &alarm.file {
            Some(file) => since(file),
            None => alarm.files.iter().any(since),
        }
    }
}
