//! Why a person must look at a file of which nothing is proved.

use std::collections::BTreeSet;

use guardhost_core::change::{Blob, Candidate, ChangeType, FileChange, FileMode, Oid, RepoPath};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_engine::facts::facts;
use guardhost_engine::outlines::Outlines;
use guardhost_engine::{Globs, Kind, Kinds};
use guardhost_patch::sanitize;
use guardhost_report::LookReason;

use super::tests_of::TestWords;
use super::text::text;

/// What is asked of the repository once for all files.
pub struct Look<'a> {
    change: &'a Candidate,
    kinds: &'a Kinds,
    outlines: &'a Outlines,
    protected: Globs,
    /// By the path of their manifest, what it asks for now and did not before.
    new_dependencies: BTreeSet<RepoPath>,
    tests: TestWords,
}

impl<'a> Look<'a> {
    /// # Errors
    /// The repository's objects cannot be read.
    pub fn new(change: &'a Candidate, kinds: &'a Kinds, outlines: &'a Outlines) -> Result<Self> {
        Ok(Look {
            change,
            kinds,
            outlines,
            protected: Globs::new(sanitize::Rules::built_in())
                .map_err(|why| Fault::new(FaultKind::Config, format!("the built-in globs cannot be read: {why}")))?,
            new_dependencies: new_dependencies(change)?,
            tests: TestWords::read(change, kinds)?,
        })
    }

    /// At least one, the gravest first.
    ///
    /// # Errors
    /// The repository's objects cannot be read.
    pub fn reasons(&self, file: &FileChange) -> Result<Vec<LookReason>> {
        let paths = [Some(&file.path), file.old_path.as_ref()];
        let kind = self.kinds.kind(&file.path.to_string());
        let mut reasons = BTreeSet::new();
        if paths.iter().flatten().any(|path| self.protected.matches(path.to_string())) {
            reasons.insert(LookReason::Rights);
        }
        if is_special(file.before) || is_special(file.after) || mode(file.before) != mode(file.after) && both(file) {
            reasons.insert(LookReason::Mode);
        }
        if self.new_dependencies.contains(&file.path) {
            reasons.insert(LookReason::NewDependency);
        }
        match kind {
            Kind::Test => reasons.extend(self.test_reasons(file)?),
            Kind::Code | Kind::Example | Kind::Generated | Kind::Vendored => {
                reasons.insert(match self.is_tested(file)? {
                    true => LookReason::Code,
                    false => LookReason::NotTested,
                });
            }
            Kind::Configuration => {
                reasons.insert(LookReason::Configuration);
            }
            Kind::Lock => {
                reasons.insert(LookReason::Lock);
            }
            Kind::TestData | Kind::Template | Kind::Document | Kind::Other => {}
        }
        if reasons.is_empty() {
            reasons.insert(LookReason::Other);
        }
        Ok(reasons.into_iter().collect())
    }

    fn test_reasons(&self, file: &FileChange) -> Result<BTreeSet<LookReason>> {
        let mut reasons = BTreeSet::from([LookReason::TestChanged]);
        let Some(before) = file.before else { return Ok(reasons) };
        let Some(after) = file.after else { return Ok(BTreeSet::from([LookReason::TestRemoved])) };
        let read = |path: &RepoPath, blob: Blob| -> Result<_> {
            let Some(text) = text(self.change, Some(blob))? else { return Ok(None) };
            Ok(self.outlines.code(&path.to_string(), true, &text).ok().and_then(Result::ok))
        };
        let old = read(file.old_path.as_ref().unwrap_or(&file.path), before)?;
        let (Some(old), Some(new)) = (old, read(&file.path, after)?) else { return Ok(reasons) };
        for test in old.definitions.iter().filter(|one| one.is_test) {
            match new.definitions.iter().find(|one| one.is_test && one.name == test.name) {
                None => reasons.extend([LookReason::TestRemoved]),
                Some(now) if test.skip.is_none() && now.skip.is_some() || now.assertions < test.assertions => {
                    reasons.extend([LookReason::TestWeakened]);
                }
                Some(_) => {}
            }
        }
        if new.is_focused && !old.is_focused {
            reasons.insert(LookReason::TestWeakened);
        }
        Ok(reasons)
    }

    fn is_tested(&self, file: &FileChange) -> Result<bool> {
        let Some(text) = text(self.change, file.after.or(file.before))? else { return Ok(false) };
        let code = self.outlines.code(&file.path.to_string(), false, &text).ok().and_then(Result::ok);
        let names: Vec<String> =
            code.map(|code| code.definitions.into_iter().map(|one| one.name).collect()).unwrap_or_default();
        Ok(self.tests.name(&file.path, &names))
    }
}

fn mode(side: Option<Blob>) -> Option<FileMode> {
    side.map(|blob| blob.mode)
}

fn both(file: &FileChange) -> bool {
    match file.change_type {
        ChangeType::Modify | ChangeType::Rename | ChangeType::Copy => true,
        ChangeType::Add | ChangeType::Delete => false,
    }
}

fn is_special(side: Option<Blob>) -> bool {
    side.is_some_and(|blob| matches!(blob.mode, FileMode::Symlink | FileMode::Submodule))
}

fn new_dependencies(change: &Candidate) -> Result<BTreeSet<RepoPath>> {
    let asked = |tree: Oid| -> Result<BTreeSet<(RepoPath, String)>> {
        let manifests = facts(&*change.objects, tree)?.manifests.into_iter();
        let each = manifests.flat_map(|manifest| {
            let path = manifest.path;
            manifest.dependencies.into_iter().map(move |dependency| (path.clone(), dependency.name))
        });
        Ok(each.collect())
    };
    let (before, after) = (asked(change.base_tree)?, asked(change.tree)?);
    Ok(after.difference(&before).map(|(path, _)| path.clone()).collect())
}
