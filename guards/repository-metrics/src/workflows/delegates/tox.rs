//! Environments of tox: what their `commands` run.

use guard_sdk::analysis::Tree;

use super::{Step, file};

/// Names that one generative name stands for.
const MOST_NAMES: usize = 200;

pub fn environments(tree: &Tree, folder: &str, arguments: &[&str]) -> Vec<Step> {
    let mut steps = Vec::new();
    for name in ["tox.ini", "tox.toml", "pyproject.toml", "setup.cfg"] {
        if let Some((path, text)) = file(tree, folder, &[name]) {
            steps.extend(from_file(&path, &text, &environments_named(arguments)));
        }
        if !steps.is_empty() {
            break;
        }
    }
    steps
}

/// The names behind `-e`; none when all are run, and when they are known at run time only.
fn environments_named<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (at, word) in arguments.iter().enumerate() {
        let value = match *word {
            "-e" | "--env" => arguments.get(at + 1).copied(),
            word => word.strip_prefix("-e").filter(|name| !name.is_empty() && !name.starts_with('=')),
        };
        names.extend(value.into_iter().flat_map(|value| value.split(',')));
    }
    if names.iter().any(|name| name.contains(['$', '{']) || *name == "ALL") {
        names.clear();
    }
    names
}

fn from_file(path: &str, text: &str, asked: &[&str]) -> Vec<Step> {
    let sections = sections(text);
    let is_own = |name: &&str| sections.iter().any(|section| section.names.iter().any(|own| own == name));
    // An environment without a section of its own is like all others.
    let takes_base = asked.is_empty() || asked.iter().any(|name| !is_own(name));
    let is_asked = |section: &&Section| match section.names.is_empty() {
        true => takes_base,
        false => asked.is_empty() || section.names.iter().any(|name| asked.contains(&name.as_str())),
    };
    let commands = sections.iter().filter(is_asked).flat_map(|section| &section.commands);
    commands.map(|(line, text)| Step::new(text, path, *line)).collect()
}

struct Section {
    /// Empty for the one that all environments share.
    names: Vec<String>,
    commands: Vec<(usize, String)>,
}

fn sections(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let (mut is_ours, mut in_commands) = (false, false);
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with('[') && line.trim_end().ends_with(']') {
            let names = names(line.trim_end());
            is_ours = names.is_some();
            in_commands = false;
            sections.extend(names.map(|names| Section { names, commands: Vec::new() }));
            continue;
        }
        let Some(section) = sections.last_mut().filter(|_| is_ours) else { continue };
        let goes_on = line.starts_with([' ', '\t', ']', '#']) || line.is_empty();
        let value = match line.split_once('=') {
            Some((key, value)) if !goes_on => {
                in_commands = key.trim().starts_with("commands");
                value
            }
            _ => line,
        };
        if in_commands {
            // `[["pytest", "-q"], …]` in TOML.
            let text = value.replace(['[', ']', '"', ','], " ");
            if !text.trim().is_empty() {
                section.commands.push((number, text.trim().to_owned()));
            }
        }
    }
    sections
}

/// The environments of a section. None: it is none of tox.
fn names(header: &str) -> Option<Vec<String>> {
    let name = header.trim_start_matches('[').trim_end_matches(']').trim();
    let name = name.strip_prefix("tool.tox.").unwrap_or(name);
    if matches!(name, "testenv" | "env_run_base") {
        return Some(Vec::new());
    }
    let own = name.strip_prefix("testenv:").or_else(|| name.strip_prefix("env."))?;
    Some(own.split_whitespace().flat_map(|name| expanded(name.trim_matches('"'))).collect())
}

/// `{py,ci}-{a,b}` as `py-a`, `py-b`, …
fn expanded(name: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((choices, behind)) = after.split_once('}') else { break };
        let grown = names
            .iter()
            .flat_map(|name| choices.split(',').map(move |choice| format!("{name}{before}{}", choice.trim())));
        names = grown.take(MOST_NAMES).collect();
        rest = behind;
    }
    names.into_iter().map(|name| name + rest).collect()
}

#[cfg(test)]
mod tests {
    use super::{environments_named, expanded, from_file};

    const INI: &str = "[tox]\nenvlist = py, lint\n[testenv]\ndeps = flake8\ncommands =\n    pytest tests \\\n      --cov\n\n[testenv:{lint,style}]\ndeps = pytest\ncommands = ruff check\n[flake8]\ncommands = mypy\n";

    fn texts(text: &str, arguments: &[&str]) -> Vec<String> {
        from_file("t", text, &environments_named(arguments))
            .into_iter()
            .map(|step| format!("{} {}", step.at, step.text))
            .collect()
    }

    #[test]
    fn an_environment_is_its_commands() {
        assert_eq!(texts(INI, &["-e", "style"]), ["t:11 ruff check"]);
        assert_eq!(texts(INI, &["run", "-e", "py313"]), ["t:6 pytest tests \\", "t:7 --cov"]);
        assert_eq!(texts(INI, &["-e", "${{ matrix.env }}"]).len(), 3);
        assert_eq!(texts(INI, &["-p"]).len(), 3);
    }

    #[test]
    fn toml_has_lists_of_words() {
        let text = "[tool.tox.env_run_base]\ncommands = [[\"pytest\", \"-q\"]]\n[tool.tox.env.types]\ncommands = [\n  [\"mypy\"],\n]\nskip = true\n";
        assert_eq!(texts(text, &["-etypes"]), ["t:5 mypy"]);
        assert_eq!(texts(text, &[]).len(), 2);
    }

    #[test]
    fn braces_are_choices() {
        assert_eq!(expanded("{,ci-}py{3,4}"), ["py3", "py4", "ci-py3", "ci-py4"]);
        assert_eq!(expanded("a{b"), ["a{b"]);
    }
}
