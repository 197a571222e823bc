//! The changed lines, and what the tests say of each.

use std::collections::{BTreeMap, BTreeSet};

use changed_code::changed_code;
use guard_sdk::{Change, Coverage, Denied, Selection, Side};
use nearest::nearest;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Run,
    NotRun,
    NotKnown,
}

#[derive(Debug, Default)]
pub struct Lines {
    /// By path and line.
    pub fates: BTreeMap<(String, u32), Fate>,
    /// Why a project's runner tells no lines.
    pub reasons: Vec<String>,
    /// Files that a runner tells lines of.
    told: BTreeSet<String>,
}

impl Lines {
    /// Changed lines of code in the bodies of functions. A line of brackets alone says nothing.
    pub fn new(change: &Change) -> Self {
        let mut fates = BTreeMap::new();
        for file in change.files() {
            let changed = changed_code(change, &file);
            for line in changed.into_iter().flat_map(|changed| changed.lines) {
                if line.code.chars().any(char::is_alphanumeric) {
                    fates.insert((file.path().to_owned(), line.number), Fate::NotKnown);
                }
            }
        }
        Lines { fates, ..Lines::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.fates.is_empty()
    }

    /// The nearest tests first: if they go over everything, the others need not be run.
    pub fn ask(&mut self, change: &Change, seconds: u32) -> Result<(), Denied> {
        let tools = change.toolchain();
        let selection = |paths| Selection { paths, until_failure: false, seconds };
        let near = nearest(change, Side::After, &tools.tests(Side::After)?);
        if !near.is_empty()
            && let Ok(told) = tools.coverage(Side::After, &selection(near))
        {
            self.see(&told);
            if self.fates.values().all(|fate| *fate == Fate::Run) {
                return Ok(());
            }
            // What the nearest tests leave out, others may go over.
            self.fates.values_mut().filter(|fate| **fate == Fate::NotRun).for_each(|fate| *fate = Fate::NotKnown);
        }
        self.reasons.clear();
        self.told.clear();
        match tools.coverage(Side::After, &selection(Vec::new())) {
            Ok(told) => self.see(&told),
            Err(why @ Denied::TimedOut(_)) => self.reasons.push(format!("the tests have no result: {}", why.reason())),
            Err(why) => return Err(why),
        }
        // A line that a runner passes over in a file that it tells of holds no code by itself, such as an `end`.
        let Lines { fates, told, .. } = self;
        fates.retain(|(path, _), fate| *fate != Fate::NotKnown || !told.contains(path));
        Ok(())
    }

    /// A line that one project's tests go over is run, whatever those of another say.
    fn see(&mut self, told: &[Coverage]) {
        for coverage in told {
            if let Some(why) = &coverage.not_known {
                let place =
                    if coverage.project.is_empty() { String::new() } else { format!(" in {}", coverage.project) };
                self.reasons.push(format!("{}{place}: {why}", coverage.runner));
            }
            for file in &coverage.files {
                self.told.insert(file.path.clone());
                let told = file.not_run.iter().map(|line| (line, Fate::NotRun));
                for (line, fate) in told.chain(file.run.iter().map(|line| (line, Fate::Run))) {
                    if let Some(known) = self.fates.get_mut(&(file.path.clone(), *line))
                        && *known != Fate::Run
                    {
                        *known = fate;
                    }
                }
            }
        }
    }

    fn count(&self, fate: Fate) -> usize {
        self.fates.values().filter(|known| **known == fate).count()
    }

    pub fn counts(&self) -> [(&'static str, usize); 3] {
        [("run", Fate::Run), ("not-run", Fate::NotRun), ("not-known", Fate::NotKnown)]
            .map(|(name, fate)| (name, self.count(fate)))
    }

    /// In percent of the lines of which it is known; None when it is of none.
    pub fn score(&self) -> Option<f64> {
        let (run, known) = (self.count(Fate::Run), self.count(Fate::Run) + self.count(Fate::NotRun));
        (known > 0).then(|| 100.0 * run as f64 / known as f64)
    }
}
