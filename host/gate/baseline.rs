//! The baseline: findings that a repository has on the day it starts, which do not count.

use std::path::Path;

use guardhost_core::change::{Candidate, FileMode, Objects, Oid, RepoPath};
use guardhost_core::error::{Context as _, Error, Fault, FaultKind, Result};
use guardhost_engine::exceptions::baseline::Baseline;
use guardhost_git::Repo;
use guardhost_patch::sanitize::BASELINE_FILE;
use guardhost_policy::work_tree_paths;

/// A baseline that a person names on the command line.
pub struct BaselineFile<'a> {
    pub path: &'a Path,
    /// As the person wrote it, for messages.
    pub shown: &'a str,
}

/// A baseline as it is written to a file.
pub struct WrittenBaseline {
    pub json: String,
    /// How many it holds.
    pub findings: usize,
}

impl BaselineFile<'_> {
    /// The baseline at the root of the tree that the rules are read from. Every door counts it, so that none of them knows another one.
    ///
    /// # Errors
    /// [`FaultKind::Config`]: the file is no baseline; the tree cannot be read.
    pub fn beside_rules(objects: &dyn Objects, rules: Oid) -> Result<Baseline> {
        let entry = objects.entry(rules, &RepoPath::from(BASELINE_FILE))?.filter(|entry| is_file(entry.mode));
        entry.map_or_else(|| Ok(Baseline::default()), |entry| Baseline::parse(&objects.blob(entry.oid)?, BASELINE_FILE))
    }

    /// From where the rules are read, if the file is in the repository: no change extends the baseline by which it is judged, and none of
    /// its links chooses another. The text is a notice.
    pub(crate) fn read(&self, repo: &Repo, candidate: &Candidate, rules: Oid) -> Result<(Baseline, Option<String>)> {
        let origin = self.shown;
        let mut notice = None;
        for tracked in work_tree_paths(repo, self.path) {
            let is_touched = candidate.files.iter().any(|file| {
                let below = |touched: &RepoPath| {
                    let rest = tracked.as_bytes().strip_prefix(touched.as_bytes());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
                };
                below(&file.path) || file.old_path.as_ref().is_some_and(below)
            });
            let entry = candidate.objects.entry(rules, &tracked)?.filter(|entry| is_file(entry.mode));
            if is_touched {
                notice = Some(format!("{origin} is read from the base commit, because the change touches it"));
            }
            // The work tree may have what the rules have no more.
            let is_gone = || Ok::<_, Error>(candidate.objects.entry(candidate.tree, &tracked)?.is_some());
            match entry {
                Some(entry) => return Ok((Baseline::parse(&candidate.objects.blob(entry.oid)?, origin)?, notice)),
                None if is_touched || is_gone()? => return Ok((Baseline::default(), notice)),
                None => {}
            }
        }
        let bytes = std::fs::read(self.path).with_context(|| {
            Fault::new(FaultKind::Usage, format!("cannot read the baseline {origin}"))
                .hint(format!("write it first: host check … --write-baseline {origin}"))
        })?;
        Ok((Baseline::parse(&bytes, origin)?, notice))
    }
}

fn is_file(mode: FileMode) -> bool {
    matches!(mode, FileMode::File | FileMode::Executable)
}
