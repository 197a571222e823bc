//! Diffs that create, delete, rename, copy files or change their modes.

use super::super::corpus::Source;
use super::super::edit::{Edit, Hunk};
use super::super::trial::{Files, Trial, Want, file};
use super::Make;

pub const KINDS: [(&str, Make); 18] = [
    ("new file", |source, _| created(source, |edit, plus| git_new(&edit.path, "100644") + &plus)),
    ("new file without a mode", |source, _| created(source, |edit, plus| new_names(&edit.path) + &plus)),
    ("new file with counts too high", |source, _| {
        created(source, |edit, plus| {
            let lines = edit.after.lines().count();
            let plus = plus.replacen(&format!("+1,{lines} @@"), &format!("+1,{} @@", lines + 3), 1);
            super::fenced("diff", &(new_names(&edit.path) + &plus))
        })
    }),
    ("new file with a mode of its own", |source, _| {
        let mut trial = created(source, |edit, plus| git_new(&edit.path, "100755") + &plus)?;
        if let Want::Result(files) = &mut trial.want {
            files.get_mut(&source.edits[0].path)?.is_executable = true;
        }
        Some(trial)
    }),
    ("new file where one is", |source, _| {
        let edit = source.plain()?;
        Some(Trial::refused(edit, git_new(&edit.path, "100644") + &plus(&edit.after)))
    }),
    ("new empty file", |source, _| {
        let edit = source.plain()?;
        let head = "diff --git a/made/empty.txt b/made/empty.txt\nnew file mode 100644\nindex 0000000..e69de29\n";
        let mut trial = Trial::right(&Edit::new(&edit.path, &*edit.before, &*edit.before), head);
        if let Want::Result(files) = &mut trial.want {
            files.insert("made/empty.txt".to_owned(), file(""));
        }
        Some(trial)
    }),
    ("deleted file", |source, _| deleted(source, |edit| Some(minus(&edit.before)))),
    ("deleted file, lines misquoted", |source, _| {
        let mut trial = deleted(source, |edit| {
            Some(minus(&edit.before.replacen(|character: char| character.is_ascii_alphabetic(), "#", 1)))
        })?;
        trial.want = Want::Refusal;
        (source.edits[0].before.lines().count() > 3).then_some(trial)
    }),
    ("deletion of a file that is not there", |source, _| {
        let edit = source.plain()?;
        let text = format!(
            "diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n{}",
            minus(&edit.before)
        );
        Some(Trial::refused(edit, text))
    }),
    ("renamed", |source, _| {
        let edit = source.plain()?;
        Some(moved(
            edit,
            false,
            &format!("{}similarity index 100%\nrename from {}\nrename to moved/to.txt\n", git(edit), edit.path),
        ))
    }),
    ("renamed and changed", |source, _| {
        let edit = source.plain()?;
        let head = format!("{}similarity index 90%\nrename from {}\nrename to moved/to.txt\n", git(edit), edit.path);
        let text = format!("{head}--- a/{}\n+++ b/moved/to.txt\n{}", edit.path, hunks(edit));
        Some(moved(edit, true, &text))
    }),
    ("renamed, by the names only", |source, _| {
        // Nothing says whether the old file stays.
        let edit = source.plain()?;
        Some(Trial::refused(edit, format!("--- a/{}\n+++ b/moved/to.txt\n{}", edit.path, hunks(edit))))
    }),
    ("rename of a file that is not there", |source, _| {
        let edit = source.plain()?;
        let text =
            "diff --git a/gone.txt b/moved.txt\nsimilarity index 100%\nrename from gone.txt\nrename to moved.txt\n";
        Some(Trial::refused(edit, text))
    }),
    ("rename onto another file", |source, _| {
        let edit = source.plain()?;
        let head = format!("{}similarity index 100%\nrename from {}\nrename to moved/to.txt\n", git(edit), edit.path);
        Some(Trial::refused(edit, head).beside("moved/to.txt", "in the way\n"))
    }),
    ("copied and changed", |source, _| {
        let edit = source.plain()?;
        let head = format!("{}similarity index 90%\ncopy from {}\ncopy to moved/to.txt\n", git(edit), edit.path);
        let mut trial = moved(edit, true, &format!("{head}--- a/{}\n+++ b/moved/to.txt\n{}", edit.path, hunks(edit)));
        if let Want::Result(files) = &mut trial.want {
            files.insert(edit.path.clone(), file(&*edit.before));
        }
        Some(trial)
    }),
    ("made executable", |source, _| {
        let edit = source.plain()?;
        let text = format!("diff --git a/{0} b/{0}\nold mode 100644\nnew mode 100755\n", edit.path);
        let mut trial = Trial::right(&Edit::new(&edit.path, &*edit.before, &*edit.before), text);
        executable(&mut trial, &edit.path);
        Some(trial)
    }),
    ("made executable and changed", |source, _| {
        let edit = source.plain()?;
        let head = format!("diff --git a/{0} b/{0}\nold mode 100644\nnew mode 100755\n", edit.path);
        let mut trial = Trial::right(edit, head + &edit.unified(3));
        executable(&mut trial, &edit.path);
        Some(trial)
    }),
    ("final newline", |source, random| {
        let edit = source.plain()?;
        let (mut before, mut after) = (edit.before.clone(), edit.after.clone());
        // Lost on one side, or on both.
        let side = random.below(3);
        if side != 0 {
            before.pop();
        }
        if side != 1 {
            after.pop();
        }
        (!before.is_empty() && !after.is_empty() && !before.ends_with('\n') | !after.ends_with('\n')).then_some(())?;
        let edit = Edit::new(&edit.path, before, after);
        Some(Trial::right(&edit, edit.unified(3)))
    }),
];

fn git(edit: &Edit) -> String {
    format!("diff --git a/{} b/moved/to.txt\n", edit.path)
}

fn hunks(edit: &Edit) -> String {
    edit.hunks(3).iter().map(Hunk::text).collect()
}

fn git_new(path: &str, mode: &str) -> String {
    format!("diff --git a/{path} b/{path}\nnew file mode {mode}\nindex 0000000..1234567\n{}", new_names(path))
}

fn new_names(path: &str) -> String {
    format!("--- /dev/null\n+++ b/{path}\n")
}

fn plus(text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
    format!("@@ -0,0 +1,{} @@\n{lines}", text.lines().count())
}

fn minus(text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("-{line}\n")).collect();
    format!("@@ -1,{} +0,0 @@\n{lines}", text.lines().count())
}

/// The edit's file after it, made anew beside another file.
fn created(source: &Source, text: fn(&Edit, String) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    let mut trial = Trial::right(edit, text(edit, plus(&edit.after))).beside("README", "here\n");
    trial.tree.remove(&edit.path);
    (edit.after.lines().count() > 2).then_some(trial)
}

fn deleted(source: &Source, hunk: fn(&Edit) -> Option<String>) -> Option<Trial> {
    let edit = source.plain()?;
    let head = format!("diff --git a/{0} b/{0}\ndeleted file mode 100644\n--- a/{0}\n+++ /dev/null\n", edit.path);
    let mut trial = Trial::right(edit, head + &hunk(edit)?).beside("README", "here\n");
    if let Want::Result(files) = &mut trial.want {
        files.remove(&edit.path);
    }
    Some(trial)
}

/// The edit's file at `moved/to.txt`, changed or as it was.
fn moved(edit: &Edit, is_changed: bool, reply: &str) -> Trial {
    let text = if is_changed { &edit.after } else { &edit.before };
    let files = Files::from([("moved/to.txt".to_owned(), file(text.as_bytes()))]);
    Trial { want: Want::Result(files), ..Trial::right(edit, reply) }
}

fn executable(trial: &mut Trial, path: &str) {
    if let Want::Result(files) = &mut trial.want
        && let Some(file) = files.get_mut(path)
    {
        file.is_executable = true;
    }
}
