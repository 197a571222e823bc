//! A reader of clean git diffs: enough to test `apply` without the stations before it. Counts in headers are not believed.

use host::change::{FileMode, FileOp, FilePatch, Format, Hunk, Line, Note, Patch, RepoPath};

pub fn read(diff: &[u8]) -> Patch {
    let lines: Vec<&[u8]> =
        bstr::ByteSlice::lines_with_terminator(diff).map(|l| l.strip_suffix(b"\n").unwrap_or(l)).collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with(b"diff --git ")).collect();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let mut notes = Vec::new();
    let files = starts.iter().zip(ends).filter_map(|(start, end)| section(&lines[*start..end], &mut notes)).collect();
    Patch { format: Format::GitDiff, files, message: None, notes }
}

/// None for what has no text: binary files.
fn section(lines: &[&[u8]], notes: &mut Vec<Note>) -> Option<FilePatch> {
    let head = lines.iter().position(|line| line.starts_with(b"@@")).unwrap_or(lines.len());
    let header = |prefix: &str| lines[..head].iter().find_map(|line| line.strip_prefix(prefix.as_bytes()));
    let hunks = hunks(&lines[head..], notes);
    let mode = header("new file mode ").or(header("new mode ")).and_then(|raw| match raw {
        b"100755" => Some(FileMode::Executable),
        b"120000" => Some(FileMode::Symlink),
        b"160000" => Some(FileMode::Submodule),
        b"100644" => Some(FileMode::File),
        _ => None,
    });
    if header("Binary files").is_some() || header("GIT binary patch").is_some() {
        return None;
    }
    let named = |line: Option<&[u8]>| line.and_then(|line| line.get(2..)).map(|path| RepoPath::new(unpadded(path)));
    let title = |end: &[u8]| {
        // Both names are the same where this is the only place that has them: `diff --git a/x b/x`.
        let rest = &end["diff --git ".len()..];
        RepoPath::new(&rest[rest.len() / 2 + 3..])
    };
    let plain = |line: Option<&[u8]>| line.map(RepoPath::new);
    let path = plain(header("rename to "))
        .or(plain(header("copy to ")))
        .or(named(header("+++ ").filter(|line| *line != b"/dev/null")))
        .or(named(header("--- ").filter(|line| *line != b"/dev/null")))
        .unwrap_or_else(|| title(lines[0]));
    let op = if header("new file mode").is_some() {
        FileOp::Create(hunks.first().map(content).unwrap_or_default())
    } else if header("deleted file mode").is_some() {
        FileOp::Delete(hunks)
    } else if let Some(from) = header("rename from ") {
        FileOp::Rename { from: RepoPath::new(from), hunks }
    } else if let Some(from) = header("copy from ") {
        FileOp::Copy { from: RepoPath::new(from), hunks }
    } else {
        FileOp::Modify(hunks)
    };
    let claims =
        header("index ").and_then(|line| std::str::from_utf8(line).ok()?.split("..").next().map(str::to_owned));
    Some(FilePatch { path, op, mode, claims })
}

/// Git ends a name that holds blanks with a tab.
fn unpadded(path: &[u8]) -> &[u8] {
    path.strip_suffix(b"\t").unwrap_or(path)
}

fn content(hunk: &Hunk) -> Vec<u8> {
    let mut bytes: Vec<u8> = hunk.lines.iter().flat_map(|line| [line.bytes(), b"\n"].concat()).collect();
    if hunk.new_no_newline {
        bytes.pop();
    }
    bytes
}

fn hunks(lines: &[&[u8]], notes: &mut Vec<Note>) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut counts = Vec::new();
    for line in lines {
        if line.starts_with(b"@@") {
            let (hunk, count) = header(line);
            hunks.push(hunk);
            counts.push(count);
            continue;
        }
        let Some(hunk) = hunks.last_mut() else { continue };
        match line {
            [b' ', text @ ..] => hunk.lines.push(Line::Context(text.to_vec())),
            [b'-', text @ ..] => hunk.lines.push(Line::Remove(text.to_vec())),
            [b'+', text @ ..] => hunk.lines.push(Line::Add(text.to_vec())),
            [b'\\', ..] => {
                let last = hunk.lines.last();
                hunk.old_no_newline |= last.is_some_and(Line::is_old);
                hunk.new_no_newline |= last.is_some_and(Line::is_new);
            }
            line if *line == b"*** End of File" => hunk.at_end = true,
            [] => hunk.lines.push(Line::Context(Vec::new())),
            _ => {}
        }
    }
    let honest = |(hunk, count): (&Hunk, &Option<(usize, usize)>)| {
        let sides = |line: fn(&Line) -> bool| hunk.lines.iter().filter(|l| line(l)).count();
        count.is_none_or(|count| count == (sides(Line::is_old), sides(Line::is_new)))
    };
    if !hunks.iter().zip(&counts).all(honest) {
        notes.push(Note::new("recount", "counts in a hunk header were wrong"));
    }
    hunks
}

/// `@@ -1,2 +3,4 @@ heading`, or `@@` with or without the rest.
fn header(line: &[u8]) -> (Hunk, Option<(usize, usize)>) {
    let text = String::from_utf8_lossy(line).into_owned();
    let (ranges, heading) = match text[2..].split_once(" @@") {
        Some((ranges, heading)) => (ranges, heading.strip_prefix(' ').unwrap_or(heading)),
        None => ("", text[2..].trim_start()),
    };
    let range = |sign: char| {
        let (start, count) = {
            let part = ranges.split_whitespace().find_map(|part| part.strip_prefix(sign))?;
            part.split_once(',').unwrap_or((part, "1"))
        };
        Some((start.parse::<u32>().ok()?, count.parse::<usize>().ok()?))
    };
    let anchors = if heading.is_empty() { vec![] } else { vec![heading.as_bytes().to_vec()] };
    let (old, new) = (range('-'), range('+'));
    let counts = old.zip(new).map(|(old, new)| (old.1, new.1));
    (Hunk { old_start: old.map(|old| old.0), anchors, ..Hunk::default() }, counts)
}
