//! The source around an error, and where else a name of it is defined.

use guard_sdk::analysis::Tree;

/// Lines before and behind.
const AROUND: u32 = 3;

/// Names of one error that are looked for, and places of each.
const NAMES: usize = 3;
const PLACES: usize = 3;

/// The lines around one, with their numbers, and a mark before it.
pub fn around(tree: &Tree, path: &str, line: u32) -> Option<String> {
    let text = tree.text(path).ok()?;
    let shown = (1..).zip(text.lines()).filter(|(number, _)| number + AROUND >= line && *number <= line + AROUND);
    let marked = shown.map(|(number, text)| {
        let mark = if number == line { '>' } else { ' ' };
        format!("{mark}{number:>5} {}", text.chars().take(160).collect::<String>())
    });
    let lines: Vec<String> = marked.collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Where the names in quotes seem to be defined.
pub fn defined_elsewhere(tree: &Tree, message: &str) -> Option<String> {
    let mut said = Vec::new();
    for name in names(message) {
        let hits = tree.search(&[&name], &["*.py", "*.rs", "*.go", "*.ts", "*.tsx", "*.js"], 400);
        let defining = hits.iter().filter(|hit| defines(&hit.text, &name)).take(PLACES);
        let places: Vec<String> = defining.map(|hit| format!("{}:{}", hit.path, hit.line)).collect();
        if !places.is_empty() {
            said.push(format!("`{name}` seems to be defined in {}", places.join(", ")));
        }
    }
    (!said.is_empty()).then(|| said.join("\n"))
}

/// What stands in quotes, or behind `undefined: `, and is a name.
fn names(message: &str) -> Vec<String> {
    let behind = message.split_once("undefined: ").map(|(_, rest)| rest.split_whitespace().next().unwrap_or_default());
    let quoted = message.split(['`', '\'', '"', '‘', '’']).skip(1).step_by(2);
    let is_name = |name: &&str| {
        name.len() >= 3
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !name.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut names: Vec<String> = Vec::new();
    for name in behind.into_iter().chain(quoted).filter(is_name) {
        if names.len() < NAMES && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

fn defines(line: &str, name: &str) -> bool {
    let words = [
        "def ",
        "class ",
        "fn ",
        "struct ",
        "enum ",
        "trait ",
        "mod ",
        "func ",
        "type ",
        "interface ",
        "const ",
        "let ",
        "var ",
        "function ",
        "static ",
    ];
    words.iter().any(|word| {
        line.match_indices(word).any(|(at, _)| line[at + word.len()..].trim_start_matches("mut ").starts_with(name))
    }) || line.trim_start().starts_with("func (") && line.contains(&format!(") {name}("))
}
