//! G27: newly declared packages are at their registry, are not brand-new, and are no near-twin of a popular one.

mod declared;
mod rules;
mod twin;

use guard_sdk::{
    About, Capability, Change, Finding, Guard, Need, PackageName, Publication, Side, Stage, Standing, Verdict, guard,
    log,
};
use serde::Deserialize;

use declared::{Declared, NewPackage};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Days.
    min_age_days: u32,
    /// Names that are taken as they are.
    known: Vec<String>,
    /// The registry that is asked has every package of the project.
    all_here: bool,
}

impl Default for Settings {
    /// Most malicious packages are found and taken down within days of their first version.
    fn default() -> Self {
        Settings { min_age_days: 14, known: Vec::new(), all_here: false }
    }
}

pub struct PackagesPublished;

impl Guard for PackagesPublished {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G27",
        promise: "Newly declared packages are at their registry, are not brand-new, and are no near-twin of a popular one.",
        stages: &[Stage::Content],
        globs: declared::GLOBS,
        needs: &[
            Need::new(Capability::Facts, "to see which packages the manifests newly declare"),
            Need::new(Capability::Repo, "to see whether the repository names registries of its own"),
            Need::new(Capability::Registry, "to ask whether these packages exist, and since when"),
        ],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "packages_published.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let declared = Declared::new(change);
        let new = declared.new_packages(change, &settings.known);
        if let Some(path) = change.withheld() {
            return Err(format!("it needs the whole tree, and the pin does not grant {path}"));
        }
        if new.is_empty() {
            return Ok(Verdict::not_applicable("no manifest newly declares a package of a registry"));
        }
        let names: Vec<PackageName> = new.iter().map(NewPackage::name).collect();
        let answers = match change.registries().look_up(&names) {
            Ok(answers) => answers,
            Err(why) => return Ok(Verdict::not_applicable(format!("the host asks no registry: {why:?}"))),
        };
        let mut judgement = Judgement::new(change, &settings, &declared);
        for (package, answer) in new.iter().zip(answers) {
            judgement.judge(package, answer);
        }
        Ok(judgement.verdict(new.len()))
    }
}

guard!(PackagesPublished);

/// Packages of which little is known: this many are named.
const SHOWN: usize = 3;

struct Judgement<'c> {
    change: &'c Change,
    settings: &'c Settings,
    declared: &'c Declared,
    findings: Vec<Finding>,
    /// Packages of which something is not known, with the reason.
    unknown: Vec<String>,
    /// Packages of which it is known whether they are there.
    judged: usize,
}

impl<'c> Judgement<'c> {
    fn new(change: &'c Change, settings: &'c Settings, declared: &'c Declared) -> Self {
        Judgement { change, settings, declared, findings: Vec::new(), unknown: Vec::new(), judged: 0 }
    }

    fn judge(&mut self, package: &NewPackage, answer: Standing) {
        let (name, ecosystem) = (&package.dependency, package.ecosystem.as_str());
        match answer {
            Standing::Published(publication) => {
                self.judged += 1;
                self.published(package, &publication);
            }
            Standing::Missing(why) => match self.other_registry(package) {
                Some(file) => self.unknown.push(format!("{name} ({why}, and {file} names another registry)")),
                None => {
                    self.judged += 1;
                    let message = format!(
                        "{} declares {name}, and the registry of {ecosystem} does not have it: {why}",
                        package.path
                    );
                    let help = "Declare a package that exists, or leave it out. Whoever publishes this name first decides what is installed.";
                    self.findings.push(package.finding("package-missing", message).help(help));
                }
            },
            Standing::Unknown(why) | Standing::Other(why) => self.unknown.push(format!("{name} ({why})")),
        }
    }

    fn published(&mut self, package: &NewPackage, publication: &Publication) {
        let (name, least) = (&package.dependency, self.settings.min_age_days);
        match publication.days {
            Some(days) if days < least => {
                let message = format!(
                    "{} declares {name}, whose first version is {days} days old: at least {least} are asked for",
                    package.path
                );
                let help = "Take a package that is established, or wait. A person who has read it can add it to `known` of this guard.";
                self.findings.push(package.finding("package-young", message).help(help));
            }
            Some(_) => {}
            None if least > 0 => {
                self.unknown.push(format!("{name} (the registry does not say since when it is there)"))
            }
            None => {}
        }
        let Some(twin) = twin::of(package, self.declared).filter(|_| !twin::is_established(publication)) else {
            return;
        };
        let message =
            format!("{} declares {name}, which is almost {twin}, and neither old nor in many versions", package.path);
        let help = format!(
            "If {twin} is meant, declare it. A person who has read {name} can add it to `known` of this guard."
        );
        self.findings.push(package.finding("package-twin", message).help(help));
    }

    /// The file of the base by which the project's package manager may find what the registry that was asked does not have.
    fn other_registry(&self, package: &NewPackage) -> Option<String> {
        if self.settings.all_here {
            return None;
        }
        declared::names_a_registry(&self.change.repo(Side::Before), package)
    }

    fn verdict(self, asked: usize) -> Verdict {
        let Judgement { mut findings, unknown, judged, .. } = self;
        log::metric("packages-asked", asked as f64);
        log::metric("packages-unknown", unknown.len() as f64);
        unknown.iter().for_each(log::info);
        if unknown.is_empty() {
            return Verdict::from_findings(findings);
        }
        let more = if unknown.len() > SHOWN { ", …" } else { "" };
        let shown = unknown[..unknown.len().min(SHOWN)].join(", ");
        let message = format!("of {} of {asked} new packages not all is known: {shown}{more}", unknown.len());
        if judged == 0 {
            return Verdict::not_applicable(message);
        }
        findings.push(Finding::info("packages-unknown", message));
        Verdict::from_findings(findings)
    }
}
