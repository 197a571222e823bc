//! Lines of hunks that are not as the file has them: context that is missing, invented, or read otherwise.

use super::super::corpus::Source;
use super::super::edit::{Edit, Hunk, Line, letters, near_places, places};
use super::super::random::Random;
use super::super::trial::Trial;
use super::headers::alone;
use super::{Make, pick};

pub const KINDS: [(&str, Make); 23] = [
    ("context line missing", |source, random| missing(source, random, |text| letters(text) > 3)),
    ("blank context line missing", |source, random| missing(source, random, |text| text.trim().is_empty())),
    ("context line missing at an insertion", missing_at_insertion),
    ("blank context line invented", |source, random| {
        changed(source, random, |hunk, random| {
            let inner = inner_context(hunk, |_| true);
            // Beside a changed blank line it would say something about that one.
            let blank = |line: &Line| line.sign != ' ' && line.text.trim().is_empty();
            (!hunk.lines.iter().any(blank)).then_some(())?;
            hunk.lines.insert(*pick(random, &inner)?, Line::new(' ', ""));
            Some(())
        })
    }),
    ("blank lines of context all missing", |source, random| {
        changed(source, random, |hunk, _| {
            let blank = inner_context(hunk, |text| text.trim().is_empty());
            let mut at = 0;
            hunk.lines.retain(|_| {
                at += 1;
                !blank.contains(&(at - 1))
            });
            (!blank.is_empty()).then_some(())
        })
    }),
    ("blank context below trimmed", |source, _| {
        let edit = source.plain()?;
        let mut hunks = edit.hunks(3);
        let last = hunks.last_mut()?;
        let blank = |line: &Line| line.sign == ' ' && line.text.is_empty();
        (blank(last.lines.last()?)).then_some(())?;
        let text: String = hunks.iter().map(Hunk::text).collect();
        Some(Trial::right(edit, edit.names() + text.trim_end() + "\n"))
    }),
    ("context below missing", |source, random| {
        changed(source, random, |hunk, _| {
            let end = hunk.lines.iter().rposition(|line| line.sign != ' ')? + 1;
            let removes = hunk.lines[end - 1].sign == '-' || hunk.lines[..end].iter().any(|line| line.sign == '-');
            (removes && end < hunk.lines.len()).then(|| hunk.lines.truncate(end))
        })
    }),
    ("context above missing", |source, random| {
        changed(source, random, |hunk, _| {
            let start = hunk.lines.iter().position(|line| line.sign != ' ')?;
            hunk.old += start;
            hunk.new += start;
            (start > 0 && hunk.lines.iter().any(|line| line.sign == '-')).then(|| drop(hunk.lines.drain(..start)))
        })
    }),
    ("context line misquoted", |source, random| {
        let trial = changed(source, random, |hunk, random| {
            let at = *pick(random, &hunk.positions(' ', |text| letters(text) > 8))?;
            hunk.lines[at].text = misquoted(&hunk.lines[at].text, random)?;
            Some(())
        })?;
        one_near_place(source.plain()?, 1).then_some(trial)
    }),
    ("typographic quotes in context", |source, random| {
        changed(source, random, |hunk, random| {
            let at = *pick(random, &hunk.positions(' ', |text| text.contains(['"', '\''])))?;
            let text = &mut hunk.lines[at].text;
            *text = text.replace('"', "\u{201d}").replace('\'', "\u{2019}");
            Some(())
        })
    }),
    ("no-break spaces in context", |source, random| {
        changed(source, random, |hunk, random| {
            let at = *pick(random, &hunk.positions(' ', |text| text.trim().contains(' ')))?;
            hunk.lines[at].text = hunk.lines[at].text.replace(' ', "\u{a0}");
            Some(())
        })
    }),
    ("indentation of context lost", |source, random| {
        changed(source, random, |hunk, _| {
            let indented = hunk.positions(' ', |text| text.starts_with([' ', '\t']) && !text.trim().is_empty());
            indented.iter().for_each(|at| hunk.lines[*at].text = hunk.lines[*at].text.trim_start().to_owned());
            (!indented.is_empty()).then_some(())
        })
    }),
    ("trailing white space of all lines stripped", |source, _| {
        let edit = alone(source.plain()?, 3)?;
        let stripped: String = edit.unified(3).lines().map(|line| format!("{}\n", line.trim_end())).collect();
        let added = |text: &str| text.lines().any(|line| line != line.trim_end());
        (!added(&edit.after) || !added(&edit.before)).then_some(())?;
        (stripped != edit.unified(3) && !added(&edit.after)).then(|| Trial::right(edit, stripped))
    }),
    ("context line written as changed", |source, random| {
        changed(source, random, |hunk, random| {
            let at = *pick(random, &hunk.positions(' ', |text| letters(text) > 3))?;
            let text = hunk.lines[at].text.clone();
            hunk.lines[at].sign = '-';
            hunk.lines.insert(at + 1, Line::new('+', text));
            Some(())
        })
    }),
    ("removed line misquoted", |source, random| {
        refused(source, random, |hunk, random| {
            let at = *pick(random, &hunk.positions('-', |text| letters(text) > 8))?;
            hunk.lines[at].text = misquoted(&hunk.lines[at].text, random)?;
            Some(())
        })
    }),
    ("removed line invented", |source, random| {
        refused(source, random, |hunk, random| {
            let at = *pick(random, &hunk.positions('-', |_| true))?;
            hunk.lines.insert(at, Line::new('-', "    this_line_was_never_in_the_file()"));
            Some(())
        })
    }),
    ("a change written as context", |source, random| {
        refused(source, random, |hunk, random| {
            let pairs: Vec<usize> = (1..hunk.lines.len())
                .filter(|at| hunk.lines[at - 1].sign == '-' && hunk.lines[*at].sign == '+')
                .filter(|at| letters(&hunk.lines[*at].text) > 3)
                .collect();
            let at = *pick(random, &pairs)?;
            hunk.lines[at].sign = ' ';
            hunk.lines.remove(at - 1);
            hunk.lines.iter().any(|line| line.sign != ' ').then_some(())
        })
    }),
    ("lines of another file", |source, _| {
        let [edit, other, ..] = source.edits.as_slice() else { return None };
        // Nor was it made in this file before.
        let fits = |hunk: &Hunk| {
            near_places(&edit.before, &hunk.side('-'), hunk.count('-') / 2) > 0
                || places(&edit.before, &hunk.side('+')) > 0
        };
        let hunks: Vec<Hunk> = other.hunks(3).into_iter().filter(|hunk| hunk.count('-') > 4 && !fits(hunk)).collect();
        let first = hunks.first()?;
        (edit.is_plain() && other.is_plain()).then(|| Trial::refused(edit, edit.names() + &first.text()))
    }),
    ("plus signs lost", |source, random| {
        // Added lines without their sign are context that the file does not have.
        refused(source, random, |hunk, _| {
            let added = hunk.positions('+', |text| letters(text) > 3);
            added.iter().for_each(|at| hunk.lines[*at].sign = ' ');
            (added.len() > 1).then_some(())
        })
    }),
    ("context without its leading space", |source, random| {
        let edit = alone(source.plain()?, 3)?;
        // Where nothing is indented, the lines read as text between hunks; where all is, the sign cannot be told from it.
        let telling = |text: &str| letters(text) > 3 && text.starts_with(|first: char| first.is_ascii_alphabetic());
        let mut hit = false;
        let text = edit.unified_with(|hunk| {
            let at = pick(random, &hunk.positions(' ', telling)).copied();
            hit |= at.is_some();
            let lines = hunk.lines.iter().enumerate();
            let lines = lines.map(|(nth, line)| match Some(nth) == at {
                true => format!("{}\n", line.text),
                false => format!("{}{}\n", line.sign, line.text),
            });
            hunk.header() + "\n" + &lines.collect::<String>()
        });
        hit.then(|| Trial::right(edit, text))
    }),
    ("dots for context lines", |source, _| {
        let edit = source.plain().filter(|edit| !edit.has_dots())?;
        let [first, ..] = edit.hunks(12).try_into().ok().map(|one: [Hunk; 1]| one)?;
        dotted(edit, &first).map(|text| Trial::right(edit, edit.names() + &text))
    }),
    ("whole hunk removed and added", |source, _| {
        let edit = alone(source.plain()?, 3)?;
        Some(Trial::right(
            edit,
            edit.unified_with(|hunk| {
                let minus: String = hunk.side('-').iter().map(|line| format!("-{line}\n")).collect();
                let plus: String = hunk.side('+').iter().map(|line| format!("+{line}\n")).collect();
                hunk.header() + "\n" + &minus + &plus
            }),
        ))
    }),
    ("no context, removed lines stand once", |source, _| {
        let edit = source.plain()?;
        let removes = |hunk: &Hunk| hunk.lines.iter().any(|line| line.sign == '-' && letters(&line.text) > 8);
        (edit.hunks(0).iter().all(removes) && alone(edit, 0).is_some()).then(|| Trial::right(edit, edit.unified(0)))
    }),
];

/// Positions of context lines that have no added line beside them, so that it is clear where a lost one stood.
fn inner_context(hunk: &Hunk, wanted: impl Fn(&str) -> bool) -> Vec<usize> {
    let inner = |at: &usize| {
        *at > 0 && *at + 1 < hunk.lines.len() && [at - 1, at + 1].iter().all(|beside| hunk.lines[*beside].sign != '+')
    };
    hunk.positions(' ', wanted).into_iter().filter(inner).collect()
}

/// Whether no other place of the file is like a hunk's old lines but for `slack` lines.
fn one_near_place(edit: &Edit, slack: usize) -> bool {
    edit.hunks(3)
        .iter()
        .all(|hunk| hunk.count('-') > slack + 1 && near_places(&edit.before, &hunk.side('-'), slack + 1) == 1)
}

/// The diff with one hunk changed; the numbers are made anew, so that they agree.
fn changed(source: &Source, random: &mut Random, change: fn(&mut Hunk, &mut Random) -> Option<()>) -> Option<Trial> {
    let edit = alone(source.plain()?, 3)?;
    one_near_place(edit, 1).then_some(())?;
    let mut hunks = edit.hunks(3);
    let at = random.below(hunks.len());
    change(&mut hunks[at], random)?;
    Some(Trial::right(edit, edit.names() + &hunks.iter().map(Hunk::text).collect::<String>()))
}

fn refused(source: &Source, random: &mut Random, change: fn(&mut Hunk, &mut Random) -> Option<()>) -> Option<Trial> {
    let edit = source.plain()?;
    let mut hunks = edit.hunks(3);
    let at = random.below(hunks.len());
    change(&mut hunks[at], random)?;
    (places(&edit.before, &hunks[at].side('-')) == 0).then_some(())?;
    Some(Trial::refused(edit, edit.names() + &hunks.iter().map(Hunk::text).collect::<String>()))
}

fn missing(source: &Source, random: &mut Random, wanted: fn(&str) -> bool) -> Option<Trial> {
    let edit = alone(source.plain()?, 3)?;
    one_near_place(edit, 1).then_some(())?;
    let mut hunks = edit.hunks(3);
    let at = random.below(hunks.len());
    let line = *pick(random, &inner_context(&hunks[at], wanted))?;
    hunks[at].lines.remove(line);
    Some(Trial::right(edit, edit.names() + &hunks.iter().map(Hunk::text).collect::<String>()))
}

/// What is added may belong above or below the line that is missing.
fn missing_at_insertion(source: &Source, random: &mut Random) -> Option<Trial> {
    let edit = alone(source.plain()?, 3)?;
    let mut hunks = edit.hunks(3);
    let at = random.below(hunks.len());
    let lines = &hunks[at].lines;
    let beside = |at: usize, sign: char| lines.get(at).is_some_and(|line| line.sign == sign);
    let between = |at: &usize| {
        *at > 0 && ((beside(at - 1, '+') && beside(at + 1, ' ')) || (beside(at + 1, '+') && beside(at - 1, ' ')))
    };
    let pure = !lines.iter().any(|line| line.sign == '-');
    let places: Vec<usize> = hunks[at].positions(' ', |text| letters(text) > 3).into_iter().filter(between).collect();
    let line = *pick(random, &places)?;
    hunks[at].lines.remove(line);
    // The lines that are left may stand together elsewhere, or at the hunk's end.
    let is_gone = super::super::edit::places(&edit.before, &hunks[at].side('-')) == 0;
    (pure && is_gone).then(|| Trial::refused(edit, edit.names() + &hunks.iter().map(Hunk::text).collect::<String>()))
}

/// Some letters of the line lost or put in.
pub fn misquoted(text: &str, random: &mut Random) -> Option<String> {
    let words: Vec<(usize, &str)> = text.match_indices(|character: char| character.is_ascii_alphabetic()).collect();
    let at = pick(random, &words)?.0;
    let mut other = text.to_owned();
    other.insert_str(at, pick(random, &["x", "my_", "old", "the_"])?);
    Some(other)
}

/// The hunk with the inner lines of a long run of context as `...`.
pub fn dotted(edit: &Edit, hunk: &Hunk) -> Option<String> {
    let edge = hunk.lines.iter().position(|line| line.sign != ' ')?;
    (edge >= 8).then_some(())?;
    let (top, rest) = (&hunk.lines[..3], &hunk.lines[edge - 2..]);
    let old = |lines: &[Line]| -> Vec<String> {
        lines.iter().filter(|line| line.sign != '+').map(|line| line.text.clone()).collect()
    };
    let alone = |lines: &[Line]| places(&edit.before, &old(lines).iter().map(String::as_str).collect::<Vec<_>>()) == 1;
    (alone(top) && alone(rest)).then_some(())?;
    let lines = [top, &[Line::new(' ', "...")], rest].concat();
    Some(Hunk { lines, ..hunk.clone() }.text())
}
