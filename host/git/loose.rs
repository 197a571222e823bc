//! Loose objects, checked without libgit2: on some that are damaged it never comes back (its loop over a compressed stream that makes no
//! progress has no end; docs/decisions/git-readers.md).

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use git2::{ObjectType, Oid};
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};

/// Bytes of an object that is checked; of larger ones only libgit2 can tell.
const MOST: usize = 1 << 30;

/// Whether the loose object below `objects` has the bytes that its name says. None: there is none, or it is too large to tell.
pub fn check(objects: &Path, oid: Oid) -> Option<Result<(), String>> {
    let name = oid.to_string();
    let path = objects.join(&name[..2]).join(&name[2..]);
    let damaged = |why: &str| Some(Err(format!("object {oid} is damaged: {why}")));
    let bytes = match fs::metadata(&path).and_then(|data| match data.len() > MOST as u64 {
        true => Ok(None),
        false => fs::read(&path).map(Some),
    }) {
        Ok(bytes) => bytes?,
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        Err(error) => return damaged(&error.to_string()),
    };
    let content = match decompress_to_vec_zlib_with_limit(&bytes, MOST) {
        Ok(content) => content,
        Err(error) if error.status == TINFLStatus::HasMoreOutput => return None,
        Err(error) => return damaged(&format!("its compressed form cannot be read ({:?})", error.status)),
    };
    let Some(end) = content.iter().position(|byte| *byte == 0) else { return damaged("it has no header") };
    let (header, data) = (String::from_utf8_lossy(&content[..end]), &content[end + 1..]);
    let kind = header.split_once(' ').filter(|(_, size)| size.parse() == Ok(data.len()));
    let Some(kind) = kind.and_then(|(kind, _)| ObjectType::from_str(kind)) else {
        return damaged("its header does not fit its content");
    };
    match Oid::hash_object(kind, data) {
        Ok(actual) if actual == oid => Some(Ok(())),
        Ok(actual) => damaged(&format!("its content is {actual}")),
        Err(error) => damaged(error.message()),
    }
}
