//! The documents of a tree: their titles, and which of them have what another tool does not read.

use guardhost_core::error::{Fault, FaultKind, Result};

use super::super::tree_files::TreeFiles;

/// The folder that is moved.
const FOLDER: &str = "docs";

/// What is below `docs/`.
pub struct Documents {
    /// The title of the README, or a default if it has none.
    pub title: String,
    /// Without the folder, sorted; with their titles.
    pub pages: Vec<(String, String)>,
    /// Paths of pages that have to be fixed.
    pub unread: Vec<String>,
}

impl Documents {
    pub fn read(files: &TreeFiles) -> Result<Self> {
        let readme = files.text("README.md")?.unwrap_or_default();
        let mut documents = Documents {
            title: title(&readme).unwrap_or("Documentation").to_owned(),
            pages: Vec::new(),
            unread: Vec::new(),
        };
        let is_page = |path: &&str| path.ends_with(".md") && !path.split('/').any(|part| part.starts_with(['.', '_']));
        for path in files.below(FOLDER).filter(is_page) {
            let text = files.text(path)?.unwrap_or_default();
            let name = path.strip_prefix("docs/").unwrap_or(path);
            let title = title(&text).map_or_else(|| words_in_name(name), str::to_owned);
            documents.pages.push((name.to_owned(), title));
            if has_other_dialect(&text) {
                documents.unread.push(path.to_owned());
            }
        }
        if documents.pages.is_empty() {
            return Err(Fault::new(FaultKind::Usage, "there are no Markdown documents below docs/")
                .hint("write one, or move them there, before they get another tool")
                .into());
        }
        Ok(documents)
    }

    pub fn has(&self, name: &str) -> bool {
        self.pages.iter().any(|(page, _)| page == name)
    }
}

/// The first heading of the first level, outside of code, without marks.
fn title(text: &str) -> Option<&str> {
    let heading = prose(text).find_map(|line| line.strip_prefix("# "))?;
    Some(heading.trim().trim_end_matches('#').trim_end()).filter(|title| !title.is_empty())
}

/// `getting-started.md` as words.
fn words_in_name(name: &str) -> String {
    let stem = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".md").replace(['-', '_'], " ");
    let mut letters = stem.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Admonitions and tabs of MkDocs, directives of MyST, tags of Jekyll, and what Vue takes for a value, in code within a line too.
fn has_other_dialect(text: &str) -> bool {
    let begins = |line: &str| {
        ["!!! ", "??? ", "???+ ", "=== \"", ":::{", "```{", "{%"].iter().any(|mark| line.trim_start().starts_with(mark))
    };
    text.lines().any(|line| line.trim_start().starts_with("```{"))
        || prose(text).any(|line| begins(line) || line.contains("{{"))
}

/// The lines that stand in no fence.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fence: Option<&str> = None;
    text.lines().filter(move |line| {
        let line = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_), _) => {}
            (None, None) => return true,
        }
        false
    })
}
