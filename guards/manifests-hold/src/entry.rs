//! Entry points of Python packages (<https://packaging.python.org/en/latest/specifications/entry-points/>).

use resolution::{Import, Meaning, Need, Resolver};

use crate::missing::Missing;

/// `package.module:function [extra]`, seen from the folder of the manifest.
pub fn missing(resolver: &Resolver, at: &str, value: &str) -> Option<Missing> {
    let reference = value.split(['[', ' ']).next().unwrap_or_default();
    let (module, function) = reference.split_once(':')?;
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    if !is_name(module) || !is_name(function) {
        return None;
    }
    let first = function.split('.').next().unwrap_or(function).to_owned();
    let import = Import {
        module: module.to_owned(),
        local: first.clone(),
        name: Some(first),
        line: 1,
        statement: (1, 1),
        need: Need::Required,
        inside: Vec::new(),
        declares: false,
        is_local: false,
    };
    let importer = if at.is_empty() { "setup.py".to_owned() } else { format!("{at}/setup.py") };
    let meaning = resolver.meaning(&importer, &import);
    if resolver.tree().is_exhausted() {
        return None;
    }
    let what = match meaning {
        Meaning::NoModule { place, .. } => place.unwrap_or_else(|| module.to_owned()),
        Meaning::NoName { file, name, .. } => format!("`{name}` in {file}"),
        // Another distribution may have the module.
        Meaning::NoPackage { .. }
        | Meaning::File(_)
        | Meaning::Folder(_)
        | Meaning::Standard
        | Meaning::Package(_)
        | Meaning::Unknown => return None,
    };
    Some(Missing { rule: "entry-missing", what, is_certain: true })
}
