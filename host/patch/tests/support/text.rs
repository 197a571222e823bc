//! Replies made of text, and patches shown as text.

use std::fmt::Write;

use bstr::ByteSlice;
use guardhost_core::change::{Existence, FileOp, FilePatch, Hunk, Line, NoPatch, Note, Patch, Reply, RepoPath};
use guardhost_core::stop::StopToken;
use guardhost_patch::{
    extract::{Surroundings, extract},
    repair::repair,
};
use proptest::prelude::*;

pub fn reply(bytes: impl Into<Vec<u8>>) -> Reply {
    Reply { bytes: bytes.into(), ..Reply::default() }
}

pub fn read(bytes: impl Into<Vec<u8>>, hints: &[RepoPath]) -> Result<Patch, NoPatch> {
    let stop = StopToken::default();
    extract(repair(&reply(bytes), &stop).unwrap(), hints, &Surroundings::unknown(), &stop).unwrap()
}

/// Every field of a patch, one a line.
pub fn show(result: &Result<Patch, NoPatch>) -> String {
    match result {
        Ok(patch) => show_patch(patch),
        Err(none) => format!("{:?}: {none}\n", none.kind),
    }
}

fn show_patch(patch: &Patch) -> String {
    let mut text = format!("{:?}\n", patch.format);
    if let Some(message) = &patch.message {
        writeln!(text, "message: {message}").unwrap();
    }
    patch.notes.iter().for_each(|note: &Note| writeln!(text, "note: {note}").unwrap());
    patch.files.iter().for_each(|file| show_file(file, &mut text));
    text
}

fn show_file(file: &FilePatch, text: &mut String) {
    let content = |text: &mut String, content: &[u8]| {
        content.lines_with_terminator().for_each(|line| writeln!(text, "  | {}", line.escape_ascii()).unwrap());
    };
    write!(text, "\n{} ", file.path).unwrap();
    let hunks: &[Hunk] = match &file.op {
        FileOp::Modify(hunks) => (write!(text, "modify").unwrap(), hunks).1,
        FileOp::Delete(hunks) => (write!(text, "delete").unwrap(), hunks).1,
        FileOp::Rename { from, hunks } => (write!(text, "rename from {from}").unwrap(), hunks).1,
        FileOp::Copy { from, hunks } => (write!(text, "copy from {from}").unwrap(), hunks).1,
        FileOp::Create(_) => (write!(text, "create").unwrap(), &[][..]).1,
        FileOp::Write(_) => (write!(text, "write").unwrap(), &[][..]).1,
    };
    if let Some(mode) = file.mode {
        write!(text, ", mode {:o}", mode.raw()).unwrap();
    }
    if let Some(blob) = &file.claimed_blob {
        write!(text, ", claims {blob}").unwrap();
    }
    if file.existence == Existence::MustExist {
        write!(text, ", must exist").unwrap();
    }
    text.push('\n');
    if let FileOp::Create(bytes) | FileOp::Write(bytes) = &file.op {
        content(text, bytes);
    }
    hunks.iter().for_each(|hunk| show_hunk(hunk, text));
}

fn show_hunk(hunk: &Hunk, text: &mut String) {
    write!(text, "  @").unwrap();
    if let Some(start) = hunk.old_start {
        write!(text, " {start}").unwrap();
    }
    hunk.anchors.iter().for_each(|anchor| write!(text, " [{}]", anchor.as_bstr()).unwrap());
    for (set, name) in
        [(hunk.at_end, "at-end"), (hunk.old_no_newline, "old-no-newline"), (hunk.new_no_newline, "new-no-newline")]
    {
        if set {
            write!(text, " {name}").unwrap();
        }
    }
    if hunk.trimmed > 0 {
        write!(text, " trimmed {}", hunk.trimmed).unwrap();
    }
    text.push('\n');
    for line in &hunk.lines {
        let mark = match line {
            Line::Context(_) => ' ',
            Line::Remove(_) => '-',
            Line::Add(_) => '+',
        };
        writeln!(text, "  {mark}|{}", line.bytes().escape_ascii()).unwrap();
    }
}

/// Texts put together from the pieces that mean something to some parser.
pub fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => prop::sample::select(PIECES.to_vec()).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..6),
        1 => "[a-z ]{0,6}".prop_map(String::into_bytes),
    ];
    prop::collection::vec((piece, any::<bool>()), 0..24).prop_map(|pieces| {
        pieces
            .into_iter()
            .flat_map(|(piece, newline)| [piece, if newline { b"\n".to_vec() } else { vec![] }].concat())
            .collect()
    })
}

const PIECES: [&str; 64] = [
    "diff --git a/src/a.rs b/src/a.rs\n",
    "--- a/src/a.rs\n+++ b/src/a.rs\n",
    "--- /dev/null\n",
    "+++ b/x",
    "index 1234567..89abcde 100644\n",
    "new file mode 100644\n",
    "deleted file mode 100644\n",
    "rename from a\nrename to b\n",
    "similarity index 90%\n",
    "old mode 100644\nnew mode 100755\n",
    "GIT binary patch\n",
    "@@ -1,2 +1,2 @@\n",
    "@@ -1 +1 @@ fn f() -&gt; T\n",
    "@@\n",
    "@@ ... @@\n",
    "@@@ -1 -1 +1 @@@\n",
    " context\n",
    "-removed\n",
    "+added\n",
    "\\ No newline at end of file\n",
    "-- \n2.1\n",
    "\n",
    "\r\n",
    "    ",
    "*** Begin Patch\n",
    "*** End Patch\n",
    "*** Update File: src/a.rs\n",
    "*** Add File: b\n",
    "*** Delete File: c\n",
    "*** Move to: d\n",
    "*** End of File\n",
    "***************\n",
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>>> REPLACE\n",
    "src/a.rs\n",
    "```rust\n",
    "```\n",
    "````diff\n",
    "~~~\n",
    "<<<AI_DIFF_START>>>\n",
    "<<<AI_DIFF_END>>>\n",
    "NO_CHANGES_NEEDED\n",
    "<think>",
    "</think>\n",
    "<thinking>",
    "</thinking>",
    "\u{feff}",
    "\u{200b}",
    "\x1b[1m",
    "\x1b]0;t\x07",
    "&lt;&lt;&lt;&lt;&lt;&lt;&lt; SEARCH\n",
    "&gt;",
    "&amp;",
    "\\n",
    "\"",
    "{\"patches\": [",
    "{\"path\": \"a\", \"content\": \"",
    "\"}",
    "]}",
    ",",
    "'",
    "# ... existing code ...\n",
    "{",
];
