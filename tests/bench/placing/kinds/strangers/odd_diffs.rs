//! Diffs with damage and in dialects of the second round.

use super::super::super::edit::Hunk;
use super::super::fenced;
use super::{Make, aider_blocks, body, certain, open};

fn numbered(hunk: &Hunk, from: usize) -> String {
    hunk.lines.iter().zip(from..).map(|(line, at)| format!("{at:>4} {}{}\n", line.sign, line.text)).collect()
}

pub const KINDS: [(&str, Make); 26] = [
    ("numbers with separators of thousands", |source, random| {
        open(source, random, |edit| {
            Some(fenced(
                "diff",
                &edit.unified_with(|hunk| {
                    format!(
                        "@@ -1,{:03},{} +1,{:03},{} @@\n{}",
                        hunk.old,
                        hunk.count('-'),
                        hunk.new,
                        hunk.count('+'),
                        hunk.body()
                    )
                }),
            ))
        })
    }),
    ("a number before each line", |source, random| {
        open(source, random, |edit| {
            Some(fenced("diff", &edit.unified_with(|hunk| hunk.header() + "\n" + &numbered(hunk, hunk.old))))
        })
    }),
    ("each hunk twice", |source, random| {
        certain(source, random, |edit| Some(fenced("diff", &edit.unified_with(|hunk| hunk.text() + &hunk.text()))))
    }),
    ("the diff twice, in a fence and bare", |source, random| {
        certain(source, random, |edit| Some(format!("{}\n{}\n", fenced("diff", &edit.unified(3)), edit.unified(3))))
    }),
    ("a rule between hunks", |source, random| {
        open(source, random, |edit| {
            let hunks = edit.hunks(3);
            (hunks.len() > 1).then(|| {
                fenced("diff", &(edit.names() + &hunks.iter().map(Hunk::text).collect::<Vec<_>>().join("----------\n")))
            })
        })
    }),
    ("an ellipsis between hunks", |source, random| {
        open(source, random, |edit| {
            let hunks = edit.hunks(3);
            (hunks.len() > 1).then(|| {
                fenced("diff", &(edit.names() + &hunks.iter().map(Hunk::text).collect::<Vec<_>>().join("...\n")))
            })
        })
    }),
    ("old and new in two fences of a diff", |source, random| {
        open(source, random, |edit| {
            let hunk = edit.hunks(2).into_iter().next().filter(|_| edit.hunks(2).len() == 1)?;
            let side = |sign: char| hunk.side(sign).iter().map(|line| format!("{sign}{line}\n")).collect::<String>();
            Some(format!("`{}`\n\n{}\n{}", edit.path, fenced("diff", &side('-')), fenced("diff", &side('+'))))
        })
    }),
    ("all old lines, then all new lines", |source, random| {
        certain(source, random, |edit| {
            edit.blocks(3)?;
            let whole = |hunk: &Hunk| {
                let side =
                    |sign: char| hunk.side(sign).iter().map(|line| format!("{sign}{line}\n")).collect::<String>();
                format!(
                    "@@ -{0},{1} +{2},{3} @@\n{4}{5}",
                    hunk.old,
                    hunk.count('-'),
                    hunk.new,
                    hunk.count('+'),
                    side('-'),
                    side('+')
                )
            };
            Some(fenced("diff", &edit.unified_with(whole)))
        })
    }),
    ("quoted-printable", |source, random| {
        open(source, random, |edit| {
            let text = edit.unified(3);
            text.contains('=')
                .then(|| format!("Content-Transfer-Encoding: quoted-printable\n\n{}", text.replace('=', "=3D")))
        })
    }),
    ("escaped for Markdown", |source, random| {
        open(source, random, |edit| {
            let text = edit.unified(3);
            text.contains('_').then(|| text.replace('_', "\\_").replace('*', "\\*"))
        })
    }),
    ("no-break spaces", |source, random| {
        open(source, random, |edit| {
            Some(fenced(
                "diff",
                &edit.unified_with(|hunk| hunk.header() + "\n" + &hunk.body().replace("  ", "\u{a0}\u{a0}")),
            ))
        })
    }),
    ("characters as in JSON", |source, random| {
        open(source, random, |edit| {
            let text = edit.unified_with(|hunk| {
                hunk.header() + "\n" + &hunk.body().replace('<', "\\u003c").replace('>', "\\u003e")
            });
            text.contains("\\u003").then(|| fenced("diff", &text))
        })
    }),
    ("one leading blank lost in all lines", |source, random| {
        open(source, random, |edit| {
            Some(edit.unified(3).lines().map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect())
        })
    }),
    ("trailing white space lost, blank lines too", |source, random| {
        certain(source, random, |edit| {
            let trails = |text: &str| text.lines().any(|line| line.ends_with([' ', '\t']));
            (!trails(&edit.before) && !trails(&edit.after)).then(|| {
                fenced(
                    "diff",
                    &edit.unified(3).lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>(),
                )
            })
        })
    }),
    ("indented by a list", |source, random| {
        certain(source, random, |edit| {
            let text = fenced("diff", &edit.unified(3));
            Some(format!("- The fix:\n\n{}", text.lines().map(|line| format!("  {line}\n")).collect::<String>()))
        })
    }),
    ("in a fence of five backticks", |source, random| {
        certain(source, random, |edit| Some(format!("`````diff\n{}`````\n", edit.unified(3))))
    }),
    ("SEARCH/REPLACE with an attribute", |source, random| {
        open(source, random, |edit| Some(format!("<patch file=\"{}\">\n{}</patch>\n", edit.path, aider_blocks(edit)?)))
    }),
    ("SEARCH/REPLACE with end marks of another length", |source, random| {
        open(source, random, |edit| {
            Some(format!("{}\n{}", edit.path, aider_blocks(edit)?.replace(">>>>>>> REPLACE", ">>>>>> REPLACE")))
        })
    }),
    ("SEARCH/REPLACE, marks in small letters", |source, random| {
        open(source, random, |edit| {
            Some(format!(
                "{}\n{}",
                edit.path,
                aider_blocks(edit)?.replace("SEARCH", "search").replace("REPLACE", "replace")
            ))
        })
    }),
    ("SEARCH/REPLACE, divider of dashes", |source, random| {
        open(source, random, |edit| {
            Some(format!("{}\n{}", edit.path, aider_blocks(edit)?.replace("=======\n", "-------\n")))
        })
    }),
    ("SEARCH/REPLACE with the old text left in the new half", |source, random| {
        open(source, random, |edit| {
            let one = |(old, new): &(String, String)| format!("<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n\n");
            Some(format!("File: {}\n\n{}", edit.path, edit.blocks(2)?.iter().map(one).collect::<String>()))
        })
    }),
    ("V4A with the sign of unchanged files", |source, random| {
        open(source, random, |edit| {
            edit.blocks(3)?;
            let hunks: String = edit.hunks(3).iter().map(|hunk| format!("@@\n{}", hunk.body())).collect();
            Some(format!("*** Begin Patch\n*** Update File: {}\n{hunks}*** End of File\n*** End Patch\n", edit.path))
        })
    }),
    ("V4A within a JSON argument", |source, random| {
        open(source, random, |edit| {
            edit.blocks(3)?;
            let hunks: String = edit.hunks(3).iter().map(|hunk| format!("@@\n{}", hunk.body())).collect();
            let patch = format!("*** Begin Patch\n*** Update File: {}\n{hunks}*** End Patch", edit.path);
            Some(serde_json::json!({"type": "function_call", "name": "apply_patch", "call_id": "c1", "arguments": serde_json::json!({"input": patch}).to_string()}).to_string())
        })
    }),
    ("headers only for git, none for hunks", |source, random| {
        open(source, random, |edit| Some(format!("diff --git a/{0} b/{0}\n{1}", edit.path, body(edit))))
    }),
    ("header of the old name alone", |source, random| {
        open(source, random, |edit| Some(format!("--- a/{}\n{}", edit.path, body(edit))))
    }),
    ("names with time stamps of another form", |source, random| {
        certain(source, random, |edit| {
            Some(format!("--- a/{0} (Tue Mar 3 2026)\n+++ b/{0} (Tue Mar 3 2026)\n{1}", edit.path, body(edit)))
        })
        .map(super::or_nothing)
    }),
];
