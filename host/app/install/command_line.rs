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

/// The program of a command line, which a shell would start, and the words behind it; None where quotes do not end.
pub(super) fn split(command: &str) -> Option<(String, Vec<&str>)> {
    let (program, rest) = match command.strip_prefix('\'') {
        Some(_) => unquoted(command)?,
        None => {
            let end = command.find(' ')?;
            (command[..end].to_owned(), &command[end..])
        }
    };
    Some((program, rest.split_whitespace().collect()))
}

/// Whether the file has one of the names that this program is installed as.
pub(super) fn has_own_name(program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    NAMES.contains(&name.strip_suffix(".exe").unwrap_or(name))
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
