//! A whole file that a program damaged: the lines that it does not change show the damage, since the existing file has them without it.

use std::borrow::Cow;
use std::collections::HashSet;

use super::base_text;
use super::damage::{DAMAGES, Damage};
use super::unclear;
use super::written::Written;
use super::{ApplyBase, Author, FileOp, Misfit, Note, Patch, Result, Watch, with_text};

/// The patch with each whole file as it was before a damage that its lines show.
///
/// # Errors
/// When the repository's objects cannot be read. The misfit is a file that shows a damage, and has characters that it would have
/// replaced.
pub(in super::super) fn restored<'p>(
    patch: &'p Patch,
    base: &ApplyBase,
    watch: &Watch,
) -> Result<std::result::Result<Cow<'p, Patch>, Misfit>> {
    let mut restored = Cow::Borrowed(patch);
    for (at, file) in patch.files.iter().enumerate() {
        watch.checkpoint();
        let FileOp::Write(text) = &file.op else { continue };
        // Of text and of pages such characters may be the change.
        let is_open = matches!(Written::to(&file.path), Written::Prose | Written::Markup);
        if file.written_by == Author::Program || is_open {
            continue;
        }
        let Some(old) = base_text(base, file, watch)? else { continue };
        for damage in &DAMAGES {
            match shown(damage, text, &old, Written::to(&file.path)) {
                Shown::Nowhere => {}
                Shown::Unclear => return Ok(Err(unclear(patch))),
                Shown::Everywhere => {
                    let patch = restored.to_mut();
                    patch.files[at] = with_text(&patch.files[at], |text| in_lines(damage, text));
                    patch.notes.push(Note::new(damage.code, damage.words));
                    break;
                }
            }
        }
    }
    Ok(Ok(restored))
}

enum Shown {
    Nowhere,
    /// Lines of it are the file's but for the damage, and others contradict it; or nobody writes so, and no line proves the damage.
    Unclear,
    /// Most lines with the damage are the file's without it.
    Everywhere,
}

fn shown(damage: &Damage, text: &[u8], old: &[u8], written: Written) -> Shown {
    let is_changed = |line: &[u8]| (damage.undo)(line).is_some_and(|plain| plain != line);
    if old.split(|byte| *byte == b'\n').any(is_changed) {
        return Shown::Nowhere;
    }
    let known: HashSet<&[u8]> = old.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    let (mut changed, mut proven, mut is_left, mut is_unmeant) = (0, 0, false, false);
    for line in text.split(|byte| *byte == b'\n') {
        let Some(plain) = (damage.undo)(line) else { return Shown::Nowhere };
        if plain == line {
            continue;
        }
        changed += 1;
        proven += usize::from(known.contains(plain.trim_ascii_end()));
        is_left |= (damage.is_left)(line);
        is_unmeant |= (damage.is_unmeant)(line, written);
    }
    match proven {
        0 if is_unmeant => Shown::Unclear,
        0 => Shown::Nowhere,
        _ if is_left || proven * 2 < changed => Shown::Unclear,
        _ => Shown::Everywhere,
    }
}

fn in_lines(damage: &Damage, text: &[u8]) -> Vec<u8> {
    let plain = |line: &[u8]| (damage.undo)(line).unwrap_or_else(|| line.to_vec());
    text.split(|byte| *byte == b'\n').map(plain).collect::<Vec<_>>().join(&b'\n')
}
