//! A patch in any format as a unified diff, so that the journal keeps all patches in one form.

use std::io::Write;

use bstr::ByteSlice;

use guardhost_core::change::{ChangeType, FileMode, FileOp, FilePatch, Hunk, Line, Patch, RepoPath, Touched};

/// The patch as text. Lines and line numbers are those of the patch, so the diff fits the tree only if the patch does. Hunks
/// without a line number begin with a bare `@@`. With `claims`, the patch's own `index` lines are included.
pub fn unified(patch: &Patch, claims: bool) -> Vec<u8> {
    let mut text = Vec::new();
    for file in &patch.files {
        // Writing to memory cannot fail.
        let written = section(&mut text, file, claims);
        debug_assert!(written.is_ok());
    }
    text
}

/// The files that the patch names. For whole files all lines count as added: the difference is known only after placing.
pub fn touched(patch: &Patch) -> Vec<Touched> {
    let count = |hunks: &[Hunk], wanted: fn(&Line) -> bool| {
        let lines = hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| wanted(line)).count();
        u32::try_from(lines).unwrap_or(u32::MAX)
    };
    let file = |file: &FilePatch| {
        let (change_type, old_path) = match &file.op {
            FileOp::Modify(_) | FileOp::Write(_) => (ChangeType::Modify, None),
            FileOp::Create(_) => (ChangeType::Add, None),
            FileOp::Delete(_) => (ChangeType::Delete, None),
            FileOp::Rename { from, .. } => (ChangeType::Rename, Some(from.clone())),
            FileOp::Copy { from, .. } => (ChangeType::Copy, Some(from.clone())),
        };
        let added = match &file.op {
            FileOp::Create(bytes) | FileOp::Write(bytes) => u32::try_from(bytes.lines().count()).unwrap_or(u32::MAX),
            op => count(hunks(op), |line| !line.is_old()),
        };
        let deleted = count(hunks(&file.op), |line| !line.is_new());
        Touched { path: file.path.clone(), old_path, change_type, lines_added: added, lines_deleted: deleted }
    };
    patch.files.iter().map(file).collect()
}

fn hunks(op: &FileOp) -> &[Hunk] {
    match op {
        FileOp::Modify(hunks) | FileOp::Delete(hunks) | FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. } => {
            hunks
        }
        FileOp::Create(_) | FileOp::Write(_) => &[],
    }
}

fn section(text: &mut Vec<u8>, file: &FilePatch, claims: bool) -> std::io::Result<()> {
    let (old, new) = (quoted_name(b"a/", old_path(file)), quoted_name(b"b/", &file.path));
    writeln!(text, "diff --git {} {}", old.as_bstr(), new.as_bstr())?;
    let mode = file.mode.unwrap_or(FileMode::File).raw();
    match (&file.op, file.mode) {
        (FileOp::Create(_), _) => writeln!(text, "new file mode {mode:o}")?,
        (FileOp::Delete(_), _) => writeln!(text, "deleted file mode {mode:o}")?,
        (_, Some(_)) => writeln!(text, "new mode {mode:o}")?,
        (_, None) => {}
    }
    let moved = match &file.op {
        FileOp::Rename { from, .. } => Some(("rename", from)),
        FileOp::Copy { from, .. } => Some(("copy", from)),
        _ => None,
    };
    if let Some((how, from)) = moved {
        writeln!(text, "{how} from {}", quoted_name(b"", from).as_bstr())?;
        writeln!(text, "{how} to {}", quoted_name(b"", &file.path).as_bstr())?;
    }
    if let Some(claim) = file.claimed_blob.as_ref().filter(|_| claims) {
        writeln!(text, "index {claim}..")?;
    }
    let content = match &file.op {
        FileOp::Create(bytes) | FileOp::Write(bytes) => Some(bytes),
        _ => None,
    };
    if hunks(&file.op).is_empty() && content.is_none_or(Vec::is_empty) {
        return Ok(());
    }
    let none: &[u8] = b"/dev/null";
    writeln!(text, "--- {}", if matches!(file.op, FileOp::Create(_)) { none } else { &old }.as_bstr())?;
    writeln!(text, "+++ {}", if matches!(file.op, FileOp::Delete(_)) { none } else { &new }.as_bstr())?;
    if let Some(bytes) = content {
        return whole(text, bytes);
    }
    let mut growth = 0;
    hunks(&file.op).iter().try_for_each(|each| hunk(text, each, &mut growth))
}

fn old_path(file: &FilePatch) -> &RepoPath {
    match &file.op {
        FileOp::Rename { from, .. } | FileOp::Copy { from, .. } => from,
        _ => &file.path,
    }
}

/// Quoted as git quotes names with control characters, quotes or backslashes.
pub fn quoted_name(side: &[u8], path: &RepoPath) -> Vec<u8> {
    let name = [side, path.as_bytes()].concat();
    let plain = |byte: &u8| *byte >= b' ' && *byte != 0x7f && *byte != b'"' && *byte != b'\\';
    if name.iter().all(plain) {
        return name;
    }
    let mut quoted = vec![b'"'];
    for byte in name {
        match byte {
            b'"' | b'\\' => quoted.extend([b'\\', byte]),
            byte if plain(&byte) => quoted.push(byte),
            byte => quoted.extend(format!("\\{byte:03o}").bytes()),
        }
    }
    quoted.push(b'"');
    quoted
}

fn whole(text: &mut Vec<u8>, bytes: &[u8]) -> std::io::Result<()> {
    writeln!(text, "@@ -0,0 +1,{} @@", bytes.lines_with_terminator().count())?;
    for line in bytes.lines_with_terminator() {
        text.push(b'+');
        text.extend_from_slice(line);
    }
    if !bytes.ends_with(b"\n") { text.write_all(b"\n\\ No newline at end of file\n") } else { Ok(()) }
}

fn hunk(text: &mut Vec<u8>, hunk: &Hunk, growth: &mut i64) -> std::io::Result<()> {
    let count = |side: fn(&Line) -> bool| hunk.lines.iter().filter(|line| side(line)).count();
    let (old, new) = (count(Line::is_old), count(Line::is_new));
    match hunk.old_start {
        Some(start) => writeln!(text, "@@ -{start},{old} +{},{new} @@", (i64::from(start) + *growth).max(0))?,
        None => writeln!(text, "@@")?,
    }
    *growth += new as i64 - old as i64;
    let (last_old, last_new) = (hunk.lines.iter().rposition(Line::is_old), hunk.lines.iter().rposition(Line::is_new));
    for (at, line) in hunk.lines.iter().enumerate() {
        text.push(match line {
            Line::Context(_) => b' ',
            Line::Remove(_) => b'-',
            Line::Add(_) => b'+',
        });
        text.extend_from_slice(line.bytes());
        text.push(b'\n');
        let open = |last, no_newline| no_newline && last == Some(at);
        if open(last_old, hunk.old_no_newline) || open(last_new, hunk.new_no_newline) {
            text.extend_from_slice(b"\\ No newline at end of file\n");
        }
    }
    Ok(())
}
