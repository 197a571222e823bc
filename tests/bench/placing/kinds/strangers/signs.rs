//! The lines of a diff, each damaged alike, or in another dialect of diffs.

use super::super::super::edit::Hunk;
use super::super::fenced;
use super::{Make, body, certain, diff_fence, open};

fn each_line(hunk: &Hunk, line: impl Fn(char, &str) -> String) -> String {
    hunk.lines.iter().fold(hunk.header() + "\n", |text, of| text + &line(of.sign, &of.text) + "\n")
}

pub const KINDS: [(&str, Make); 20] = [
    ("full-width signs", |source, random| {
        open(source, random, |edit| {
            Some(fenced(
                "diff",
                &edit.unified_with(|hunk| {
                    each_line(hunk, |sign, text| {
                        format!(
                            "{}{text}",
                            match sign {
                                '+' => '＋',
                                '-' => '－',
                                _ => ' ',
                            }
                        )
                    })
                }),
            ))
        })
    }),
    ("dashes for minus signs", |source, random| {
        open(source, random, |edit| {
            Some(fenced(
                "diff",
                &edit.unified_with(|hunk| {
                    each_line(hunk, |sign, text| format!("{}{text}", if sign == '-' { '–' } else { sign }))
                }),
            ))
        })
    }),
    ("bullets for minus signs", |source, random| {
        open(source, random, |edit| {
            Some(fenced(
                "diff",
                &edit.unified_with(|hunk| {
                    each_line(hunk, |sign, text| format!("{}{text}", if sign == '-' { '•' } else { sign }))
                }),
            ))
        })
    }),
    ("signs twice", |source, random| {
        open(source, random, |edit| {
            Some(fenced("diff", &edit.unified_with(|hunk| each_line(hunk, |sign, text| format!("{sign}{sign}{text}")))))
        })
    }),
    ("a blank behind each sign", |source, random| {
        open(source, random, |edit| {
            Some(fenced("diff", &edit.unified_with(|hunk| each_line(hunk, |sign, text| format!("{sign} {text}")))))
        })
    }),
    ("br at each end", |source, random| {
        open(source, random, |edit| Some(edit.unified(3).lines().map(|line| format!("{line}<br>\n")).collect()))
    }),
    ("a backslash at each end", |source, random| {
        open(source, random, |edit| {
            Some(fenced("diff", &edit.unified(3).lines().map(|line| format!("{line}\\\n")).collect::<String>()))
        })
    }),
    ("zero width space before each line", |source, random| {
        open(source, random, |edit| {
            Some(fenced("diff", &edit.unified(3).lines().map(|line| format!("\u{200b}{line}\n")).collect::<String>()))
        })
    }),
    ("terminal colours", |source, random| {
        certain(source, random, |edit| {
            let line = |line: &str| match line.chars().next() {
                Some('+') => format!("\u{1b}[32m{line}\u{1b}[m\n"),
                Some('-') => format!("\u{1b}[31m{line}\u{1b}[m\n"),
                _ => format!("{line}\n"),
            };
            Some(edit.git().lines().map(line).collect())
        })
    }),
    ("words in brackets", |source, random| {
        open(source, random, |edit| {
            let line = |sign: char, text: &str| match sign {
                '+' => format!("{{+{text}+}}"),
                '-' => format!("[-{text}-]"),
                _ => text.to_owned(),
            };
            Some(fenced("diff", &edit.unified_with(|hunk| each_line(hunk, line))))
        })
    }),
    ("svn diff", |source, random| {
        certain(source, random, |edit| {
            Some(format!(
                "Index: {0}\n{1}\n--- {0}\t(revision 1402)\n+++ {0}\t(working copy)\n{2}",
                edit.path,
                "=".repeat(67),
                body(edit)
            ))
        })
    }),
    ("hg diff", |source, random| {
        certain(source, random, |edit| {
            Some(format!(
                "diff -r 9f1b2c3d4e5f {0}\n--- a/{0}\tTue Mar 03 10:00:00 2026 +0000\n+++ b/{0}\tTue Mar 03 10:05:00 2026 +0000\n{1}",
                edit.path,
                body(edit)
            ))
        })
    }),
    ("mnemonic prefixes", |source, random| {
        certain(source, random, |edit| {
            Some(format!(
                "diff --git i/{0} w/{0}\nindex 1111111..2222222 100644\n--- i/{0}\n+++ w/{0}\n{1}",
                edit.path,
                body(edit)
            ))
        })
    }),
    ("no prefixes", |source, random| {
        certain(source, random, |edit| {
            Some(format!(
                "diff --git {0} {0}\nindex 1111111..2222222 100644\n--- {0}\n+++ {0}\n{1}",
                edit.path,
                body(edit)
            ))
        })
    }),
    ("a dot and a slash", |source, random| {
        certain(source, random, |edit| Some(format!("--- ./{0}\n+++ ./{0}\n{1}", edit.path, body(edit))))
    }),
    ("folders of a temporary copy", |source, random| {
        certain(source, random, |edit| {
            Some(format!(
                "diff -ru /tmp/old/{0} /tmp/new/{0}\n--- /tmp/old/{0}\t2026-03-03 10:00:00.000000000 +0000\n+++ /tmp/new/{0}\t2026-03-03 10:05:00.000000000 +0000\n{1}",
                edit.path,
                body(edit)
            ))
        })
    }),
    ("words for numbers in the headers", |source, random| {
        certain(source, random, |edit| {
            edit.blocks(3)?;
            Some(fenced("diff", &edit.unified_with(|hunk| format!("@@ line {} @@\n{}", hunk.old, hunk.body()))))
        })
        .map(super::or_nothing)
    }),
    ("three hunks of one place, once for each line", |source, random| {
        // Each hunk is cut to one line of context; that lines of the file are shown twice is usual.
        open(source, random, |edit| Some(fenced("diff", &(edit.unified(1) + "\n"))))
    }),
    ("the blank context lines are empty and carriage returns end lines", |source, random| {
        certain(source, random, |edit| {
            let text = edit
                .unified(3)
                .lines()
                .map(|line| if line == " " { "\r\n".to_owned() } else { format!("{line}\r\n") })
                .collect::<String>();
            Some(format!("\u{feff}{text}"))
        })
    }),
    ("a closing remark with signs", |source, random| {
        open(source, random, |edit| {
            Some(format!("{}\nSummary:\n\n+ handles the empty case\n+ clearer name\n- less code\n", diff_fence(edit)))
        })
    }),
];
