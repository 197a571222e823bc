//! Calls that take a format and its values, in several languages: how many values the format wants, and how many it gets.

use guard_sdk::files::Language;

use crate::words::raw_parts;

pub struct Misfit {
    pub wants: usize,
    pub gets: usize,
}

/// A function by the text in front of its bracket, and how many arguments stand before the format.
type Call = (&'static str, usize);

#[rustfmt::skip]
const GO: &[Call] = &[
    ("fmt.Errorf(", 0), ("fmt.Sprintf(", 0), ("fmt.Printf(", 0), ("fmt.Fprintf(", 1), ("log.Printf(", 0), ("log.Fatalf(", 0), ("log.Panicf(", 0),
    ("t.Errorf(", 0), ("t.Fatalf(", 0), ("t.Logf(", 0), ("t.Skipf(", 0), ("b.Fatalf(", 0), ("b.Errorf(", 0), ("errors.Errorf(", 0), ("errors.Wrapf(", 1),
];
const PHP: &[Call] = &[("sprintf(", 0), ("printf(", 0)];
#[rustfmt::skip]
const PYTHON: &[Call] = &[
    ("logger.debug(", 0), ("logger.info(", 0), ("logger.warning(", 0), ("logger.error(", 0), ("logger.exception(", 0), ("logger.critical(", 0), ("logger.log(", 1),
    ("log.debug(", 0), ("log.info(", 0), ("log.warning(", 0), ("log.error(", 0), ("log.exception(", 0), ("logging.debug(", 0), ("logging.info(", 0),
    ("logging.warning(", 0), ("logging.error(", 0), ("logging.exception(", 0), ("logging.critical(", 0),
];

/// `code` has blanks in place of strings, and `text` the strings too, with each character in the same place.
pub fn misfit(language: Language, code: &str, text: &str) -> Option<Misfit> {
    let (calls, takes_less): (&[Call], bool) = match language {
        Language::Go => (GO, false),
        // What is too much it ignores.
        Language::Php => (PHP, true),
        Language::Python => (PYTHON, false),
        _ => return None,
    };
    let (at, skipped) = calls.iter().find_map(|(call, skipped)| {
        let at = code.find(call)?;
        let is_own = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '>');
        is_own.then_some((at + call.len(), *skipped))
    })?;
    let mut from = at;
    let mut all: Vec<&str> = Vec::new();
    for part in raw_parts(&code[at..]) {
        all.push(text.get(from..from + part)?.trim());
        from += part + 1;
    }
    if all.last().is_some_and(|last| last.is_empty()) {
        all.pop();
    }
    let mut arguments = all.into_iter().skip(skipped);
    let wants = wanted(literal(arguments.next()?)?, language)?;
    let values: Vec<&str> = arguments.filter(|value| !is_keyword(value)).collect();
    if values.iter().any(|value| value.starts_with('*') || value.starts_with("...") || value.ends_with("...")) {
        return None;
    }
    // Without values a logger does not format; one dictionary gives every name, and one tuple of Go's functions may be several values.
    let gets = values.len();
    let is_known = match language {
        Language::Python => gets > 0,
        Language::Go => !(gets == 1 && wants > 1 && values[0].ends_with(')')),
        _ => true,
    };
    (is_known && if takes_less { wants > gets } else { wants != gets }).then_some(Misfit { wants, gets })
}

/// What stands in the quotes of a plain string, alone.
fn literal(argument: &str) -> Option<&str> {
    let quote = argument.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let inside = argument.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inside.contains(quote) && !inside.contains("\\\"")).then_some(inside)
}

/// None where a placeholder has a name or a number, or takes its width from a value.
fn wanted(format: &str, language: Language) -> Option<usize> {
    let letters = match language {
        Language::Go => "vTtbcdoOqxXUeEfFgGspw",
        Language::Php => "bcdeEfFgGhHosuxX",
        _ => "diouxXeEfFgGcrsa",
    };
    let mut count = 0;
    let mut rest = format;
    while let Some((_, after)) = rest.split_once('%') {
        let end = after.find(|c: char| !"-+ #0123456789.".contains(c))?;
        let letter = after[end..].chars().next()?;
        match letter {
            '%' => {}
            _ if letters.contains(letter) => count += 1,
            _ => return None,
        }
        rest = &after[end + letter.len_utf8()..];
    }
    Some(count)
}

fn is_keyword(part: &str) -> bool {
    part.split_once('=').is_some_and(|(name, rest)| {
        !rest.starts_with('=')
            && !name.trim().is_empty()
            && name.trim().chars().all(|c| c.is_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::misfit;
    use guard_sdk::files::Language;

    fn of(language: Language, code: &str, text: &str) -> Option<(usize, usize)> {
        misfit(language, code, text).map(|found| (found.wants, found.gets))
    }

    #[test]
    fn as_many_as_are_wanted() {
        let go = |text: &str| of(Language::Go, &masked(text), text);
        assert_eq!(go("return fmt.Errorf(\"a %s (b %s)\", v)"), Some((2, 1)));
        assert_eq!(go("return fmt.Errorf(\"a %s (b %w)\", v, err)"), None);
        assert_eq!(go("fmt.Printf(\"%[1]s %[1]s\", v)"), None);
        assert_eq!(go("fmt.Sprintf(\"%d %s\", both())"), None);
        assert_eq!(go("fmt.Sprintf(\"%d%%\", a, b...)"), None);
        let python = |text: &str| of(Language::Python, &masked(text), text);
        assert_eq!(python("logger.warning(\"%s: line %s\", line)"), Some((2, 1)));
        assert_eq!(python("logger.warning(\"100%\", exc_info=True)"), None);
        assert_eq!(python("logger.info(\"%(a)s\", {\"a\": 1})"), None);
        let php = |text: &str| of(Language::Php, &masked(text), text);
        assert_eq!(php("throw new E(sprintf('%s: %s', $type));"), Some((2, 1)));
        assert_eq!(php("sprintf('%1$s %1$s', $type)"), None);
        assert_eq!(php("$x->sprintf('%s')"), None);
    }

    fn masked(text: &str) -> String {
        let mut quote = None;
        text.chars()
            .map(|c| match quote {
                Some(open) if open == c => {
                    quote = None;
                    ' '
                }
                Some(_) => ' ',
                None if c == '"' || c == '\'' => {
                    quote = Some(c);
                    ' '
                }
                None => c,
            })
            .collect()
    }
}
