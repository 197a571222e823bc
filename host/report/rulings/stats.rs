//! From rulings to figures.

use std::collections::{BTreeMap, BTreeSet};

use guardhost_core::change::HostRule;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use super::alarms::{AlarmEnd, Override, RaisedAlarm, alarms};
use super::fate::{ChangeKey, Fate, StopFates, change};
use super::{PastRuling, Rulings};
use crate::{AgentFigures, AlarmFigures, GateFigures, GuardAlarms, QuietGuard, RuleAlarms, StatsReport, WeekFigures};

/// Alarms from which on it is said that a guard is mostly overridden.
const ENOUGH: usize = 4;

/// The figures of the last `weeks` weeks, of which the current one is the last.
pub fn stats(Rulings { rulings, unread }: &Rulings, weeks: u32, now: Timestamp) -> StatsReport {
    let since = monday(now).saturating_sub(7.days() * i64::from(weeks.max(1) - 1));
    let week_of = |past: &PastRuling| past.time.parse::<Timestamp>().map_or(Date::MIN, monday);
    // What is known of earlier alarms tells what becomes of later rulings, so all are followed.
    let all_alarms = alarms(rulings);
    let fates = StopFates::new(rulings, &all_alarms);
    let alarms: Vec<RaisedAlarm> =
        all_alarms.into_iter().filter(|alarm| week_of(&rulings[alarm.raised]) >= since).collect();
    let counted: Vec<&PastRuling> = rulings.iter().filter(|past| week_of(past) >= since).collect();
    let first = first_rulings(&counted);
    let known = RulingFacts { all: rulings, counted: &counted, first: &first, alarms: &alarms, fates: &fates };
    let by_week = known.group(|past| week_of(past).to_string());
    let by_agent = known.group(who);
    let total = known.group(|_| String::new()).remove("").unwrap_or_default();
    let mut agents: Vec<AgentFigures> =
        by_agent.into_iter().map(|(agent, figures)| AgentFigures { agent, figures }).collect();
    agents.sort_by_key(|row| std::cmp::Reverse(row.figures.changes));
    let guards = by_guard(&alarms);
    StatsReport {
        since: since.to_string(),
        total,
        weeks: by_week.into_iter().map(|(week, figures)| WeekFigures { week, figures }).collect(),
        agents,
        rules: by_rule(&alarms),
        quiet: guards.iter().filter_map(|guard| quiet(guard, &alarms)).collect(),
        guards,
        unread: *unread,
    }
}

fn monday(time: Timestamp) -> Date {
    let day = time.to_zoned(TimeZone::UTC).date();
    day.saturating_sub(i64::from(day.weekday().to_monday_zero_offset()).days())
}

fn who(past: &PastRuling) -> String {
    past.ruling.agent.clone().unwrap_or_else(|| past.ruling.author.clone())
}

/// For each change the first ruling on it: it is counted there.
fn first_rulings<'a>(counted: &[&'a PastRuling]) -> BTreeMap<ChangeKey<'a>, &'a PastRuling> {
    let mut first = BTreeMap::new();
    for past in counted {
        first.entry(change(past)).or_insert(*past);
    }
    first
}

/// What figures are counted from.
struct RulingFacts<'a> {
    all: &'a [PastRuling],
    counted: &'a [&'a PastRuling],
    first: &'a BTreeMap<ChangeKey<'a>, &'a PastRuling>,
    alarms: &'a [RaisedAlarm],
    fates: &'a StopFates<'a>,
}

impl RulingFacts<'_> {
    /// The figures of each group. A change belongs to the group of the first ruling on it, an alarm to that of the ruling that raised it.
    fn group(&self, name: impl Fn(&PastRuling) -> String) -> BTreeMap<String, GateFigures> {
        let mut groups: BTreeMap<String, GateFigures> = BTreeMap::new();
        let (mut stopped, mut mended) = (BTreeSet::new(), BTreeSet::new());
        for past in self.counted {
            let figures = groups.entry(name(past)).or_default();
            figures.rulings += 1;
            figures.micros += past.ruling.micros;
            figures.fuel += past.ruling.fuel;
            if !past.ruling.verdict.is_accepted() {
                stopped.insert(change(past));
            } else if past.ruling.mended {
                mended.insert(change(past));
            }
        }
        for (change, past) in self.first {
            let figures = groups.entry(name(past)).or_default();
            figures.changes += 1;
            figures.mended += usize::from(mended.contains(change));
            if stopped.contains(change) {
                figures.stopped += 1;
                match self.fates.fate(*change) {
                    Fate::Repaired => figures.after_stop.repaired += 1,
                    Fate::Overruled => figures.after_stop.overruled += 1,
                    Fate::Unknown => figures.after_stop.unknown += 1,
                }
            }
        }
        for alarm in self.alarms {
            count(&mut groups.entry(name(&self.all[alarm.raised])).or_default().alarms, alarm.end);
        }
        groups
    }
}

fn count(figures: &mut AlarmFigures, end: AlarmEnd) {
    figures.raised += 1;
    match end {
        AlarmEnd::Open => figures.open += 1,
        AlarmEnd::Mended => figures.mended += 1,
        AlarmEnd::Heeded => figures.heeded += 1,
        AlarmEnd::Overridden(how) => {
            figures.overridden += 1;
            let how = match how {
                Override::Comment => "comment",
                Override::Baseline => "baseline",
                Override::Skip => "skip",
                Override::RuleChange => "rule-change",
            };
            *figures.overridden_by.entry(how).or_default() += 1;
        }
    }
}

fn by_guard(alarms: &[RaisedAlarm]) -> Vec<GuardAlarms> {
    let mut guards: BTreeMap<&str, GuardAlarms> = BTreeMap::new();
    for alarm in alarms {
        let row = guards.entry(&alarm.guard).or_default();
        count(&mut row.alarms, alarm.end);
        *row.rules.entry(alarm.rule.clone()).or_default() += 1;
    }
    let mut rows: Vec<GuardAlarms> =
        guards.into_iter().map(|(guard, row)| GuardAlarms { guard: guard.to_owned(), ..row }).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.alarms.raised));
    rows
}

/// The most alarms first.
fn by_rule(alarms: &[RaisedAlarm]) -> Vec<RuleAlarms> {
    let mut rules: BTreeMap<(&str, &str), AlarmFigures> = BTreeMap::new();
    for alarm in alarms {
        count(rules.entry((&alarm.guard, &alarm.rule)).or_default(), alarm.end);
    }
    let row = |((guard, rule), alarms): ((&str, &str), _)| RuleAlarms {
        guard: guard.to_owned(),
        rule: rule.to_owned(),
        alarms,
    };
    let mut rows: Vec<RuleAlarms> = rules.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.alarms.raised));
    rows
}

/// Three of four alarms were overridden.
fn quiet(row: &GuardAlarms, alarms: &[RaisedAlarm]) -> Option<QuietGuard> {
    let GuardAlarms { guard, alarms: AlarmFigures { raised, overridden, .. }, .. } = row;
    if *raised < ENOUGH || overridden * 4 < raised * 3 {
        return None;
    }
    let setting = setting(guard, alarms)?;
    Some(QuietGuard { guard: guard.clone(), raised: *raised, overridden: *overridden, setting })
}

/// None for a rule that no setting turns off.
fn setting(guard: &str, alarms: &[RaisedAlarm]) -> Option<String> {
    let of_host = |text: &str| Some(format!("[policy]\n{text}"));
    match HostRule::from_id(guard) {
        Some(HostRule::FilesReadable) => of_host("allow_unreadable = [\"GLOB\"]"),
        Some(HostRule::ChangeJudged) => of_host("unjudged = \"accept\""),
        Some(HostRule::NoOwnExceptions) => of_host("allow_comments = \"any\""),
        Some(HostRule::ModelsDisclosed) => of_host("disclosure = []"),
        Some(HostRule::LockFits | HostRule::RulesKept) => None,
        None => {
            let pin = format!("[[guard]]\nid = \"{guard}\"\n");
            Some(match overridden_folder(guard, alarms) {
                Some(folder) => format!("{pin}paths = {{ exclude = [\"{folder}/**\"] }}"),
                None => format!("{pin}mode = \"monitor\""),
            })
        }
    }
}

/// The one folder at the root in which all alarms were raised that people overrode, and no other.
fn overridden_folder<'a>(guard: &str, alarms: &'a [RaisedAlarm]) -> Option<&'a str> {
    let folder =
        |alarm: &'a RaisedAlarm| alarm.file.as_deref().and_then(|file| file.split_once('/')).map(|(first, _)| first);
    let of_guard = || alarms.iter().filter(|alarm| alarm.guard == guard);
    let is_overridden = |alarm: &&RaisedAlarm| matches!(alarm.end, AlarmEnd::Overridden(_));
    let first = of_guard().find(is_overridden).and_then(folder)?;
    // Whoever writes it into guards.toml need not quote anything.
    let is_plain = first.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let fits = of_guard().all(|alarm| is_overridden(&alarm) == (folder(alarm) == Some(first)));
    (is_plain && fits).then_some(first)
}
