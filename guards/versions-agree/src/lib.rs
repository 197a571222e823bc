//! One version in several places moves in all of them.

mod alike;
mod installed;
mod own;
mod package;
mod place;
mod rules;
mod toolchain;
mod units;

use guard_sdk::files::{Globs, Kind, kind_of};
use guard_sdk::{About, Capability, Change, File, Finding, Guard, Need, Stage, Verdict, guard};
use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Globs of paths.
    ignore: Globs,
}

impl Settings {
    /// Whether the versions of a file are held: not those of material, nor of what is left out.
    fn hold(&self, path: &str) -> bool {
        let is_material =
            matches!(kind_of(path), Kind::Test | Kind::TestData | Kind::Example | Kind::Template | Kind::Vendored);
        !is_material && !self.ignore.matches(path)
    }
}

pub struct VersionsAgree;

impl Guard for VersionsAgree {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "A version that stands in several places moves in all of them, and no toolchain is older than the code asks for.",
        stages: &[Stage::Content],
        needs: &[Need::new(Capability::Repo, "to find the other places in which a version stands")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "versions_agree.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let looks = [own::find, alike::find, toolchain::find, installed::find];
        let found: Vec<Vec<Finding>> = looks.iter().filter_map(|look| look(change, &settings)).collect();
        match change.withheld() {
            Some(path) => Err(format!("it needs the whole tree, and the pin does not grant {path}")),
            None if found.is_empty() => Ok(Verdict::not_applicable("the change moves no version that is held")),
            None => Ok(Verdict::from_findings(found.concat())),
        }
    }
}

guard!(VersionsAgree);

/// A touched file that is held on both sides, with its texts; the path of each side.
struct Edited<'c> {
    path: &'c str,
    old_path: &'c str,
    before: String,
    after: String,
}

/// Files of the change that a look reads.
fn edited<'c>(change: &'c Change, settings: &Settings, is_read: impl Fn(&str) -> bool) -> Vec<Edited<'c>> {
    let of = |file: File<'c>| {
        let (true, true) = (file.before().is_regular(), file.after().is_regular()) else { return None };
        let (before, after) = (file.before().text().ok()?, file.after().text().ok()?);
        Some(Edited { path: file.path(), old_path: file.old_path().unwrap_or(file.path()), before, after })
    };
    change.files().filter(|file| is_read(file.path()) && settings.hold(file.path())).filter_map(of).collect()
}
