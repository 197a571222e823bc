//! A private function of Go or Rust that has another name, everywhere that it is called. In other languages what looks like a call may be a method of
//! an object or a case of an enumeration that has the same name.

use guardhost_engine::code_text::CodeText;
use guardhost_engine::outlines::Outlines;

use super::code::{Sides, read, same_code};
use super::private::{Elsewhere, has_word, may_make_names, places, private_function};
use super::unproved::{Unproved, because};

/// Put before each name, to learn whether it stands in code.
const PROBE: &str = "/* probe */";

/// The old name and the new one; nothing else differs but formatting and plain comments.
///
/// # Errors
/// [`Unproved::Because`]: what else differs, or what one of the names may mean; [`Unproved::Stopped`]: the work was stopped.
pub fn renamed(
    sides: &Sides<'_>,
    elsewhere: &Elsewhere<'_>,
    outlines: &Outlines,
) -> Result<(String, String), Unproved> {
    let (old, new) = (read(sides, sides.old, outlines)?, read(sides, sides.new, outlines)?);
    if !["go", "rust"].contains(&&*old.language) {
        return because("names of its language may stand for more than a function");
    }
    let (Some(from), Some(to)) = (only_in(&old, &new), only_in(&new, &old)) else {
        return because("more than one name of a function differs, or none");
    };
    let functions = (private_function(from, sides.old, &old), private_function(to, sides.new, &new));
    let (Some(_), Some(_)) = functions else { return because("others may name the function") };
    let calls = calls(sides, from, &old, outlines)?;
    let (mut text, mut at) = (String::new(), 0);
    for place in calls {
        text += &sides.old[at..place];
        text += to;
        at = place + from.len();
    }
    text += &sides.old[at..];
    if text != sides.new {
        same_code(&Sides { old: &text, ..*sides }, outlines)?;
    }
    may_make_names(&old, sides.old, elsewhere)?;
    if has_word(sides.old, to) || elsewhere(to)? {
        return because(&format!("`{to}` may mean something else already"));
    }
    if has_word(sides.new, from) || elsewhere(from)? {
        return because(&format!("`{from}` is still written somewhere"));
    }
    Ok((from.to_owned(), to.to_owned()))
}

/// The one name that the other text does not define.
fn only_in<'c>(one: &'c CodeText, other: &CodeText) -> Option<&'c str> {
    let has = |name: &str| other.definitions.iter().any(|known| known.name == name);
    let mut names = one.definitions.iter().map(|known| known.name.as_str()).filter(|name| !has(name));
    names.next().filter(|_| names.next().is_none())
}

/// Where the function is defined and called, which must be all places of its name outside of comments.
fn calls(sides: &Sides<'_>, name: &str, code: &CodeText, outlines: &Outlines) -> Result<Vec<usize>, Unproved> {
    let in_comment = |at: &usize| code.comments.iter().any(|comment| comment.contains(at));
    let places: Vec<usize> = places(sides.old, name).into_iter().filter(|at| !in_comment(at)).collect();
    let mut definitions = 0;
    let (mut probed, mut copied, mut expected) = (String::new(), 0, Vec::new());
    for at in &places {
        let before = sides.old[..*at].trim_end();
        // A method, a path or a field of this name is another thing.
        if !sides.old[at + name.len()..].starts_with('(') || before.ends_with(['.', ':', ')', '#', '\'', '$']) {
            return because(&format!("`{name}` is more than a function that is called"));
        }
        definitions += usize::from(before.ends_with("fn") || before.ends_with("func"));
        probed += &sides.old[copied..*at];
        expected.push(probed.len()..probed.len() + PROBE.len());
        probed += PROBE;
        copied = *at;
    }
    probed += &sides.old[copied..];
    let found = read(sides, &probed, outlines)?.comments;
    match definitions == 1 && expected.iter().all(|place| found.contains(place)) {
        true => Ok(places),
        false => because(&format!("`{name}` stands in a text, or is defined twice")),
    }
}
