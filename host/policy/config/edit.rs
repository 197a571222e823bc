//! Edits of `guards.toml` that keep comments and formatting.

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

use super::{Digest, Extends, FILE, PinKind};
use guardhost_core::change::Mode;
use guardhost_core::error::{Fault, FaultKind, Result};

/// `guards = []`: no guard judges.
pub(super) const NO_GUARDS: &str = "guards";
pub(super) const EXTENDS: &str = "extends";

/// A pin as `host guard add` writes it.
#[derive(Debug, Clone)]
pub struct NewPin {
    pub kind: PinKind,
    pub id: String,
    pub source: String,
    pub version: Option<String>,
    pub digest: Option<Digest>,
    pub grants: Vec<String>,
    pub mode: Mode,
    /// Whether it may be unsigned.
    pub allow_unsigned: bool,
}

/// Appends a pin.
pub fn add_pin(text: &str, pin: &NewPin) -> Result<String> {
    let mut document = document(text)?;
    let mut table = Table::new();
    table["id"] = value(&pin.id);
    table["source"] = value(&pin.source);
    if let Some(version) = &pin.version {
        table["version"] = value(version);
    }
    if let Some(digest) = &pin.digest {
        table["digest"] = value(digest.as_str());
    }
    if !pin.grants.is_empty() {
        table["grants"] = value(pin.grants.iter().collect::<Array>());
    }
    if pin.mode == Mode::Monitor {
        table["mode"] = value("monitor");
    }
    if pin.allow_unsigned {
        table["allow-unsigned"] = value(true);
    }
    if pin.kind == PinKind::Guard {
        document.remove(NO_GUARDS);
    }
    tables(&mut document, pin.kind)?.push(table);
    Ok(document.to_string())
}

/// Removes the pin with this id; None when there is none.
pub fn remove_pin(text: &str, id: &str) -> Result<Option<String>> {
    let mut document = document(text)?;
    let position =
        |pins: &ArrayOfTables| pins.iter().position(|table| table.get("id").and_then(Item::as_str) == Some(id));
    let languages = document.get_mut(PinKind::Language.table()).and_then(Item::as_array_of_tables_mut);
    if let Some(languages) = languages
        && let Some(at) = position(languages)
    {
        languages.remove(at);
        if languages.is_empty() {
            document.remove(PinKind::Language.table());
        }
        return Ok(Some(document.to_string()));
    }
    let pins = pins(&mut document)?;
    let Some(at) = position(pins) else {
        return Ok(None);
    };
    let is_of_folder = |table: &Table| table.contains_key("folder");
    let was_of_folder = pins.get(at).is_some_and(is_of_folder);
    pins.remove(at);
    let (is_empty, default_set) = (pins.is_empty(), pins.iter().all(is_of_folder));
    if is_empty {
        document.remove("guard");
    }
    // Without the last pin for the whole repository the default set would judge, which did not until now.
    if default_set && !was_of_folder {
        document[NO_GUARDS] = value(Array::new());
    }
    Ok(Some(document.to_string()))
}

/// Sets `[extends]`.
///
/// # Errors
/// [`FaultKind::Config`]: the file is no TOML.
pub fn extend(text: &str, extends: &Extends) -> Result<String> {
    let mut document = document(text)?;
    let mut table = Table::new();
    table["source"] = value(extends.source.to_string());
    if let Some(digest) = &extends.digest {
        table["digest"] = value(digest.as_str());
    }
    if !extends.without.is_empty() {
        table["without"] = value(extends.without.iter().collect::<Array>());
    }
    // In front of all other tables: what a file stands on is read first.
    if document.get(EXTENDS).is_none() {
        table.set_position(Some(0));
    }
    document[EXTENDS] = Item::Table(table);
    Ok(document.to_string())
}

/// Removes `[extends]`; None when there is none.
///
/// # Errors
/// [`FaultKind::Config`]: the file is no TOML.
pub fn stop_extending(text: &str) -> Result<Option<String>> {
    let mut document = document(text)?;
    Ok(document.remove(EXTENDS).map(|_| document.to_string()))
}

pub(super) fn document(text: &str) -> Result<DocumentMut> {
    text.parse().map_err(|error| wrong(&format!("{error}")).into())
}

pub(super) fn pins(document: &mut DocumentMut) -> Result<&mut ArrayOfTables> {
    tables(document, PinKind::Guard)
}

fn tables(document: &mut DocumentMut, kind: PinKind) -> Result<&mut ArrayOfTables> {
    let pins = document.entry(kind.table()).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    pins.as_array_of_tables_mut().ok_or_else(|| wrong(&format!("`{kind}` is not written as [[{kind}]] tables")).into())
}

fn wrong(what: &str) -> Fault {
    Fault::new(FaultKind::Config, format!("{FILE} cannot be edited: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stay() {
        let text =
            "# ours\nschema = 1 # the first\n\n[[guard]]\nid = \"a\" # why a\n\n# about b\n[[guard]]\nid = \"b\"\n";
        let pin = NewPin {
            kind: PinKind::Guard,
            id: "c".into(),
            source: "path:c.wasm".into(),
            version: Some("^0.1".into()),
            digest: None,
            grants: vec!["repo".into()],
            mode: Mode::Monitor,
            allow_unsigned: true,
        };
        let more = add_pin(text, &pin).unwrap();
        let added = "\n[[guard]]\nid = \"c\"\nsource = \"path:c.wasm\"\nversion = \"^0.1\"\ngrants = [\"repo\"]\nmode = \"monitor\"\nallow-unsigned = true\n";
        assert_eq!(more, format!("{text}{added}"));
        assert_eq!(remove_pin(&more, "c").unwrap().as_deref(), Some(text));
        let less = remove_pin(text, "b").unwrap().unwrap();
        assert_eq!(less, "# ours\nschema = 1 # the first\n\n[[guard]]\nid = \"a\" # why a\n");
        assert_eq!(remove_pin(text, "x").unwrap(), None);
        let language = NewPin { kind: PinKind::Language, id: "toy".into(), version: None, ..pin };
        let language = NewPin { grants: Vec::new(), mode: Mode::Enforce, allow_unsigned: false, ..language };
        let none = "schema = 1\nguards = []\n";
        let read = add_pin(none, &language).unwrap();
        assert_eq!(
            read,
            format!("{none}\n[[language]]\nid = \"toy\"\nsource = \"path:c.wasm\"\n"),
            "no guard comes with it"
        );
        assert_eq!(remove_pin(&read, "toy").unwrap().as_deref(), Some(none));
    }
}
