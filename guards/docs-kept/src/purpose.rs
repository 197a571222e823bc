//! Whether a loss is meant: the task asks for it, or, where no task is known, the commit's message says so; or what is left of a
//! document says where the rest is.

use guard_sdk::{Change, File, Status};

use crate::document::Document;
use crate::elsewhere::words;

/// What is to be done, sentence by sentence, each as its words in lower case.
pub struct Purpose(Vec<Vec<String>>);

/// Beginnings of words that speak of less, or of another place.
const CUTS: [&str; 40] = [
    "remov",
    "delet",
    "drop",
    "trim",
    "shorten",
    "shrink",
    "shrunk",
    "reduc",
    "tighten",
    "rebuil",
    "promot",
    "simplif",
    "condens",
    "prun",
    "strip",
    "cut",
    "clean",
    "rewrit",
    "rewrote",
    "rework",
    "restructur",
    "reorgani",
    "replac",
    "mov",
    "migrat",
    "split",
    "merg",
    "extract",
    "consolidat",
    "dedup",
    "archiv",
    "retir",
    "deprecat",
    "redirect",
    "overhaul",
    "revamp",
    "refactor",
    "streamlin",
    "slim",
    "revert",
];
/// What documents are called.
const DOCUMENTS: [&str; 28] = [
    "doc",
    "docs",
    "documentation",
    "readme",
    "guide",
    "guides",
    "page",
    "pages",
    "tutorial",
    "tutorials",
    "changelog",
    "example",
    "examples",
    "section",
    "sections",
    "snippet",
    "snippets",
    "instructions",
    "website",
    "site",
    "manual",
    "book",
    "wiki",
    "text",
    // What agents are told.
    "skill",
    "skills",
    "prompt",
    "prompts",
];

impl Purpose {
    pub fn new(change: &Change) -> Purpose {
        let texts = change.wishes();
        let sentence = |text: &str| words(&text.to_ascii_lowercase()).map(str::to_owned).collect::<Vec<_>>();
        Purpose(
            texts
                .iter()
                .flat_map(|text| text.split(['\n', ';']).flat_map(|line| line.split(". ")))
                .map(sentence)
                .collect(),
        )
    }

    /// Whether a sentence speaks of cutting, and of this document or of documents; or of cutting alone, while files beside the
    /// document are deleted.
    pub fn cuts(&self, change: &Change, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        let stem = name.split('.').next().unwrap_or(&name);
        let own: Vec<&str> = words(stem).collect();
        let means = |word: &String| DOCUMENTS.contains(&word.as_str()) || own.contains(&word.as_str());
        let cuts = |sentence: &&Vec<String>| sentence.iter().any(|word| CUTS.iter().any(|cut| word.starts_with(cut)));
        if change.is_by_people() && self.speaks_of(&name) {
            return true;
        }
        let folder = path.rsplit_once('/').map(|(folder, _)| folder);
        let is_beside = |file: File| file.path().rsplit_once('/').map(|(folder, _)| folder) == folder;
        let shrinks = || change.files().any(|file| file.status() == Status::Deleted && is_beside(file));
        self.0.iter().filter(cuts).any(|sentence| sentence.iter().any(means) || shrinks())
    }
}

/// What is done to a document by those who take nothing away. Any other word beside its name may stand for a cut: "squeeze", "condense".
#[rustfmt::skip]
const KEEPS: [&str; 30] = [
    "fix", "add", "typo", "polish", "correct", "updat", "improv", "format", "lint", "spell", "clarif", "mention", "document", "wording", "word", "grammar", "link", "bump",
    "translat", "explain", "describ", "expand", "extend", "tweak", "adjust", "amend", "note", "sync", "enhanc", "minor",
];

impl Purpose {
    /// Whether a person's sentence names the file itself, by its whole name, and no word that keeps it as it is.
    fn speaks_of(&self, name: &str) -> bool {
        let name: Vec<&str> = words(name).collect();
        let names = |sentence: &&Vec<String>| {
            sentence.windows(name.len()).any(|part| part.iter().map(String::as_str).eq(name.iter().copied()))
        };
        let keeps =
            |sentence: &Vec<String>| sentence.iter().any(|word| KEEPS.iter().any(|keep| word.starts_with(keep)));
        name.len() > 1 && self.0.iter().filter(names).any(|sentence| !keeps(sentence))
    }
}

/// Whether a change log begins anew: a line that the change writes leads to the one that holds what is gone, or it is that of the newest
/// release alone (`changelogs/latest.md`).
pub fn begins_anew(path: &str, before: &Document, after: &Document) -> bool {
    const RECORDS: [&str; 4] = ["changelog", "changes", "history", "news"];
    const NEWEST: [&str; 4] = ["latest", "current", "unreleased", "next"];
    let lower = path.to_ascii_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let stem = name.split('.').next().unwrap_or(name);
    let is_among = folders.split('/').any(|part| part.starts_with("changelog") || part.starts_with("release"));
    if is_among && NEWEST.contains(&stem) {
        return true;
    }
    let leads = |line: &str| {
        let line = line.to_ascii_lowercase();
        let targets = ["](", "://", "`_", ":doc:", "href="].iter().filter_map(|sign| line.split_once(sign));
        targets
            .into_iter()
            .any(|(_, target)| RECORDS.iter().any(|record| words(target).any(|word| word.starts_with(record))))
    };
    let is_new = |line: &str| !before.lines().any(|(_, old)| old == line);
    RECORDS.iter().any(|record| stem.starts_with(record)) && after.lines().any(|(_, line)| leads(line) && is_new(line))
}

/// Lines, at most, of a page that only says where its content is.
const POINTER: usize = 15;
/// And of one that says it in words that nobody expected, its title left out.
const SENTENCE: usize = 2;

/// Whether a document only says that its content is at another address: in words that say so, or because it is hardly more than a link
/// to another page of the repository, of which `links-resolve` holds that it is there. What a repository begins with is no such page.
pub fn is_pointer(path: &str, document: &Document) -> bool {
    const MOVED: [&str; 10] = [
        "moved",
        "redirect",
        "redirects",
        "redirecting",
        "superseded",
        "archived",
        "relocated",
        "migrated",
        "lives",
        "deprecated",
    ];
    let said: Vec<&str> = document.lines().map(|(_, line)| line).filter(|line| !line.is_empty()).collect();
    let text = document.text.to_ascii_lowercase();
    let leads = ["](", "://", "`_", ":doc:", ":ref:", "href=", "redirect"].iter().any(|link| text.contains(link));
    let says_so = said.len() <= POINTER && leads && words(&text).any(|word| MOVED.contains(&word));
    let is_title = |line: &&&str| !(line.starts_with('#') || line.chars().all(|c| "=-~^*+\"#".contains(c)));
    let is_first_page = !path.contains('/') && path.to_ascii_lowercase().starts_with("readme");
    says_so || (!is_first_page && said.iter().filter(is_title).count() <= SENTENCE && leads_to_a_page(&text))
}

/// Whether a link of the text leads to a page beside it, and not to the web.
fn leads_to_a_page(text: &str) -> bool {
    let inline = text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ', '#']).next());
    let is_page = |target: &str| {
        !target.contains("://")
            && [".md", ".mdx", ".rst", ".adoc", ".html", ".txt"].iter().any(|ending| target.ends_with(ending))
    };
    text.contains(":doc:`") || text.contains("](../") || inline.into_iter().any(is_page)
}
