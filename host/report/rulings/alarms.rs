//! Alarms: what guards objected to, and what became of it, told from the rulings that followed.

use std::collections::{BTreeMap, BTreeSet};

use guardhost_core::change::{AllowedBy, HostRule, RememberedRuling};

use super::PastRuling;

/// One guard's objection to one file. While the guard objects to the file again and again it is the same alarm.
#[derive(Debug, Clone)]
pub(super) struct RaisedAlarm {
    pub guard: String,
    /// The first rule that it named.
    pub rule: String,
    /// None where the finding names no file.
    pub file: Option<String>,
    /// The place of the ruling that raised it among all rulings.
    pub raised: usize,
    /// The places of all rulings that had it, from that one on.
    pub seen: Vec<usize>,
    pub end: AlarmEnd,
    /// The place of the ruling that ended it.
    pub ended: Option<usize>,
    /// The files of the change.
    pub files: BTreeSet<String>,
}

/// What became of an alarm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AlarmEnd {
    /// Nothing yet: no later ruling tells.
    Open,
    /// The guards' own fixes made the change acceptable.
    Mended,
    /// In a later change of the file the guard has nothing against it any more.
    Heeded,
    Overridden(Override),
}

/// How a person overrode an alarm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Override {
    Comment,
    Baseline,
    Skip,
    RuleChange,
}

/// Guard and file.
type Subject = (String, Option<String>);

/// All alarms of these rulings, which are in the order of time.
pub(super) fn alarms(rulings: &[PastRuling]) -> Vec<RaisedAlarm> {
    let mut all = Alarms::default();
    for (at, PastRuling { ruling, .. }) in rulings.iter().enumerate() {
        all.follow(at, ruling);
    }
    all.alarms
}

#[derive(Default)]
struct Alarms {
    alarms: Vec<RaisedAlarm>,
    /// Those that are open, by what they are about.
    open: BTreeMap<Subject, usize>,
    /// What was allowed before: an allowance counts once, however often its line is judged.
    allowed: BTreeSet<(Subject, AllowedBy)>,
}

impl Alarms {
    fn follow(&mut self, at: usize, ruling: &RememberedRuling) {
        let found: BTreeSet<Subject> =
            ruling.findings.iter().map(|finding| (finding.guard.clone(), finding.file.clone())).collect();
        self.overridden(at, ruling, &found);
        self.heeded(at, ruling, &found);
        for finding in &ruling.findings {
            let subject = (finding.guard.clone(), finding.file.clone());
            let alarm = match self.open.get(&subject) {
                Some(known) => *known,
                None => self.raise(at, ruling, &subject, &finding.rule),
            };
            self.open.insert(subject.clone(), alarm);
            self.alarms[alarm].seen.push(at);
            if ruling.mended {
                self.end(at, &subject, AlarmEnd::Mended);
            }
        }
    }

    fn raise(&mut self, at: usize, ruling: &RememberedRuling, (guard, file): &Subject, rule: &str) -> usize {
        self.alarms.push(RaisedAlarm {
            guard: guard.clone(),
            rule: rule.to_owned(),
            file: file.clone(),
            raised: at,
            seen: Vec::new(),
            end: AlarmEnd::Open,
            ended: None,
            files: ruling.files.iter().cloned().collect(),
        });
        self.alarms.len() - 1
    }

    fn end(&mut self, at: usize, subject: &Subject, end: AlarmEnd) {
        if let Some(alarm) = self.open.remove(subject).map(|alarm| &mut self.alarms[alarm]) {
            (alarm.end, alarm.ended) = (end, Some(at));
        }
    }

    /// What a person allowed: the finding itself, the guard, or a change of the rules.
    fn overridden(&mut self, at: usize, ruling: &RememberedRuling, found: &BTreeSet<Subject>) {
        for allowance in &ruling.allowed {
            let subject = (allowance.finding.guard.clone(), allowance.finding.file.clone());
            // Another finding of the guard in the file still counts.
            if found.contains(&subject) {
                continue;
            }
            let is_new = self.allowed.insert((subject.clone(), allowance.by));
            if !self.open.contains_key(&subject) {
                if !is_new {
                    continue;
                }
                let alarm = self.raise(at, ruling, &subject, &allowance.finding.rule);
                self.open.insert(subject.clone(), alarm);
            }
            let how = match allowance.by {
                AllowedBy::Comment => Override::Comment,
                AllowedBy::Baseline => Override::Baseline,
            };
            self.end(at, &subject, AlarmEnd::Overridden(how));
        }
        if !ruling.verdict.is_accepted() {
            return;
        }
        let is_skipped = |(guard, _): &Subject| ruling.skipped.contains(guard);
        let is_allowed = |(guard, _): &Subject| ruling.rule_change_allowed && guard == HostRule::RulesKept.id();
        let skipped = self.open_of(ruling, is_skipped);
        let allowed = self.open_of(ruling, is_allowed);
        skipped.iter().for_each(|subject| self.end(at, subject, AlarmEnd::Overridden(Override::Skip)));
        allowed.iter().for_each(|subject| self.end(at, subject, AlarmEnd::Overridden(Override::RuleChange)));
    }

    /// A guard that looked at the files again, and has nothing against them.
    fn heeded(&mut self, at: usize, ruling: &RememberedRuling, found: &BTreeSet<Subject>) {
        let looked =
            |guard: &String| ruling.passed.contains(guard) || ruling.findings.iter().any(|one| one.guard == *guard);
        let heeded = self.open_of(ruling, |subject| looked(&subject.0) && !found.contains(subject));
        heeded.iter().for_each(|subject| self.end(at, subject, AlarmEnd::Heeded));
    }

    /// The open alarms about files of this change.
    fn open_of(&self, ruling: &RememberedRuling, is_meant: impl Fn(&Subject) -> bool) -> Vec<Subject> {
        let touches = |(subject, alarm): &(&Subject, &usize)| match &subject.1 {
            Some(file) => ruling.files.contains(file),
            None => ruling.files.iter().any(|file| self.alarms[**alarm].files.contains(file)),
        };
        self.open.iter().filter(touches).map(|(subject, _)| subject).filter(|one| is_meant(one)).cloned().collect()
    }
}
