//! The question as a provider reads it.

mod files;
mod listing;
mod selection;
mod template;

use std::cmp::Reverse;

use super::{Ask, FailureClass, ProviderFailure, ReplyForm};
use files::show;
use guardhost_core::change::{RepoPath, TaskMode};
use guardhost_core::error::Result;
use selection::select;
use template::render;

/// The question as it is sent.
pub(super) struct Prompt {
    pub(super) bytes: Vec<u8>,
    /// The form of reply that it asks for, and the version of the template.
    pub(super) version: &'static str,
}

/// An estimate of how many tokens so many bytes are: one for three bytes, which is on the safe side for English and code. The true
/// number depends on the model.
pub fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(3)
}

/// Task, files, scope and feedback in one text.
///
/// The inner error: the prompt would have more than `max_tokens`. It is not cut, since it would then ask for changes to files that it
/// does not show.
pub(super) fn prompt(ask: &Ask, form: ReplyForm, max_tokens: usize) -> Result<Result<Prompt, ProviderFailure>> {
    let selection = select(ask)?;
    let mut files = String::new();
    let mut sizes = Vec::new();
    for (path, entry) in &selection.shown {
        let file = show(ask.tree, path, *entry)?;
        sizes.push((path, file.len()));
        files.push_str(&file);
        if tokens(files.len()) > max_tokens {
            return Ok(Err(too_long(max_tokens, files.len(), sizes)));
        }
    }
    let hints = ask.task.hints.iter().map(|path| format!("- {path}")).collect::<Vec<_>>().join("\n");
    let text = render(&[
        ("task", ask.task.text.trim()),
        ("context", ask.task.context.trim_end()),
        ("hints", &hints),
        ("compile-fix", if ask.task.mode == TaskMode::CompileFix { "yes" } else { "" }),
        ("files", files.trim_end()),
        ("listing", &selection.listing),
        ("feedback", ask.feedback.text.trim_end()),
        ("diff", if form == ReplyForm::Diff { "yes" } else { "" }),
        ("whole-files", if form == ReplyForm::WholeFiles { "yes" } else { "" }),
    ]);
    if tokens(text.len()) > max_tokens {
        return Ok(Err(too_long(max_tokens, text.len(), sizes)));
    }
    let version = match form {
        ReplyForm::Diff => "unified-diff/3",
        ReplyForm::WholeFiles => "whole-files/3",
    };
    Ok(Ok(Prompt { bytes: text.into_bytes(), version }))
}

/// A question that is sent as it is.
pub(super) fn whole_text(text: &str, version: &'static str, max_tokens: usize) -> Result<Prompt, ProviderFailure> {
    match tokens(text.len()) > max_tokens {
        true => Err(too_long(max_tokens, text.len(), Vec::new())),
        false => Ok(Prompt { bytes: text.as_bytes().to_vec(), version }),
    }
}

fn too_long(max_tokens: usize, bytes: usize, mut files: Vec<(&RepoPath, usize)>) -> ProviderFailure {
    files.sort_by_key(|(_, size)| Reverse(*size));
    let largest: Vec<_> = files.iter().take(3).map(|(path, size)| format!("{path} ({size} bytes)")).collect();
    let what = match largest.is_empty() {
        true => "the task and its feedback alone are too long".to_owned(),
        false => format!("the biggest files are {}", largest.join(", ")),
    };
    let why = format!("the prompt needs at least {} tokens or so and may have {max_tokens}: {what}", tokens(bytes));
    ProviderFailure::new(FailureClass::ContextTooLong, why).hint(
        "name fewer or smaller files with --file-hint, for a file is never shown in part; or raise max_prompt_tokens in the provider's settings",
    )
}
