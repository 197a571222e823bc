//! Counts of verdicts by kind, as text or as tables in Markdown.

use std::collections::BTreeMap;

use super::trial::{Trial, Verdict, Want};

/// How many trials came to each [`Verdict`].
#[derive(Clone, Copy, Default)]
pub struct Counts([usize; 4]);

impl Counts {
    pub fn cases_with(&self, verdict: Verdict) -> usize {
        self.0[verdict as usize]
    }

    pub fn all(&self) -> usize {
        self.0.iter().sum()
    }

    fn add(&mut self, other: &Counts) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, count)| *sum += count);
    }
}

#[derive(Clone, Default)]
pub struct Tally {
    /// Trials that have a result, as opposed to those that ought to be refused.
    answerable: usize,
    /// Of these, the right ones.
    answered: usize,
    host: Counts,
    rivals: BTreeMap<&'static str, Counts>,
}

impl Tally {
    pub fn count(&mut self, trial: &Trial, verdict: Verdict) {
        let has_result = matches!(trial.want, Want::Result(_));
        self.answerable += usize::from(has_result);
        self.answered += usize::from(has_result && verdict == Verdict::Right);
        self.host.0[verdict as usize] += 1;
    }

    pub fn count_rival(&mut self, rival: &'static str, verdict: Verdict) {
        self.rivals.entry(rival).or_default().0[verdict as usize] += 1;
    }

    fn add(&mut self, other: &Tally) {
        self.answerable += other.answerable;
        self.answered += other.answered;
        self.host.add(&other.host);
        for (rival, counts) in &other.rivals {
            self.rivals.entry(rival).or_default().add(counts);
        }
    }

    fn share(&self) -> String {
        match self.answerable {
            0 => "".to_owned(),
            all => format!("{:.1} %", 100.0 * self.answered as f64 / all as f64),
        }
    }

    /// Right, rightly refused, refused though there is a result, wrong, the share of right ones; then each other tool.
    fn row(&self) -> String {
        let host = [Verdict::Right, Verdict::RightlyRefused, Verdict::Refused, Verdict::Wrong]
            .map(|verdict| self.host.cases_with(verdict));
        let rivals: Vec<String> =
            self.rivals.iter().map(|(name, counts)| format!("{name} {}", short(counts))).collect();
        let [right, rightly, refused, wrong] = host;
        let wrong = if wrong > 0 { format!("**{wrong}**") } else { "0".to_owned() };
        format!(
            "{} | {right} | {rightly} | {refused} | {wrong} | {} | {}",
            self.host.all(),
            self.share(),
            rivals.join(", ")
        )
    }
}

/// `right / refused / wrong`; both kinds of refusal together, since other tools know only one.
fn short(counts: &Counts) -> String {
    let refused = counts.cases_with(Verdict::Refused) + counts.cases_with(Verdict::RightlyRefused);
    format!("{}/{refused}/{}", counts.cases_with(Verdict::Right), counts.cases_with(Verdict::Wrong))
}

/// The tallies of all kinds, in the order of their families.
#[derive(Default)]
pub struct Report {
    families: Vec<(&'static str, BTreeMap<String, Tally>)>,
}

const HEAD: &str = "trials | right | rightly refused | refused, has a result | wrong | right of those with a result | others: right/refused/wrong";
const RULE: &str = "---|---|---|---|---|---|---";

impl Report {
    pub fn tally(&mut self, family: &'static str, kind: &str) -> &mut Tally {
        let at = self.families.iter().position(|(name, _)| *name == family).unwrap_or_else(|| {
            self.families.push((family, BTreeMap::new()));
            self.families.len() - 1
        });
        self.families[at].1.entry(kind.to_owned()).or_default()
    }

    pub fn wrong(&self) -> usize {
        self.total().host.cases_with(Verdict::Wrong)
    }

    fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.families.iter().flat_map(|(_, kinds)| kinds.values()).for_each(|tally| total.add(tally));
        total
    }

    /// A table by kind for each family, if wanted, and one by family.
    pub fn print(&self, with_kinds: bool) {
        if with_kinds {
            for (family, kinds) in &self.families {
                println!("\n**{family}**\n\n| kind | {HEAD} |\n|---|{RULE}|");
                kinds.iter().for_each(|(kind, tally)| println!("| {kind} | {} |", tally.row()));
            }
        }
        println!("\n| family | {HEAD} |\n|---|{RULE}|");
        for (family, kinds) in &self.families {
            let mut sum = Tally::default();
            kinds.values().for_each(|tally| sum.add(tally));
            println!("| {family} ({} kinds) | {} |", kinds.len(), sum.row());
        }
        let kinds: usize = self.families.iter().map(|(_, kinds)| kinds.len()).sum();
        println!("| all ({kinds} kinds) | {} |", self.total().row());
    }
}
