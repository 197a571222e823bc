//! Replies of somebody else: a file with one JSON object a line,
//! `{"kind": name, "tree": {path: text}, "reply": text, "want": "right" | "refuse" | "all", "files": {path: text}}`.
//!
//! `right` wants exactly `files`; `all` wants these or a refusal, since a part of the reply alone is wrong; `refuse` wants no result.

use std::fs;
use std::io::{Error, ErrorKind, Result};

use serde_json::Value;

use super::kinds::Readers;
use super::trial::{Files, Trial, Want, file};

/// Every case of the file, with its kind and the tools that read its format.
///
/// # Errors
/// The file cannot be read, or a line is not a case: the message has the line's number.
pub fn read(path: &str) -> Result<Vec<(String, Readers, Trial)>> {
    let text = fs::read_to_string(path)?;
    let case = |(nth, line): (usize, &str)| {
        let error = |what: &str| Error::new(ErrorKind::InvalidData, format!("{path}:{}: {what}", nth + 1));
        let value: Value = serde_json::from_str(line).map_err(|cause| error(&cause.to_string()))?;
        case(&value).ok_or_else(|| error("needs kind, tree, reply, want, and files unless a refusal is wanted"))
    };
    text.lines().enumerate().map(case).collect()
}

fn case(value: &Value) -> Option<(String, Readers, Trial)> {
    let reply = value["reply"].as_str()?;
    let wanted = || files(&value["files"]);
    let want = match value["want"].as_str()? {
        "right" => Want::Result(wanted()?),
        "all" => Want::AllOrNothing(wanted()?),
        "refuse" => Want::Refusal,
        _ => return None,
    };
    let trial = Trial { reply: reply.into(), tree: files(&value["tree"])?, want, shown: None, hints: Vec::new() };
    Some((value["kind"].as_str()?.to_owned(), readers(reply), trial))
}

fn files(value: &Value) -> Option<Files> {
    value.as_object()?.iter().map(|(path, text)| Some((path.clone(), file(text.as_str()?)))).collect()
}

/// A tool gets a reply when the reply has its marks on lines of their own, whatever stands around them.
fn readers(reply: &str) -> Readers {
    let has = |mark: &str| reply.lines().any(|line| line.starts_with(mark));
    match () {
        () if has("*** Begin Patch") => Readers::V4a,
        () if has("<<<<<<< SEARCH") => Readers::SearchReplace,
        () if has("@@ -") => Readers::Diff,
        () => Readers::None,
    }
}
