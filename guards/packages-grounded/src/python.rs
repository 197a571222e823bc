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
    use super::imports;

    #[test]
    fn what_is_imported_for_certain() {
        let text = "import os, yaml.nodes as y  # c, d\nfrom a.b import (\n  c,\n)\nfrom . import x\nfrom .y import z\ntry:\n    import ujson\nexcept ImportError: pass\nif True:\n    import q\n\"\"\"\nimport doc\n\"\"\"\ndef f():\n    import g\nimport last; import more\n";
        let names: Vec<_> = imports(text).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["os", "yaml", "a", "last", "more"]);
    }
}
