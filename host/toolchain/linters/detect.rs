//! Which linters the base's own files ask for, and in which folders.

use std::collections::BTreeSet;
use std::sync::Arc;

use guardhost_core::change::{Candidate, RepoPath};
use guardhost_core::error::Result;

use super::configured::{ConfiguredLinter, LinterUse};
use super::presets::{LinterFile, LinterPreset, linter_presets};
use crate::projects::{ProjectFiles, join};
use crate::request::{Replaced, Replacement};
use crate::runners::configured::program_of;
use crate::touched;
use guard_files::relative::above;

/// A linter and the folder that it is run in, empty for the root.
pub type LinterAt = (Arc<ConfiguredLinter>, String);

/// Those that concern the change, in the order of their folders. One that the rules name takes the place of the preset of its name.
pub fn linters(base: ProjectFiles, candidate: &Candidate, named: &[Arc<ConfiguredLinter>]) -> Result<Vec<LinterAt>> {
    let paths: Vec<&str> = touched(candidate).filter_map(RepoPath::as_str).collect();
    let presets = linter_presets().into_iter().filter(|preset| named.iter().all(|linter| linter.name != preset.name));
    let presets = presets.map(|preset| Arc::new(ConfiguredLinter::from(preset)));
    let mut found = Vec::new();
    for linter in named.iter().cloned().chain(presets) {
        let folders: BTreeSet<String> = match &linter.used {
            LinterUse::Folder { folder, .. } => {
                let is_touched = folder.is_empty() || paths.iter().any(|path| path.starts_with(&join(folder, "")));
                is_touched.then(|| folder.clone()).into_iter().collect()
            }
            LinterUse::Configured { files, endings, .. } => {
                let concerned = paths.iter().filter(|path| endings.iter().any(|ending| path.ends_with(ending)));
                let folders: BTreeSet<&str> =
                    concerned.map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder)).collect();
                let nearest =
                    folders.into_iter().filter_map(|folder| configured_above(base, folder, files).transpose());
                nearest.collect::<Result<_>>()?
            }
        };
        found.extend(folders.into_iter().map(|folder| (Arc::clone(&linter), folder)));
    }
    found.sort_by(|one, other| (&one.1, &one.0.name).cmp(&(&other.1, &other.0.name)));
    Ok(found)
}

impl From<LinterPreset> for ConfiguredLinter {
    fn from(preset: LinterPreset) -> Self {
        let LinterPreset { name, configured: files, steered_by, endings, program, command, report, warnings } = preset;
        let program = program.or_else(|| program_of(&command).map(str::to_owned)).unwrap_or_default();
        let used = LinterUse::Configured { files, steered_by, endings };
        ConfiguredLinter { name, command, program, format: report, warnings, used }
    }
}

fn configured_above(base: ProjectFiles, folder: &str, files: &[LinterFile]) -> Result<Option<String>> {
    for folder in above(folder) {
        for file in files {
            if configures(base, folder, file)? {
                return Ok(Some(folder.to_owned()));
            }
        }
    }
    Ok(None)
}

fn configures(base: ProjectFiles, folder: &str, file: &LinterFile) -> Result<bool> {
    match &file.has {
        None => base.has(folder, &file.file),
        Some(begin) => {
            let text = base.text(folder, &file.file)?;
            Ok(text.is_some_and(|text| text.lines().any(|line| line.trim_start().starts_with(begin))))
        }
    }
}

/// The touched files that steer a linter, as the base has them.
pub fn steering_of_base(candidate: &Candidate, linter: &ConfiguredLinter) -> Vec<Replaced> {
    let steers = |path: &&RepoPath| path.as_str().is_some_and(|path| linter.is_steered_by(path));
    let paths: BTreeSet<&RepoPath> = touched(candidate).filter(steers).collect();
    paths.into_iter().map(|path| Replaced { path: path.clone(), by: Replacement::AsOtherSide }).collect()
}
