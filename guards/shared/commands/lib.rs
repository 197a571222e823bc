//! Which files and scripts the lines of a shell run, as far as it is certain.

pub enum Runs<'t> {
    /// A script, by its path.
    File(&'t str),
    /// A script of `package.json`.
    Script(&'t str),
}

const INTERPRETERS: [&str; 9] = ["bash", "sh", "zsh", "source", ".", "python", "python3", "node", "ruby"];
const EXTENSIONS: [&str; 9] = [".sh", ".bash", ".py", ".js", ".mjs", ".cjs", ".rb", ".pl", ".ts"];

/// Each with the command that runs it. Reading ends where the folder changes.
pub fn collect(text: &str) -> Vec<(&str, Runs<'_>)> {
    let mut found = Vec::new();
    // A here-document holds lines that are no commands.
    if text.contains("<<") {
        return found;
    }
    let mut is_continued = false;
    for line in text.lines() {
        let goes_on = std::mem::replace(&mut is_continued, line.trim_end().ends_with(['\\', '`', '^']));
        if goes_on || line.trim_start().starts_with('#') {
            continue;
        }
        for command in line.split(['&', ';', '|']) {
            let mut words = command.split_whitespace().skip_while(|word| {
                matches!(*word, "sudo" | "time" | "exec" | "env" | "then" | "do" | "!" | "xvfb-run")
                    || is_assignment(word)
            });
            let Some(first) = words.next() else { continue };
            match first {
                // What follows runs elsewhere, or only if a file is there.
                "cd" | "pushd" | "popd" | "if" | "[" | "[[" | "test" | "for" | "while" | "docker" | "ssh" => {
                    return found;
                }
                _ if first.starts_with("./") && is_script(first) => found.push((command, Runs::File(first))),
                _ if INTERPRETERS.contains(&first) => {
                    let script = words.next().filter(|word| !word.starts_with('-') && is_script(word));
                    found.extend(script.map(|script| (command, Runs::File(script))));
                }
                "npm" | "pnpm" | "yarn" => {
                    let words: Vec<&str> = words.collect();
                    let is_plain = !command.contains(['$', '"']) && !words.iter().any(|word| is_elsewhere(word));
                    // pnpm and yarn run a script by its name alone; only one with a colon is no command of theirs, and no program.
                    let name = match words[..] {
                        ["run", name, ..] => Some(name),
                        [name, ..] if first != "npm" && name.contains(':') => Some(name),
                        _ => None,
                    };
                    let is_letter = |c: char| c.is_ascii_alphanumeric() || "-_:.".contains(c);
                    let is_name = |name: &&str| is_plain && !name.starts_with('-') && name.chars().all(is_letter);
                    found.extend(name.filter(is_name).map(|name| (command, Runs::Script(name))));
                }
                _ => {}
            }
        }
    }
    found
}

/// Options by which another manifest is meant, or none need be there.
fn is_elsewhere(word: &str) -> bool {
    [
        "-w",
        "--workspace",
        "--workspaces",
        "-ws",
        "--prefix",
        "-C",
        "--cwd",
        "--dir",
        "--if-present",
        "--filter",
        "-F",
        "-r",
        "--recursive",
    ]
    .iter()
    .any(|option| {
        word == *option
            || (option.starts_with("--") && word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')))
    })
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

fn is_script(word: &str) -> bool {
    EXTENSIONS.iter().any(|extension| word.ends_with(extension)) && !word.contains(['$', '*', '"', '\'', '{', '('])
}
