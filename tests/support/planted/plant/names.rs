//! Names that nothing binds: an import or a definition is gone, a name is misspelt, `__all__` lists too much.

use super::block::{Block, any, definitions, family, functions, joined, language, lines};
use super::code::grow;
use super::gone::reads;
use super::verify::{Format, lacks};
use super::{Files, Planted, Random, one};

/// Whether the text uses a name that it does not bind.
fn unbound(format: Format, name: &str, text: &str) -> bool {
    match format {
        Format::Python => lacks(name, text),
        // A glob may bring any name.
        Format::Rust => !text.contains("::*") && !text.contains("include!") && reads(format, name, text),
        _ => reads(format, name, text),
    }
}

/// Names that every module of Rust has, in one edition or another.
#[rustfmt::skip]
const PRELUDE: [&str; 16] = [
    "Box", "From", "FromIterator", "Future", "Into", "IntoFuture", "Iterator", "Option", "Result", "String", "ToOwned", "ToString", "TryFrom", "TryInto", "Vec", "Clone",
];

/// Names that a test runner may give to every file.
#[rustfmt::skip]
const OF_RUNNERS: [&str; 10] =
    ["describe", "it", "test", "expect", "beforeEach", "afterEach", "beforeAll", "afterAll", "vi", "jest"];

/// The names that an import of one line binds.
fn binds(format: Format, line: &str) -> Vec<String> {
    let list = match format {
        Format::Python => match (line.strip_prefix("import "), line.split_once(" import ")) {
            (Some(modules), _) => modules,
            (None, Some((from, names))) if from.starts_with("from ") && !from.contains("__future__") => names,
            _ => return Vec::new(),
        },
        Format::Rust => match line.strip_prefix("use ").and_then(|path| path.strip_suffix(';')) {
            Some(path) if !path.contains('{') => path.rsplit("::").next().unwrap_or_default(),
            _ => return Vec::new(),
        },
        _ => match line.strip_prefix("import ").and_then(|rest| rest.split_once(" from ")) {
            Some((names, _)) if !names.starts_with("type ") && !names.contains('*') => names,
            _ => return Vec::new(),
        },
    };
    if list.ends_with(['(', '\\']) {
        return Vec::new();
    }
    let one = |name: &str| {
        let name = name.split('#').next().unwrap_or_default().rsplit(" as ").next().unwrap_or_default();
        let name = name.trim_matches(['(', ')', '{', '}', ' ']).split('.').next().unwrap_or_default().to_owned();
        let certain = ![&PRELUDE[..], &OF_RUNNERS, &["*", "derive"]].iter().any(|names| names.contains(&name.as_str()));
        (!name.is_empty() && certain).then_some(name)
    };
    list.split(',').filter_map(one).collect()
}

pub fn import_dropped(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        let whole = |at: &usize| !binds(format, all[*at]).is_empty() && (*at == 0 || !all[at - 1].starts_with("#["));
        let at = *one(&(0..all.len()).filter(whole).collect::<Vec<_>>(), random)?;
        let after = joined(&[&all[..at], &all[at + 1..]].concat());
        let used = binds(format, all[at]).into_iter().find(|name| unbound(format, name, &after))?;
        Some((after, format!("dropped `{}`, and {used} is used", all[at])))
    })
}

fn unique(blocks: &[Block], name: &str) -> bool {
    blocks.iter().filter(|other| other.name == name).count() == 1
}

/// The definition takes another name; what uses it does not.
pub fn renamed(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        let blocks = definitions(format, all);
        let block =
            any(&blocks, random, |block| block.name.len() > 3 && block.name != "main" && unique(&blocks, &block.name))?;
        let head =
            block.lines.clone().find(|at| all[*at].contains(&block.name) && !all[*at].starts_with(['#', '@', '/']))?;
        let line = all[head].replacen(&block.name, &format!("{}_inner", block.name), 1);
        let after = joined(&[&all[..head], &[line.as_str()], &all[head + 1..]].concat());
        unbound(format, &block.name, &after).then(|| (after, format!("{} is now {}_inner", block.name, block.name)))
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A name that is used in a body, with two of its letters swapped.
pub fn misspelt(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        let functions = functions(format, all);
        let block = any(&functions, random, |block| block.body.len() > 1)?;
        let mut uses = Vec::new();
        for at in block.body.clone() {
            let line = all[at];
            let code = line.trim_start();
            if code.starts_with(['#', '/', '*', '"', '\'']) || line.contains("!(") || line.trim_end().ends_with('{') {
                continue;
            }
            for (start, _) in line.char_indices().filter(|(_, c)| *c == '(') {
                let word = line[..start].rsplit(|c: char| !is_word(c)).next().unwrap_or_default();
                let before = line[..start - word.len()].chars().next_back().unwrap_or(' ');
                let defines = line[..start - word.len()].trim_end().ends_with(['.', ':']);
                let plain = !defines && matches!(before, ' ' | '(' | '=' | '!' | '[' | ',');
                if word.len() > 4 && plain && word.is_ascii() && !line[..start].contains(['"', '\'', '`']) {
                    uses.push((at, start - word.len(), word.to_owned()));
                }
            }
        }
        let (at, start, word) = one(&uses, random)?;
        let mut letters: Vec<char> = word.chars().collect();
        let middle = letters.len() / 2;
        letters.swap(middle, middle - 1);
        let wrong: String = letters.into_iter().collect();
        let line = format!("{}{wrong}{}", &all[*at][..*start], &all[*at][start + word.len()..]);
        let after = joined(&[&all[..*at], &[line.as_str()], &all[at + 1..]].concat());
        (wrong != *word && unbound(format, &wrong, &after)).then(|| (after, format!("{word} became {wrong}")))
    })
}

/// `__all__` lists a name that the module does not have.
pub fn exported(files: &Files, random: &mut Random) -> Option<Planted> {
    files.some(random, |path| language(path) == Some(Format::Python)).into_iter().find_map(|(path, text)| {
        let free = ["import *", "__getattr__", "globals()", "sys.modules", "+= "];
        let all = lines(&text);
        let at = all.iter().position(|line| line.starts_with("__all__ = [") || line.starts_with("__all__ = ("))?;
        if free.iter().any(|word| text.contains(word)) {
            return None;
        }
        let line = format!("{}\"load_invented_settings\",{}", &all[at][..11], &all[at][11..]);
        let after = joined(&[&all[..at], &[line.as_str()], &all[at + 1..]].concat());
        (super::verify::parses(Format::Python, &after) == Some(true))
            .then(|| Planted::new(&path, after, family(Format::Python), "__all__ lists load_invented_settings"))
    })
}
