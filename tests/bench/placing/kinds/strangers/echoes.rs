//! Replies with more text than a patch, of which nothing is an edit; and patches that are not meant.

use super::super::super::corpus::Source;
use super::super::super::edit::Edit;
use super::super::super::trial::Trial;
use super::super::fenced;
use super::{AFTER, BEFORE, DIFF, Make, PATH, body, certain, diff_fence, open, or_nothing, with_file};

/// The edit is meant, the diff of [`PATH`] is not.
fn rejected(source: &Source, text: impl Fn(&str, &str) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    Some(with_file(or_nothing(Trial::right(edit, text(&diff_fence(edit), DIFF))), PATH, Some(BEFORE), Some(BEFORE)))
}

/// Both are meant.
fn both(source: &Source, text: impl Fn(&Edit) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    Some(with_file(Trial::right(edit, text(edit)), PATH, Some(BEFORE), Some(AFTER)))
}

fn choice(source: &Source, text: impl Fn(&str, &str) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    Some(with_file(Trial::refused(edit, text(&diff_fence(edit), DIFF)), PATH, Some(BEFORE), None))
}

fn excerpt(edit: &Edit) -> String {
    edit.before.lines().take(5).map(|line| format!("{line}\n")).collect()
}

pub const KINDS: [(&str, Make); 32] = [
    ("documents of the prompt repeated", |source, random| {
        certain(source, random, |edit| {
            Some(format!(
                "<document>\n<source>{}</source>\n<document_content>\n{}</document_content>\n</document>\n\n{}",
                edit.path,
                edit.before,
                diff_fence(edit)
            ))
        })
        .map(or_nothing)
    }),
    ("an excerpt quoted first", |source, random| {
        certain(source, random, |edit| {
            Some(format!(
                "The relevant part of `{}`:\n\n{}\nThe fix:\n\n{}",
                edit.path,
                fenced("", &excerpt(edit)),
                diff_fence(edit)
            ))
        })
    }),
    ("the plan as a list first", |source, random| {
        certain(source, random, |edit| {
            Some(format!("Plan:\n\n1. Look at `{0}`\n2. Fix it\n3. Run the tests\n\n{1}", edit.path, diff_fence(edit)))
        })
    }),
    ("a summary with the file's name below", |source, random| {
        certain(source, random, |edit| {
            Some(format!("{}\n**Summary**\n\n- `{}`: the value is right now\n", diff_fence(edit), edit.path))
        })
    }),
    ("a commit message below", |source, random| {
        certain(source, random, |edit| {
            Some(format!(
                "{}\nSuggested commit message:\n\n```\nfix: make it right\n\n- one thing\n- another thing\n```\n",
                diff_fence(edit)
            ))
        })
    }),
    ("a test run below", |source, random| {
        certain(source, random, |edit| {
            Some(format!("{}\n```console\n$ pytest -q\n..F.\n1 failed, 3 passed in 0.12s\n```\n", diff_fence(edit)))
        })
    }),
    ("git status below", |source, random| {
        certain(source, random, |edit| {
            Some(format!(
                "{}\n```\nOn branch main\nChanges not staged for commit:\n\tmodified:   {}\n```\n",
                diff_fence(edit),
                edit.path
            ))
        })
    }),
    ("a diffstat above", |source, random| {
        certain(source, random, |edit| {
            Some(format!(" {} | 3 ++-\n 1 file changed, 2 insertions(+), 1 deletion(-)\n\n{}", edit.path, edit.git()))
        })
    }),
    ("two files with words between", |source, _| {
        both(source, |edit| {
            format!("`{}` first:\n\n{}\nNow the settings:\n\n{DIFF}\nDone.\n", edit.path, diff_fence(edit))
        })
    }),
    ("two files under headings, with a closing summary", |source, _| {
        both(source, |edit| {
            format!(
                "## 1. Code\n\n{}\n## 2. Settings\n\n{DIFF}\n## Summary\n\nThe code and the settings agree now. Existing behaviour does not change.\n",
                diff_fence(edit)
            )
        })
    }),
    ("two files, a reason above each", |source, _| {
        both(source, |edit| {
            format!("The code has to know the new size:\n\n{}\nThe settings carry it:\n\n{DIFF}", diff_fence(edit))
        })
    }),
    ("two files in one fence with a comment between", |source, _| {
        both(source, |edit| {
            let second = DIFF.trim_start_matches("```diff\n").trim_end_matches("```\n");
            fenced("diff", &format!("# code\n{}# settings\n{second}", edit.unified(3)))
        })
    }),
    ("hunks under a heading each", |source, random| {
        certain(source, random, |edit| {
            let hunks = edit.hunks(3);
            (hunks.len() > 1).then(|| {
                let parts: String = hunks
                    .iter()
                    .enumerate()
                    .map(|(at, hunk)| format!("**Change {}**\n\n{}\n", at + 1, fenced("diff", &hunk.text())))
                    .collect();
                format!("### `{}`\n\n{parts}", edit.path)
            })
        })
    }),
    ("a diff in an HTML comment", |source, _| rejected(source, |a, b| format!("{a}\n<!--\n{b}-->\n"))),
    ("Turkish: seçenek", |source, _| choice(source, |a, b| format!("Seçenek 1:\n\n{a}\nSeçenek 2:\n\n{b}"))),
    ("Polish: albo", |source, _| choice(source, |a, b| format!("{a}\nAlbo tak:\n\n{b}"))),
    ("Dutch: negeer", |source, _| {
        rejected(source, |a, b| format!("{b}\nNegeer het bovenstaande, dit is de juiste wijziging:\n\n{a}"))
    }),
    ("Korean: 방법", |source, _| choice(source, |a, b| format!("방법 1:\n\n{a}\n방법 2:\n\n{b}"))),
    ("Hindi: या", |source, _| choice(source, |a, b| format!("{a}\nया फिर यह:\n\n{b}"))),
    ("pros and cons", |source, _| {
        choice(source, |a, b| {
            format!(
                "### Approach: code only\n\nPros: small.\n\n{a}\n### Approach: settings only\n\nPros: no code.\n\n{b}"
            )
        })
    }),
    ("recommended and otherwise", |source, _| {
        rejected(source, |a, b| format!("**Recommended:**\n\n{a}\n**Not recommended:**\n\n{b}"))
    }),
    ("quick fix and proper fix", |source, _| choice(source, |a, b| format!("Quick fix:\n\n{a}\nProper fix:\n\n{b}"))),
    ("short term and long term", |source, _| {
        choice(source, |a, b| format!("For now:\n\n{a}\nIn the long run:\n\n{b}"))
    }),
    ("for version 1 and for version 2", |source, _| {
        choice(source, |a, b| format!("If you are on v1:\n\n{a}\nIf you are on v2:\n\n{b}"))
    }),
    ("reverted in the next step", |source, _| {
        rejected(source, |a, b| format!("Step 1:\n\n{b}\nStep 2 (reverting step 1, it broke the build):\n\n{a}"))
    }),
    ("a joke first", |source, _| {
        rejected(source, |a, b| format!("Just kidding, of course one could:\n\n{b}\nSeriously:\n\n{a}"))
    }),
    ("what the bug's author did", |source, _| {
        rejected(source, |a, b| format!("The regression came in with this commit:\n\n{b}\nThe fix:\n\n{a}"))
    }),
    ("what a colleague proposed", |source, _| {
        rejected(source, |a, b| format!("Sam's patch from the ticket was\n\n{b}\nMine is\n\n{a}"))
    }),
    ("already merged", |source, _| {
        rejected(source, |a, b| format!("This part is already merged:\n\n{b}\nRemaining:\n\n{a}"))
    }),
    ("pseudo-patch", |source, _| rejected(source, |a, b| format!("Schematically:\n\n{b}\nConcretely:\n\n{a}"))),
    ("review comments with suggestions", |source, random| {
        open(source, random, |edit| {
            Some(format!(
                "> **{}**\n> ```diff\n{}> ```\n\nThis is what I would do.\n",
                edit.path,
                body(edit).lines().map(|line| format!("> {line}\n")).collect::<String>()
            ))
        })
    }),
    ("a folded section of GitHub", |source, _| {
        rejected(source, |a, b| format!("{a}\n<details><summary>Earlier revision</summary>\n\n{b}\n</details>\n"))
    }),
];
