//! The file's name above a text, in other languages and ways of writing.

use super::super::super::corpus::Source;
use super::super::super::random::Random;
use super::super::super::trial::Trial;
use super::super::fenced;
use super::{Make, body, certain, diff_fence, open, or_nothing};

/// The whole file below the label, and another labelled file that stands there too.
fn labelled(source: &Source, random: &mut Random, label: fn(&str) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    let below = format!("{}\n{}", label(&edit.path), fenced("", &edit.after));
    if random.below(2) == 0 {
        return Some(or_nothing(Trial::right(edit, below)));
    }
    let other = "samples/poem.txt";
    let text = format!("{}\n{}\n{below}", label(other), fenced("", "roses\nare\nblue\n"));
    Some(super::with_file(
        or_nothing(Trial::right(edit, text)),
        other,
        Some("roses\nare\nred\n"),
        Some("roses\nare\nblue\n"),
    ))
}

fn hunks_below(source: &Source, random: &mut Random, label: fn(&str) -> String) -> Option<Trial> {
    certain(source, random, |edit| Some(format!("{}\n\n{}", label(&edit.path), fenced("diff", &body(edit)))))
}

pub const KINDS: [(&str, Make); 20] = [
    ("Russian", |source, random| labelled(source, random, |path| format!("Файл: {path}\n"))),
    ("Korean", |source, random| labelled(source, random, |path| format!("파일: `{path}`\n"))),
    ("Spanish, bold", |source, random| labelled(source, random, |path| format!("**Archivo:** `{path}`\n"))),
    ("French, a blank before the colon", |source, random| {
        labelled(source, random, |path| format!("Fichier : {path}\n"))
    }),
    ("Arabic", |source, random| labelled(source, random, |path| format!("الملف: {path}\n"))),
    ("Portuguese heading with a number", |source, random| {
        labelled(source, random, |path| format!("## 1. Arquivo `{path}` (atualizado)\n"))
    }),
    ("Chinese, corner brackets", |source, random| labelled(source, random, |path| format!("【{path}】\n"))),
    ("Japanese, quotation marks", |source, random| {
        labelled(source, random, |path| format!("「{path}」を次のように変更します：\n"))
    }),
    ("Vietnamese", |source, random| labelled(source, random, |path| format!("Tệp {path}:\n"))),
    ("with a size in brackets", |source, random| {
        labelled(source, random, |path| format!("{path} (3.2 kB, modified)\n"))
    }),
    ("a comment within the fence", |source, random| {
        open(source, random, |edit| Some(fenced("", &format!("// {}\n{}", edit.path, edit.after))))
    }),
    ("between rules", |source, random| labelled(source, random, |path| format!("---\n{path}\n---\n"))),
    ("hunks below a sentence in Chinese", |source, random| {
        hunks_below(source, random, |path| format!("在 `{path}` 中做如下修改："))
    }),
    ("hunks below a sentence in Russian", |source, random| {
        hunks_below(source, random, |path| format!("Изменения в файле `{path}`:"))
    }),
    ("hunks below a heading with a link", |source, random| {
        hunks_below(source, random, |path| format!("### [{path}](./{path}#L10)"))
    }),
    ("hunks below a path with lines", |source, random| hunks_below(source, random, |path| format!("**{path}:10-25**"))),
    ("hunks below an arrow", |source, random| hunks_below(source, random, |path| format!("➡️ {path}"))),
    ("hunks in a fence with a title", |source, random| {
        certain(source, random, |edit| Some(fenced(&format!("diff title=\"{}\"", edit.path), &body(edit))))
    }),
    ("diff below Cursor's quotation of the file", |source, random| {
        certain(source, random, |edit| {
            let shown: String = edit.before.lines().take(6).map(|line| format!("{line}\n")).collect();
            Some(format!(
                "The code is here:\n\n{}\nThe fix:\n\n{}",
                fenced(&format!("1:6:{}", edit.path), &shown),
                diff_fence(edit)
            ))
        })
    }),
    ("diff below a trace of the stack", |source, random| {
        certain(source, random, |edit| {
            Some(format!(
                "```\nTraceback (most recent call last):\n  File \"{}\", line 12, in main\n    run()\n- expected: 3\n+ actual: 4\nAssertionError\n```\n\n{}",
                edit.path,
                diff_fence(edit)
            ))
        })
    }),
];
