//! Documents whose links are nobody's to follow: test data, templates, what others wrote.

/// Parts of a path below which documents are material.
#[rustfmt::skip]
const MATERIAL: [&str; 31] = [
    "__fixtures__", "__snapshots__", "__tests__", "__mocks__", "bower_components", "corpus", "e2e", "fixture", "fixtures", "node_modules", "playground",
    "resources", "samples", "snapshots", "spec", "specs", "stubs", "template", "templates", "test", "test-data", "testcases", "testdata", "test_data", "tests", "testsuite",
    "third-party", "third_party", "thirdparty", "vendor", "vendored",
];

pub fn is_material(path: &str) -> bool {
    if path.contains("{{") || path.contains("{%") {
        return true;
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let material = |part: &str| MATERIAL.contains(&part.to_ascii_lowercase().as_str());
    let (above, last) = folder.rsplit_once('/').unwrap_or(("", folder));
    // `tests/README.md` tells about the tests, and is none of them.
    let about = matches!(last, "test" | "tests" | "spec" | "e2e" | "__tests__" | "templates" | "samples")
        && (name.starts_with("README") || name.starts_with("CONTRIBUTING"));
    above.split('/').any(material) || (material(last) && !about)
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
