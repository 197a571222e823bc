//! G11: a document claims only frameworks that a manifest of the project declares.

mod claim;
mod ground;
mod names;
#[path = "../../known-packages/src/nearest.rs"]
mod nearest;
mod prose;
mod rules;

use std::cell::Cell;

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{About, Capability, Change, File, Finding, Guard, Hunk, Need, Stage, Verdict, guard};
use serde::Deserialize;

use ground::Ground;
use names::{Framework, Names};
use prose::Block;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Ids that may be claimed without a manifest.
    known: Vec<String>,
}

pub struct KnownFrameworks;

impl Guard for KnownFrameworks {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G11",
        promise: "A document that newly says what the project is built with names only frameworks that a manifest declares.",
        stages: &[Stage::Content],
        globs: &[
            "*.md",
            "*.MD",
            "*.markdown",
            "*.mdown",
            "*.mkd",
            "*.mdx",
            "*.rst",
            "*.adoc",
            "*.asciidoc",
            "README",
            "README.txt",
        ],
        needs: &[Need::new(Capability::Facts, "to compare what documents claim with what the manifests declare")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_content_grounding.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let documents: Vec<File> = change
            .files()
            .filter(|file| is_document(file.path()) && file.after().is_regular() && !is_about_others(file.path()))
            .collect();
        if documents.is_empty() {
            return Ok(Verdict::not_applicable("no document about the project is added or changed"));
        }
        let (mut claims, mut findings) = (Vec::new(), Vec::new());
        let effort = Effort(Cell::new(change.scaled(BYTES)));
        for file in documents {
            match new_claims(file, &effort) {
                Ok(found) => claims.extend(found.into_iter().map(|(framework, block)| (file, framework, block))),
                Err(why) => {
                    findings.push(
                        Finding::info("unreadable", format!("{} was not judged: {why}", file.path())).file(file.path()),
                    );
                }
            }
        }
        claims.retain(|(_, framework, _)| !settings.known.iter().any(|id| id == framework.id));
        if claims.is_empty() {
            return Ok(Verdict::from_findings(findings));
        }
        let ground = Ground::new(change);
        if ground.is_empty() {
            return Ok(Verdict::not_applicable("the repository has no manifest to compare its documents with"));
        }
        let wrong = claims.iter().filter(|(_, framework, _)| !ground.holds(framework));
        findings.extend(wrong.map(|(file, framework, block)| finding(file, framework, block, &ground)));
        Ok(Verdict::from_findings(findings))
    }
}

guard!(KnownFrameworks);

/// Lines that came, and those around them, of which a sentence may be made: no others need be read for a new claim.
fn near_changes<'t>(file: File, after: &'t str) -> impl Iterator<Item = &'t str> {
    let near = |hunk: &Hunk| hunk.new_start.saturating_sub(3)..hunk.new_start + hunk.new_lines + 3;
    let mut runs = file.hunks().into_iter().map(move |hunk| near(&hunk)).peekable();
    let mut is_near = move |number: u32| {
        while runs.next_if(|run| run.end <= number).is_some() {}
        runs.peek().is_some_and(|run| run.contains(&number))
    };
    (1..).zip(after.lines()).filter(move |(number, _)| is_near(*number)).map(|(_, line)| line)
}

/// Bytes of documents that are read for a small change: a byte costs some 700 units of fuel, and this leaves a quarter of what a host
/// gives.
const BYTES: u64 = 2_000_000;

/// Bytes that may still be read.
struct Effort(Cell<u64>);

impl Effort {
    fn affords(&self, bytes: usize) -> bool {
        let left = self.0.get().checked_sub(bytes as u64);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// Claims of the candidate's document that the base's did not make.
fn new_claims(file: File, effort: &Effort) -> Result<Vec<(&'static Framework, Block)>, String> {
    let (after, names) = (file.after().text().map_err(|why| why.reason())?, Names::new());
    // Most changes name none, and need no parser.
    if !near_changes(file, &after).any(|line| names.occur(line)) || is_data_of_a_site(file.path(), &after) {
        return Ok(Vec::new());
    }
    let before = if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() };
    if !effort.affords(before.len() + after.len()) {
        return Err("the change is larger than one call can read".to_string());
    }
    let of = |text: &str| prose::blocks(file.path(), text);
    let old = of(&before);
    let new = of(&after).into_iter().filter(|block| !old.iter().any(|other| other.text == block.text));
    let mut claims: Vec<(&'static Framework, Block)> = Vec::new();
    for block in new {
        for framework in claim::claims(&block, &names) {
            if !claims.iter().any(|(other, _)| other.id == framework.id) {
                claims.push((framework, block.clone()));
            }
        }
    }
    // Most changes claim nothing, and the old document need not be asked.
    if !claims.is_empty() {
        let known: Vec<&str> =
            old.iter().flat_map(|block| claim::claims(block, &names)).map(|framework| framework.id).collect();
        claims.retain(|(framework, _)| !known.contains(&framework.id));
    }
    Ok(claims)
}

fn finding(file: &File, framework: &Framework, block: &Block, ground: &Ground) -> Finding {
    let message =
        format!("{} says that the project is built with {}, which no manifest declares", file.path(), framework.id);
    // What the document spoke of before is not invented, whatever it is said to be now.
    let before = if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() };
    let is_known = Names::new().mentions(&before).iter().any(|mention| mention.framework.id == framework.id);
    let of = if is_known { Finding::warning } else { Finding::error };
    of("framework-invented", message).at(file.path(), block.lines.0).to(block.lines.1).help(format!(
        "Claim only what a manifest declares, or leave the claim out. Declared: {}.",
        ground.declared(framework)
    ))
}

fn is_document(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    [".md", ".mdx", ".markdown", ".mdown", ".mkd", ".rst", ".adoc", ".asciidoc"].iter().any(|end| name.ends_with(end))
        || matches!(name, "readme" | "readme.txt")
}

/// Whether a page is an entry of what a site shows, such as a theme of a gallery or a member: it has metadata, and lies below the `content` of
/// the site, but not among its documentation. What it is built with is no word about the project.
fn is_data_of_a_site(path: &str, text: &str) -> bool {
    const DOCUMENTATION: [&str; 6] = ["doc", "docs", "documentation", "guide", "guides", "manual"];
    let mut below = path.split('/').skip_while(|part| *part != "content").skip(1).peekable();
    let is_below = below.peek().is_some();
    is_below && documents::front_matter::lines(text) > 0 && !below.any(|part| DOCUMENTATION.contains(&part))
}

/// Documents of the past, of plans, of other projects, and test data.
fn is_about_others(path: &str) -> bool {
    #[rustfmt::skip]
    const OTHERS: [&str; 24] = [
        "changelog", "changelogs", "changes", "history", "news", "release", "releases", "release-notes", "release_notes", "blog", "posts", "_posts", ".changeset", "roadmap", "todo", "migration",
        "migrating", "recipes", "tutorial", "tutorials", "integrations", "plugins", "comparisons", "alternatives",
    ];
    let mut parts: Vec<String> = path.split('/').map(str::to_ascii_lowercase).collect();
    if let Some(name) = parts.last_mut() {
        *name = name.split('.').next().unwrap_or_default().to_string();
    }
    let is_elsewhere =
        matches!(kind_of(path), Kind::Test | Kind::TestData | Kind::Example | Kind::Template | Kind::Vendored);
    is_elsewhere || parts.iter().any(|part| OTHERS.contains(&part.as_str()))
}
