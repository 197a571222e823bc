//! The imports of a Go file, which stand before everything else (<https://go.dev/ref/spec#Source_file_organization>).

use guard_sdk::modules::Need;

use crate::modules::{Module, imported};

/// None when the text does not begin as a Go file does.
pub fn read(text: &str) -> Option<Module> {
    let mut tokens = Tokens { text, at: 0, line: 1 };
    let mut module = Module { is_open: true, ..Module::default() };
    // Files that a build leaves out are programs of their own.
    let left_out = text.lines().take(40).any(|line| {
        line.starts_with("//go:build") && line.contains("ignore")
            || line.starts_with("// +build") && line.contains("ignore")
    });
    let need = if left_out { Need::Optional } else { Need::Required };
    while let Some(token) = tokens.next() {
        match token {
            Token::Word("package") => {
                tokens.next();
            }
            Token::Word("import") => imports(&mut tokens, &mut module, need)?,
            Token::Mark(';') => {}
            _ => break,
        }
    }
    Some(module)
}

fn imports(tokens: &mut Tokens, module: &mut Module, need: Need) -> Option<()> {
    let mut local = "";
    let mut grouped = false;
    loop {
        match tokens.next()? {
            Token::Mark('(') => grouped = true,
            Token::Mark(')') => return Some(()),
            Token::Mark('.') => local = ".",
            Token::Mark(';') => {}
            Token::Mark(_) => return None,
            Token::Word(name) => local = name,
            Token::Text(path) => {
                let last = path.rsplit('/').next().unwrap_or(path);
                let name = if local.is_empty() { last } else { local };
                module.imports.push(imported(path, None, name, tokens.line, need));
                local = "";
                if !grouped {
                    return Some(());
                }
            }
        }
    }
}

enum Token<'t> {
    Word(&'t str),
    Text(&'t str),
    Mark(char),
}

struct Tokens<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl<'t> Tokens<'t> {
    fn next(&mut self) -> Option<Token<'t>> {
        self.skip();
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        if matches!(first, '"' | '`') {
            let end = rest[1..].find(first)?;
            self.at += end + 2;
            return Some(Token::Text(&rest[1..=end]));
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        self.at += end.max(first.len_utf8());
        Some(if end == 0 { Token::Mark(first) } else { Token::Word(&rest[..end]) })
    }

    /// White space and comments.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            let length = match &rest[blank..] {
                rest if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                rest if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
                _ => 0,
            };
            self.line += rest[..blank + length].matches('\n').count() as u32;
            self.at += blank + length;
            if length == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn imports() {
        let text = "// a\npackage main\n\nimport \"fmt\"\nimport (\n\t. \"a/b\" // c\n\tx \"d/e\"\n\t_ `f`\n)\n\nfunc main() {}\n";
        let module = read(text).expect("it is Go");
        let read: Vec<_> =
            module.imports.iter().map(|one| (one.module.as_str(), one.local.as_str(), one.line)).collect();
        assert_eq!(read, [("fmt", "fmt", 4), ("a/b", ".", 6), ("d/e", "x", 7), ("f", "_", 8)]);
    }
}
