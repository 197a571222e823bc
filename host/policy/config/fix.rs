//! `[fix]`: how issues are sorted for `host fix`, who reviews what is done about them, and what all of them are shown.

use guardhost_engine::Globs;
use serde::Deserialize;

/// Extensions of files that browsers are given, or what is compiled to them.
const FRONTEND: [&str; 14] =
    ["astro", "css", "cts", "htm", "html", "js", "jsx", "less", "mjs", "scss", "svelte", "ts", "tsx", "vue"];

/// What `--iterations` takes as well.
const ITERATIONS: std::ops::RangeInclusive<u32> = 1..=10;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FixSettings {
    /// Extensions of the frontend, in lower case and without the dot; every other file belongs to the backend.
    pub frontend: Vec<String>,
    /// Globs of files of the base commit that those who change any file, the backend or the frontend are shown, beside AGENTS.md and the like.
    pub guidelines: Vec<String>,
    pub backend_guidelines: Vec<String>,
    pub frontend_guidelines: Vec<String>,
    /// The same for those who review fixes.
    pub reviewer_guidelines: Vec<String>,
    /// The same for all who review fixes or vote on a change, by the sides that it touches.
    pub backend_reviewer_guidelines: Vec<String>,
    pub frontend_reviewer_guidelines: Vec<String>,
    /// Names of the user's own providers that review fixes, where the command line names none.
    pub reviewers: Vec<String>,
    /// The score, from 0 to 100, that approves fixes.
    pub threshold: u8,
    /// How often issues are tried, 1 to 10.
    pub iterations: u32,
    /// Whether an issue counts as done that was committed and reviewed, and that no detector can tell of.
    pub accept_touched: bool,
}

impl Default for FixSettings {
    fn default() -> Self {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        FixSettings {
            frontend: list(&FRONTEND),
            guidelines: list(&["agents/fixer.md", "agents/engineering_principles.md"]),
            backend_guidelines: list(&["agents/dev_be.md"]),
            frontend_guidelines: list(&["agents/dev_fe.md"]),
            reviewer_guidelines: list(&["agents/fix_challenger.md"]),
            backend_reviewer_guidelines: list(&["agents/reviewer_be_*.md"]),
            frontend_reviewer_guidelines: list(&["agents/reviewer_fe_*.md"]),
            reviewers: Vec::new(),
            threshold: 95,
            iterations: 3,
            accept_touched: false,
        }
    }
}

impl FixSettings {
    pub(super) fn validate(&self) -> Result<(), String> {
        let plain = |extension: &&String| {
            extension.is_empty() || extension.contains(['.', '/']) || extension.chars().any(char::is_uppercase)
        };
        if let Some(wrong) = self.frontend.iter().find(plain) {
            return Err(format!("fix.frontend: `{wrong}` is no extension: lower case, without the dot"));
        }
        for (key, globs) in self.guideline_globs() {
            Globs::new(globs).map_err(|why| format!("fix.{key}: {why}"))?;
            let spread = globs.iter().find(|glob| folder_of(glob).contains(['*', '?', '[', '{', '!']));
            if let Some(glob) = spread {
                return Err(format!("fix.{key}: `{glob}`: only the name of a file may be a pattern, not its folder"));
            }
        }
        if self.threshold > 100 {
            return Err(format!("fix.threshold: {} is no score: 0 to 100", self.threshold));
        }
        match ITERATIONS.contains(&self.iterations) {
            true => Ok(()),
            false => Err(format!("fix.iterations: {} is not 1 to 10", self.iterations)),
        }
    }

    fn guideline_globs(&self) -> [(&'static str, &[String]); 6] {
        [
            ("guidelines", &self.guidelines),
            ("backend_guidelines", &self.backend_guidelines),
            ("frontend_guidelines", &self.frontend_guidelines),
            ("reviewer_guidelines", &self.reviewer_guidelines),
            ("backend_reviewer_guidelines", &self.backend_reviewer_guidelines),
            ("frontend_reviewer_guidelines", &self.frontend_reviewer_guidelines),
        ]
    }
}

fn folder_of(glob: &str) -> &str {
    glob.rsplit_once('/').map_or("", |(folder, _)| folder)
}
