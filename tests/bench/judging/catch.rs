//! How many planted mistakes the guards find.

use std::collections::{BTreeMap, BTreeSet};

use guardhost_core::change::{Candidate, GuardVerdict};
use guardhost_git::Repo;

use super::alarms::blame;
use super::corpus::{Clone_, change, files};
use super::judge::{Court, spread};
use super::planted::lay::candidate;
use super::planted::plant::{CLASSES, Class};
use super::random::Random;
use super::{Options, percent};

/// In percent of a class that a guard claims.
const BAR: f64 = 95.0;
/// Commits that are tried for one mistake.
const TRIES: usize = 6;

#[derive(Default)]
struct Tally {
    planted: usize,
    /// By a guard that claims the class.
    caught: usize,
    by_any: usize,
    /// Of those that triage was asked about: every file is proved to be harmless, which none is that a guard rejects.
    proved: usize,
}

/// One planted mistake, judged.
struct Trial {
    kind: String,
    place: String,
    claimed: bool,
    rejected: bool,
    others: Vec<String>,
    /// The classes by which it is proved to be harmless, if it is.
    proved: Option<BTreeSet<&'static str>>,
    /// What was planted, as the lines that differ.
    lines: Vec<String>,
}

pub fn measure(court: &Court, clones: &[Clone_], options: &Options) -> bool {
    println!("## Catch, each mistake {}\n", if options.beside { "in the change of its commit" } else { "alone" });
    let wanted = |class: &&Class| options.class.as_deref().is_none_or(|name| class.name.contains(name));
    let mut held = true;
    let mut triaged = Tally::default();
    println!("{:<44} {:>8} {:>7} {:>7} {:>7}  claimed by", "class", "planted", "caught", "by any", "share");
    for class in CLASSES.iter().filter(wanted) {
        let count = clones.len() * options.plant;
        let trial = |repos: &mut Vec<Repo>, nth: usize| {
            let clone = nth / options.plant;
            let name: u64 = class.name.bytes().fold(0, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
            let mut random = Random::new(options.seed ^ name.rotate_left(32) ^ (nth as u64) << 8);
            (0..TRIES).find_map(|_| try_one(court, class, &clones[clone], &repos[clone], &mut random, options))
        };
        let open = || clones.iter().map(Clone_::repo).collect();
        let trials: Vec<Trial> = spread(options.threads, count, open, trial).into_iter().flatten().collect();
        let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
        for trial in &trials {
            let tally = tallies.entry(&trial.kind).or_default();
            tally.planted += 1;
            tally.caught += usize::from(trial.claimed);
            tally.by_any += usize::from(trial.rejected);
            tally.proved += usize::from(trial.proved.is_some());
            if let Some(classes) = &trial.proved {
                println!("== proved: {}: {}: {} {classes:?}", class.name, trial.kind, trial.place);
                trial.lines.iter().for_each(|line| println!("   {line}"));
            }
            if options.show && !trial.claimed && !class.claimed.is_empty() {
                println!("== missed: {}: {}: {} {:?}", class.name, trial.kind, trial.place, trial.others);
                trial.lines.iter().for_each(|line| println!("   {line}"));
            }
        }
        let sum = tallies.values().fold(Tally::default(), |sum, tally| Tally {
            planted: sum.planted + tally.planted,
            caught: sum.caught + tally.caught,
            by_any: sum.by_any + tally.by_any,
            proved: sum.proved + tally.proved,
        });
        triaged.planted += sum.planted;
        triaged.proved += sum.proved;
        row(class.name, &sum, class);
        if tallies.len() > 1 {
            tallies.iter().for_each(|(kind, tally)| row(&format!("  {kind}"), tally, class));
        }
        held &= class.claimed.is_empty() || sum.planted == 0 || percent(sum.caught, sum.planted) >= BAR;
    }
    if options.triage {
        let Tally { planted, proved, .. } = triaged;
        println!("\ntriage: of {planted} planted mistakes {proved} are proved to be harmless as a whole");
        held &= proved == 0;
    }
    held
}

fn row(name: &str, Tally { planted, caught, by_any, .. }: &Tally, class: &Class) {
    let share = percent(*caught, *planted);
    let claimed = if class.claimed.is_empty() { "nobody".to_owned() } else { class.claimed.join(", ") };
    println!("{name:<44} {planted:>8} {caught:>7} {by_any:>7} {share:>5.1} %  {claimed}");
}

fn try_one(
    court: &Court,
    class: &Class,
    clone: &Clone_,
    repo: &Repo,
    random: &mut Random,
    options: &Options,
) -> Option<Trial> {
    let commit = *clone.commits.get(random.below(clone.commits.len()))?;
    let honest = change(repo, commit)?;
    let files = files(&honest);
    let planted = (class.plant)(&files, random)?;
    let before = planted.base.clone().or_else(|| files.text(&planted.path)).unwrap_or_default();
    let lines = differing(&before, &planted.text);
    let already = if options.beside { rejecting(court, &honest) } else { Vec::new() };
    let candidate = candidate(&honest, &planted, options.beside)?;
    let judgement = court.judge(&candidate, planted.task.as_ref());
    let proved = if options.triage { court.proved(&candidate, &judgement) } else { None };
    // Who rejects the commit itself says nothing of the mistake.
    let rejecting: Vec<String> = rejecting_of(&judgement).into_iter().filter(|id| !already.contains(id)).collect();
    Some(Trial {
        place: format!("{} {commit} {}: {}", clone.name, planted.path, planted.what),
        kind: planted.kind,
        claimed: class.claimed.iter().any(|claim| rejecting.iter().any(|id| id == claim)),
        rejected: !rejecting.is_empty(),
        others: blame(&judgement),
        proved,
        lines,
    })
}

/// Enough of them to see what it is.
fn differing(before: &str, after: &str) -> Vec<String> {
    let diff = similar::TextDiff::from_lines(before, after);
    let lines = diff.unified_diff().context_radius(2).to_string();
    lines.lines().take(14).map(str::to_owned).collect()
}

fn rejecting(court: &Court, change: &Candidate) -> Vec<String> {
    rejecting_of(&court.judge(change, None))
}

fn rejecting_of(judgement: &guardhost_core::change::Judgement) -> Vec<String> {
    let said_no = judgement.evidence.iter().filter(|evidence| matches!(evidence.verdict, GuardVerdict::Reject(_)));
    said_no.map(|evidence| evidence.id.clone()).collect()
}
