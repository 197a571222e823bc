//! The kinds of replies, a table a family. A kind makes a trial of a commit, or none where the commit has no place for it.

use super::corpus::Source;
use super::random::Random;
use super::trial::Trial;

mod agents;
mod context;
mod cut;
mod damage;
mod drafts;
mod elision;
mod files;
mod fragments;
mod headers;
mod json;
mod json_calls;
mod pair;
mod paths;
mod search;
mod search_forms;
mod search_odd;
mod several;
mod standard_diffs;
mod strangers;
mod templates;
mod twins;
mod v4a;
mod v4a_places;
mod whole;
mod wrapping;

pub use damage::pairs;

pub type Make = fn(&Source, &mut Random) -> Option<Trial>;

/// Which other tools read the replies of a family.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// `git apply` and GNU patch.
    Diff,
    /// aider's code for SEARCH/REPLACE.
    SearchReplace,
    /// openai-agents' code for V4A.
    V4a,
    None,
}

pub struct Family {
    pub name: &'static str,
    pub readers: Readers,
    pub kinds: &'static [(&'static str, Make)],
}

pub const FAMILIES: [Family; 34] = [
    Family { name: "damaged diffs", readers: Readers::Diff, kinds: &damage::KINDS },
    Family { name: "headers of hunks", readers: Readers::Diff, kinds: &headers::KINDS },
    Family { name: "context of hunks", readers: Readers::Diff, kinds: &context::KINDS },
    Family { name: "twins in diffs", readers: Readers::Diff, kinds: &twins::DIFFS },
    Family { name: "wrapped diffs", readers: Readers::Diff, kinds: &wrapping::KINDS },
    Family { name: "drafts and repeats", readers: Readers::Diff, kinds: &drafts::KINDS },
    Family { name: "paths", readers: Readers::Diff, kinds: &paths::KINDS },
    Family { name: "files as a whole", readers: Readers::Diff, kinds: &files::KINDS },
    Family { name: "several files", readers: Readers::None, kinds: &several::KINDS },
    Family { name: "cut off", readers: Readers::None, kinds: &cut::KINDS },
    Family { name: "SEARCH/REPLACE", readers: Readers::SearchReplace, kinds: &search::KINDS },
    Family { name: "SEARCH/REPLACE, other forms", readers: Readers::None, kinds: &search_forms::KINDS },
    Family { name: "SEARCH/REPLACE, odd", readers: Readers::SearchReplace, kinds: &search_odd::KINDS },
    Family { name: "V4A", readers: Readers::V4a, kinds: &v4a::KINDS },
    Family { name: "V4A, places", readers: Readers::V4a, kinds: &v4a_places::KINDS },
    Family { name: "whole files", readers: Readers::None, kinds: &whole::KINDS },
    Family { name: "parts of files", readers: Readers::None, kinds: &fragments::KINDS },
    Family { name: "elision", readers: Readers::None, kinds: &elision::KINDS },
    Family { name: "JSON", readers: Readers::None, kinds: &json::KINDS },
    Family { name: "JSON tool calls", readers: Readers::None, kinds: &json_calls::KINDS },
    Family { name: "standard diffs", readers: Readers::None, kinds: &standard_diffs::KINDS },
    Family { name: "templates and APIs", readers: Readers::None, kinds: &templates::KINDS },
    Family { name: "agents", readers: Readers::None, kinds: &agents::KINDS },
    Family { name: "strangers: calls", readers: Readers::None, kinds: &strangers::calls::KINDS },
    Family {
        name: "strangers: calls that are not known",
        readers: Readers::None,
        kinds: &strangers::calls_unknown::KINDS,
    },
    Family { name: "strangers: shells", readers: Readers::None, kinds: &strangers::shells::KINDS },
    Family { name: "strangers: mail, chats, markup", readers: Readers::Diff, kinds: &strangers::chats::KINDS },
    Family { name: "strangers: signs and dialects", readers: Readers::Diff, kinds: &strangers::signs::KINDS },
    Family { name: "strangers: labels", readers: Readers::None, kinds: &strangers::labels::KINDS },
    Family { name: "strangers: second thoughts", readers: Readers::Diff, kinds: &strangers::second_thoughts::KINDS },
    Family { name: "strangers: objects", readers: Readers::None, kinds: &strangers::objects::KINDS },
    Family { name: "strangers 2: edits in words", readers: Readers::None, kinds: &strangers::words::KINDS },
    Family {
        name: "strangers 2: echoes and second thoughts",
        readers: Readers::Diff,
        kinds: &strangers::echoes::KINDS,
    },
    Family { name: "strangers 2: odd diffs", readers: Readers::Diff, kinds: &strangers::odd_diffs::KINDS },
];

/// One of `all`, or none when there are none.
fn pick<'a, T>(random: &mut Random, all: &'a [T]) -> Option<&'a T> {
    all.get(random.below(all.len()))
}

/// `text` in a fence of `info`.
fn fenced(info: &str, text: &str) -> String {
    let line = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("```{info}\n{text}{line}```\n")
}

/// The last part of the path.
fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
