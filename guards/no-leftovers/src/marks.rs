//! Bytes that no editor shows: NUL, and a byte order mark.

use guard_sdk::{Edit, File, Finding};

use crate::place::{self, Kind};

pub fn nul_bytes(file: &File) -> Option<Finding> {
    let kind = place::kind(file.path());
    let was_text = file.before().is_regular() && file.before().text().is_ok_and(|text| !text.contains('\0'));
    let is_text = match file.before().exists() {
        true => was_text && (kind != Kind::Open || file.extension() == "txt"),
        false => kind != Kind::Open,
    };
    if !is_text {
        return None;
    }
    let bytes = file.after().bytes().ok()?;
    let nuls = bytes.iter().filter(|byte| **byte == 0).count();
    let line = bytes.iter().take_while(|byte| **byte != 0).filter(|byte| **byte == b'\n').count() as u32 + 1;
    let is_utf_16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    (nuls > 0 && !is_utf_16).then(|| {
        Finding::error("nul-bytes", format!("{} holds {nuls} NUL bytes, the first in line {line}", file.path()))
            .file(file.path())
            .help("Write the file as plain UTF-8 text. Where the program needs a NUL, write its escape, such as `\\0`.")
    })
}

/// Kinds whose tools write a mark of their own accord.
const MARKED: [&str; 12] = ["csv", "tsv", "ps1", "psm1", "cs", "vb", "sln", "csproj", "vbproj", "resx", "txt", "xml"];

pub fn byte_order_mark(file: &File, after: &str) -> Option<Finding> {
    let has_mark = |size: u64, text: &str| size == text.len() as u64 + 3;
    let extension = file.extension();
    if !has_mark(file.after().blob()?.size, after)
        || !file.before().is_regular()
        || MARKED.contains(&extension.as_str())
        || place::kind(file.path()) == Kind::Open
    {
        return None;
    }
    let before = file.before().text().ok()?;
    (!has_mark(file.before().blob()?.size, &before)).then(|| {
        file.error("byte-order-mark-added", format!("{} now begins with a byte order mark", file.path()))
            .help("Write the file as UTF-8 without a byte order mark, as it was.")
            .fix("Remove the byte order mark", vec![Edit::replace(file.path(), 0..3, "")])
    })
}
