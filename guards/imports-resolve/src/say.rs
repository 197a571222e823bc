//! What is wrong, and what to write instead.

use guard_sdk::Finding;
use guard_sdk::files::Language;
use resolution::{Import, Meaning, language_of};

pub fn not_judged(path: &str) -> Finding {
    let message = format!("{path} was not judged: the change needs more than one call can look up");
    Finding::info("not-judged", message).file(path)
}

/// None for what is not missing.
pub fn finding(path: &str, import: &Import, meaning: &Meaning) -> Option<Finding> {
    let written = written(path, import);
    let finding = match meaning {
        Meaning::NoModule { place, nearest } => {
            let message = match place {
                Some(place) => format!("`{written}` does not resolve: nothing stands at {place}"),
                None => format!("`{written}` does not resolve: there is no such module"),
            };
            let mut help = nearest.as_ref().map_or(String::new(), |name| format!("Did you mean `{name}`? "));
            help.push_str(&match place {
                Some(place) => format!("Import a module that exists, or add {place} in the same patch."),
                None => "Import a module that exists.".to_owned(),
            });
            Finding::error("module-missing", message).help(help)
        }
        Meaning::NoName { file, name, nearest } => {
            let what = if name == "default" { "no default export".to_owned() } else { format!("no `{name}`") };
            let message = format!("`{written}` does not resolve: {file} has {what}");
            let help = match nearest {
                Some(nearest) => format!(
                    "Did you mean `{nearest}`? Import a name that {file} has, or define it there in the same patch."
                ),
                None => format!("Import a name that {file} has, or define it there in the same patch."),
            };
            Finding::error("name-missing", message).help(help)
        }
        Meaning::NoPackage { name, nearest, declared } => {
            let message = format!(
                "`{written}` imports the package {name}, which no manifest or lock file has (of {declared} that are declared)"
            );
            let instead = match nearest.as_slice() {
                [] => "no declared package has a name like it".to_owned(),
                names => format!("the nearest declared names are {}", names.join(", ")),
            };
            let help = format!(
                "Use a package that is declared ({instead}), or the standard library. Add {name} to the manifest in the same patch only \
                 if you know that this very package exists: a made-up name may be one that an attacker has registered."
            );
            Finding::error("package-unknown", message).help(help)
        }
        Meaning::File(_) | Meaning::Folder(_) | Meaning::Standard | Meaning::Package(_) | Meaning::Unknown => {
            return None;
        }
    };
    Some(finding.at(path, import.line))
}

/// For a file of the base that the change marks as generated.
pub fn marked(path: &str) -> Finding {
    let message = format!("the change marks {path} as generated, and later imports of it would not be judged");
    Finding::error("marked-generated", message)
        .file(path)
        .help("Leave the mark out, or write what is generated into a new file.")
}

/// The import, about as it is written.
fn written(path: &str, import: &Import) -> String {
    let module = import.module.as_str();
    match (language_of(path), &import.name) {
        (Some(Language::Python), Some(name)) => format!("from {module} import {name}"),
        (Some(Language::JavaScript), Some(name)) if name == "default" => {
            format!("import {} from \"{module}\"", named(&import.local))
        }
        (Some(Language::JavaScript), Some(name)) => format!("import {{ {name} }} from \"{module}\""),
        (Some(Language::JavaScript), None) => format!("\"{module}\""),
        (Some(Language::Rust), _) if import.declares => format!("mod {module};"),
        (Some(Language::Rust), _) => format!("use {}", module.replace("::::", "::")),
        (Some(Language::Go), _) => format!("import \"{module}\""),
        _ => format!("import {module}"),
    }
}

fn named(local: &str) -> &str {
    if local.is_empty() { "x" } else { local }
}
