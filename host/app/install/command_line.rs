//! The command of a hook: the path of this program, quoted for a shell, and words that need no quotes.

/// Names of the program's file.
const NAMES: [&str; 2] = ["host", "guardhost"];

/// What files start that a team shares: they name no path, and `host` is another program on many machines.
pub(super) const SHARED: &str = "guardhost";

pub(super) fn shell_line(program: &str, words: &[&str]) -> String {
    format!("{} {}", quoted(program), words.join(" "))
}

/// Quotes the text, so that a POSIX shell reads it as one word.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// The program of a command that [`of`] made with these words first; None for another command.
pub(super) fn program(command: &str, words: &[&str]) -> Option<String> {
    let (program, rest) = match command.strip_prefix('\'') {
        Some(_) => unquoted(command)?,
        None => {
            let end = command.find(' ')?;
            (command[..end].to_owned(), &command[end..])
        }
    };
    let name = program.rsplit('/').next()?;
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let mut found = rest.split_whitespace();
    (NAMES.contains(&name) && words.iter().all(|word| found.next() == Some(word))).then_some(program)
}

/// A word in single quotes, and what follows it.
fn unquoted(command: &str) -> Option<(String, &str)> {
    let (mut word, mut rest) = (String::new(), command);
    loop {
        if let Some(inner) = rest.strip_prefix('\'') {
            let end = inner.find('\'')?;
            word.push_str(&inner[..end]);
            rest = &inner[end + 1..];
        } else if let Some(more) = rest.strip_prefix("\\'") {
            word.push('\'');
            rest = more;
        } else {
            return Some((word, rest));
        }
    }
}
