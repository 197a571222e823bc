//! Where in `guards.toml` something is wrong that its types do not express.

use guardhost_core::error::{Error, Fault, FaultKind, fault};
use guardhost_core::renamed_guards::means;
use guardhost_core::setting::{Frame, SettingPath, SettingStep};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::nearest;

/// A fault with its place, if it is about an entry of this file; so are its others. Errors without such a fault stay as they are.
pub fn with_location(error: Error, text: &str, origin: &str) -> Error {
    match fault(&error) {
        Some(found) if found.setting.is_some() => located(found.clone(), text, origin).into(),
        _ => error,
    }
}

/// The line of the entry, and the place in front of what is wrong.
pub(super) fn located(mut fault: Fault, text: &str, origin: &str) -> Fault {
    fault.others = fault.others.into_iter().map(|other| located(other, text, origin)).collect();
    if let (Some(path), None) = (&fault.setting, &fault.frame) {
        let frame = find(text, path);
        let at = frame.as_ref().map_or_else(String::new, Frame::to_string);
        fault.what = format!("{origin}{at}: {}", fault.what);
        fault.frame = frame.map(Box::new);
    }
    fault
}

/// The parser's message with file, line and column, and the key that was probably meant.
pub(super) fn parse_fault(text: &str, origin: &str, error: &toml::de::Error) -> Fault {
    let message = error.message();
    let frame = error.span().map(|span| Frame::around(text, span));
    let place = frame.as_ref().map_or_else(String::new, Frame::to_string);
    let mut fault = Fault::new(FaultKind::Config, format!("{origin}{place}: {message}"));
    fault.frame = frame.map(Box::new);
    let mut names = message.split('`').skip(1).step_by(2);
    match (message.starts_with("unknown field"), names.next()) {
        (true, Some(unknown)) => {
            let known: Vec<&str> = names.collect();
            match nearest(unknown, &known) {
                Some(near) => fault.hint(format!("did you mean `{near}`?")),
                None => fault,
            }
        }
        _ => fault,
    }
}

/// The value of the entry, or of its nearest parent that is in the file. None when that is the whole file.
fn find(text: &str, path: &SettingPath) -> Option<Frame> {
    let root = DeTable::parse(text).ok()?;
    let mut found = None;
    let mut here: Option<&DeValue> = None;
    for step in &path.0 {
        let next = match here {
            None => child_of_table(root.get_ref(), step),
            Some(DeValue::Table(table)) => child_of_table(table, step),
            Some(DeValue::Array(list)) => match step {
                SettingStep::Index(index) => list.get(*index).map(|value| (value.span(), value.get_ref())),
                SettingStep::Key(_) | SettingStep::Name(_) | SettingStep::Guard(_) => None,
            },
            Some(_) => None,
        };
        let Some((span, value)) = next else { break };
        found = Some(span);
        here = Some(value);
    }
    Some(Frame::around(text, found?))
}

type LocatedValue<'a, 't> = (std::ops::Range<usize>, &'a DeValue<'t>);

fn child_of_table<'a, 't>(table: &'a DeTable<'t>, step: &SettingStep) -> Option<LocatedValue<'a, 't>> {
    match step {
        SettingStep::Key(key) => {
            let (name, value) = table.get_key_value(key.as_str())?;
            // The span of a table that has a header is the header; one of dotted keys has none of its own.
            let span = if value.span().is_empty() { name.span() } else { value.span() };
            Some((span, value.get_ref()))
        }
        SettingStep::Name(name) => {
            let (name, value) = table.get_key_value(name.as_str())?;
            Some((name.span(), value.get_ref()))
        }
        SettingStep::Guard(id) => {
            let of = |guard: &&Spanned<DeValue>| {
                guard.get_ref().get("id").and_then(|id| id.get_ref().as_str()).is_some_and(|written| means(written, id))
            };
            let guard = table.get("guard")?.get_ref().as_array()?.iter().find(of)?;
            Some((guard.span(), guard.get_ref()))
        }
        SettingStep::Index(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::find;
    use guardhost_core::setting::SettingPath;

    #[test]
    fn entries_are_found_and_absent_ones_by_their_parent() {
        let text = "schema = 1\npolicy.rounds = 99\n[[guard]]\nid = \"a\"\n[[guard]]\nid = \"b\"\ngrants = [\"x\", \"ü\", \"z\"]\n\
                    settings = { deep = { er = 1 } }\n[guard.paths]\ninclude = [\n  \"one\",\n  \"two\",\n]\n";
        let found = |path: SettingPath| {
            let frame = find(text, &path)?;
            Some((frame.line, frame.column, frame.width, frame.text))
        };
        let b = || SettingPath::guard("b");
        let root = SettingPath::default;
        let line = |line: &str| line.to_owned();
        assert_eq!(found(root().key("schema")), Some((1, 10, 1, line("schema = 1"))));
        assert_eq!(found(root().key("policy").key("rounds")), Some((2, 17, 2, line("policy.rounds = 99"))));
        assert_eq!(found(b().key("id")), Some((6, 6, 3, line("id = \"b\""))));
        assert_eq!(found(root().key("guard").index(0).key("id")), Some((4, 6, 3, line("id = \"a\""))));
        let grants = line("grants = [\"x\", \"ü\", \"z\"]");
        assert_eq!(found(b().key("grants").index(2)), Some((7, 21, 3, grants)));
        let settings = line("settings = { deep = { er = 1 } }");
        assert_eq!(found(b().key("settings").key("deep").key("er")), Some((8, 28, 1, settings)));
        assert_eq!(found(b().key("paths").key("include").index(1)), Some((12, 3, 5, line("  \"two\","))));
        assert_eq!(found(b().name("grants")).map(|found| (found.0, found.1, found.2)), Some((7, 1, 6)));
        // Absent: the entry that lacks it.
        assert_eq!(found(b().key("digest")), Some((5, 1, 9, line("[[guard]]"))));
        assert_eq!(found(root().key("policy").key("protect")).map(|found| found.0), Some(2));
        assert_eq!(found(root().key("trust").key("keys")), None);
        assert_eq!(find("no toml", &b()), None);
    }
}
