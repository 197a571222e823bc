//! Documents whose links are nobody's to follow: test data, templates, what others wrote.

use guard_sdk::files::{Kind, kind_of};

pub fn is_material(path: &str) -> bool {
    // Documents that tests need and templates hold mean what stands elsewhere.
    matches!(kind_of(path), Kind::Test | Kind::TestData | Kind::Template | Kind::Vendored)
}

/// The forge puts these into an issue or a pull request, where a relative link means something else.
pub fn is_form(path: &str) -> bool {
    let upper = path.to_ascii_uppercase();
    upper.contains("ISSUE_TEMPLATE")
        || upper.contains("PULL_REQUEST_TEMPLATE")
        || upper.contains("MERGE_REQUEST_TEMPLATE")
}

/// Records of the past, which point to what was there then.
pub fn is_record(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let past = |word: &str| {
        matches!(
            word,
            "changelog"
                | "changelogs"
                | "changes"
                | "history"
                | "news"
                | "releases"
                | "release-notes"
                | "release_notes"
                | "blog"
                | "posts"
                | "_posts"
                | ".changeset"
                | "changeset"
                | "changesets"
        )
    };
    past(&stem) || folder.split('/').any(|part| past(&part.to_ascii_lowercase()))
}
