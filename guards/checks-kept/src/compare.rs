//! What a configuration allows now that it did not allow before.

use crate::inherited::Inherited;
use crate::tools::{Tool, level};
use configuration::{Setting, ends_as};

/// One setting that was loosened.
#[derive(Debug)]
pub struct Loosened {
    pub rule: &'static str,
    /// The setting, and what became of it.
    pub what: String,
    /// In the candidate, from 1; where it was, if it is gone.
    pub line: u32,
    /// Of [`crate::rules`]' `files-excluded`.
    pub excluded: Option<Excluded>,
    /// The same change makes the tool look for more, of which this is left out.
    pub is_mild: bool,
}

/// What a checker is told to leave out.
#[derive(Debug)]
pub struct Excluded {
    pub entry: String,
    /// It is a regular expression, and no glob.
    pub is_regular: bool,
    /// What the same setting left out before.
    pub before: Vec<String>,
}

/// A version of a configuration.
pub struct Version {
    pub own: Vec<Setting>,
    pub inherited: Inherited,
}

pub fn loosened(tool: &Tool, under: &[&str], old: &Version, new: &Version) -> Vec<Loosened> {
    let (before, after) = (own(&old.own, under), own(&new.own, under));
    // Who configures a tool for the first time loosens nothing.
    if before.is_empty() {
        return Vec::new();
    }
    let extends_more = new.inherited.names.iter().any(|name| !old.inherited.names.contains(name));
    let (was_inherited, is_inherited) = (own(&old.inherited.settings, under), own(&new.inherited.settings, under));
    let was_on = |setting: &Setting| old.inherited.is_unknown || is_on(tool, &before, &was_inherited, setting);
    // What a package brings that is taken over now, only its files tell: what goes from the configuration may stand there.
    let extends_unknown = extends_more && new.inherited.is_unknown;
    let mut found = Vec::new();
    for new in after.iter().filter(|new| !new.is_item || new.number().is_some()) {
        found.extend(number(tool, &before, &after, new));
    }
    // A rule may stand at several levels, each for other files: what stands as often as before was not loosened.
    let count = |settings: &[Setting], one: &Setting| {
        settings.iter().filter(|other| other.keys == one.keys && other.value == one.value).count()
    };
    for new in &after {
        if count(&after, new) > count(&before, new) {
            found.extend(switch(tool, &before, new, was_on));
        }
        found.extend(item(tool, &before, new));
    }
    for old in &before {
        let is_kept = |one: &Setting| one.keys == old.keys && one.value == old.value;
        if !is_inherited.iter().any(is_kept) {
            found.extend(gone(tool, &after, old).map(|gone| Loosened { is_mild: extends_unknown, ..gone }));
        }
    }
    let all: Vec<Setting> = after.iter().chain(is_inherited.iter().filter(|_| extends_more)).cloned().collect();
    let tightens = extends_unknown || tightens(tool, &before, &all) || is_for_newer_language(&old.own, &new.own);
    for one in found.iter_mut().filter(|one| one.rule != "strictness-lowered") {
        one.is_mild = tightens && one.rule == "rule-switched-off";
    }
    found
}

/// Whether a switch that the configuration does not set is on all the same: by what it takes over, for another part of the program, by
/// another switch, or because the tool has it so.
fn is_on(tool: &Tool, own: &[Setting], inherited: &[Setting], switch: &Setting) -> bool {
    let all = || own.iter().chain(inherited);
    let (other, others) = tool.turns_on;
    let is_turned_on = |one: &Setting| one.truth() == Some(true) || level(&one.value) == Some(3);
    let by_other = is_any(switch, others) && all().any(|one| is_any(one, &[other]) && is_turned_on(one));
    let elsewhere = all().any(|one| one.keys.last() == switch.keys.last() && one.truth() == Some(true));
    by_other || elsewhere || is_any(switch, tool.on)
}

/// Whether the tool looks for more than before: a rule came that is not off, or is selected.
fn tightens(tool: &Tool, before: &[Setting], after: &[Setting]) -> bool {
    let is_new = |new: &&Setting| !before.iter().any(|old| old.keys == new.keys && old.value == new.value);
    after.iter().filter(is_new).any(|new| {
        is_any(new, tool.selected)
            || (is_any(new, tool.levels) && !new.is_item && level(&new.value) >= Some(2) && new.number().is_none())
    })
}

/// Settings that say for which version of its language the code is written, of any tool.
const LANGUAGE: [&str; 6] =
    ["requires-python", "target-version", "python-version", "targetrubyversion", "rust-version", "msrv"];

/// Whether the code may use a newer version of its language: rules that hold from that version on are looked for since this change.
fn is_for_newer_language(before: &[Setting], after: &[Setting]) -> bool {
    let version = |setting: &Setting| -> Vec<u32> {
        setting.value.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
    };
    let is_raised = |new: &Setting| only(before, &new.keys, new.is_item).is_some_and(|old| version(old) < version(new));
    after.iter().any(|new| is_any(new, &LANGUAGE) && is_raised(new))
}

/// The settings below a tool's keys, without these; a tool may have the whole file.
fn own(settings: &[Setting], under: &[&str]) -> Vec<Setting> {
    let is_under = |setting: &&Setting| {
        setting.keys.len() >= under.len()
            && under.iter().zip(&setting.keys).all(|(part, key)| match part.strip_suffix('*') {
                Some(begin) => key.starts_with(begin),
                None => key == part,
            })
    };
    settings.iter().filter(is_under).cloned().collect()
}

fn is_any(setting: &Setting, patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| ends_as(&setting.keys, pattern))
}

/// The only setting of those keys; of one that stands several times nobody can say which became which.
fn only<'s>(settings: &'s [Setting], keys: &[String], is_item: bool) -> Option<&'s Setting> {
    let mut same = settings.iter().filter(|one| one.keys == keys && one.is_item == is_item);
    same.next().filter(|_| same.next().is_none())
}

/// The only number of those keys: `["error", 300]` has one.
fn only_number(settings: &[Setting], keys: &[String]) -> Option<f64> {
    let mut numbers = settings.iter().filter(|one| one.keys == keys).filter_map(Setting::number);
    let first = numbers.next()?;
    numbers.all(|other| other == first).then_some(first)
}

fn number(tool: &Tool, before: &[Setting], after: &[Setting], new: &Setting) -> Option<Loosened> {
    let (is_limit, is_floor) = (is_any(new, tool.limits), is_any(new, tool.floors));
    if !is_limit && !is_floor {
        return None;
    }
    let (was, is) = (only_number(before, &new.keys)?, only_number(after, &new.keys)?);
    let is_looser = (is_limit && is > was) || (is_floor && is < was);
    is_looser.then(|| Loosened {
        rule: "limit-loosened",
        what: format!("`{}` of {} goes from {was} to {is}", new.name(), tool.name),
        line: new.line,
        excluded: None,
        is_mild: false,
    })
}

fn switch(tool: &Tool, before: &[Setting], new: &Setting, was_on: impl Fn(&Setting) -> bool) -> Option<Loosened> {
    let old = only(before, &new.keys, new.is_item);
    let loosened = |rule, what: String| Some(Loosened { rule, what, line: new.line, excluded: None, is_mild: false });
    let name = || format!("`{}` of {}", new.name(), tool.name);
    if is_any(new, tool.strict) && !new.is_item {
        let was = old.and_then(Setting::truth);
        let rule =
            if tool.name == "rubocop" || tool.name == "detekt" { "rule-switched-off" } else { "strictness-lowered" };
        let was_on = || if old.is_some() { was != Some(false) } else { was_on(new) };
        return if new.truth() == Some(false) && was_on() {
            loosened(rule, format!("{} is turned off", name()))
        } else {
            None
        };
    }
    if is_any(new, tool.lax) && !new.is_item {
        let was = old.and_then(Setting::truth);
        return if new.truth() == Some(true) && was != Some(true) {
            loosened("strictness-lowered", format!("{} is turned on", name()))
        } else {
            None
        };
    }
    if is_any(new, tool.levels) {
        // A program has properties of other kinds as well: there, only a word is a level.
        let is_word = matches!(new.value.as_str(), "off" | "warn" | "error");
        let is = level(&new.value).filter(|_| tool.name != "eslint" || new.keys.len() > 1 || is_word)?;
        let levels = before.iter().filter(|old| old.keys == new.keys).filter_map(|old| level(&old.value));
        let was = levels.max();
        return match was {
            Some(was) if is < was => loosened("rule-switched-off", format!("{} goes to `{}`", name(), new.value)),
            None if is == 0 && is_named_off(&new.value) => {
                loosened("rule-switched-off", format!("{} is set to `{}`", name(), new.value))
            }
            _ => None,
        };
    }
    None
}

/// Whether a value that no setting had before says that a rule is off, and not only that something is false.
fn is_named_off(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "off" | "0" | "allow" | "none" | "ignore" | "disable")
}

fn item(tool: &Tool, before: &[Setting], new: &Setting) -> Option<Loosened> {
    let (ignores, excludes) = (is_any(new, tool.ignored), is_any(new, tool.excluded));
    if !(ignores || excludes) || new.value.starts_with('#') {
        return None;
    }
    // A single text stands for a list of one: `exclude: vendor`.
    let is_list = |one: &&Setting| one.keys == new.keys && one.value == new.value;
    let is_whole_of_items = !new.is_item && new.value.contains([',', ' ']);
    if before.iter().any(|one| is_list(&one)) || is_whole_of_items {
        return None;
    }
    Some(match excludes {
        true => Loosened {
            rule: "files-excluded",
            what: format!("`{}` of {} leaves `{}` out", new.name(), tool.name, new.value),
            line: new.line,
            excluded: Some(Excluded {
                entry: new.value.clone(),
                is_regular: is_any(new, tool.regular),
                before: before.iter().filter(|old| old.keys == new.keys).map(|old| old.value.clone()).collect(),
            }),
            is_mild: false,
        },
        false => Loosened {
            rule: "rule-switched-off",
            what: format!("`{}` of {} gains `{}`", new.name(), tool.name, new.value),
            line: new.line,
            excluded: None,
            is_mild: false,
        },
    })
}

fn gone(tool: &Tool, after: &[Setting], old: &Setting) -> Option<Loosened> {
    let stands = after.iter().any(|one| one.keys == old.keys);
    let loosened = |rule, what: String| Some(Loosened { rule, what, line: old.line, excluded: None, is_mild: false });
    let name = || format!("`{}` of {}", old.name(), tool.name);
    if is_any(old, tool.floors) && !stands && old.number().is_some() {
        return loosened("limit-loosened", format!("{}, which was {}, is taken away", name(), old.value));
    }
    let is_on = old.truth() == Some(true) && !old.is_item;
    if is_any(old, tool.strict) && is_on && !stands && !matches!(tool.name, "rubocop" | "detekt" | "biome") {
        return loosened("strictness-lowered", format!("{} is taken away", name()));
    }
    let is_selected = is_any(old, tool.selected) && (old.is_item || !old.value.contains([',', ' ']));
    let is_lost = !after.iter().any(|one| one.keys == old.keys && one.value == old.value);
    // A prefix that covers it may have come: `E` for `E501`; and a list that is gone as a whole is another kind of configuration.
    let covers = |one: &Setting| one.keys == old.keys && old.value.starts_with(one.value.as_str());
    let all = |one: &Setting| one.keys == old.keys && one.value.eq_ignore_ascii_case("all");
    // What moved to another list of the tool is still looked for, as the formatters of golangci-lint 2.
    let moved = |one: &Setting| one.is_item && one.keys != old.keys && one.value == old.value;
    if is_selected && is_lost && stands && !after.iter().any(|one| covers(one) || all(one) || moved(one)) {
        return loosened("rule-switched-off", format!("{} loses `{}`", name(), old.value));
    }
    None
}
