//! `setup.cfg` of setuptools (<https://setuptools.pypa.io/en/latest/userguide/declarative_config.html>).

use guardhost_core::error;

use super::super::DependencyKind;
use super::super::declared::{Declared, ManifestSource};
use super::requirements::include;

/// None when the file configures only other tools.
pub fn setup_cfg(source: &ManifestSource) -> error::Result<Option<Declared>> {
    let mut declared = Declared::default();
    let mut package = false;
    for (section, key, value) in fields(source.text) {
        package |= section == "metadata" || section.starts_with("options");
        let kind = match (section.as_str(), key.as_str()) {
            ("metadata", "name") => {
                declared.name = Some(value);
                continue;
            }
            ("options", "install_requires") => DependencyKind::Normal,
            ("options", "setup_requires") => DependencyKind::Build,
            ("options", "tests_require") => DependencyKind::Dev,
            ("options.extras_require", _) => DependencyKind::Optional,
            _ => continue,
        };
        if let Some(files) = value.strip_prefix("file:") {
            for file in files.split([',', '\n']).map(str::trim).filter(|file| !file.is_empty()) {
                include(source, &mut declared, file, kind)?;
            }
        } else {
            // One on each line, or all on one line separated by semicolons; a marker's semicolon is followed by a space there.
            for requirement in value.lines().map(str::trim).filter(|line| !line.is_empty()) {
                declared.require(requirement, kind);
            }
        }
    }
    Ok(package.then_some(declared))
}

/// Section, key and value as Python's configparser reads them: indented lines continue a value, `#` and `;` begin comment lines.
fn fields(text: &str) -> Vec<(String, String, String)> {
    let mut fields: Vec<(String, String, String)> = Vec::new();
    let mut section = String::new();
    let mut in_value = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        if line.starts_with([' ', '\t']) && in_value {
            if let Some((_, _, value)) = fields.last_mut() {
                if !value.is_empty() {
                    value.push('\n');
                }
                value.push_str(trimmed.split(" #").next().unwrap_or(trimmed).trim_end());
            }
        } else if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.trim().to_owned();
            in_value = false;
        } else if let Some((key, value)) = trimmed.split_once(['=', ':']) {
            fields.push((section.clone(), key.trim().to_ascii_lowercase(), value.trim().to_owned()));
            in_value = true;
        }
    }
    fields
}
