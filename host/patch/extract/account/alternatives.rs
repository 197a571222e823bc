//! Words between two patches of a reply that take one of them back, or offer the two for choice.

/// At the beginning of a line.
const FIRST: [&str; 34] = [
    "or,",
    "or:",
    "or ",
    "alternatively",
    "alternative",
    "alternativ",
    "oops",
    "sorry",
    "wait",
    "actually",
    "correction",
    "corrected",
    "revised",
    "no,",
    "no.",
    "nope",
    "hmm",
    "scratch that",
    "on second thought",
    "discard",
    "undo",
    "forget the",
    "或者",
    "または",
    "oder",
    "ou bien",
    "instead:",
    "instead of that",
    "another ",
    "if you prefer",
    "either",
    "plan b",
    "attempt",
    "my first",
];

/// Anywhere in a line.
const ANYWHERE: [&str; 40] = [
    "option a",
    "option b",
    "option 1",
    "option 2",
    "option one",
    "option two",
    "approach a",
    "approach b",
    "approach 1",
    "approach 2",
    "approach one",
    "approach two",
    "variant a",
    "variant b",
    "variant 1",
    "variant 2",
    "version a",
    "version b",
    "solution a",
    "solution b",
    "solution 1",
    "solution 2",
    "variante 1",
    "variante 2",
    "variante a",
    "variante b",
    "alternative:",
    "alternative approach",
    "alternative patch",
    "alternative solution",
    "alternative version",
    "ignore that",
    "rejected",
    "instead of the above",
    "instead of the previous",
    "instead of the patch",
    "方案",
    "別案",
    "代わりに",
    "do you prefer",
];

/// The same, of whatever is above them: also the only patch of a reply.
const RETRACTED: [&str; 36] = [
    "disregard",
    "scratch that",
    "scrap that",
    "scrap this",
    "ignore the above",
    "ignore the previous",
    "ignore the first",
    "ignore the earlier",
    "ignore my",
    "that was wrong",
    "that is wrong",
    "that's wrong",
    "i was wrong",
    "my mistake",
    "i made a mistake",
    "忽略",
    "无视",
    "撤回",
    "不要应用",
    // Requests not to apply something.
    "not to be applied",
    "should not be applied",
    "shouldn't be applied",
    "don't apply this",
    "do not apply this",
    "should not be merged",
    "shouldn't be merged",
    "nicht anwenden",
    "nicht übernehmen",
    "ne pas appliquer",
    "n'appliquez pas",
    "no apliques",
    "no aplicar",
    "não aplique",
    "non applicare",
    "не применя",
    "適用しない",
];

/// Words that point to a patch above, where one of [`NEGATIVE`] stands beside them.
const BACK: [&str; 23] = [
    "above",
    "previous",
    "preceding",
    "earlier",
    "first one",
    "first patch",
    "first diff",
    "first version",
    "first attempt",
    "first change",
    "first block",
    "last one",
    "last patch",
    "last change",
    "former",
    "obige",
    "oben",
    "vorherige",
    "ci-dessus",
    "précédent",
    "anterior",
    "上面",
    "上記",
];

const NEGATIVE: [&str; 29] = [
    "wrong",
    "draft",
    "ignor",
    "supersede",
    "withdraw",
    "replaces",
    "discard",
    "instead",
    "obsolete",
    "drop the",
    "skip the",
    "forget",
    "undo",
    "revert",
    "fail",
    "mistake",
    "incorrect",
    "not needed",
    "no longer",
    "should stay",
    "leave",
    "verwerfen",
    "falsch",
    "incorrecto",
    "descarta",
    "错误",
    "間違",
    "不对",
    "reject",
];

/// Lines that are nothing else: one of two patches is to be taken.
const HEADINGS: [&str; 19] = [
    "or",
    "oder",
    "ou",
    "o bien",
    "或",
    "good",
    "bad",
    "right",
    "wrong",
    "correct",
    "incorrect",
    "do",
    "don't",
    "do not",
    "better",
    "best",
    "what to do",
    "what not to do",
    "not this",
];

/// Parts that follow one another: `Step 2` goes on, `Version 2` and `Plan B` are for choice.
pub(super) const COUNTED: [&str; 31] = [
    "step", "part", "file", "change", "commit", "patch", "edit", "fix", "hunk", "phase", "task", "section", "diff",
    "block", "item", "point", "chunk", "update", "line", "lines", "python", "issue", "bug", "schritt", "étape", "paso",
    "passo", "шаг", "stap", "krok", "adım",
];

/// Whether the short line counts things of which one is to be taken.
fn is_one_of_several(text: &str) -> bool {
    const COUNTS: [&str; 14] =
        ["a", "b", "c", "1", "2", "3", "i", "ii", "iii", "one", "two", "three", "first", "second"];
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_noun = |word: &str| word.chars().all(char::is_alphabetic) && word.len() > 2 && !COUNTED.contains(&word);
    let is_counted = match words.as_slice() {
        [first, second] => {
            is_noun(first) && COUNTS.contains(second) || matches!(*first, "second" | "other") && is_noun(second)
        }
        [_, count, noun] => matches!(*count, "second" | "other") && is_noun(noun),
        _ => false,
    };
    // `方案二`, `案B`
    let last = text.trim_end_matches(['：', ':', ' ']).chars().last();
    let is_cjk = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    let is_short = text.chars().count() < 8 && text.chars().next().is_some_and(is_cjk);
    let is_step = ["步骤", "第", "ステップ", "手順", "단계"].iter().any(|step| text.starts_with(step));
    is_counted || is_short && !is_step && last.is_some_and(|last| "一二三四abc123".contains(last))
}

/// What a command not to do something is about, where it is about a patch. `do not forget to run the tests` is none.
const UNDONE: [&str; 6] = ["do", "use", "apply", "take", "commit", "change"];

/// Whoever speaks next in a transcript.
const SPEAKERS: [&str; 6] = ["user:", "human:", "assistant:", "### user", "### assistant", "[user]"];

/// How much words can take back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// One of several patches: they may also be about something else.
    OneOfSeveral,
    /// Whatever is above them.
    Any,
}

/// The first line that takes an edit back, by its index; words of less weight than `least` do not.
pub(super) fn taken_back(text: &[&[u8]], least: Weight) -> Option<usize> {
    text.iter().position(|line| {
        let text = String::from_utf8_lossy(line).to_lowercase().replace('’', "'");
        // Code says nothing; a line of nothing else is a label.
        let prose: String = text.split('`').step_by(2).collect();
        let text = if prose.trim_matches([' ', ':', '*', '#']).is_empty() { text } else { prose };
        let text = text.replace(['*', '_', '`'], "");
        let text = text.trim_start_matches(['#', '-', '>', ' ', '\t', '(']).trim_end();
        let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
        let has = |words: &[&str]| words.iter().any(|word| has_phrase(text, word));
        has(&RETRACTED)
            || is_forbidden(text)
            || least == Weight::OneOfSeveral
                && (begins(&FIRST)
                    || begins(&SPEAKERS)
                    || has(&ANYWHERE)
                    || text.split(['.', ';', '。']).any(denies_above)
                    || is_one_of_several(text)
                    || HEADINGS.contains(&text.trim_matches(|c: char| !c.is_alphabetic() && c != '\'')))
    })
}

/// Whether the line takes back what stands above it: it names it and denies it, or calls its own words wrong.
pub(super) fn points_back(line: &[u8]) -> bool {
    const RETREATS: [&str; 8] = [
        "disregard",
        "scratch that",
        "scrap that",
        "that was wrong",
        "that is wrong",
        "that's wrong",
        "that one is wrong",
        "mistake there",
    ];
    let text = String::from_utf8_lossy(line).to_lowercase().replace('’', "'");
    let prose: String = text.split('`').step_by(2).collect();
    RETREATS.iter().any(|phrase| has_phrase(&prose, phrase)) || prose.split(['.', ';', '。']).any(denies_above)
}

fn denies_above(sentence: &str) -> bool {
    BACK.iter().any(|word| has_phrase(sentence, word)) && NEGATIVE.iter().any(|word| sentence.contains(word))
}

/// Whether the text has the phrase as words of their own: `option a`, not `option as`.
fn has_phrase(text: &str, phrase: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(phrase).any(|(at, _)| {
        let ends = phrase.ends_with(|c: char| c.is_ascii_alphanumeric()) && phrase.split(' ').count() > 1;
        let begins = phrase.starts_with(|c: char| c.is_ascii_alphanumeric());
        !(begins && is_letter(text[..at].chars().next_back())
            || ends && is_letter(text[at + phrase.len()..].chars().next()))
    })
}

/// `Do not do this`; not `do not use globals`, which is about code.
fn is_forbidden(text: &str) -> bool {
    const OBJECTS: [&str; 6] = ["this", "that", "these", "those", "it", "the"];
    let rest = ["do not ", "don't ", "dont ", "never "].iter().find_map(|begin| text.strip_prefix(begin));
    let mut words = rest.into_iter().flat_map(|rest| rest.split(|c: char| !c.is_alphanumeric()));
    words.next().is_some_and(|word| UNDONE.contains(&word)) && words.next().is_some_and(|word| OBJECTS.contains(&word))
}
