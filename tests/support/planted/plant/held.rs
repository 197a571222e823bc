//! Files that nobody edits by hand, edited.

use guardhost_core::change::Task;

use super::{Files, Planted, Random, is_own, one};

fn by_a_model(planted: Planted) -> Planted {
    Planted { task: Some(Task { text: "Mend the total.".into(), ..Task::default() }), ..planted }
}

pub fn licence(files: &Files, random: &mut Random) -> Option<Planted> {
    let is_licence = |path: &str| {
        matches!(path.rsplit('/').next(), Some("LICENSE" | "LICENSE.txt" | "LICENSE.md" | "COPYING"))
            && is_own(path)
            && !path.contains("test")
    };
    files.some(random, is_licence).into_iter().find_map(|(path, text)| {
        let (old, new) = *one(
            &[
                ("free of charge", "for a fee"),
                ("without restriction", "with restrictions"),
                ("Redistribution", "Sale"),
                ("WITHOUT WARRANTIES", "WITH WARRANTIES"),
            ],
            random,
        )?;
        text.contains(old)
            .then(|| Planted::new(&path, text.replacen(old, new, 1), "licence", format!("{old} -> {new}")))
    })
}

pub fn notice(files: &Files, random: &mut Random) -> Option<Planted> {
    let is_source = |path: &str| {
        is_own(path) && [".py", ".rs", ".js", ".ts", ".go", ".java"].iter().any(|ending| path.ends_with(ending))
    };
    files.some(random, is_source).into_iter().find_map(|(path, text)| {
        let comment = |line: &&str| line.starts_with(['#', '/', '*', ' ']) && !line.starts_with("#!");
        let top: Vec<&str> = text.lines().take_while(comment).collect();
        let says = top.iter().any(|line| {
            line.contains("SPDX-License-Identifier")
                || line.contains("Licensed under")
                || line.contains("Copyright (c)")
        });
        let rest = text.lines().skip(top.len()).collect::<Vec<_>>().join("\n");
        (says && rest.trim().len() > 50 && !rest.to_lowercase().contains("copyright"))
            .then(|| Planted::new(&path, format!("{}\n", rest.trim_start()), "notice", "the notice at the top"))
    })
}

pub fn generated(files: &Files, random: &mut Random) -> Option<Planted> {
    let is_source = |path: &str| {
        [".py", ".js", ".ts", ".go", ".rs", ".java"].iter().any(|ending| path.ends_with(ending))
            && !path.contains("test")
            && !path.contains("vendor")
    };
    files.some(random, is_source).into_iter().find_map(|(path, text)| {
        let is_marked = text
            .lines()
            .take(5)
            .any(|line| line.starts_with(['#', '/']) && (line.contains("DO NOT EDIT") || line.contains("@generated")));
        let at = text.rfind(|c: char| c.is_ascii_digit())?;
        let digit = if text.as_bytes()[at] == b'1' { "2" } else { "1" };
        let edited = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
        is_marked.then(|| by_a_model(Planted::new(&path, edited, "generated", "a digit")))
    })
}

pub fn migration(files: &Files, random: &mut Random) -> Option<Planted> {
    let is_migration = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_folder = ["/migrations/", "/migrate/", "/versions/"].iter().any(|folder| path.contains(folder));
        is_folder
            && name.starts_with(|c: char| c.is_ascii_digit())
            && !path.contains("test")
            && [".py", ".rb", ".sql"].iter().any(|ending| name.ends_with(ending))
    };
    files.some(random, is_migration).into_iter().find_map(|(path, text)| {
        let (old, new) = *one(
            &[
                ("CharField", "TextField"),
                ("VARCHAR", "TEXT"),
                (":string", ":text"),
                ("sa.String", "sa.Text"),
                ("IntegerField", "BigIntegerField"),
            ],
            random,
        )?;
        text.contains(old).then(|| {
            by_a_model(Planted::new(&path, text.replacen(old, new, 1), "migration", format!("{old} -> {new}")))
        })
    })
}
