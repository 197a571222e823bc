//! Targets of a Makefile, and recipes of a justfile.

use guard_sdk::analysis::Tree;

use super::{Step, file};

/// What a target needs comes before its own recipe.
const DEPTH: usize = 6;

pub fn make(tree: &Tree, folder: &str, arguments: &[&str]) -> Vec<Step> {
    let inner = folder_of(folder, arguments);
    let Some((path, text)) = file(tree, &inner, &["GNUmakefile", "makefile", "Makefile"]) else { return Vec::new() };
    let rules = rules(&text, Form::Make);
    // `-j 4` and `-C folder` have values; `CC=gcc` is a variable.
    let mut goals = Vec::new();
    let mut is_value = false;
    for word in arguments {
        let was_value =
            std::mem::replace(&mut is_value, matches!(*word, "-C" | "-f" | "-j" | "-l" | "--directory" | "--file"));
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        if !(word.starts_with('-')
            || word.contains('=')
            || (was_value && (is_number || word.contains(['/', '.']) || **word == *inner)))
        {
            goals.push(*word);
        }
    }
    steps(&rules, &goals, &path)
}

pub fn just(tree: &Tree, folder: &str, arguments: &[&str]) -> Vec<Step> {
    let Some((path, text)) = file(tree, folder, &["justfile", "Justfile", ".justfile"]) else { return Vec::new() };
    let goals: Vec<&str> = arguments.iter().copied().find(|word| !word.starts_with('-')).into_iter().collect();
    steps(&rules(&text, Form::Just), &goals, &path)
}

fn folder_of(folder: &str, arguments: &[&str]) -> String {
    let inner = arguments.windows(2).find(|pair| matches!(pair[0], "-C" | "--directory")).map(|pair| pair[1]);
    let inner = inner.map(|inner| inner.trim_start_matches("./").trim_end_matches('/'));
    match inner {
        Some(inner) if folder.is_empty() => inner.to_owned(),
        Some(inner) => format!("{folder}/{inner}"),
        None => folder.to_owned(),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Make,
    Just,
}

struct Rule<'t> {
    targets: Vec<&'t str>,
    needs: Vec<&'t str>,
    /// Each with its line.
    recipe: Vec<(usize, &'t str)>,
}

fn rules(text: &str, form: Form) -> Vec<Rule<'_>> {
    let mut rules: Vec<Rule> = Vec::new();
    let mut is_open = false;
    for (number, line) in (1..).zip(text.lines()) {
        let is_recipe = line.starts_with('\t') || (form == Form::Just && line.starts_with(' '));
        match rules.last_mut() {
            Some(rule) if is_recipe && is_open => rule.recipe.push((number, line.trim())),
            _ if is_recipe || line.trim().is_empty() => {}
            _ => {
                let found = rule(line, number, form);
                // Conditions stand between the lines of a recipe.
                is_open = found.is_some()
                    || (is_open && ["if", "else", "endif", "#"].iter().any(|word| line.starts_with(word)));
                rules.extend(found);
            }
        }
    }
    rules
}

fn rule(line: &str, number: usize, form: Form) -> Option<Rule<'_>> {
    let (head, rest) = line.split_once(':')?;
    if line.starts_with(['#', '.', '[']) || rest.starts_with('=') || head.contains('=') && form == Form::Make {
        return None;
    }
    let (needs, inline) = rest.split_once(';').unwrap_or((rest, ""));
    let needs = needs.split('#').next().unwrap_or_default().trim_start_matches(':');
    let targets = match form {
        Form::Make => head.split_whitespace().collect(),
        Form::Just => head.trim_start_matches('@').split_whitespace().take(1).collect(),
    };
    let needs =
        needs.split_whitespace().map(|word| word.trim_matches(['(', ')'])).filter(|word| !matches!(*word, "|" | "&&"));
    let recipe = if inline.trim().is_empty() { Vec::new() } else { vec![(number, inline.trim())] };
    Some(Rule { targets, needs: needs.collect(), recipe })
}

fn steps(rules: &[Rule], goals: &[&str], path: &str) -> Vec<Step> {
    let default: Vec<&str> = rules.iter().flat_map(|rule| rule.targets.first().copied()).take(1).collect();
    let mut steps = Vec::new();
    let mut seen = Vec::new();
    for goal in if goals.is_empty() { &default } else { goals } {
        gather(rules, goal, DEPTH, path, &mut seen, &mut steps);
    }
    steps
}

/// Every rule of a target is run once, as make does it.
fn gather(rules: &[Rule], goal: &str, depth: usize, path: &str, seen: &mut Vec<usize>, steps: &mut Vec<Step>) {
    for (number, rule) in rules.iter().enumerate().filter(|(_, rule)| rule.targets.contains(&goal)) {
        if depth == 0 || seen.contains(&number) {
            continue;
        }
        seen.push(number);
        rule.needs.iter().for_each(|need| gather(rules, need, depth - 1, path, seen, steps));
        steps.extend(rule.recipe.iter().map(|(line, text)| Step::new(*text, path, *line)));
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, rules, steps};

    fn texts(text: &str, form: Form, goals: &[&str]) -> Vec<String> {
        steps(&rules(text, form), goals, "M").into_iter().map(|step| format!("{} {}", step.at, step.text)).collect()
    }

    #[test]
    fn a_target_is_what_it_needs_and_its_recipe() {
        let text = "X := a:b\n.PHONY: all\nall: lint check ## everything\n\nlint:\n\t@ruff check\nifdef X\n\t@black .\nendif\n\ncheck: | build; pytest -q\nbuild:\n\tcc x.c\n";
        assert_eq!(texts(text, Form::Make, &[]), ["M:6 @ruff check", "M:8 @black .", "M:13 cc x.c", "M:11 pytest -q"]);
        assert_eq!(texts(text, Form::Make, &["lint"]), ["M:6 @ruff check", "M:8 @black ."]);
        assert_eq!(texts("a: b\n\tx\nb: a\n\ty\n", Form::Make, &["a"]), ["M:4 y", "M:2 x"]);
    }

    #[test]
    fn a_recipe_of_just_has_parameters() {
        let text = "set shell := [\"bash\"]\nname := \"x\"\n\n@test filter=\"\": (build \"x\")\n    cargo test {{filter}}\nbuild kind:\n  cargo build\n";
        assert_eq!(texts(text, Form::Just, &["test"]), ["M:7 cargo build", "M:5 cargo test {{filter}}"]);
    }
}
