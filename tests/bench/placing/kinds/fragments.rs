//! What stands where a whole file might, and is none.

use super::super::corpus::Source;
use super::super::edit::{Edit, Hunk};
use super::super::trial::Trial;
use super::headers::alone;
use super::{Make, fenced};

pub const KINDS: [(&str, Make); 14] = [
    ("changed lines with context", |source, _| {
        snippet(source, |edit, text| format!("`{}`:\n\n{}", edit.path, fenced("", text)))
    }),
    ("changed lines, path above the fence", |source, _| {
        snippet(source, |edit, text| format!("{}\n{}", edit.path, fenced("", text)))
    }),
    ("changed lines, path in the info", |source, _| snippet(source, |edit, text| fenced(&edit.path, text))),
    ("changed lines in a file tag", |source, _| {
        snippet(source, |edit, text| format!("<file path=\"{}\">\n{text}</file>\n", edit.path))
    }),
    ("changed lines as JSON content", |source, _| {
        snippet(source, |edit, text| {
            serde_json::json!({"patches": [{"action": "modify", "path": edit.path, "content": text}]}).to_string()
        })
    }),
    ("changed lines, path hinted", |source, _| {
        let trial = snippet(source, |_, text| format!("Change it so:\n\n{}", fenced("", text)))?;
        Some(trial.hinting(&source.edits[0].path))
    }),
    ("changed block under its heading", |source, _| {
        let edit = long(source)?;
        let hunk = edit.hunks(25).swap_remove(0);
        let text = hunk.side_text('+');
        (text.lines().count() * 2 < edit.after.lines().count()).then(|| {
            Trial::right_or_refused(
                &edit.only(&hunk),
                format!("Here is the updated function in {0}:\n\n{0}\n{1}", edit.path, fenced("", &text)),
            )
        })
    }),
    ("first half of the file", |source, _| {
        let edit = long(source)?;
        let lines: Vec<&str> = edit.after.split_inclusive('\n').collect();
        Some(Trial::refused(edit, format!("{}\n{}", edit.path, fenced("", &lines[..lines.len() / 2].concat()))))
    }),
    ("ed script", |source, _| {
        let edit = source.plain()?;
        Some(Trial::right(edit, format!("{}\n{}", edit.path, fenced("ed", &ed(edit)?))))
    }),
    ("normal diff", |source, _| {
        let edit = source.plain()?;
        Some(Trial::right(edit, format!("{}\n{}", edit.path, fenced("diff", &normal(edit)))))
    }),
    ("hunk without any header", |source, _| {
        let edit = alone(source.plain()?, 3)?;
        let hunks = edit.hunks(3);
        (hunks.len() == 1).then(|| Trial::right(edit, format!("{}\n{}", edit.path, fenced("diff", &hunks[0].body()))))
    }),
    ("whole file with line numbers", |source, _| {
        let edit = source.plain()?;
        let text: String =
            edit.after.lines().enumerate().map(|(nth, line)| format!("{:>6}\t{line}\n", nth + 1)).collect();
        (edit.after.lines().count() > 8).then(|| Trial::right(edit, format!("{}\n{}", edit.path, fenced("", &text))))
    }),
    ("whole file with signs of a diff", |source, _| {
        // All lines of the file as one hunk without its header.
        let edit = source.plain()?;
        let text: String = edit.hunks(100_000).iter().map(Hunk::body).collect();
        (edit.before.lines().count() > 8)
            .then(|| Trial::right(edit, format!("{}\n{}", edit.path, fenced("diff", &text))))
    }),
    ("terminal output", |source, _| {
        let edit = long(source)?;
        let text = format!(
            "I ran the tests of {0}:\n\n{0}\n{1}",
            edit.path,
            fenced("", "collected 3 items\n\n3 passed in 0.12s\n")
        );
        Some(Trial::refused(edit, text))
    }),
];

/// The edit of a file of which a part cannot be taken for the whole.
fn long(source: &Source) -> Option<&Edit> {
    source.plain().filter(|edit| edit.before.lines().count() > 40 && edit.after.lines().count() > 40)
}

/// The changed lines with three lines of context, without signs.
fn snippet(source: &Source, form: fn(&Edit, &str) -> String) -> Option<Trial> {
    let edit = long(source)?;
    let hunk = edit.hunks(3).swap_remove(0);
    let text = hunk.side_text('+');
    let is_part = !text.is_empty() && text.lines().count() * 3 < edit.after.lines().count();
    is_part.then(|| Trial::right_or_refused(&edit.only(&hunk), form(edit, &text)))
}

/// From below to above, so that no number moves. None where a line would end the text.
fn ed(edit: &Edit) -> Option<String> {
    let mut script = String::new();
    for hunk in edit.hunks(0).iter().rev() {
        let (old, new) = (hunk.count('-'), hunk.side('+'));
        (!new.contains(&".")).then_some(())?;
        let text: String = new.iter().map(|line| format!("{line}\n")).collect();
        script += &match (old, new.len()) {
            (0, _) => format!("{}a\n{text}.\n", hunk.old),
            (_, 0) => format!("{},{}d\n", hunk.old, hunk.old + old - 1),
            _ => format!("{},{}c\n{text}.\n", hunk.old, hunk.old + old - 1),
        };
    }
    Some(script)
}

fn normal(edit: &Edit) -> String {
    let range = |start: usize, count: usize| {
        if count > 1 { format!("{start},{}", start + count - 1) } else { start.to_string() }
    };
    let one = |hunk: &Hunk| {
        let (old, new) = (hunk.count('-'), hunk.count('+'));
        let letter = if old == 0 {
            'a'
        } else if new == 0 {
            'd'
        } else {
            'c'
        };
        let minus: String = hunk.side('-').iter().map(|line| format!("< {line}\n")).collect();
        let plus: String = hunk.side('+').iter().map(|line| format!("> {line}\n")).collect();
        let rule = if letter == 'c' { "---\n" } else { "" };
        format!("{}{letter}{}\n{minus}{rule}{plus}", range(hunk.old, old), range(hunk.new, new))
    };
    edit.hunks(0).iter().map(one).collect()
}
