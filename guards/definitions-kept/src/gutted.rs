//! Bodies of which nothing is left.

use guard_sdk::Finding;

use crate::phrases::Phrases;
use crate::touched::Touched;
use guard_sdk::files::Language;
use guard_sdk::language::{Body, Definition, DefinitionKind, Outline};

/// Lines of a body from which on it is no decision of a moment that it does nothing any more.
const LONG: u32 = 3;

/// Whether a body has so many lines. What only closes it is none.
fn is_long(touched: &Touched, was: &Definition) -> bool {
    let closing = u32::from(touched.language != Some(Language::Python));
    was.lines.last - was.lines.first >= LONG + closing
}

pub fn find(touched: &Touched, before: &Outline, after: &Outline) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(inner(touched, before, after));
    for item in after.definitions.iter().filter(|item| is_hollow(item)) {
        if item.body == Body::Empty && does_by_its_head(touched.text_after(item)) {
            continue;
        }
        // The same name may stand for several, one for each platform.
        let count = |outline: &Outline, real: bool| {
            let same = outline.definitions.iter().filter(|other| other.is_named_as(item) && other.kind == item.kind);
            same.filter(|other| if real { other.body == Body::Real } else { is_hollow(other) }).count()
        };
        if count(before, true) > count(after, true) && count(before, false) < count(after, false) {
            let was = counterpart(touched, before, after, item);
            let is_lost =
                |was: &Definition| (was.kind == DefinitionKind::Test || is_long(touched, was)) && !moved(touched, was);
            let was_a_stub = was.is_some_and(|was| only_fails(touched.text_before(was)));
            let goes_with_members = was.is_some_and(|was| only_sets_what_went(touched, was));
            if !was_a_stub && !goes_with_members && (item.body == Body::Stub || was.is_some_and(is_lost)) {
                findings.push(finding(touched, item));
            }
        }
    }
    findings
}

/// Whether the head of a constructor does its work: it hands on to another one, or its parameters are the properties (PHP, TypeScript).
fn does_by_its_head(text: &str) -> bool {
    let head = text.rsplit_once('{').map_or(text, |(head, _)| head);
    let hands_on = [": this(", ": base(", ": super("].iter().any(|call| head.contains(call));
    let parameters = head.split_once('(').map_or("", |(_, rest)| rest);
    let is_property = |parameter: &str| {
        ["private ", "public ", "protected ", "readonly "].iter().any(|word| parameter.trim_start().starts_with(word))
    };
    hands_on || parameters.split(',').any(is_property)
}

/// Whether a constructor did nothing but set members that the file no longer names, and stays since others call it.
fn only_sets_what_went(touched: &Touched, was: &Definition) -> bool {
    let text = touched.text_before(was);
    let body = text.split_once('{').map_or("", |(_, body)| body);
    let statements = body.rsplit_once('}').map_or(body, |(body, _)| body).split(';').map(str::trim);
    let mut statements = statements.filter(|statement| !statement.is_empty()).peekable();
    let is_gone = |statement: &str| {
        let member = ["$this->", "this.", "self."].iter().find_map(|own| statement.strip_prefix(own));
        let name = member.and_then(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next());
        let sets = statement.split_once('=').is_some_and(|(_, value)| !value.starts_with('='));
        sets && name.is_some_and(|name| !name.is_empty() && !touched.code().after.contains(name))
    };
    statements.peek().is_some() && statements.all(is_gone)
}

/// Whether a function did nothing but fail: there was nothing to lose.
fn only_fails(text: &str) -> bool {
    const FAILS: [&str; 6] = ["raise ", "throw ", "panic!(", "unimplemented!(", "unreachable!(", "todo!("];
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !matches!(*line, "}" | "};" | "{"));
    let mut open = 0;
    let has_head = lines.by_ref().any(|line| {
        open += opened(line);
        let code = line.split(" #").next().unwrap_or(line).trim_end();
        open == 0 && code.ends_with([':', '{'])
    });
    let Some(first) = lines.next().filter(|_| has_head) else { return false };
    open = opened(first);
    // One statement, however many lines it takes.
    FAILS.iter().any(|fails| first.starts_with(fails))
        && lines.all(|line| {
            let is_inside = open > 0;
            open += opened(line);
            is_inside
        })
}

/// How many more parentheses a line opens than it closes.
fn opened(line: &str) -> i32 {
    line.chars().map(|c| i32::from(c == '(') - i32::from(c == ')')).sum()
}

/// What stood for it: of several of one name, as a property's getter and setter, the one in its place.
fn counterpart<'b>(
    touched: &Touched,
    before: &'b Outline,
    after: &Outline,
    item: &Definition,
) -> Option<&'b Definition> {
    let alike = |outline: &'b Outline| {
        outline.definitions.iter().filter(|other| other.is_named_as(item) && other.kind == item.kind)
    };
    let same = after.definitions.iter().filter(|other| other.is_named_as(item) && other.kind == item.kind);
    let (count, nth) = (same.clone().count(), same.take_while(|other| other.lines != item.lines).count());
    let was = alike(before).nth(nth).filter(|was| was.body == Body::Real && alike(before).count() == count);
    let stays =
        |was: &&Definition| after.definitions.iter().any(|other| touched.text_after(other) == touched.text_before(was));
    was.or_else(|| alike(before).find(|was| was.body == Body::Real && !stays(was)))
}

/// Functions inside of functions, which many may be called alike: the one is meant that stood where it stands.
fn inner(touched: &Touched, before: &Outline, after: &Outline) -> Vec<Finding> {
    let around = |outline: &Outline, item: &Definition| {
        let mut items = outline.definitions.iter().filter(|one| one.kind != DefinitionKind::Value);
        items
            .rfind(|one| one.lines.first <= item.lines.first && item.lines.last <= one.lines.last)
            .map(Definition::full_name)
    };
    let stood = |item: &Definition, was: &Definition| {
        was.name == item.name
            && touched.place(was.lines.first) == item.lines.first
            && around(before, was) == around(after, item)
    };
    let lost = |was: &Definition| was.body == Body::Real && is_long(touched, was) && !moved(touched, was);
    let hollow = after.inner.iter().filter(|item| is_hollow(item));
    let gutted = hollow.filter(|item| before.inner.iter().any(|was| stood(item, was) && lost(was)));
    gutted.map(|item| finding(touched, item)).collect()
}

fn is_hollow(item: &Definition) -> bool {
    matches!(item.body, Body::Stub | Body::Empty)
}

/// Whether what it did is done elsewhere in the file now.
fn moved(touched: &Touched, was: &Definition) -> bool {
    let added: Vec<&str> = touched.code().added().map(|(_, line)| line).collect();
    Phrases::new(touched.text_before(was)).share_in(&Phrases::new(&added.join("\n"))) >= 0.4
}

fn finding(touched: &Touched, item: &Definition) -> Finding {
    let (path, kind, name) = (touched.path(), item.noun(), item.full_name());
    let left = if item.body == Body::Stub { "only a stub" } else { "nothing" };
    Finding::error("body-gutted", format!("of the body of the {kind} `{name}` {left} is left in {path}"))
        .at(path, item.lines.first)
        .to(item.lines.last)
        .help(format!("Give `{name}` whole, with the body that it had; change only what the task asks for."))
}
