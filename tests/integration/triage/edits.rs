//! Random edits of sources: some change what the program is, whatever a grammar says of them, and some cannot.

use std::ops::Range;

use guardhost_engine::code_text::CodeText;
use guardhost_engine::outlines::Outlines;

use crate::support::random::Random;

/// Put somewhere into code, or into a string: another program, or none.
const TOKENS: [&str; 14] = ["!", "-", "0", "x", ";", "(", "}", "\"", "'", ".", " not ", "\\", "@", "#!"];

/// Comments that tools read, without their signs.
const MARKS: [&str; 8] = [
    " type: ignore",
    " eslint-disable-line",
    "go:build linux",
    " @ts-ignore",
    " noqa",
    " SPDX-License-Identifier: MIT",
    "!mark",
    " nolint: all",
];

const WORDS: [&str; 6] =
    ["The last one.", "As before", "(see above)", "Nobody knows why, yet.", "one more", "What follows is longer"];

fn read(text: &str, name: &str, outlines: &Outlines) -> CodeText {
    outlines.code(name, false, text).expect("no stop").expect("a sample")
}

fn is_in(places: &[Range<usize>], at: usize) -> bool {
    places.iter().any(|place| place.contains(&at))
}

fn pick<T>(from: &[T], random: &mut Random) -> Option<usize> {
    (!from.is_empty()).then(|| random.below(from.len()))
}

fn with(text: &str, at: Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..at.start], &text[at.end..])
}

/// What was done, and the text with it. It is not `text`, and not the same program.
pub fn changing(text: &str, name: &str, outlines: &Outlines, random: &mut Random) -> (&'static str, String) {
    let code = read(text, name, outlines);
    loop {
        let (what, edited) = change(text, &code, random);
        let Some(edited) = edited.filter(|edited| edited != text) else { continue };
        // Harmless edits beside it do not hide it.
        return match random.below(3) {
            0 => (what, edited.replacen('\n', "\n\n", 1)),
            _ => (what, edited),
        };
    }
}

fn change(text: &str, code: &CodeText, random: &mut Random) -> (&'static str, Option<String>) {
    let sign = &*code.line_comments[0];
    // Bytes of code and strings, all of which are ASCII in the samples.
    let bytes: Vec<usize> = (0..text.len())
        .filter(|at| !text.as_bytes()[*at].is_ascii_whitespace() && !is_in(&code.comments, *at))
        .collect();
    let at = bytes[random.below(bytes.len())];
    let lines: Vec<Range<usize>> = lines(text);
    let coded: Vec<&Range<usize>> = lines.iter().filter(|line| bytes.iter().any(|at| line.contains(at))).collect();
    let line = coded[random.below(coded.len())].clone();
    match random.below(11) {
        0 => ("a byte removed", Some(with(text, at..at + 1, ""))),
        1 => ("a token put in", Some(with(text, at..at, TOKENS[random.below(TOKENS.len())]))),
        2 => {
            let other = if text.as_bytes()[at] == b'q' { "z" } else { "q" };
            ("a byte replaced", Some(with(text, at..at + 1, other)))
        }
        3 => ("a line removed", Some(with(text, line, ""))),
        // Behind a string of several lines its last one may be a comment.
        4 if !text[line.clone()].trim_start().starts_with(sign) => {
            ("a line twice", Some(with(text, line.start..line.start, &text[line.clone()])))
        }
        5 => {
            let begins = line.start + (text[line.clone()].len() - text[line.clone()].trim_start().len());
            ("a line behind a comment", Some(with(text, begins..begins, &format!("{sign} "))))
        }
        6 => {
            let mark = format!("{sign}{}\n", MARKS[random.below(MARKS.len())]);
            ("a mark for tools", Some(with(text, line.start..line.start, &mark)))
        }
        7 => ("space in a string", in_string(text, code, random)),
        8 => ("a line in a string", in_lines_of_string(text, random)),
        9 => {
            let comments: Vec<&Range<usize>> =
                code.comments.iter().filter(|comment| text[(*comment).clone()].starts_with(sign)).collect();
            let found = pick(&comments, random).map(|number| comments[number].clone());
            ("a comment as code", found.map(|comment| with(text, comment.start..comment.start + sign.len(), "")))
        }
        _ => {
            // Where code stands on both sides of what is put in, or taken out.
            let stands = |at: usize| !text.as_bytes()[at].is_ascii_whitespace() && !is_in(&code.comments, at);
            let joined = line.start.checked_sub(2).filter(|before| stands(*before));
            match joined {
                Some(before) if random.below(2) == 0 => {
                    ("two lines as one", Some(with(text, before + 1..line.start, " ")))
                }
                _ if at > 0 && stands(at - 1) => ("a line between", Some(with(text, at..at, "\n"))),
                _ => ("nothing", None),
            }
        }
    }
}

/// With their ends.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    text.split_inclusive('\n')
        .map(|line| {
            at += line.len();
            at - line.len()..at
        })
        .collect()
}

/// The samples write their strings with two spaces, and code and comments with none of these words.
fn in_string(text: &str, code: &CodeText, random: &mut Random) -> Option<String> {
    let places: Vec<usize> = ["one  ", "first  "]
        .iter()
        .flat_map(|words| text.match_indices(words).map(|(at, words)| at + words.len() - 2))
        .filter(|at| !is_in(&code.comments, *at))
        .collect();
    let at = places[pick(&places, random)?];
    Some(with(text, at..at + 2, [" ", "   ", "\t", "\n", ""][random.below(5)]))
}

/// The samples have an empty line in their longest strings, before a comment that is none.
fn in_lines_of_string(text: &str, random: &mut Random) -> Option<String> {
    let places: Vec<usize> = text.match_indices("first  line\n\n").map(|(at, words)| at + words.len() - 1).collect();
    let at = places[pick(&places, random)?];
    Some(with(text, at..at, ["\n", "\n\n", "  \n", "// words\n"][random.below(4)]))
}

/// The same program, by the grammar of every language: what changes is a comment, or stands beside one.
pub fn keeping(text: &str, name: &str, outlines: &Outlines, random: &mut Random) -> (&'static str, String) {
    let code = read(text, name, outlines);
    let sign = &*code.line_comments[0];
    let comments: Vec<Range<usize>> = code
        .comments
        .iter()
        // No mark, by its first letters, and words alone.
        .filter(|comment| text[(*comment).clone()].starts_with(&format!("{sign} ")))
        .filter(|comment| {
            let words = text[(*comment).clone()].trim_start_matches(sign);
            words.chars().all(|c| c.is_ascii_alphabetic() || " .,\n".contains(c))
        })
        .cloned()
        .collect();
    let comment = comments[random.below(comments.len())].clone();
    let words = format!("{sign} {}", WORDS[random.below(WORDS.len())]);
    let line = lines(text).into_iter().find(|line| line.contains(&comment.start)).expect("a line");
    let is_alone = text[line.start..comment.start].trim().is_empty();
    match random.below(4) {
        0 if text[comment.clone()] != words => ("other words", with(text, comment, &words)),
        1 if is_alone => ("a comment removed", with(text, line, "")),
        2 if is_alone => ("a comment more", with(text, line.start..line.start, &format!("{words}\n"))),
        _ => ("an empty line", with(text, line.end..line.end, "\n")),
    }
}
