//! Files that people and tools look for at known places.

use guard_sdk::analysis::{Point, Tree};

/// Hooks that are kept in files of their own.
const HOOKS: &[&str] = &[
    "/.pre-commit-config.yaml",
    "/prek.toml",
    "/lefthook.*",
    "/.lefthook.*",
    "/.husky/*",
    "/.githooks/*",
    "/.simple-git-hooks.*",
];

/// Keys of package.json that hold hooks.
const HOOKS_OF_NPM: [&str; 3] = ["\"simple-git-hooks\": {", "\"husky\": {", "\"gitHooks\": {"];

/// The file that says what runs before a commit.
pub fn hooks(tree: &Tree) -> Option<String> {
    let in_package = || {
        let text = tree.text("package.json").ok()?;
        HOOKS_OF_NPM.iter().any(|key| text.contains(key)).then(|| "package.json".to_owned())
    };
    tree.find(HOOKS, 1).into_iter().next().or_else(in_package)
}

/// A rule, what it earns, the globs that earn it, and what is missing without.
const FILES: [(&str, u32, &[&str], &str); 8] = [
    (
        "contributing",
        150,
        &["/CONTRIBUTING*", "/.github/CONTRIBUTING*", "/docs/CONTRIBUTING*", "/docs/contributing*", "/contributing*"],
        "CONTRIBUTING.md: how to build, test and propose a change",
    ),
    (
        "changelog",
        150,
        &[
            "/CHANGELOG*",
            "/CHANGES*",
            "/HISTORY*",
            "/NEWS*",
            "/RELEASES*",
            "/Changelog*",
            "/ChangeLog*",
            "/Changes*",
            "/History*",
            "/changelog*",
            "/changes*",
            "/history*",
            "/docs/CHANGELOG*",
            "/docs/changelog*",
            "/docs/changes*",
            "/.changeset/*",
            "/changes/*",
            "/newsfragments/*",
            "/CHANGELOG/*",
        ],
        "CHANGELOG.md: what each version changed",
    ),
    ("editorconfig", 100, &["/.editorconfig"], ".editorconfig: indentation and line endings for every editor"),
    ("hooks", 100, HOOKS, "hooks (pre-commit, lefthook, husky) that check before a commit"),
    (
        "issue-templates",
        100,
        &[
            "/.github/ISSUE_TEMPLATE/*",
            "/.github/ISSUE_TEMPLATE.md",
            "/ISSUE_TEMPLATE*",
            "/docs/ISSUE_TEMPLATE*",
            "/.gitlab/issue_templates/*",
            "/.github/issue_template.md",
        ],
        ".github/ISSUE_TEMPLATE/: what a report has to say",
    ),
    (
        "pull-request-template",
        100,
        &[
            "/.github/PULL_REQUEST_TEMPLATE*",
            "/.github/pull_request_template*",
            "/docs/pull_request_template*",
            "/PULL_REQUEST_TEMPLATE*",
            "/.gitlab/merge_request_templates/*",
        ],
        ".github/PULL_REQUEST_TEMPLATE.md: what a proposal has to say",
    ),
    (
        "codeowners",
        50,
        &["/CODEOWNERS", "/.github/CODEOWNERS", "/docs/CODEOWNERS", "/.gitlab/CODEOWNERS"],
        "CODEOWNERS: who reviews what",
    ),
    ("gitignore", 250, &["/.gitignore"], ".gitignore: what is built does not belong in the tree"),
];

pub fn points(tree: &Tree) -> Vec<Point> {
    let mut points = Vec::new();
    for (rule, possible, globs, missing) in FILES {
        let found = if rule == "hooks" { hooks(tree) } else { tree.find(globs, 1).into_iter().next() };
        let Some(path) = found else {
            points.push(Point::missed(
                rule,
                possible,
                format!("no {}", missing.split(':').next().unwrap_or(missing)),
                format!("Add {missing}."),
            ));
            continue;
        };
        if rule != "gitignore" {
            points.push(Point::earned(rule, possible, format!("{path} is there")).at(path));
            continue;
        }
        let text = tree.text(&path).unwrap_or_default();
        let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#')).count();
        let earned = if lines >= 5 { possible } else { 150 };
        let point = Point::part(rule, earned, possible, format!("it has {lines} patterns")).at(path);
        points.push(if lines >= 5 { point } else { point.help("Name what builds, editors and tests leave behind.") });
    }
    points
}
