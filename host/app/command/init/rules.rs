//! The text of a first guards.toml: the default set, with comments.

use guardhost_report::{FilesOfLanguage, InitEvidence};
use std::fmt::Write as _;

use guardhost_core::error::Result;
use guardhost_engine::EmbeddedGuards;
use guardhost_policy::SCHEMA_LINE;
use guardhost_policy::config::{FILE, GuardsToml, Pin, nothing_shared};

use super::survey::InitSurvey;

/// Manifests of projects whose tests the host knows how to run.
const TESTED: &[&str] = &["Cargo.toml", "go.mod", "package.json", "pyproject.toml", "setup.cfg", "setup.py"];

/// Guards that execute the code of a change, with the manifests at the root that they can work with.
const OPT_IN: [(&str, &[&str]); 3] =
    [("no-test-regressions", TESTED), ("builds", &["Cargo.toml", "go.mod", "package.json"]), ("red-first", TESTED)];

/// The guard that runs the repository's own linters: on where HEAD configures some, and all of them can be run.
const LINTS: &str = "no-lint-regressions";

/// What programs that write code read as orders, beside what is protected everywhere. A glob without a slash names a file in any folder.
const AGENT_ORDERS: [&str; 9] = [
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "GEMINI.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules{,/**}",
    ".github/{copilot-instructions.md,instructions/**,prompts/**}",
];

/// Names of files at the root that agents read as orders.
pub fn orders_at_root() -> impl Iterator<Item = &'static str> {
    AGENT_ORDERS.into_iter().filter(|glob| !glob.contains(['*', '{']))
}

/// # Errors
/// The text does not mean what it should: an error of this program.
pub fn text(
    survey: &InitSurvey,
    pins: &[Pin],
    evidence: &InitEvidence,
    guards: &EmbeddedGuards,
    protects_agents: bool,
) -> Result<String> {
    let promise = |id: &str| guards.get(id).map_or("", |guard| guard.description.get().promise.as_str());
    let mut text = format!("{SCHEMA_LINE}\n");
    text.push_str(
        "# The guards that judge every change to this repository. They are read from the commit that a change is made for, so that no\n\
         # change can relax them. A commit that edits this file is refused, unless GUARDHOST_ALLOW_RULE_CHANGES=1 is set for it.\n\
         #\n\
         # `host explain ID` shows what a guard rejects. After an edit: `host guard lock`.\n",
    );
    let found = |names: Vec<String>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let languages =
        survey.languages.iter().map(|FilesOfLanguage { name, files }| format!("{name} ({files})")).collect();
    let manifests = survey.manifests.iter().map(|path| path.escape_default().to_string()).collect();
    let _ = writeln!(text, "# Found when this was written: {}; manifests: {}.", found(languages), found(manifests));
    text.push_str(
        "\nschema = 1\n\n[policy]\n# How often a provider may try to get a change accepted.\nrounds = 3\n\
         # Paths that no patch may touch, beside the built-in list.\n",
    );
    match protects_agents {
        true => {
            text.push_str(
                "# These are what agents read as orders: a patch could plant some for the next one.\nprotect = [\n",
            );
            AGENT_ORDERS.iter().for_each(|glob| text.push_str(&format!("    {glob:?},\n")));
            text.push_str("]\n");
        }
        false => text.push_str("# protect = [\".github/**\", \"deploy/**\"]\n"),
    }
    for pin in pins {
        let _ = write!(text, "\n# {}\n[[guard]]\nid = {:?}\n", promise(&pin.id), pin.id);
        if !pin.grants.is_empty() {
            let _ = writeln!(text, "grants = {:?}", pin.grants);
        }
    }
    for (id, manifests) in OPT_IN {
        let (Some(manifest), Some(guard)) = (survey.has_manifest(manifests), guards.get(id)) else { continue };
        let promise = guard.description.get().promise.as_str();
        // A command that judges a single edit leaves them out; see `docs/sandbox.md`.
        let _ = match evidence.is_on {
            true => write!(
                text,
                "\n# {promise}\n# It executes the code of the change, in a sandbox. The tests of HEAD took {} s there.\n\
                 [[guard]]\nid = {id:?}\ngrants = {:?}\n",
                evidence.seconds, guard.grants
            ),
            false => write!(
                text,
                "\n# {promise}\n# It executes the code of the change, in a sandbox; {manifest} says how. Uncomment the lines to use it.\n\
                 # [[guard]]\n# id = {id:?}\n# grants = {:?}\n",
                guard.grants
            ),
        };
    }
    if let (false, Some(guard)) = (evidence.linters.is_empty(), guards.get(LINTS)) {
        let (promise, grants) = (guard.description.get().promise.as_str(), &guard.grants);
        let runs =
            "It executes the linters of this repository in a sandbox; a linter's plugins may be code of the change.";
        let _ = match evidence.lints() {
            true => write!(text, "\n# {promise}\n# {runs}\n[[guard]]\nid = {LINTS:?}\ngrants = {grants:?}\n"),
            false => write!(
                text,
                "\n# {promise}\n# {runs} Not all of them could be run when this was written. Uncomment the lines to use it.\n\
                 # [[guard]]\n# id = {LINTS:?}\n# grants = {grants:?}\n"
            ),
        };
    }
    GuardsToml::parse(text.as_bytes(), FILE, &nothing_shared)?;
    Ok(text)
}
