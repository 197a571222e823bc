//! Credentials in the tree, and how weaknesses are found and reported.

use guard_sdk::analysis::{Point, Tree};
use guard_sdk::files::{Kind, kind_of};

use crate::ci::UPDATERS;
use crate::material::is_beside;
use crate::secrets::secret;
use crate::workflows::{AUDIT, Workflows};

/// Files in which credentials are forgotten; those of tests, and lock files, are none.
const LOOKED_AT: [&str; 17] = [
    ".env*",
    "*.env",
    "*.yml",
    "*.yaml",
    "*.json",
    "*.toml",
    "*.ini",
    "*.cfg",
    "*.conf",
    "*.properties",
    "*.sh",
    "*.pem",
    "*.key",
    "*settings*.py",
    "*config*.py",
    "*config*.js",
    "*config*.ts",
];

/// Files and bytes that are looked at: a bound on what one measurement costs.
const MOST_FILES: u32 = 400;
const MOST_BYTES: usize = 6 << 20;
const LARGEST: usize = 512 << 10;

pub fn points(tree: &Tree) -> Vec<Point> {
    let mut points = vec![secrets(tree)];
    let ignored = tree.text(".gitignore").ok().and_then(|text| {
        let line = text
            .lines()
            .position(|line| [".env", "*.env", ".env*", ".env.*", "/.env", "**/.env"].contains(&line.trim()));
        u32::try_from(line? + 1).ok()
    });
    points.push(match ignored {
        Some(line) => Point::earned("env-ignored", 150, "git keeps files .env out").at(".gitignore").line(line),
        None => Point::missed("env-ignored", 150, "git would take a file .env in", "Add a line `.env` to .gitignore."),
    });
    points.push(
        match tree.first(&[
            "SECURITY.md",
            ".github/SECURITY.md",
            "docs/SECURITY.md",
            "SECURITY.rst",
            "SECURITY.txt",
            "security.md",
        ]) {
            Some(path) => Point::earned("security-policy", 200, "it says how a weakness is reported").at(path),
            None => {
                let help = "Write SECURITY.md: which versions are fixed, and where a weakness is reported in private.";
                Point::missed("security-policy", 200, "nothing says how a weakness is reported", help)
            }
        },
    );
    let workflows = Workflows::new(tree);
    points.push(match (workflows.naming(&AUDIT), tree.first(&UPDATERS)) {
        (Some(place), _) => place.earns("dependencies-audited", 200, "CI looks for known weaknesses"),
        (None, Some(path)) => Point::earned("dependencies-audited", 200, "a service proposes fixed versions").at(path),
        (None, None) => {
            let help = "Let CI ask for known weaknesses (pip-audit, cargo audit, npm audit, govulncheck, CodeQL).";
            Point::missed("dependencies-audited", 200, "nothing looks for known weaknesses", help)
        }
    });
    points
}

fn secrets(tree: &Tree) -> Point {
    let paths = tree.find(&LOOKED_AT, MOST_FILES);
    let (mut files, mut bytes) = (0, 0);
    for path in paths.iter().filter(|path| !is_elsewhere(path)) {
        let Ok(text) = tree.text(path) else { continue };
        if text.len() > LARGEST || bytes + text.len() > MOST_BYTES {
            continue;
        }
        files += 1;
        bytes += text.len();
        for (line, words) in (1..).zip(text.lines()) {
            if let Some(what) = secret(words) {
                let help = "Take it out of the tree and of the history, and revoke it.";
                return Point::part("no-secrets", 0, 450, format!("{what} stands in line {line}"))
                    .at(path)
                    .line(line)
                    .help(help);
            }
        }
    }
    Point::earned(
        "no-secrets",
        450,
        format!("{files} files of settings and scripts hold no credential of a known form"),
    )
}

/// Tests and examples hold what only looks like a credential.
fn is_elsewhere(path: &str) -> bool {
    const WITHIN: [&str; 6] = ["test", "example", "fixture", "mock", "localhost", "sample"];
    kind_of(path) == Kind::Lock
        || is_beside(path)
        || path.split('/').any(|part| WITHIN.iter().any(|word| part.contains(word)))
}
