//! Fences of Markdown that nothing closes: what follows is shown as code.

use guard_sdk::Finding;
use guard_sdk::files::Language;

use crate::added::Added;
use crate::place::Kind;

pub fn judge(added: &Added) -> Option<Finding> {
    let is_markdown = Language::from_path(added.path()) == Some(Language::Markdown);
    if added.kind != Kind::Document || !is_markdown {
        return None;
    }
    let open = unclosed(added.lines.iter().copied());
    let first = *open.first()?;
    let before = unclosed(added.before().lines());
    if open.len() <= before.len() {
        return None;
    }
    let line = *open.iter().find(|line| added.new.contains(line)).unwrap_or(&first);
    let message = format!("nothing closes the fence of line {}, so that what follows is shown as code", line + 1);
    let help = "Close the fence, or open the outer one with more signs than the inner one.";
    Some(Finding::error("fence-open", message).at(added.path(), line as u32 + 1).help(help))
}

/// The lines, from 0, of fences behind which another one opens, or the text ends (<https://spec.commonmark.org/0.31.2/#fenced-code-blocks>).
fn unclosed<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char, usize)> = None;
    let mut end = 0;
    for (at, line) in lines.enumerate() {
        end = at;
        let text = line.trim_start();
        let Some(sign) = text.chars().next().filter(|sign| matches!(sign, '`' | '~')) else { continue };
        let rest = text.trim_start_matches(sign);
        let length = text.len() - rest.len();
        // Backticks behind it make code of one line.
        if length < 3 || (sign == '`' && rest.contains('`')) {
            continue;
        }
        let is_plain = rest.trim().is_empty();
        match open {
            None => open = Some((at, sign, length)),
            Some((_, of, least)) if of != sign || length < least => {}
            Some(_) if is_plain => open = None,
            // What an opening fence in an open one shows is no longer the text's own.
            Some((first, ..)) => {
                found.push(first);
                open = Some((at, sign, length));
            }
        }
    }
    // An empty block at the end is one that somebody shows.
    found.extend(open.filter(|(first, ..)| *first < end).map(|(first, ..)| first));
    found
}

#[cfg(test)]
mod tests {
    use super::unclosed;

    #[test]
    fn of_commonmark() {
        for (text, lines) in [
            ("```js\na\n```\n", vec![]),
            ("```js\na\n", vec![0]),
            ("a\n```js\na\n\n```sh\nb\n```\n", vec![1]),
            ("````md\n```js\n```\n````\n", vec![]),
            ("~~~\n```js\n~~~\n", vec![]),
            ("```a``` is code\n", vec![]),
            ("- a\n  ```js\n  a\n  ```\n", vec![]),
        ] {
            assert_eq!(unclosed(text.lines()), lines, "{text}");
        }
    }
}
