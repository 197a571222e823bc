//! Definitions that are dropped while something needs them.

use super::block::{Block, any, definitions, family, language, lines, without};
use super::verify::{Format, lacks, parses};
use super::{Files, Planted, Random};

pub fn used_here(files: &Files, random: &mut Random) -> Option<Planted> {
    for (path, text) in files.some(random, |path| language(path).is_some()) {
        let Some(format) = language(&path) else { continue };
        let all = lines(&text);
        let blocks = definitions(format, &all);
        let unique = |block: &Block| blocks.iter().filter(|other| other.name == block.name).count() == 1;
        let Some(block) = any(&blocks, random, |block| block.name.len() > 3 && block.name != "main" && unique(block))
        else {
            continue;
        };
        let after = without(&all, block.lines.clone());
        let needed = match format {
            Format::Python => lacks(&block.name, &after),
            _ => reads(format, &block.name, &after),
        };
        if needed && parses(format, &text) != Some(false) && parses(format, &after) != Some(false) {
            return Some(Planted::new(&path, after, family(format), format!("dropped {}", block.name)));
        }
    }
    None
}

/// Whether code of a brace language calls or names something that it does not bind itself.
pub fn reads(format: Format, name: &str, text: &str) -> bool {
    let mut used = false;
    let mut block_comment = false;
    for line in text.lines() {
        let line = line.trim_start();
        block_comment |= line.starts_with("/*");
        let skip = block_comment || line.starts_with("//");
        block_comment &= !line.contains("*/");
        if skip {
            continue;
        }
        // Strings are cut out only where one line holds them whole; a template or a raw string makes the file unfit.
        let code: String = line.split(['"', '\'']).step_by(2).collect::<Vec<_>>().join("''");
        for (at, _) in code.match_indices(name) {
            let before = code[..at].chars().next_back().unwrap_or(' ');
            let after = code[at + name.len()..].trim_start();
            if before.is_alphanumeric() || matches!(before, '_' | '.' | ':' | '$' | '`' | '/') {
                continue;
            }
            if after.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$')
                && !code[at + name.len()..].starts_with(' ')
            {
                continue;
            }
            // It may be another of that name: a variable, a parameter, a field, an import.
            let lead = code[..at].trim_end();
            let declared = [
                "let",
                "mut",
                "const",
                "var",
                "fn",
                "function",
                "struct",
                "enum",
                "class",
                "mod",
                "macro_rules!",
                "type",
            ];
            if declared.iter().any(|word| lead.ends_with(word))
                || code.contains("use ")
                || code.contains("import ")
                || code.contains("import{")
            {
                return false;
            }
            let calls = after.starts_with('(')
                || (format == Format::Rust && after.starts_with("::"))
                || lead.ends_with("new")
                || lead.ends_with("for");
            used |= calls;
            if !calls && !matches!(format, Format::Rust) {
                return false;
            }
        }
    }
    used
}

pub fn imported(files: &Files, random: &mut Random) -> Option<Planted> {
    for (user, text) in files.some(random, |path| language(path).is_some()) {
        let Some(format) = language(&user) else { continue };
        let takes = takes(format, &user, &text, files);
        let Some((path, name)) = super::one(&takes, random) else { continue };
        if path == &user || !super::is_own(path) {
            continue;
        }
        let Some(source) = files.text(path) else { continue };
        let all = lines(&source);
        let blocks = definitions(format, &all);
        let mut named = blocks.iter().filter(|block| &block.name == name);
        let (Some(block), None) = (named.next(), named.next()) else { continue };
        let after = without(&all, block.lines.clone());
        // Something else may bear the name.
        if after.contains(&format!(" as {name}")) || after.contains(&format!("{name} =")) {
            continue;
        }
        if parses(format, &source) != Some(false) && parses(format, &after) != Some(false) {
            return Some(Planted::new(path, after, family(format), format!("dropped {name}, which {user} imports")));
        }
    }
    None
}

/// What a file imports by name from files of the tree: path and name.
pub fn takes(format: Format, user: &str, text: &str, files: &Files) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for line in text.lines() {
        // Below the margin it may be inside of `try`.
        let taken = match format {
            Format::Python => python(user, line, files),
            Format::Rust => rust(user, line, files),
            _ => script(user, line, files),
        };
        let Some((path, names)) = taken else { continue };
        for name in names.split(',') {
            let name = name.split(" as ").next().unwrap_or("").trim();
            if name.len() > 3 && name.chars().all(|c| c.is_alphanumeric() || c == '_') {
                found.push((path.clone(), name.to_owned()));
            }
        }
    }
    found
}

fn python(user: &str, line: &str, files: &Files) -> Option<(String, String)> {
    let (module, names) = line.strip_prefix("from ")?.split_once(" import ")?;
    let dots = module.len() - module.trim_start_matches('.').len();
    let tail = module.trim_start_matches('.').replace('.', "/");
    let folder = folder(user, dots.saturating_sub(1));
    let roots: Vec<String> = if dots > 0 { vec![folder] } else { vec![String::new(), "src/".into(), "lib/".into()] };
    let path = roots.iter().map(|root| format!("{root}{tail}.py")).find(|path| files.has(path))?;
    Some((path, names.trim_matches(['(', ')']).split('#').next()?.to_owned()))
}

fn rust(user: &str, line: &str, files: &Files) -> Option<(String, String)> {
    let path = line.strip_prefix("use crate::")?.strip_suffix(';')?;
    let (module, names) = path.rsplit_once("::")?;
    if module.contains('{') {
        return None;
    }
    let src = &user[..user.find("src/")? + 4];
    let module = module.replace("::", "/");
    let path =
        [format!("{src}{module}.rs"), format!("{src}{module}/mod.rs")].into_iter().find(|path| files.has(path))?;
    Some((path, names.trim_matches(['{', '}']).to_owned()))
}

fn script(user: &str, line: &str, files: &Files) -> Option<(String, String)> {
    let rest = line.strip_prefix("import {")?;
    let (names, module) = rest.split_once("} from ")?;
    let module = module.trim_matches([';', '\'', '"', ' ']);
    let levels = module.split('/').filter(|part| *part == "..").count();
    let tail =
        module.trim_start_matches("./").trim_start_matches("../").trim_start_matches("../").trim_start_matches("../");
    module.starts_with('.').then_some(())?;
    let stem = format!("{}{tail}", folder(user, levels));
    let bare = stem.strip_suffix(".js").unwrap_or(&stem);
    let forms =
        [stem.clone(), format!("{bare}.ts"), format!("{bare}.tsx"), format!("{bare}.js"), format!("{bare}.jsx")];
    Some((forms.into_iter().find(|path| files.has(path))?, names.to_owned()))
}

/// The folder of a file, some levels up, with its slash.
pub fn folder(path: &str, up: usize) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.truncate(parts.len().saturating_sub(1 + up));
    parts.iter().map(|part| format!("{part}/")).collect()
}
