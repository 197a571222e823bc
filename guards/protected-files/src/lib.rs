//! Files that are not edited by hand stay as they are.

mod generated;
mod header;
mod licence;
mod link;
mod migration;
mod rules;

use guard_sdk::files::Globs;
use guard_sdk::{About, Capability, Change, File, Finding, Guard, Need, Severity, Stage, Verdict, guard};
use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Globs of paths.
    ignore: Globs,
}

pub struct ProtectedFiles;

impl Guard for ProtectedFiles {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "Files that are not edited by hand stay as they are: licences, what a program wrote, migrations that may have run, symbolic links.",
        stages: &[Stage::Content],
        needs: &[Need::new(
            Capability::Repo,
            "to see which numbers migrations have, and whether the files beside a new one have a notice",
        )],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "protected_files.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let files: Vec<File> = change.files().filter(|file| !settings.ignore.matches(file.path())).collect();
        let was_there = |file: &&File| file.before().exists();
        let is_new = |file: &File| !file.before().exists() && file.after().is_regular();
        let new: Vec<&File> = files.iter().filter(|file| is_new(file)).collect();
        if new.is_empty() && !files.iter().any(|file| was_there(&file)) {
            return Ok(Verdict::not_applicable("the change touches no file"));
        }
        let made = Made::new(change);
        let mut findings = Vec::new();
        for file in files.iter().filter(was_there) {
            findings.extend(licence::judge(file, change, &made));
            findings.extend(link::judge(file, &made));
            findings.extend(header::judge(file, &made));
            findings.extend(migration::judge(file, &made));
        }
        for file in new {
            findings.extend(migration::taken(file, change));
            findings.extend(header::missing(file, change, &made));
        }
        findings.extend(generated::judge(&files, &made));
        Ok(Verdict::from_findings(findings))
    }
}

guard!(ProtectedFiles);

/// Who made the change, and what was asked for.
pub struct Made {
    is_by_model: bool,
    /// The task, or the messages of people; in lower case.
    wishes: String,
}

impl Made {
    fn new(change: &Change) -> Self {
        Made { is_by_model: change.is_by_model(), wishes: change.wishes().join("\n").to_lowercase() }
    }

    /// Whether somebody asked for something that begins with one of these, in lower case.
    fn speaks_of(&self, starts: &[&str]) -> bool {
        let mut words = self.wishes.split(|c: char| !c.is_alphanumeric());
        words.any(|word| starts.iter().any(|start| word.starts_with(start)))
    }

    /// Whether somebody named the file.
    fn names(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        self.wishes.contains(&name) || self.wishes.contains(&path.to_lowercase())
    }

    /// People do on purpose what a model does by mistake: where no model is known to have made the change, it is said and not rejected.
    fn only_by_models(&self, finding: Finding) -> Finding {
        if self.is_by_model { finding } else { Finding { severity: Severity::Warning, ..finding } }
    }
}
