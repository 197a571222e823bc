//! Replies that say something twice: the same again, or first wrong and then right.

use super::super::edit::{Hunk, Line, letters};
use super::super::trial::Trial;
use super::{Make, fenced};

pub const KINDS: [(&str, Make); 8] = [
    ("same diff twice", |source, _| {
        let edit = source.plain()?;
        let diff = fenced("diff", &edit.unified(3));
        Some(Trial::right(edit, format!("{diff}\nThe patch again:\n\n{diff}")))
    }),
    ("hunks one by one, then all", |source, _| {
        let edit = source.plain()?;
        let hunks = edit.hunks(3);
        let each: String = hunks.iter().map(|hunk| fenced("diff", &(edit.names() + &hunk.text())) + "\n").collect();
        let all = fenced("diff", &edit.unified(3));
        (hunks.len() > 1).then(|| Trial::right(edit, format!("{each}The complete patch:\n\n{all}")))
    }),
    ("same file, diff and whole", |source, _| {
        let edit = source.plain()?;
        let whole = format!("{}\n{}", edit.path, fenced("", &edit.after));
        Some(Trial::right(edit, fenced("diff", &edit.unified(3)) + "\nThe whole file then:\n\n" + &whole))
    }),
    ("draft and correction of an insertion", |source, _| {
        let edit = source.plain()?;
        let hunk = edit.hunks(3).into_iter().find(insertion)?;
        let draft = drafted(&hunk)?;
        let text = format!(
            "{}Wait, better:\n\n{}",
            fenced("diff", &(edit.names() + &draft.text())),
            fenced("diff", &edit.unified(3))
        );
        Some(Trial::right_or_refused(edit, text))
    }),
    ("draft with other context, and correction", |source, _| {
        let edit = source.plain()?;
        let hunk = edit.hunks(3).into_iter().find(insertion)?;
        let mut draft = drafted(&hunk)?;
        let (first, last) = (draft.lines.first()?.sign, draft.lines.last()?.sign);
        (first == ' ' && last == ' ' && draft.lines.len() > 5).then_some(())?;
        draft.lines.pop();
        draft.lines.remove(0);
        draft.old += 1;
        let text = format!(
            "{}Wait, better:\n\n{}",
            fenced("diff", &(edit.names() + &draft.text())),
            fenced("diff", &edit.unified(3))
        );
        Some(Trial::right_or_refused(edit, text))
    }),
    ("draft and correction of a replacement", |source, _| {
        let edit = source.plain()?;
        let hunk = edit.hunks(3).into_iter().find(|hunk| !insertion(hunk))?;
        let draft = drafted(&hunk)?;
        let text = format!(
            "{}Wait, better:\n\n{}",
            fenced("diff", &(edit.names() + &draft.text())),
            fenced("diff", &edit.unified(3))
        );
        Some(Trial::right_or_refused(edit, text))
    }),
    ("a diff that was shown and undone", |source, _| {
        // The reply's second diff takes the first one back.
        let edit = source.plain()?;
        let back = super::super::edit::Edit::new(&edit.path, &*edit.after, &*edit.before);
        let text =
            format!("{}No, undo that:\n\n{}", fenced("diff", &edit.unified(3)), fenced("diff", &back.unified(3)));
        Some(Trial::refused(edit, text))
    }),
    ("no change, with the file quoted", |source, _| {
        let edit = source.plain()?;
        let lines: String = edit.before.lines().take(12).map(|line| format!("{line}\n")).collect();
        let text = format!("The code already does this:\n\n{}\nNothing needs to change.\n", fenced("", &lines));
        (edit.before.lines().count() > 30).then(|| Trial::refused(edit, text))
    }),
];

fn insertion(hunk: &Hunk) -> bool {
    hunk.lines.iter().all(|line| line.sign != '-')
}

/// The hunk with another last added line.
fn drafted(hunk: &Hunk) -> Option<Hunk> {
    let at = hunk.positions('+', |text| letters(text) > 3).pop()?;
    let mut draft = hunk.clone();
    draft.lines[at] = Line::new('+', format!("{}_first_try", draft.lines[at].text));
    Some(draft)
}
