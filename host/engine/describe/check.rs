//! From what a guard said of itself to a [`Description`]: the contract's rules.

use super::{Description, Need, RuleDoc, Stage};
use crate::drafts::DescriptionDraft;
use crate::failure::GuardFailure;
use crate::grant::Capability;
use crate::text::escape::{escape_line, is_kebab};
use guard_files::Globs;

/// Stages, globs, needs and rules of one description, each.
const LIST: usize = 500;

/// A guard without settings.
const NO_SETTINGS: &str = r#"{"type":"object","additionalProperties":false}"#;

impl TryFrom<DescriptionDraft> for Description {
    type Error = GuardFailure;

    /// # Errors
    /// `bad-description`, with the violated rule.
    fn try_from(said: DescriptionDraft) -> Result<Self, GuardFailure> {
        if !is_kebab(&said.id, 64) {
            let id = escape_line(&said.id, 100);
            return Err(bad(format!("has the id {id:?}; kebab-case of 1 to 64 bytes is an id")));
        }
        let lists = [said.stages.len(), said.globs.len(), said.needs.len(), said.rules.len()];
        if let Some(most) = lists.into_iter().max().filter(|most| *most > LIST) {
            return Err(bad(format!("has a list of {most}; {LIST} is the limit")));
        }
        if let Err(what) = Globs::new(&said.globs) {
            return Err(bad(format!("cannot be used: {what}")));
        }
        Ok(Description {
            stages: stages(&said.stages)?,
            version: escape_line(&said.version, 64),
            mark: escape_line(&said.mark, 16),
            promise: escape_line(&said.promise, 500),
            globs: said.globs,
            needs: said.needs.into_iter().map(need).collect::<Result<_, _>>()?,
            settings_schema: said.settings_schema.unwrap_or_else(|| NO_SETTINGS.to_owned()),
            event: escape_line(&said.event, 128),
            rules: said.rules.into_iter().map(rule).collect::<Result<_, _>>()?,
            id: said.id,
        })
    }
}

fn bad(what: String) -> GuardFailure {
    GuardFailure::new("bad-description", format!("the guard's description {what}"))
}

/// `content` when none is named. A stage that this host does not know is a question that it does not ask; a guard without any known one
/// would never be asked.
fn stages(said: &[String]) -> Result<Vec<Stage>, GuardFailure> {
    let mut known: Vec<Stage> = said.iter().filter_map(|stage| stage_named(stage)).collect();
    if said.is_empty() {
        return Ok(vec![Stage::Content]);
    }
    if known.is_empty() {
        let said = said.iter().take(5).map(|stage| escape_line(stage, 40)).collect::<Vec<_>>().join(", ");
        return Err(bad(format!("names only stages that this host does not know: {said}; update the host")));
    }
    known.dedup();
    Ok(known)
}

fn stage_named(name: &str) -> Option<Stage> {
    Some(match name {
        "patch" => Stage::Patch,
        "content" => Stage::Content,
        "command" => Stage::Command,
        "plan" => Stage::Plan,
        "score" => Stage::Score,
        "analysis" => Stage::Analysis,
        _ => return None,
    })
}

fn need((name, paths, why): (String, Vec<String>, String)) -> Result<Need, GuardFailure> {
    if !paths.is_empty() && name != Capability::Repo.name() {
        return Err(bad(format!("needs {} for some paths; only `repo` can be granted so", escape_line(&name, 64))));
    }
    if let Err(what) = Globs::new(&paths) {
        return Err(bad(format!("cannot be used: {what}")));
    }
    Ok(Need { name: escape_line(&name, 64), why: escape_line(&why, 500), paths })
}

fn rule((rule, summary, url): (String, String, Option<String>)) -> Result<RuleDoc, GuardFailure> {
    if !is_kebab(&rule, 64) {
        return Err(bad(format!("has the rule {:?}, not kebab-case", escape_line(&rule, 64))));
    }
    if let Some(url) = url.as_deref().filter(|url| !is_https(url)) {
        return Err(bad(format!("documents `{rule}` at {:?}, which is no https address", escape_line(url, 200))));
    }
    Ok(RuleDoc { rule, summary: escape_line(&summary, 500), url })
}

/// Printable ASCII without blanks, so that no terminal and no report is led astray.
fn is_https(url: &str) -> bool {
    url.len() <= 500
        && url
            .strip_prefix("https://")
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic()))
}
