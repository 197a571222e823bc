//! Sessions of nox: what `session.run` is called with.

use guard_sdk::analysis::Tree;

use super::{Step, file};

/// Lines of one call.
const CALL: usize = 20;

pub fn sessions(tree: &Tree, folder: &str, arguments: &[&str]) -> Vec<Step> {
    let Some((path, text)) = file(tree, folder, &["noxfile.py"]) else { return Vec::new() };
    from_file(&path, &text, &sessions_named(arguments))
}

/// The names behind `-s`; none when all are run, and when they are known at run time only.
fn sessions_named<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let of_option = arguments.iter().skip_while(|word| !matches!(**word, "-s" | "--session" | "--sessions" | "-e"));
    let names: Vec<&str> = of_option.skip(1).take_while(|word| !word.starts_with('-')).copied().collect();
    if names.iter().any(|name| name.contains(['$', '{'])) { Vec::new() } else { names }
}

fn from_file(path: &str, text: &str, asked: &[&str]) -> Vec<Step> {
    let lines: Vec<&str> = text.lines().collect();
    let mut steps = Vec::new();
    let mut named = String::new();
    let mut is_asked = false;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with('@') {
            named.push_str(line);
        } else if let Some(definition) = line.strip_prefix("def ") {
            let function = definition.split('(').next().unwrap_or_default();
            // `tests-3.13`, `tests(lowest)`: a session with parameters. `@nox.session(name="…")` names it otherwise.
            let is_this = |name: &&str| {
                let rest = name.strip_prefix(function);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '(']))
                    || ['"', '\''].iter().any(|quote| named.contains(&format!("name={quote}{name}{quote}")))
            };
            is_asked = named.contains("session") && (asked.is_empty() || asked.iter().any(is_this));
            named.clear();
        } else if !line.is_empty() && !line.starts_with([' ', '\t', '#', ')']) {
            is_asked = false;
        }
        let runs = [".run(", ".run_always("].iter().any(|call| line.contains(call));
        if is_asked && runs {
            steps.push(Step::new(call(&lines[at..]), path, at + 1));
        }
    }
    steps
}

/// The words of a call, which may take several lines.
fn call(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut open = 0i32;
    for line in lines.iter().take(CALL) {
        text.push_str(line.trim());
        text.push(' ');
        open += line.chars().map(|c| i32::from(c == '(') - i32::from(c == ')')).sum::<i32>();
        if open <= 0 {
            break;
        }
    }
    let arguments = text.split_once('(').map_or("", |(_, arguments)| arguments);
    arguments.replace(['"', '\'', ',', '(', ')', '*'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::from_file;

    #[test]
    fn a_session_is_what_it_runs() {
        let text = "import nox\n\n@nox.session(python=[\"3.13\"])\ndef tests(session):\n    session.install(\"ruff\")\n    session.run(\n        \"pytest\", \"-q\",\n        *session.posargs,\n    )\n\n@nox.session(name=\"style\")\ndef lint(session: nox.Session) -> None:\n    session.run(\"ruff\", \"check\")\n\ndef helper(session):\n    session.run(\"mypy\")\n";
        let texts = |asked: &[&str]| -> Vec<String> {
            from_file("n", text, asked).into_iter().map(|step| format!("{} {}", step.at, step.text)).collect()
        };
        assert_eq!(texts(&["tests-3.13"]), ["n:6 pytest -q session.posargs"]);
        assert_eq!(texts(&["style"]), ["n:13 ruff check"]);
        assert_eq!(texts(&[]).len(), 2);
        assert!(texts(&["other"]).is_empty());
    }
}
