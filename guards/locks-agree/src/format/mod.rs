//! Readers of lock files. Tools write them, so lines are enough where a parser would only be slower.

mod blocks;
mod bundler;
mod go;
mod json;
mod pnpm;
mod yarn;

use crate::lock::{Format, Lock};

/// None: the file is not what the tool writes, and nothing of it is certain.
pub fn read(format: Format, text: &str) -> Option<Lock> {
    let mut lock = match format {
        Format::Cargo => blocks::cargo(text),
        Format::Poetry => blocks::poetry(text),
        Format::Uv => blocks::uv(text),
        Format::Npm => json::npm(text),
        Format::Pipenv => json::pipenv(text),
        Format::Composer => json::composer(text),
        Format::Yarn => yarn::read(text),
        Format::Pnpm => pnpm::read(text),
        Format::Go => go::read(text),
        Format::Bundler => bundler::read(text),
    }?;
    lock.roots.sort();
    Some(lock)
}
