//! Names of files as models write them. A wrong one never makes a new file.

use super::super::corpus::Source;
use super::super::edit::{Edit, Hunk, Line, letters};
use super::super::trial::Trial;
use super::pair::renamed;
use super::{Make, base_name};

pub const KINDS: [(&str, Make); 23] = [
    ("path with ./", |source, _| placed(source, |edit| (format!("./{}", edit.path), format!("./{}", edit.path)))),
    ("path with a/./", |source, _| placed(source, |edit| (format!("a/./{}", edit.path), format!("b/./{}", edit.path)))),
    ("path without prefixes", |source, _| placed(source, |edit| (edit.path.clone(), edit.path.clone()))),
    ("prefixes i/ and w/", |source, _| placed(source, |edit| (format!("i/{}", edit.path), format!("w/{}", edit.path)))),
    ("prefix a/ on both", |source, _| placed(source, |edit| (format!("a/{}", edit.path), format!("a/{}", edit.path)))),
    ("path in quotation marks", |source, _| {
        placed(source, |edit| (format!("\"a/{}\"", edit.path), format!("\"b/{}\"", edit.path)))
    }),
    ("path in backticks", |source, _| {
        placed(source, |edit| (format!("`a/{}`", edit.path), format!("`b/{}`", edit.path)))
    }),
    ("(old) and (new) behind the path", |source, _| {
        placed(source, |edit| (format!("a/{} (old)", edit.path), format!("b/{} (new)", edit.path)))
    }),
    ("(original) and (modified) behind the path", |source, _| {
        placed(source, |edit| (format!("{}\t(original)", edit.path), format!("{}\t(modified)", edit.path)))
    }),
    ("timestamps behind the path", |source, _| {
        placed(source, |edit| {
            let at = |day: u32| format!("\t2025-06-{day:02} 10:00:00.000000000 +0200");
            (format!("a/{}{}", edit.path, at(1)), format!("b/{}{}", edit.path, at(2)))
        })
    }),
    (".orig behind the old path", |source, _| {
        placed(source, |edit| (format!("{}.orig", edit.path), edit.path.clone()))
    }),
    ("only +++", |source, _| {
        let edit = source.plain()?;
        Some(Trial::right(edit, edit.unified(3).split_once('\n')?.1))
    }),
    ("only ---", |source, _| {
        let edit = source.plain()?;
        let hunks: String = edit.hunks(3).iter().map(Hunk::text).collect();
        Some(Trial::right(edit, format!("--- a/{}\n{hunks}", edit.path)))
    }),
    ("only diff --git", |source, _| {
        let edit = source.plain()?;
        let hunks: String = edit.hunks(3).iter().map(Hunk::text).collect();
        Some(Trial::right(edit, format!("diff --git a/{0} b/{0}\n{hunks}", edit.path)))
    }),
    ("name of the repository before the path", |source, _| {
        meant(source, |edit| Some(format!("project/{}", edit.path)))
    }),
    ("base name only", |source, _| {
        meant(source, |edit| edit.path.contains('/').then(|| base_name(&edit.path).to_owned()))
    }),
    ("base name of two files", |source, _| {
        let edit = source.plain().filter(|edit| edit.path.contains('/'))?;
        let other = format!("elsewhere/{}", base_name(&edit.path));
        let diff = header(edit, base_name(&edit.path), base_name(&edit.path));
        Some(Trial::refused(edit, diff).beside(&other, &edit.before))
    }),
    ("absolute path", |source, _| {
        let edit = source.plain()?;
        let path = format!("/home/user/project/{}", edit.path);
        Some(Trial::right(edit, header(edit, &path, &path)))
    }),
    ("path misspelt", |source, _| {
        lost(source, |edit| {
            let at = edit.path.rfind(|character: char| character.is_ascii_alphabetic())?;
            Some(edit.path[..at].to_owned() + "zz" + &edit.path[at + 1..])
        })
    }),
    ("folder misspelt", |source, _| {
        lost(source, |edit| Some(format!("x{}", edit.path)).filter(|path| path.contains('/')))
    }),
    ("letter case wrong", |source, _| {
        lost(source, |edit| Some(edit.path.to_uppercase()).filter(|path| *path != edit.path))
    }),
    ("insertion at a wrong path", |source, _| {
        let edit = source.plain()?;
        let at = 2 + edit.before.lines().count() / 2;
        let path = format!("project/{}", edit.path);
        Some(Trial::refused(edit, format!("--- a/{path}\n+++ b/{path}\n@@ -{at},0 +{},2 @@\n+one\n+two\n", at + 1)))
    }),
    ("insertion into a renamed file", |source, _| {
        let edit = source.plain()?;
        let lines = edit.hunks(3).swap_remove(0).lines.into_iter().filter(|line| line.sign != '-');
        let lines: Vec<Line> = lines.collect();
        let hunk = Hunk { old: 1, new: 1, heading: String::new(), lines };
        let path = renamed(base_name(&edit.path))?;
        let telling = hunk.lines.iter().filter(|line| line.sign == ' ' && letters(&line.text) > 3).count() > 1;
        telling.then(|| Trial::refused(edit, format!("--- a/{path}\n+++ b/{path}\n{}", hunk.text())))
    }),
];

fn header(edit: &Edit, old: &str, new: &str) -> String {
    let hunks: String = edit.hunks(3).iter().map(Hunk::text).collect();
    format!("--- {old}\n+++ {new}\n{hunks}")
}

fn placed(source: &Source, names: fn(&Edit) -> (String, String)) -> Option<Trial> {
    let edit = source.plain()?;
    let (old, new) = names(edit);
    Some(Trial::right(edit, header(edit, &old, &new)))
}

/// A path that the tree does not have.
fn lost(source: &Source, path: fn(&Edit) -> Option<String>) -> Option<Trial> {
    let edit = source.plain()?;
    let path = path(edit)?;
    Some(Trial::refused(edit, header(edit, &format!("a/{path}"), &format!("b/{path}"))))
}

/// A name that only one file can mean, which has the diff's lines.
fn meant(source: &Source, path: fn(&Edit) -> Option<String>) -> Option<Trial> {
    let edit = source.plain()?;
    let path = path(edit)?;
    Some(Trial::right(edit, header(edit, &format!("a/{path}"), &format!("b/{path}"))))
}
