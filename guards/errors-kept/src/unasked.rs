//! Checks that go while what they checked stays: a value is still worked out, and the condition at which the code left because of it was its
//! only use. Who simplifies code takes the value away with the check; linters see to that.

use guard_sdk::files::Language;
use guard_sdk::text::lines_in;
use guard_sdk::{File, Finding};
use lexing::Line;

use crate::depth;

/// Lines of the body of a check.
const LONGEST: usize = 14;

/// Whether the change takes a condition away: in most hunks it does not, and nothing has to be lexed.
pub fn may_be_in(file: &File, before: &str) -> bool {
    let hunks = file.hunks();
    let fewer = hunks.iter().filter(|hunk| hunk.old_lines > hunk.new_lines);
    let gone = lines_in(before, fewer.map(|hunk| (hunk.old_start, hunk.old_lines)));
    gone.iter().any(|(_, line)| is_condition(line.trim()))
}

fn is_condition(code: &str) -> bool {
    let code = code.trim_start_matches('}').trim_start();
    ["if", "unless", "guard"]
        .iter()
        .any(|word| code.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '(']) && !rest.contains(" let ")))
}

fn leaves(code: &str) -> bool {
    ["return", "throw", "raise", "panic!", "bail!", "abort"]
        .iter()
        .any(|word| code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '!')).any(|part| part == *word))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Names in a condition that are neither members nor calls.
fn names(code: &str) -> Vec<&str> {
    #[rustfmt::skip]
    const KEYWORDS: [&str; 24] = [
        "if", "unless", "guard", "not", "and", "or", "is", "in", "None", "null", "nil", "undefined", "true", "false", "True", "False", "return", "throw", "raise", "typeof", "instanceof", "await", "else", "this",
    ];
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(is_word) {
        let end = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |end| start + end);
        let (name, behind) = (&rest[start..end], rest[end..].trim_start());
        let is_member = rest[..start].trim_end().ends_with(['.', ':', '@']);
        let is_plain = name.starts_with(|c: char| c.is_lowercase()) && name.len() > 1 && !KEYWORDS.contains(&name);
        if !is_member && is_plain && !behind.starts_with('(') && !behind.starts_with("!(") && !found.contains(&name) {
            found.push(name);
        }
        rest = &rest[end..];
    }
    found
}

/// Places of a name; a member of that name is another thing.
fn places(text: &str, name: &str) -> Vec<usize> {
    let is_whole = |at: &usize| {
        !text[..*at].ends_with(|c: char| is_word(c) || c == '.') && !text[*at + name.len()..].starts_with(is_word)
    };
    text.match_indices(name).map(|(at, _)| at).filter(is_whole).collect()
}

/// Whether a line uses a name: in its code, or in what is put into its strings.
fn uses(line: &Line, name: &str) -> bool {
    let filled = line.text.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    let told = [format!("${name}"), format!("\\({name}")];
    !places(&line.code, name).is_empty()
        || filled.into_iter().any(|part| !places(part, name).is_empty())
        || told.iter().any(|sign| line.text.contains(sign.as_str()))
}

/// Whether names of a language live as long as the function, wherever they are assigned.
fn lives_by_function(language: Language) -> bool {
    matches!(language, Language::Python | Language::Ruby | Language::Php)
}

/// Whether a line works the name out by a call: `const a = await f()`, `const [a, b] = f()`, `a, err := f()`, in Python `a = f()`.
fn is_worked_out(line: &Line, name: &str, language: Language) -> bool {
    let Some((left, right)) = line.code.split_once(":=").or_else(|| line.code.split_once('=')) else { return false };
    // A plain assignment is to a name that lives outside of the block.
    let is_declared = line.code.contains(":=")
        || lives_by_function(language)
        || (left.trim_start().starts_with(char::is_alphabetic) && left.trim().contains(' '));
    if !is_declared {
        return false;
    }
    let is_assigned = !left.ends_with(['!', '<', '>', '+', '-', '*', '|', '&']) && !right.starts_with(['=', '>']);
    is_assigned
        && !left.contains('(')
        && !places(left, name).is_empty()
        && right.contains('(')
        && places(right, name).is_empty()
}

/// The lines of the block that holds a line: of Python and its like, those of the function, since names live as long.
fn block(lines: &[Line], at: usize, own: usize, language: Language) -> std::ops::Range<usize> {
    let is_function = |line: &Line| {
        let code = line.code.trim_start();
        ["def ", "async def ", "function ", "public ", "private ", "protected "]
            .iter()
            .any(|word| code.starts_with(word))
    };
    let by_function = lives_by_function(language);
    let is_head = |line: &Line| depth(line) < own && (!by_function || is_function(line));
    let start = (0..at).rev().find(|above| !lines[*above].text.trim().is_empty() && is_head(&lines[*above]));
    let start = start.map_or(0, |head| head + 1);
    let outer = start.checked_sub(1).map_or(0, |head| depth(&lines[head]));
    let ends = |line: &Line| {
        let is_out = if by_function { depth(line) <= outer } else { depth(line) < own };
        !line.text.trim().is_empty() && is_out
    };
    let end = (at..lines.len()).find(|below| ends(&lines[*below])).unwrap_or(lines.len());
    start..end
}

pub fn find(file: &File, before: &[Line], after: &[Line], language: Language) -> Vec<Finding> {
    let mut findings = Vec::new();
    for hunk in file.hunks().into_iter().filter(|hunk| hunk.old_lines > hunk.new_lines) {
        let part = |lines: &[Line], start: u32, count: u32| {
            let first = (start.saturating_sub(1) as usize).min(lines.len());
            first..(first + count as usize).min(lines.len())
        };
        let new = part(after, hunk.new_start, hunk.new_lines);
        if after[new.clone()].iter().any(|line| is_condition(line.code.trim())) {
            continue;
        }
        let old = part(before, hunk.old_start, hunk.old_lines);
        // Behind a hunk that only takes lines away, its place is the line above.
        let place = if hunk.new_lines == 0 { hunk.new_start as usize } else { new.start };
        for at in old.clone().filter(|at| is_condition(before[*at].code.trim()) && before[*at].begins_in_code) {
            let own = depth(&before[at]);
            let body = before[at + 1..old.end].iter().take(LONGEST);
            let mut body = body.take_while(|line| line.text.trim().is_empty() || depth(line) > own);
            if !leaves(&before[at].code) && !body.any(|line| leaves(&line.code)) {
                continue;
            }
            let around = block(after, place.min(after.len()), own, language);
            let is_unused = |name: &&str| {
                let uses: Vec<usize> = around.clone().filter(|line| uses(&after[*line], name)).collect();
                matches!(uses.as_slice(), [only] if is_worked_out(&after[*only], name, language) && places(&after[*only].code, name).len() == 1)
            };
            let unused: Vec<&str> = names(&before[at].code).into_iter().filter(is_unused).collect();
            let Some(name) = unused.first() else { continue };
            let line =
                around.clone().find(|line| is_worked_out(&after[*line], name, language)).unwrap_or(place) as u32 + 1;
            let shown: String = before[at].text.trim().trim_end_matches('{').trim().chars().take(80).collect();
            findings.push(
                Finding::error(
                    "check-dropped",
                    format!(
                        "`{shown}` left the code, and nothing asks for `{name}` any more, which is still worked out"
                    ),
                )
                .at(file.path(), line)
                .help(format!(
                    "Keep the check. If it is not needed, take `{name}` away with it, and say in the task why."
                )),
            );
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{is_condition, names};

    #[test]
    fn what_a_condition_asks_for() {
        assert!(is_condition("if (!session || !machine) {") && is_condition("} if x:") && is_condition("unless user"));
        assert!(!is_condition("iffy(x)") && !is_condition("if let Some(x) = y {"));
        assert_eq!(names("if (!session || machine.id === other.user) {"), ["session", "machine", "other"]);
        assert_eq!(names("if not is_owner(user) and count > Limit:"), ["user", "count"]);
        assert_eq!(names("if owner != user:"), ["owner", "user"]);
    }
}
