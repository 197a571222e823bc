//! Words with which a reply says that it is not the whole change: the rest comes later, or was left out.

use super::alternatives::COUNTED;

/// As phrases of a line in small letters. What code does is told in other words.
const PHRASES: [&str; 52] = [
    "the rest follows",
    "the other half once",
    "output limit reached",
    "au prochain message",
    "continued in",
    "continues in the next",
    "continue in the next",
    "to be continued",
    "in the next message",
    "in my next message",
    "in the next response",
    "in my next response",
    "in the next reply",
    "in a follow-up message",
    "i will send next",
    "i'll send next",
    "i will send the rest",
    "i'll send the rest",
    "i have not finished",
    "i haven't finished",
    "i am not finished",
    "i'm not finished",
    "i ran out of",
    "omitted for brevity",
    "left out for brevity",
    "skipped for brevity",
    "omitted for space",
    "leave these out here",
    "left these out here",
    "omitted here for",
    "due to length limit",
    "due to the length limit",
    "only the first half",
    "only half of it",
    "the second half",
    "the rest of the patch",
    "the rest of the diff",
    "the remaining changes follow",
    "too long for one message",
    "too long for a single",
    "in der nächsten nachricht",
    "wird fortgesetzt",
    "fortsetzung folgt",
    "der kürze halber",
    "à suivre dans",
    "le prochain message",
    "el próximo mensaje",
    "na próxima mensagem",
    "в следующем сообщении",
    "pour abréger",
    "continuará",
    "por brevedad",
];

/// The same in languages that write their words together.
const PARTS: [&str; 8] =
    ["下一条消息", "下一条回复", "未完待续", "篇幅限制", "为简洁起见", "次のメッセージ", "次の返信", "다음 메시지"];

/// The number and the count of a line that heads one part of a series: `Subject: [PATCH 1/2] …`, `Part 1 of 2`, `(1/2) name`.
pub(super) fn part_of_series(line: &[u8]) -> Option<(usize, usize)> {
    let text = String::from_utf8_lossy(line).to_lowercase();
    let bare = text.trim_start_matches(['#', '*', ' ']).strip_prefix(['(', '[']);
    if let Some((part, rest)) = bare.and_then(|bare| bare.split_once('/'))
        && let Some((of, _)) = rest.split_once([')', ']'])
        && let (Ok(part), Ok(of)) = (part.parse(), of.parse())
    {
        return (1..=of).contains(&part).then_some((part, of));
    }
    if let Some(series) = heading_of_series(&text) {
        return Some(series);
    }
    let (head, rest) = text.split_once("[patch").or_else(|| text.split_once("part "))?;
    // `PATCH v2 1/3`, and a sentence has words before it.
    let is_head = head.trim_matches(['#', '*', '(', ' ']).is_empty() || head.trim() == "subject:";
    let rest = if text.contains("[patch") { rest.split(']').next()? } else { rest };
    let numbers: Vec<usize> = rest
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && *word != "of")
        .skip_while(|word| word.starts_with('v') || word.parse::<usize>().is_err())
        .map_while(|word| word.parse().ok())
        .take(2)
        .collect();
    match numbers.as_slice() {
        [part, of] if is_head && (1..=*of).contains(part) => Some((*part, *of)),
        _ => None,
    }
}

/// `**1/3**`, `Step 1 of 3:`, `File 1 of 2: a.py`: a heading that counts one part and all.
fn heading_of_series(text: &str) -> Option<(usize, usize)> {
    let words: Vec<&str> =
        text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let (words, noun) = match words.as_slice() {
        [noun, rest @ ..] if COUNTED.contains(noun) => (rest, Some(*noun)),
        all => (all, None),
    };
    let is_alone = |rest: &[&str]| rest.is_empty() || noun.is_some() && text.contains(':');
    let (part, of) = match words {
        [count, rest @ ..] if count.contains('/') && is_alone(rest) => count.split_once('/')?,
        [part, "of" | "von" | "de" | "di" | "из", of, rest @ ..] if is_alone(rest) => (*part, *of),
        _ => return None,
    };
    let (part, of) = (part.parse().ok()?, of.parse().ok()?);
    (1..=of).contains(&part).then_some((part, of))
}

/// Marks of a page before a part of it that is folded away.
const FOLDS: [char; 6] = ['▸', '▹', '▶', '►', '▷', '⯈'];

/// What a page asks for before it shows the rest.
const GATES: [&str; 5] = ["sign in", "log in", "upgrade", "subscribe", "register"];

/// Whether the line stands for text that a page hides: `▸ Click to reveal (1 block hidden)`, `Sign in to see the rest of this answer`.
fn is_hidden(text: &str) -> bool {
    const WORDS: [&str; 6] = ["reveal", "hidden", "expand", "collapsed", "unfold", "show"];
    let has = |words: &[&str]| text.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word));
    let bare = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    text.trim_start().starts_with(FOLDS) && has(&WORDS)
        || GATES.iter().any(|gate| bare.starts_with(gate)) && has(&["rest", "remaining"])
}

/// Whether a sentence tells of changes that the reply does not show: `it changed 7 further lines (not shown here)`.
fn tells_of_others(text: &str) -> bool {
    const CHANGED: [&str; 9] =
        ["changed", "touched", "rewrote", "reformatted", "updated", "adjusted", "edited", "modified", "fixed"];
    const HIDDEN: [&str; 5] = ["not shown", "not included", "not printed", "not listed", "left out here"];
    const FURTHER: [&str; 4] = ["further", "other", "more", "additional"];
    let has = |words: &[&str]| text.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word));
    HIDDEN.iter().any(|phrase| text.contains(phrase)) && has(&CHANGED) && has(&FURTHER)
}

/// Whether a line is nothing but the count of what is not shown: `... (2 more files)`, `… und 3 weitere Dateien`.
fn counts_others(text: &str) -> bool {
    const MORE: [&str; 10] = ["more", "other", "further", "weitere", "autres", "más", "mais", "altri", "ещё", "more)"];
    let text = text.trim();
    let is_mark = text.starts_with("...") || text.starts_with('…') || text.starts_with('(') || text.starts_with('[');
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_count = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    is_mark && words.len() <= 5 && words.windows(2).any(|two| is_count(two[0]) && MORE.contains(&two[1]))
}

/// The first such line of a text, by its index.
pub(super) fn says_unfinished(text: &[&[u8]]) -> Option<usize> {
    text.iter().position(|line| {
        let text = String::from_utf8_lossy(line).to_lowercase().replace('’', "'");
        // Code says nothing of the reply.
        let prose: String = text.split('`').step_by(2).collect();
        PHRASES.iter().any(|phrase| prose.contains(phrase))
            || PARTS.iter().any(|part| prose.contains(part))
            || is_hidden(&prose)
            || prose.split(". ").any(tells_of_others)
            || counts_others(&prose)
    })
}

#[cfg(test)]
mod tests {
    use super::{part_of_series, says_unfinished};

    #[test]
    fn parts_of_series() {
        for line in ["**1/3**", "Step 1 of 3:", "File 1 of 3: `a.py`", "Schritt 1 von 3", "(1/3) name", "Part 1/3"] {
            assert_eq!(part_of_series(line.as_bytes()), Some((1, 3)), "{line}");
        }
        for line in ["The ratio is 1/3", "1 of 3 tests fail", "Step 1", "- 1/3 of the time", "Page 1 of 3 is shown"] {
            assert_eq!(part_of_series(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn what_is_not_shown() {
        for line in [
            "▸ Click to reveal (1 block hidden)",
            "... (2 more files)",
            "… und 3 weitere Dateien",
            "🔒 Sign in to see the rest of this answer",
            "Upgrade to Plus to view the remaining lines",
            "Afterwards I ran the formatter over `a.rs`; it changed 29 further lines, which CI needs (not shown here, too long).",
        ] {
            assert_eq!(says_unfinished(&[line.as_bytes()]), Some(0), "{line}");
        }
        for line in [
            "▶ Run the tests",
            "The unchanged parts are not shown.",
            "I changed 3 more lines in `a.rs`.",
            "▸ Limits are shown.",
        ] {
            assert_eq!(says_unfinished(&[line.as_bytes()]), None, "{line}");
        }
    }
}
