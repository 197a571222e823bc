//! Replies with more than one patch, of which not all are meant.

use super::super::super::corpus::Source;
use super::super::super::edit::Edit;
use super::super::super::random::Random;
use super::super::super::trial::{Trial, Want};
use super::super::fenced;
use super::{AFTER, BEFORE, DIFF, Make, PATH, diff_fence, or_nothing, undecided, with_file};

/// The edit is meant, the diff of [`PATH`] is not.
fn rejected(source: &Source, text: impl Fn(&str, &str) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    let trial = or_nothing(Trial::right(edit, text(&diff_fence(edit), DIFF)));
    Some(with_file(trial, PATH, Some(BEFORE), Some(BEFORE)))
}

/// One of the two, by the reader's choice.
fn choice(source: &Source, text: impl Fn(&str, &str) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    Some(with_file(Trial::refused(edit, text(&diff_fence(edit), DIFF)), PATH, Some(BEFORE), None))
}

/// Both are meant.
fn both(source: &Source, random: &mut Random, text: impl Fn(&Edit) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    let trial = with_file(Trial::right(edit, text(edit)), PATH, Some(BEFORE), Some(AFTER));
    let _ = random;
    Some(trial)
}

pub const KINDS: [(&str, Make); 18] = [
    ("Spanish: opción A, opción B", |source, _| choice(source, |a, b| format!("Opción A:\n\n{a}\nOpción B:\n\n{b}"))),
    ("Russian: вариант", |source, _| choice(source, |a, b| format!("Вариант 1:\n\n{a}\nВариант 2:\n\n{b}"))),
    ("Japanese: 案", |source, _| choice(source, |a, b| format!("案A：\n\n{a}\n案B：\n\n{b}\nどちらがよいですか。\n"))),
    ("alternatively", |source, _| {
        choice(source, |a, b| format!("{a}\nAlternatively, if you would rather not touch that file:\n\n{b}"))
    }),
    ("or you could", |source, _| choice(source, |a, b| format!("You could do this:\n\n{a}\nOr, simpler:\n\n{b}"))),
    ("German: ignoriere", |source, _| {
        rejected(source, |a, b| format!("{b}\nStopp, ignoriere den Patch oben. Richtig ist:\n\n{a}"))
    }),
    ("actually, wait", |source, _| {
        rejected(source, |a, b| {
            format!("{b}\nHmm, wait. That file is generated, so this is not right. Here is the correct change:\n\n{a}")
        })
    }),
    ("how not to do it", |source, _| {
        rejected(source, |a, b| format!("{a}\nA tempting but incorrect fix would be:\n\n{b}"))
    }),
    ("struck through", |source, _| rejected(source, |a, b| format!("~~{b}~~\n\n{a}"))),
    ("draft and answer in tags", |source, _| {
        rejected(source, |a, b| format!("<draft>\n{b}</draft>\n<answer>\n{a}</answer>\n"))
    }),
    ("critique in tags", |source, _| {
        rejected(source, |a, b| {
            format!(
                "<attempt n=\"1\">\n{b}</attempt>\n<critique>It changes the wrong file.</critique>\n<attempt n=\"2\">\n{a}</attempt>\n"
            )
        })
    }),
    ("how to undo it", |source, random| {
        let edit = source.plain()?;
        let back = Edit::new(&edit.path, &*edit.after, &*edit.before);
        let trial = or_nothing(Trial::right(
            edit,
            format!("{}\nIf something goes wrong, revert it with:\n\n{}", diff_fence(edit), diff_fence(&back)),
        ));
        super::beside(trial, random)
    }),
    ("what is there now, then the fix", |source, random| {
        let edit = source.plain()?;
        let hunk =
            edit.hunks(3).into_iter().next().filter(|_| edit.blocks(3).is_some_and(|blocks| blocks.len() == 1))?;
        let text = format!(
            "`{}`, before:\n\n{}\nAfter:\n\n{}",
            edit.path,
            fenced("", &hunk.side_text('-')),
            fenced("", &hunk.side_text('+'))
        );
        super::beside(or_nothing(Trial::right(edit, text)), random)
    }),
    ("steps, then all of it", |source, random| {
        both(source, random, |edit| {
            format!(
                "Step 1:\n\n{0}\nStep 2:\n\n{DIFF}\nThe full patch:\n\n```diff\n{1}{2}```\n",
                diff_fence(edit),
                edit.unified(3),
                DIFF.trim_start_matches("```diff\n").trim_end_matches("```\n")
            )
        })
    }),
    ("steps in words between", |source, random| {
        both(source, random, |edit| {
            format!(
                "First, the code:\n\n{}\nThat covers the main case. Next, the settings have to agree:\n\n{DIFF}\nBoth are needed.\n",
                diff_fence(edit)
            )
        })
    }),
    ("the user is asked at the end", |source, _| {
        choice(source, |a, b| {
            format!("1. Minimal:\n\n{a}\n2. Thorough:\n\n{b}\nTell me which one you want and I'll finish it.\n")
        })
    }),
    ("upstream's fix for comparison", |source, _| {
        rejected(source, |a, b| {
            format!("{a}\nFor comparison, upstream did it like this (we don't need it here):\n\n{b}")
        })
    }),
    ("a conversation in one reply", |source, random| {
        let trial = undecided(source, random, |edit| {
            Some(format!(
                "Assistant: try\n\n{}\nUser: that does not compile\n\nAssistant: sorry, use\n\n{DIFF}",
                diff_fence(edit)
            ))
        })?;
        matches!(trial.want, Want::Refusal).then(|| with_file(trial, PATH, Some(BEFORE), None))
    }),
];
