//! Words with which a reply says that it is not the whole change: the rest comes later, or was left out.

/// As phrases of a line in small letters. What code does is told in other words.
const PHRASES: [&str; 48] = [
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

/// The first such line of a text, by its index.
pub(super) fn says_unfinished(text: &[&[u8]]) -> Option<usize> {
    text.iter().position(|line| {
        let text = String::from_utf8_lossy(line).to_lowercase().replace('’', "'");
        // Code says nothing of the reply.
        let prose: String = text.split('`').step_by(2).collect();
        PHRASES.iter().any(|phrase| prose.contains(phrase)) || PARTS.iter().any(|part| prose.contains(part))
    })
}
