//! Comments by which linters and type checkers accept names that nothing binds.

/// Linters are told to leave the whole file alone, or the names are those of a notebook.
pub fn accept_all(text: &str) -> bool {
    text.lines().filter(|line| line.starts_with('#')).any(|line| {
        let words = line.trim_start_matches('#').trim();
        let noqa = words.strip_prefix("ruff: noqa").or_else(|| words.strip_prefix("flake8: noqa"));
        noqa.is_some_and(|rules| rules.is_empty() || rules.contains("F821"))
            || matches!(
                words,
                "type: ignore" | "mypy: ignore-errors" | "pylint: skip-file" | "Databricks notebook source"
            )
    })
}

/// A comment in the line says that the name is known to be missing.
pub fn accept(line: &str) -> bool {
    let Some((_, comment)) = line.split_once('#') else { return false };
    ["noqa", "type: ignore", "type:ignore", "pyright: ignore", "pylint: disable"]
        .iter()
        .any(|mark| comment.contains(mark))
}
