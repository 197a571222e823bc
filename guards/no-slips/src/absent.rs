//! Members of a value that may be `None` by the default which the same expression gives it: whenever the default is used, this fails.

use guard_sdk::Finding;
use guard_sdk::files::Language;

use crate::blocks::Read;
use crate::subject::Subject;
use crate::words::{is_word, parts};

/// Calls whose last argument is what they give where there is nothing else, and how many arguments they have then.
const CALLS: [(&str, usize); 4] = [("getattr(", 3), ("next(", 2), (".get(", 2), (".pop(", 2)];

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    if subject.language != Language::Python {
        return Vec::new();
    }
    let new = read.statements().map(|(_, one)| one).filter(|one| subject.has_new(one.first, one.last));
    let found = new.filter_map(|one| Some((one, asked(&one.code)?)));
    let found = found.filter(|(one, _)| !subject.before.get().lines().any(|old| old.trim() == one.text));
    let finding = |(one, shown): (&crate::words::Statement, &str)| {
        let message =
            format!("`{shown}` gives `None` where there is nothing else, and is asked for a member all the same");
        Finding::error("default-asked", message)
            .at(subject.path(), one.first)
            .to(one.last)
            .help("Give a default that has the member, or look first whether there is something.")
    };
    found.map(finding).collect()
}

/// The first call of a statement that gives `None` by default and of whose value a member or an item is taken.
fn asked(code: &str) -> Option<&str> {
    CALLS.iter().find_map(|(call, count)| {
        code.match_indices(call).find_map(|(at, _)| {
            let is_whole = call.starts_with('.') || !code[..at].ends_with(|c: char| is_word(c) || c == '.');
            let open = at + call.len();
            let close = open + closing(&code[open..])?;
            let given = parts(&code[open..close]);
            let behind = &code[close + 1..];
            let is_asked = behind.starts_with('[') || (behind.starts_with('.') && !behind.starts_with(".."));
            let is_none = given.len() == *count && given.last().is_some_and(|last| last.trim() == "None");
            (is_whole && is_none && is_asked).then(|| code[at..=close].trim_start_matches('.'))
        })
    })
}

/// Where the bracket closes in front of which a text stands.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    text.char_indices().find_map(|(at, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return Some(at),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::asked;

    #[test]
    fn what_may_be_none() {
        for (code, is) in [
            ("name = getattr(getattr(connection, \"engine\", None).dialect, \"name\", \"\")", true),
            ("first = next(iter(rows), None).name", true),
            ("size = options.get(\"size\", None)[0]", true),
            ("value = found.pop(key, None).value", true),
            ("value = getattr(a, \"b\", None)", false),
            ("value = (getattr(a, \"b\", None) or other).name", false),
            ("value = getattr(a, \"b\", default).name", false),
            ("value = store.get(key, {}).name", false),
            ("reply = client.get(url, params=None).json()", false),
            ("value = forget(a, None).name", false),
        ] {
            assert_eq!(asked(code).is_some(), is, "{code}");
        }
    }
}
