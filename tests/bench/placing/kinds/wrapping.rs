//! What stands around a diff, or in front of each of its lines.

use super::super::corpus::Source;
use super::super::edit::{Edit, Hunk};
use super::super::trial::Trial;
use super::headers::alone;
use super::{Make, fenced};

pub const KINDS: [(&str, Make); 29] = [
    ("fence without a language", |source, _| wrapped(source, |diff| fenced("", diff))),
    ("fence of tildes", |source, _| wrapped(source, |diff| format!("~~~diff\n{diff}~~~\n"))),
    ("fence of another language", |source, _| wrapped(source, |diff| fenced("python", diff))),
    ("fence of patch", |source, _| wrapped(source, |diff| fenced("patch", diff))),
    ("fence never opened", |source, _| wrapped(source, |diff| format!("{diff}```\n"))),
    ("fence in a fence", |source, _| {
        wrapped(source, |diff| format!("````markdown\nThe patch:\n\n{}````\n", fenced("diff", diff)))
    }),
    ("fence in a list", |source, _| {
        wrapped(source, |diff| {
            format!("1. Change it:\n\n{}\n2. Run the tests.\n", indented(&fenced("diff", diff), "   "))
        })
    }),
    ("fence that names the file, no headers", |source, _| {
        let edit = source.plain()?;
        let text: String = edit.hunks(3).iter().map(Hunk::text).collect();
        Some(Trial::right(edit, fenced(&format!("diff {}", edit.path), &text)))
    }),
    ("fence that names the file after a colon, no headers", |source, _| {
        let edit = source.plain()?;
        let text: String = edit.hunks(3).iter().map(Hunk::text).collect();
        Some(Trial::right(edit, fenced(&format!("diff:{}", edit.path), &text)))
    }),
    ("file named before the fence, no headers", |source, _| {
        let edit = source.plain()?;
        let text: String = edit.hunks(3).iter().map(Hunk::text).collect();
        Some(Trial::right(edit, format!("`{}`:\n\n{}", edit.path, fenced("diff", &text))))
    }),
    ("a fence for each hunk", |source, _| {
        let edit = source.plain()?;
        let hunks = edit.hunks(3);
        let each = |hunk: &Hunk| format!("Then:\n\n{}", fenced("diff", &(edit.names() + &hunk.text())));
        (hunks.len() > 1).then(|| Trial::right(edit, hunks.iter().map(each).collect::<String>()))
    }),
    ("prose between hunks", |source, _| {
        let edit = source.plain()?;
        let hunks = edit.hunks(3);
        let parts: Vec<String> = hunks.iter().map(Hunk::text).collect();
        let text = edit.names() + &parts.join("\nAnd this is why the next part changes as well:\n\n");
        (hunks.len() > 1).then(|| Trial::right(edit, fenced("diff", &text)))
    }),
    ("prose without a fence", |source, _| {
        wrapped(source, |diff| {
            format!("Sure! I fixed it as follows.\n\n{diff}\nThis keeps the old behaviour. Let me know!\n")
        })
    }),
    ("list below without a fence", |source, _| {
        wrapped(source, |diff| format!("{diff}\nWhat changed:\n\n- the condition\n- its test\n"))
    }),
    ("quoted as in mail", |source, _| wrapped(source, quoted)),
    ("quoted fence", |source, _| wrapped(source, |diff| quoted(&fenced("diff", diff)))),
    ("line numbers in front", |source, _| wrapped(source, |diff| numbered(diff, |nth| format!("{nth:>6}\t")))),
    ("line numbers with arrows in front", |source, _| {
        wrapped(source, |diff| numbered(diff, |nth| format!("{nth:>5}→")))
    }),
    ("html tags", |source, _| wrapped(source, |diff| format!("<patch>\n{diff}</patch>\n"))),
    ("tag and header on one line", |source, _| wrapped(source, |diff| format!("<patch>{diff}</patch>\n"))),
    ("CDATA", |source, _| wrapped(source, |diff| format!("<diff><![CDATA[\n{diff}]]></diff>\n"))),
    ("git apply with a heredoc", |source, _| {
        wrapped(source, |diff| fenced("bash", &format!("git apply <<'EOF'\n{diff}EOF\n")))
    }),
    ("cat into a patch file", |source, _| {
        wrapped(source, |diff| fenced("sh", &format!("cat > fix.patch <<'PATCH'\n{diff}PATCH\ngit apply fix.patch\n")))
    }),
    ("a console session", |source, _| wrapped(source, |diff| fenced("console", &format!("$ git diff\n{diff}$ \n")))),
    ("git format-patch", |source, _| {
        wrapped(source, |diff| {
            let head =
                "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\nFrom: A <a@example.org>\n";
            format!(
                "{head}Date: Mon, 2 Jun 2025 10:00:00 +0000\nSubject: [PATCH] fix\n\n---\n file | 2 +-\n\n{diff}-- \n2.43.0\n"
            )
        })
    }),
    ("byte order mark", |source, _| wrapped(source, |diff| format!("\u{feff}{diff}"))),
    ("carriage returns everywhere", |source, _| wrapped(source, |diff| fenced("diff", diff).replace('\n', "\r\n"))),
    ("thoughts with a draft", |source, _| {
        let edit = source.plain()?;
        let hunks = edit.hunks(3);
        let draft = Hunk {
            lines: hunks[0].lines.iter().filter(|line| line.sign != '+').cloned().collect(),
            ..hunks[0].clone()
        };
        let text = format!(
            "<think>\nMaybe\n{}{}no.\n</think>\n\n{}",
            edit.names(),
            draft.text(),
            fenced("diff", &edit.unified(3))
        );
        (draft.lines.len() < hunks[0].lines.len()).then(|| Trial::right(edit, text))
    }),
    ("margin of the hunks' lines stripped", |source, _| {
        let edit = alone(source.plain()?, 3)?;
        let margin = margin(edit)?;
        let strip = |hunk: &Hunk| {
            let mut hunk = hunk.clone();
            hunk.lines
                .iter_mut()
                .for_each(|line| line.text = line.text.strip_prefix(&margin).unwrap_or_default().to_owned());
            hunk.text()
        };
        Some(Trial::right(edit, edit.unified_with(strip)))
    }),
];

fn wrapped(source: &Source, wrap: fn(&str) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    Some(Trial::right(edit, wrap(&edit.unified(3))))
}

fn indented(text: &str, by: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{by}{line}\n") }).collect()
}

/// With `> ` before each line.
pub fn quoted(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { ">\n".to_owned() } else { format!("> {line}\n") }).collect()
}

fn numbered(text: &str, front: fn(usize) -> String) -> String {
    text.lines().enumerate().map(|(nth, line)| format!("{}{line}\n", front(nth + 1))).collect()
}

/// The white space that all lines of all hunks begin with.
pub fn margin(edit: &Edit) -> Option<String> {
    let hunks = edit.hunks(3);
    let texts =
        || hunks.iter().flat_map(|hunk| &hunk.lines).map(|line| &line.text).filter(|text| !text.trim().is_empty());
    let width = texts().map(|text| text.len() - text.trim_start().len()).min().filter(|width| *width > 0)?;
    let margin = &texts().next()?[..width];
    texts().all(|text| text.starts_with(margin)).then(|| margin.to_owned())
}
