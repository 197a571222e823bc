//! SEARCH and REPLACE with other markers, and with something in front of their lines.

use super::super::corpus::Source;
use super::super::trial::Trial;
use super::search::{Block, marked, named};
use super::wrapping::quoted;
use super::{Make, fenced};

pub const KINDS: [(&str, Make); 17] = [
    ("Cline's markers", |source, _| {
        each(source, |path, (old, new)| {
            fenced("", &format!("{path}\n------- SEARCH\n{old}=======\n{new}+++++++ REPLACE\n"))
        })
    }),
    ("Cline's tool call", |source, _| {
        let edit = source.plain()?;
        let blocks = edit.blocks(3)?;
        let cline = |(old, new): &Block| format!("------- SEARCH\n{old}=======\n{new}+++++++ REPLACE\n");
        let text: String = blocks.iter().map(cline).collect();
        let call =
            format!("<replace_in_file>\n<path>{}</path>\n<diff>\n{text}</diff>\n</replace_in_file>\n", edit.path);
        Some(Trial::right(edit, call))
    }),
    ("Roo's line hints", |source, _| {
        let edit = source.plain()?;
        let hunks = edit.hunks(3);
        edit.blocks(3)?;
        let one = |hunk: &super::super::edit::Hunk| {
            let (old, new) = (hunk.side_text('-'), hunk.side_text('+'));
            let head = format!("<<<<<<< SEARCH\n:start_line:{}\n-------\n", hunk.old);
            named(&edit.path, &format!("{head}{old}=======\n{new}>>>>>>> REPLACE\n"))
        };
        Some(Trial::right(edit, hunks.iter().map(one).collect::<String>()))
    }),
    ("search and replace tags", |source, _| {
        each(source, |path, (old, new)| {
            format!("<file path=\"{path}\">\n<search>\n{old}</search>\n<replace>\n{new}</replace>\n</file>\n\n")
        })
    }),
    ("search and replace tags in an edit", |source, _| {
        each(source, |path, (old, new)| {
            format!("<edit>\n<path>{path}</path>\n<search>\n{old}</search>\n<replace>\n{new}</replace>\n</edit>\n\n")
        })
    }),
    ("search tags, one missing", |source, _| {
        let trial = each(source, |path, (old, new)| {
            format!("<file path=\"{path}\">\n<search>\n{old}<replace>\n{new}</replace>\n</file>\n")
        })?;
        Some(Trial { want: super::super::trial::Want::Refusal, ..trial })
    }),
    ("ORIGINAL and UPDATED", |source, _| {
        each(source, |path, (old, new)| named(path, &format!("<<<<<<< ORIGINAL\n{old}=======\n{new}>>>>>>> UPDATED\n")))
    }),
    ("nine marks", |source, _| {
        each(source, |path, (old, new)| {
            named(path, &format!("<<<<<<<<< SEARCH\n{old}=========\n{new}>>>>>>>>> REPLACE\n"))
        })
    }),
    ("five marks", |source, _| {
        each(source, |path, (old, new)| named(path, &format!("<<<<< SEARCH\n{old}=====\n{new}>>>>> REPLACE\n")))
    }),
    ("markers with a trailing bracket", |source, _| {
        each(source, |path, (old, new)| named(path, &format!("<<<<<<< SEARCH>\n{old}=======\n{new}>>>>>>> REPLACE\n")))
    }),
    ("source tags for fences", |source, _| {
        each(source, |path, block| format!("{path}\n<source>\n{}</source>\n", marked(&block)))
    }),
    ("source tag with its language", |source, _| {
        each(source, |path, block| format!("{path}\n<source>python\n{}</source>\n", marked(&block)))
    }),
    ("path in a fence of its own opening", |source, _| {
        each(source, |path, block| format!("```python\n{path}\n```python\n{}```\n", marked(&block)))
    }),
    ("quoted with >", |source, _| {
        let edit = source.plain()?;
        let text: String = edit.blocks(3)?.iter().map(|block| named(&edit.path, &marked(block))).collect();
        Some(Trial::right(edit, quoted(&text)))
    }),
    ("line numbers in SEARCH only", |source, _| {
        let edit = source.plain()?;
        edit.blocks(3)?;
        let one = |hunk: &super::super::edit::Hunk| {
            let old: String = hunk
                .side('-')
                .iter()
                .enumerate()
                .map(|(nth, line)| format!("{:>6}\t{line}\n", hunk.old + nth))
                .collect();
            named(&edit.path, &marked(&(old, hunk.side_text('+'))))
        };
        Some(Trial::right(edit, edit.hunks(3).iter().map(one).collect::<String>()))
    }),
    ("line numbers with arrows in both halves", |source, _| {
        let edit = source.plain()?;
        edit.blocks(3)?;
        let one = |hunk: &super::super::edit::Hunk| {
            let side = |sign: char| -> String {
                hunk.side(sign)
                    .iter()
                    .enumerate()
                    .map(|(nth, line)| format!("{:>5}→{line}\n", hunk.old + nth))
                    .collect()
            };
            named(&edit.path, &marked(&(side('-'), side('+'))))
        };
        Some(Trial::right(edit, edit.hunks(3).iter().map(one).collect::<String>()))
    }),
    ("html-escaped", |source, _| {
        let edit = source.plain().filter(|edit| !edit.before.contains('&') && !edit.after.contains('&'))?;
        let blocks = edit.blocks(3)?;
        let escape = |text: &str| text.replace('<', "&lt;").replace('>', "&gt;");
        let telling = |text: &str| text.contains(['<', '>']);
        let all =
            blocks.iter().all(|(old, new)| telling(old) || !telling(new)) && blocks.iter().any(|(old, _)| telling(old));
        let one = |(old, new): &Block| named(&edit.path, &marked(&(escape(old), escape(new))));
        all.then(|| Trial::right(edit, blocks.iter().map(one).collect::<String>()))
    }),
];

fn each(source: &Source, write: fn(&str, Block) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    let text: String = edit.blocks(3)?.into_iter().map(|block| write(&edit.path, block)).collect();
    Some(Trial::right(edit, text))
}
