//! Words with which a reply says that it is not the whole change: the rest comes later, or was left out.

/// As phrases of a line in small letters. What code does is told in other words.
const PHRASES: [&str; 39] = [
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
    "omitted here for",
    "due to length limit",
    "due to the length limit",
    "only the first half",
    "the rest of the patch",
    "the rest of the diff",
    "the remaining changes follow",
    "too long for one message",
    "too long for a single",
    "wird fortgesetzt",
    "fortsetzung folgt",
    "der kürze halber",
    "à suivre dans",
    "pour abréger",
    "continuará",
    "por brevedad",
];

/// The same in languages that write their words together.
const PARTS: [&str; 8] =
    ["下一条消息", "下一条回复", "未完待续", "篇幅限制", "为简洁起见", "次のメッセージ", "次の返信", "다음 메시지"];

/// The first such line of a text, by its index.
pub(super) fn says_unfinished(text: &[&[u8]]) -> Option<usize> {
    text.iter().position(|line| {
        let text = String::from_utf8_lossy(line).to_lowercase().replace('’', "'");
        // Code says nothing of the reply.
        let prose: String = text.split('`').step_by(2).collect();
        PHRASES.iter().any(|phrase| prose.contains(phrase)) || PARTS.iter().any(|part| prose.contains(part))
    })
}
