//! What a terminal or a chat shows, pasted into a text: escape sequences of colours, and marks of citations that only the chat resolves.

use guard_sdk::Finding;
use guard_sdk::files::{Kind, kind_of};

use crate::added::Added;
use crate::place;

pub fn judge(added: &Added) -> Vec<Finding> {
    // Recorded output and data of tests may hold anything, and a file that had such a sign before is about it.
    let is_read = matches!(kind_of(added.path()), Kind::Code | Kind::Document | Kind::Configuration | Kind::Other);
    if !is_read || added.kind == place::Kind::Open {
        return Vec::new();
    }
    escape(added).into_iter().chain(citation(added)).collect()
}

/// The byte ESC with the bracket of a sequence (ECMA-48, 5.4): in source it is written as an escape, which editors show.
fn escape(added: &Added) -> Option<Finding> {
    const BEGIN: &str = "\u{1b}[";
    let (at, _) = added.new_lines().find(|(_, line)| line.contains(BEGIN))?;
    if added.before().contains('\u{1b}') {
        return None;
    }
    let message = "the line has an escape sequence of a terminal, which no reader sees";
    let help = "Remove the sequence; where code needs it, write the character as an escape such as `\\x1b`.";
    Some(Finding::error("terminal-escape", message).at(added.path(), at as u32 + 1).help(help))
}

fn citation(added: &Added) -> Option<Finding> {
    if place::is_about_models(added.path()) {
        return None;
    }
    let (at, mark) = added.new_lines().find_map(|(at, line)| Some((at, mark(line)?)))?;
    if added.before().contains(mark) {
        return None;
    }
    let message = format!("`{mark}` is a mark by which a chat shows a source, and leads nowhere here");
    let help = "Remove the mark, and name the source by its address if it is of use.";
    Some(Finding::error("citation-left", message).at(added.path(), at as u32 + 1).help(help))
}

/// The part of a line that a chat puts around or behind what it cites.
fn mark(line: &str) -> Option<&str> {
    const SURE: [&str; 4] =
        [":contentReference[oaicite:", "oai_citation:", "utm_source=chatgpt.com", "utm_source=openai"];
    if let Some(mark) = SURE.iter().find(|mark| line.contains(**mark)) {
        return Some(mark);
    }
    // `【4†source】`, `【12:0†notes.md】`.
    let (at, _) = line.match_indices('【').find(|(at, _)| {
        let inside = line[at + '【'.len_utf8()..].split('】').next().unwrap_or_default();
        inside.split_once('†').is_some_and(|(number, _)| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
        })
    })?;
    let end = line[at..].find('】').map_or(line.len(), |end| at + end + '】'.len_utf8());
    Some(&line[at..end])
}

#[cfg(test)]
mod tests {
    use super::mark;

    #[test]
    fn of_chats() {
        assert_eq!(mark("so :contentReference[oaicite:2]{index=2}."), Some(":contentReference[oaicite:"));
        assert_eq!(mark("sortable【4†source】."), Some("【4†source】"));
        assert_eq!(mark("see 【12:0†notes.md】"), Some("【12:0†notes.md】"));
        for line in ["【注意】", "[1] a footnote", "【a†b】", "utm_source=newsletter"] {
            assert_eq!(mark(line), None, "{line}");
        }
    }
}
