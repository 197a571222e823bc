//! Modules that a Python file imports for certain: by statements that begin a line, outside of `try`, `if` and functions, which are
//! indented. No parser is asked, so that none can be led too deep.

/// Names of modules, up to the first dot, each with the byte where its statement begins.
pub fn imports(text: &str) -> Vec<(String, usize)> {
    let (mut found, mut at) = (Vec::new(), 0);
    let mut quoted: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        if quoted.is_none() {
            for statement in line.split(';') {
                let start = at + (statement.as_ptr() as usize - line.as_ptr() as usize);
                let statement = if start == at { statement } else { statement.trim_start() };
                let (rest, from) = match (statement.strip_prefix("import "), statement.strip_prefix("from ")) {
                    (Some(rest), _) => (rest, false),
                    (_, Some(rest)) => (rest, true),
                    _ => break,
                };
                found.extend(modules(rest, from).map(|module| (module.to_string(), start)));
            }
        }
        quoted = still_quoted(line, quoted);
        at += line.len();
    }
    found
}

/// Plugins that a `conftest.py` names: `pytest_plugins = "a.b"`, or a list of such strings. Those of pytest itself are left out.
pub fn plugins(path: &str, text: &str) -> Vec<(String, usize)> {
    if !path.ends_with("conftest.py") {
        return Vec::new();
    }
    let begins = text.match_indices("pytest_plugins").find(|(at, name)| {
        let assigned = text[at + name.len()..].trim_start_matches([' ', '\t']);
        (*at == 0 || text[..*at].ends_with('\n')) && assigned.starts_with('=') && !assigned.starts_with("==")
    });
    let Some((begin, _)) = begins else { return Vec::new() };
    let start = begin + text[begin..].find('=').map_or(0, |at| at + 1);
    let value = text[start..].trim_start_matches([' ', '\t']);
    let list = value.starts_with(['[', '(']);
    let (mut found, mut at) = (Vec::new(), text.len() - value.len());
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'#' => at += text[at..].find('\n').unwrap_or(text.len() - at),
            b'"' | b'\'' => {
                let Some(end) = text[at..].find(byte as char) else { break };
                let module = text[at..at + end].split('.').next().unwrap_or_default();
                if !module.is_empty() && !OWN_PLUGINS.contains(&module) {
                    found.push((module.to_owned(), at));
                }
                at += end + 1;
            }
            b']' | b')' => break,
            b'\n' if !list => break,
            _ => {}
        }
    }
    found
}

/// What pytest looks for among its own modules first (`builtin_plugins` of its configuration).
#[rustfmt::skip]
const OWN_PLUGINS: [&str; 38] = [
    "mark", "main", "runner", "fixtures", "helpconfig", "python", "terminal", "debugging", "unittest", "capture", "skipping", "legacypath", "tmpdir", "monkeypatch", "recwarn", "pastebin", "nose",
    "assertion", "junitxml", "doctest", "cacheprovider", "freeze_support", "setuponly", "setupplan", "stepwise", "unraisableexception", "threadexception", "warnings", "logging", "reports",
    "faulthandler", "pytester", "pytester_assertions", "subtests", "terminalprogress", "resultlog", "python_path", "_pytest",
];

/// The quotes of three that are open behind a line.
fn still_quoted<'q>(line: &str, mut open: Option<&'q str>) -> Option<&'q str> {
    let mut rest = line;
    loop {
        let next = match open {
            Some(quotes) => rest.find(quotes).map(|at| (at, None)),
            None => {
                let first = ["\"\"\"", "'''"].into_iter().filter_map(|quotes| Some((rest.find(quotes)?, quotes))).min();
                first.filter(|(at, _)| !rest[..*at].contains('#')).map(|(at, quotes)| (at, Some(quotes)))
            }
        };
        let Some((at, now)) = next else { return open };
        rest = &rest[at + 3..];
        open = now;
    }
}

/// `a.b as c, d`, or `a.b import c`; a relative import names no module of its own.
fn modules(line: &str, from: bool) -> impl Iterator<Item = &str> {
    let names = if from {
        line.split(" import").next().unwrap_or_default()
    } else {
        line.split('#').next().unwrap_or_default()
    };
    names.split(if from { '\0' } else { ',' }).filter_map(|name| {
        let module = name.trim().split([' ', '.', ';']).next()?;
        let is_name = module.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && module.chars().all(|c| c.is_alphanumeric() || c == '_');
        is_name.then_some(module)
    })
}

#[cfg(test)]
mod tests {
    use super::{imports, plugins};

    #[test]
    fn what_is_imported_for_certain() {
        let text = "import os, yaml.nodes as y  # c, d\nfrom a.b import (\n  c,\n)\nfrom . import x\nfrom .y import z\ntry:\n    import ujson\nexcept ImportError: pass\nif True:\n    import q\n\"\"\"\nimport doc\n\"\"\"\ndef f():\n    import g\nimport last; import more\n";
        let names: Vec<_> = imports(text).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["os", "yaml", "a", "last", "more"]);
    }

    #[test]
    fn plugins_in_strings() {
        let names = |text: &str| plugins("a/conftest.py", text).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names("pytest_plugins = [\n  'pytester',  # 'no'\n  \"a.b\",\n  'c',\n]\nx = 'd'\n"), ["a", "c"]);
        assert_eq!(names("x = 1\npytest_plugins = \"a\"\ny = 'd'\n"), ["a"]);
        assert_eq!(names("# pytest_plugins = 'a'\nif x:\n    pytest_plugins = 'b'\n"), [""; 0]);
        assert_eq!(names("pytest_plugins = 'open"), [""; 0]);
    }
}
