//! Whether a tool leaves the repository in the change: the configuration of a tool that nobody runs checks nothing.

use guard_sdk::files::Globs;
use guard_sdk::{Change, File, Side};

use crate::workflow;

/// Where the tools of developers are declared, of the ecosystems whose configurations are read.
const MANIFESTS: [&str; 8] = [
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "Pipfile",
    "*requirements*.txt",
    "package.json",
    "Gemfile",
    "composer.json",
];

/// Whether the change takes the tool out of a manifest and of a workflow, and no workflow is left that names it.
pub fn leaves(change: &Change, tool: &str) -> bool {
    let tool = tool.to_ascii_lowercase();
    let manifests = Globs::new(&MANIFESTS).unwrap_or_default();
    let goes = |file: &File, says: fn(&str, &str) -> bool| {
        let has = |text: &str| text.lines().any(|line| says(line, &tool));
        file.before().text().is_ok_and(|text| has(&text)) && !file.after().text().is_ok_and(|text| has(&text))
    };
    change.files().any(|file| manifests.matches(file.path()) && goes(&file, declares))
        && change.files().any(|file| workflow::is_workflow(file.path()) && goes(&file, names))
        && {
            let repo = change.repo(Side::After);
            let workflows = repo.find(&workflow::GLOBS, 100);
            // What cannot be read may run it.
            let is_named =
                |path: &String| repo.text(path).map_or(true, |text| text.lines().any(|line| names(line, &tool)));
            !workflows.iter().any(is_named)
        }
}

/// `mypy = "^1"`, `"mypy>=1"`, `gem "rubocop"`, `"eslint": "^9"`; not the table `[tool.mypy]`.
fn declares(line: &str, tool: &str) -> bool {
    let line = line.trim();
    let line = line.strip_prefix("gem ").unwrap_or(line).trim_start_matches(['"', '\'', '-', ' ']).to_ascii_lowercase();
    line.strip_prefix(tool).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || "-_.:/".contains(c)))
}

fn names(line: &str, tool: &str) -> bool {
    let line = line.trim();
    !line.starts_with('#')
        && line
            .split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_')
            .any(|word| word.eq_ignore_ascii_case(tool))
}

#[cfg(test)]
mod tests {
    use super::{declares, names};

    #[test]
    fn lines_of_a_tool() {
        for line in ["mypy = \"^1.11\"", "  \"mypy>=1\",", "mypy==1.2", "- mypy"] {
            assert!(declares(line, "mypy"), "{line}");
        }
        for line in ["[tool.mypy]", "mypy-extensions = \"*\"", "pytest-mypy = \"*\"", "# mypy"] {
            assert!(!declares(line, "mypy"), "{line}");
        }
        assert!(names("- run: poetry run mypy .", "mypy"));
        assert!(!names("# mypy went", "mypy"));
    }
}
