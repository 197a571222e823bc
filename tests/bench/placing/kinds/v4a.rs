//! V4A, as `apply_patch` of OpenAI's models takes it, in its forms.

use super::super::corpus::Source;
use super::super::edit::{Edit, Hunk, letters, places};
use super::super::trial::{Files, Trial, Want, file};
use super::context::misquoted;
use super::{Make, fenced, pick};

pub const KINDS: [(&str, Make); 25] = [
    ("context alone", |source, _| formed(source, patch)),
    ("headings as anchors", |source, _| {
        let edit = source.plain()?;
        update(edit)?;
        let hunk = |hunk: &Hunk| format!("@@ {}", hunk.heading).trim_end().to_owned() + "\n" + &hunk.body();
        // A heading that stands twice may be the wrong one, and those in a hunk are no anchor above it.
        let alone = |hunk: &Hunk| {
            hunk.heading.is_empty() || edit.before.lines().filter(|line| line.trim() == hunk.heading).count() == 1
        };
        let hunks = edit.hunks(3);
        let text: String = hunks.iter().map(hunk).collect();
        hunks.iter().all(alone).then(|| Trial::right(edit, patch(&(head(edit) + &text))))
    }),
    ("anchor @@ on both ends", |source, _| formed(source, |section| patch(&section.replace("@@\n", "@@ @@\n")))),
    ("first @@ left out", |source, _| formed(source, |section| patch(&section.replacen("@@\n", "", 1)))),
    ("numbers as in a diff", |source, _| {
        let edit = source.plain()?;
        update(edit)?;
        let text: String = edit.hunks(3).iter().map(Hunk::text).collect();
        Some(Trial::right(edit, patch(&(head(edit) + &text))))
    }),
    ("fence", |source, _| formed(source, |section| format!("I changed it:\n\n{}", fenced("", &patch(section))))),
    ("fence of patch and prose", |source, _| {
        formed(source, |section| format!("{}\nDone.\n", fenced("patch", &patch(section))))
    }),
    ("heredoc", |source, _| formed(source, |section| format!("apply_patch <<'EOF'\n{}EOF\n", patch(section)))),
    ("heredoc in a fence", |source, _| {
        formed(source, |section| fenced("bash", &format!("apply_patch <<\"PATCH\"\n{}PATCH\n", patch(section))))
    }),
    ("heredoc after cd", |source, _| {
        formed(source, |section| fenced("bash", &format!("cd project && apply_patch <<'EOF'\n{}EOF\n", patch(section))))
    }),
    ("arguments as JSON", |source, _| {
        formed(source, |section| serde_json::json!(["apply_patch", patch(section)]).to_string())
    }),
    ("tool call as JSON", |source, _| {
        formed(source, |section| serde_json::json!({"command": ["apply_patch", patch(section)]}).to_string())
    }),
    ("input as JSON", |source, _| formed(source, |section| serde_json::json!({"input": patch(section)}).to_string())),
    ("shell call as JSON", |source, _| {
        formed(source, |section| {
            let script = format!("apply_patch <<'EOF'\n{}EOF\n", patch(section));
            serde_json::json!({"cmd": ["bash", "-lc", script]}).to_string()
        })
    }),
    ("markers padded", |source, _| {
        formed(source, |section| format!("  *** Begin Patch  \n{section} *** End Patch \n"))
    }),
    ("no Begin Patch", |source, _| formed(source, |section| format!("{section}*** End Patch\n"))),
    ("no End Patch, in a closed fence", |source, _| {
        formed(source, |section| fenced("", &format!("*** Begin Patch\n{section}")))
    }),
    ("blank context lines empty", |source, _| {
        let trial = formed(source, |section| patch(&section.replace("\n \n", "\n\n")))?;
        String::from_utf8_lossy(&trial.reply).contains("\n\n").then_some(trial)
    }),
    ("end of file marked", |source, _| {
        let edit = source.plain()?;
        let section = update(edit)?;
        let last = edit.hunks(3).pop()?;
        let at_end = last.old - 1 + last.count('-') == edit.before.lines().count();
        at_end.then(|| Trial::right(edit, patch(&(section + "*** End of File\n"))))
    }),
    ("added file", |source, _| {
        let edit = source.plain()?;
        let lines: String = edit.after.lines().map(|line| format!("+{line}\n")).collect();
        let mut trial =
            Trial::right(edit, patch(&format!("*** Add File: {}\n{lines}", edit.path))).beside("README", "here\n");
        trial.tree.remove(&edit.path);
        Some(trial)
    }),
    ("deleted file", |source, _| {
        let edit = source.plain()?;
        let mut trial =
            Trial::right(edit, patch(&format!("*** Delete File: {}\n", edit.path))).beside("README", "here\n");
        trial.want = Want::Result(Files::from([("README".to_owned(), file("here\n"))]));
        Some(trial)
    }),
    ("deletion of a file that is not there", |source, _| {
        Some(Trial::refused(source.plain()?, patch("*** Delete File: src/not_there.py\n")))
    }),
    ("moved and changed", |source, _| {
        let edit = source.plain()?;
        let section = update(edit)?.replacen('\n', "\n*** Move to: moved/to.txt\n", 1);
        let files = Files::from([("moved/to.txt".to_owned(), file(&*edit.after))]);
        Some(Trial { want: Want::Result(files), ..Trial::right(edit, patch(&section)) })
    }),
    ("path of no file, with an anchor", |source, _| {
        let edit = source.plain()?;
        let section = format!("*** Update File: project/{}\n@@ def helper():\n+one\n+two\n", edit.path);
        Some(Trial::refused(edit, patch(&section)))
    }),
    ("removed line misquoted", |source, random| {
        let edit = source.plain()?;
        let mut hunk = edit.hunks(3).swap_remove(0);
        let at = *pick(random, &hunk.positions('-', |text| letters(text) > 8))?;
        hunk.lines[at].text = misquoted(&hunk.lines[at].text, random)?;
        let gone = places(&edit.before, &hunk.side('-')) == 0;
        gone.then(|| Trial::refused(edit, patch(&format!("{}@@\n{}", head(edit), hunk.body()))))
    }),
];

pub fn head(edit: &Edit) -> String {
    format!("*** Update File: {}\n", edit.path)
}

/// The section of a file, without anchors. None where a hunk's old lines stand twice.
pub fn update(edit: &Edit) -> Option<String> {
    edit.blocks(3)?;
    Some(head(edit) + &edit.hunks(3).iter().map(|hunk| format!("@@\n{}", hunk.body())).collect::<String>())
}

pub fn patch(sections: &str) -> String {
    format!("*** Begin Patch\n{sections}*** End Patch\n")
}

fn formed(source: &Source, form: fn(&str) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    let section = update(edit)?;
    (!section.contains("@@ ")).then(|| Trial::right(edit, form(&section)))
}
