//! Rules as they could be: a guard that is off, or has other settings.

use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::edit::{EXTENDS, NO_GUARDS, document, pins};
use guardhost_core::error::Result;

/// A guard as it could judge: as it is pinned, or else with the grants that it needs, and with these settings over those that it has.
#[derive(Debug, Clone)]
pub struct AlteredPin {
    pub id: String,
    pub grants: Vec<String>,
    pub settings: toml::Table,
}

impl AlteredPin {
    /// The pin as `guards.toml` would have it. It objects, whatever its mode was.
    ///
    /// # Errors
    /// [`FaultKind::Config`]: `text` is no TOML.
    pub fn written(&self, text: &str) -> Result<String> {
        let mut alone = DocumentMut::new();
        pins(&mut alone)?.push(self.table(&mut document(text)?)?);
        Ok(alone.to_string().trim().to_owned())
    }

    fn table(&self, rules: &mut DocumentMut) -> Result<Table> {
        let pinned =
            pins(rules)?.iter().find(|table| table.get("id").and_then(Item::as_str) == Some(&self.id)).cloned();
        let mut table = pinned.unwrap_or_else(|| {
            let mut table = Table::new();
            table["id"] = value(&self.id);
            if !self.grants.is_empty() {
                table["grants"] = value(self.grants.iter().collect::<Array>());
            }
            table
        });
        table.decor_mut().clear();
        table.set_position(None);
        table.remove("mode");
        if !self.settings.is_empty() {
            let given = document(&self.settings.to_string())?;
            let mut settings = table.remove("settings").and_then(|item| item.into_table().ok()).unwrap_or_default();
            for (key, item) in given.iter() {
                settings.insert(key, item.clone());
            }
            table["settings"] = value(settings.into_inline_table());
        }
        Ok(table)
    }
}

/// The rules of `text` with these guards and no others.
///
/// # Errors
/// [`FaultKind::Config`]: `text` is no TOML.
pub fn with_guards(text: &str, guards: &[AlteredPin]) -> Result<String> {
    let mut rules = document(text)?;
    let tables = guards.iter().map(|guard| guard.table(&mut rules)).collect::<Result<Vec<_>>>()?;
    for key in ["guard", NO_GUARDS, EXTENDS, "language"] {
        rules.remove(key);
    }
    rules["schema"] = value(1);
    pins(&mut rules)?.extend(tables);
    Ok(rules.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_keeps_what_it_has_beside_the_new_settings() {
        let text = "schema = 1\n\n[paths]\ntests = [\"t/**\"]\n\n# why\n[[guard]]\nid = \"docs-kept\"\nmode = \"monitor\"\nsettings = { min_text = 300 }\n\n[[guard]]\nid = \"other\"\n";
        let settings: toml::Table = "shrink_floor = 0.5".parse().unwrap();
        let kept = AlteredPin { id: "docs-kept".into(), grants: vec!["repo".into()], settings };
        let written = kept.written(text).unwrap();
        assert_eq!(written, "[[guard]]\nid = \"docs-kept\"\nsettings = { min_text = 300, shrink_floor = 0.5 }");
        let off = AlteredPin { id: "work-kept".into(), grants: vec!["repo".into()], settings: toml::Table::new() };
        assert_eq!(off.written(text).unwrap(), "[[guard]]\nid = \"work-kept\"\ngrants = [\"repo\"]");
        let rules = with_guards(text, &[kept, off]).unwrap();
        let read: toml::Table = rules.parse().unwrap();
        let ids: Vec<&str> = read["guard"].as_array().unwrap().iter().map(|pin| pin["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["docs-kept", "work-kept"]);
        assert!(read.contains_key("paths"), "{rules}");
        assert!(with_guards("", &[]).unwrap().contains("schema = 1"));
    }
}
