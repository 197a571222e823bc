//! What a reply has in place of a patch: forms of change that are not read, and what to send instead.

use super::labels::{TextSide, half};
use super::lines::Lines;
use crate::formats;

/// Whether a text, or a part of it, is written in the form; and its name.
struct Form {
    is_here: fn(&[&[u8]], usize) -> bool,
    /// The call of a tool, or a command for a shell.
    is_command: bool,
    name: &'static str,
}

/// Looked for at each line of a reply without a patch.
const FORMS: [Form; 16] = [
    Form { is_here: |lines, at| is_encoded_patch(lines[at]), is_command: false, name: "a patch in Base64" },
    Form { is_here: is_answer_at, is_command: true, name: "the answer of an API, of which only the text is a reply" },
    Form {
        is_here: |lines, at| is_normal_command(lines[at]) && follows(lines, at, &[b"< ", b"> "]),
        is_command: false,
        name: "a normal diff (`3c3`, `<`, `>`)",
    },
    Form {
        is_here: |lines, at| lines[at].starts_with(b"*** ") && follows(lines, at, &[b"--- "]),
        is_command: false,
        name: "a context diff",
    },
    Form {
        is_here: |lines, at| is_ed_command(lines[at]) && lines[at..].iter().take(500).any(|line| *line == b"."),
        is_command: false,
        name: "an ed script",
    },
    Form {
        is_here: |lines, at| {
            let is_range = |rest: &[u8]| rest.iter().all(|byte| byte.is_ascii_digit() || *byte == b':');
            lines[at].strip_prefix(b"edit ").is_some_and(|rest| rest.contains(&b':') && is_range(rest.trim_ascii()))
        },
        is_command: false,
        name: "an edit of numbered lines (`edit 3:5`)",
    },
    Form { is_here: |lines, at| lines[at].starts_with(b"GIT binary patch"), is_command: false, name: "a binary patch" },
    Form {
        is_here: |lines, at| {
            has(lines[at], b"<invoke name=") || has(lines[at], b"<tool_call>") || has(lines[at], b"<function=")
        },
        is_command: true,
        name: "the call of a tool",
    },
    Form {
        is_here: |lines, at| has(lines[at], b"\"op\":") && has(lines[at], b"\"path\":"),
        is_command: true,
        name: "a JSON Patch",
    },
    Form {
        is_here: |lines, at| lines[at].trim_ascii_start().starts_with(b"sed -i"),
        is_command: true,
        name: "a command for `sed`",
    },
    Form {
        is_here: |lines, at| lines[at].trim_ascii_start().starts_with(b"cat >") && has(lines[at], b"<<"),
        is_command: true,
        name: "a shell command that writes a file",
    },
    Form {
        is_here: |lines, at| {
            let has_patch = [&b"\\n@@ "[..], b"\\n+++ ", b"\\n*** "].iter().any(|mark| has(lines[at], mark));
            // A call or a list of patches that was escaped as a whole.
            has_patch || lines[at].starts_with(b"\"{") && has(lines[at], b"\\n")
        },
        is_command: false,
        name: "a patch with its line feeds escaped",
    },
    Form {
        is_here: |lines, at| {
            has(lines[at], b"[-") && has(lines[at], b"-]{+") || has(lines[at], b"{~~") && has(lines[at], b"~>")
        },
        is_command: false,
        name: "a word diff",
    },
    Form {
        is_here: |lines, at| {
            lines[at]
                .strip_prefix(b"*** ")
                .is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_uppercase) && has(rest, b": "))
        },
        is_command: false,
        name: "a header of a V4A patch",
    },
    Form {
        is_here: |lines, at| {
            let mark = |mark: u8, least: usize| {
                let count = lines[at].iter().take_while(|byte| **byte == mark).count();
                count >= least && lines[at].get(count) == Some(&b' ')
            };
            mark(b'<', 3) || mark(b'>', 4)
        },
        is_command: false,
        name: "a block between marks",
    },
    Form {
        is_here: |lines, at| lines[at].starts_with(b"<<<<<<< ") || lines[at].starts_with(b">>>>>>> "),
        is_command: false,
        name: "conflict markers",
    },
];

/// The first such form in the reply, and its line.
pub(super) fn in_reply(lines: &Lines) -> Option<(usize, &'static str)> {
    (0..lines.len()).find_map(|at| FORMS.iter().find(|form| (form.is_here)(lines, at)).map(|form| (at, form.name)))
}

/// The first line of a text that begins a change in a form that is not read. Calls and commands are judged by what they do.
pub(super) fn edit_in(text: &[&[u8]]) -> Option<(usize, &'static str)> {
    let is_marker = |line: &[u8]| formats::begins_with(line, |row| row.leftovers);
    (0..text.len()).find_map(|at| {
        let form = FORMS.iter().find(|form| !form.is_command && (form.is_here)(text, at)).map(|form| form.name);
        form.or_else(|| is_marker(text[at]).then_some("a piece of a patch")).map(|form| (at, form))
    })
}

/// The form of a text that changes nothing.
pub(super) const NO_DIFF: &str = "called a diff, but is none";

/// The form of a fenced text that is no file as a whole.
pub(super) fn in_block(content: &[&[u8]], language: &[u8]) -> Option<&'static str> {
    // Without lines it takes some away.
    if language == b"suggestion" {
        return Some("a suggestion of a review");
    }
    let text = || content.iter().filter(|line| !line.trim_ascii().is_empty());
    let first = text().next()?;
    let is_end = |line: &&[u8]| line.starts_with(b">>>>>>> ");
    if first.starts_with(b"<<<<<<< ") && text().next_back().is_some_and(is_end) {
        return Some("a block between conflict markers");
    }
    let halves: Vec<TextSide> = text().filter_map(|line| half_of_comment(line)).collect();
    if halves == [TextSide::Old, TextSide::New] {
        return Some("an old and a new text below comments");
    }
    if first.trim_ascii_start().starts_with(b"[")
        && has(&content.concat(), b"\"op\"")
        && has(&content.concat(), b"\"path\"")
    {
        return Some("a JSON Patch");
    }
    if language == b"ed" || is_ed_script(content) {
        return Some("an ed script");
    }
    matches!(language, b"diff" | b"patch" | b"udiff").then_some(NO_DIFF)
}

/// The half that a comment heads which is a label in capitals: `# OLD`, `// NEW:`.
fn half_of_comment(line: &[u8]) -> Option<TextSide> {
    let text = line.trim_ascii();
    let inner = [&b"#"[..], b"//", b"--", b";"].iter().find_map(|mark| text.strip_prefix(*mark))?;
    let label = std::str::from_utf8(inner).ok()?.trim().trim_end_matches(':');
    let is_told = label.len() > 2 && label.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b' ');
    half(&label.to_lowercase()).filter(|_| is_told)
}

/// Whether the line begins a patch in Base64: `diff --git` or `--- a/`.
fn is_encoded_patch(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    [&b"ZGlmZiAtLWdpd"[..], b"LS0tIGEv"].iter().any(|begin| text.starts_with(begin))
}

/// Whether the line has the members of an answer of an API: of OpenAI, Anthropic or Google, or of an event of their streams.
pub(super) fn is_answer(line: &[u8]) -> bool {
    const MEMBERS: [(&[u8], &[u8]); 6] = [
        (b"\"choices\"", b"\"message\""),
        (b"\"choices\"", b"\"delta\""),
        (b"\"candidates\"", b"\"parts\""),
        (b"\"output\"", b"\"output_text\""),
        (b"\"content\"", b"\"stop_reason\""),
        (b"\"type\"", b"\"content_block_delta\""),
    ];
    let text = line.trim_ascii_start();
    let is_json = text.starts_with(b"{") || text.starts_with(b"[") || text.starts_with(b"data: {");
    is_json && MEMBERS.iter().any(|(one, other)| has(text, one) && has(text, other))
}

/// Whether such an answer begins at the line.
pub(super) fn is_answer_at(lines: &[&[u8]], at: usize) -> bool {
    is_answer(lines[at]) || is_answer_below(lines, at)
}

/// The same of an object whose members have lines of their own.
fn is_answer_below(lines: &[&[u8]], at: usize) -> bool {
    const NEAR: usize = 12;
    if !matches!(lines[at].trim_ascii(), b"{") {
        return false;
    }
    let head = lines[at..].iter().take(NEAR).copied().collect::<Vec<_>>().concat();
    is_answer(&head)
}

fn has(line: &[u8], text: &[u8]) -> bool {
    line.windows(text.len()).any(|part| part == text)
}

fn follows(lines: &[&[u8]], at: usize, beginnings: &[&[u8]]) -> bool {
    lines.get(at + 1).is_some_and(|line| beginnings.iter().any(|beginning| line.starts_with(beginning)))
}

/// `12`, `12,15`, `$`: the length of an address.
fn address(text: &[u8]) -> usize {
    let number = |text: &[u8]| match text.first() {
        Some(b'$') => 1,
        _ => text.iter().take_while(|byte| byte.is_ascii_digit()).count(),
    };
    let first = number(text);
    match text.get(first) {
        Some(b',') if first > 0 && number(&text[first + 1..]) > 0 => first + 1 + number(&text[first + 1..]),
        _ => first,
    }
}

/// `3c3`, `5,7d4`, `8a9,10`
fn is_normal_command(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    let old = address(line);
    let Some(rest) = line.get(old + 1..).filter(|_| old > 0 && matches!(line[old], b'a' | b'c' | b'd')) else {
        return false;
    };
    address(rest) > 0 && address(rest) == rest.len()
}

/// `3c`, `5,7d`, `$a`
fn is_ed_command(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    let old = address(line);
    old > 0 && matches!(&line[old..], [b'a' | b'c' | b'd' | b'i'])
}

/// Whether every line belongs to a command of ed.
fn is_ed_script(content: &[&[u8]]) -> bool {
    let mut in_text = false;
    let mut commands = 0;
    for line in content {
        match line.trim_ascii_end() {
            b"." if in_text => in_text = false,
            _ if in_text => {}
            b"w" | b"q" | b"wq" | b"" => {}
            command if is_ed_command(command) => {
                in_text = !command.ends_with(b"d");
                commands += 1;
            }
            _ => return false,
        }
    }
    commands > 0 && !in_text
}
