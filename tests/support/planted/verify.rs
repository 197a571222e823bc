//! Parsers that are none of the guards': Python's own modules and PyYAML, TypeScript's, rustc's through rustfmt.
//!
//! TypeScript is looked for as node does: install it anywhere and set `NODE_PATH` to its `node_modules`.

use std::io::Write;
use std::process::{Command, Stdio};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Python,
    Rust,
    JavaScript,
    TypeScript,
    Jsx,
    Tsx,
    Json,
    Jsonc,
    Json5,
    Ndjson,
    Toml,
    Yaml,
    Ini,
}

impl Format {
    #[rustfmt::skip]
    pub const ALL: [Format; 13] = [
        Format::Python, Format::Rust, Format::JavaScript, Format::TypeScript, Format::Jsx, Format::Tsx, Format::Json, Format::Jsonc, Format::Json5,
        Format::Ndjson, Format::Toml, Format::Yaml, Format::Ini,
    ];

    pub fn from_path(path: &str) -> Option<Format> {
        let name = path.rsplit('/').next().unwrap_or(path);
        Some(match name.rsplit('.').next()? {
            "py" => Format::Python,
            "rs" => Format::Rust,
            "js" | "mjs" | "cjs" => Format::JavaScript,
            "ts" | "mts" | "cts" => Format::TypeScript,
            "jsx" => Format::Jsx,
            "tsx" => Format::Tsx,
            "json" if name.starts_with("tsconfig") || path.contains(".vscode/") => Format::Jsonc,
            "json" => Format::Json,
            "jsonc" => Format::Jsonc,
            "json5" => Format::Json5,
            "ndjson" | "jsonl" => Format::Ndjson,
            "toml" => Format::Toml,
            "yml" | "yaml" => Format::Yaml,
            "cfg" if name == "setup.cfg" => Format::Ini,
            "ini" if matches!(name, "tox.ini" | "pytest.ini" | "mypy.ini") => Format::Ini,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Format::Python => "python",
            Format::Rust => "rust",
            Format::JavaScript => "js",
            Format::TypeScript => "ts",
            Format::Jsx => "jsx",
            Format::Tsx => "tsx",
            Format::Json => "json",
            Format::Jsonc => "jsonc",
            Format::Json5 => "json5",
            Format::Ndjson => "ndjson",
            Format::Toml => "toml",
            Format::Yaml => "yaml",
            Format::Ini => "ini",
        }
    }

    pub fn is_script(self) -> bool {
        matches!(self, Format::JavaScript | Format::TypeScript | Format::Jsx | Format::Tsx)
    }
}

/// None: this machine has no such parser.
pub fn parses(format: Format, text: &str) -> Option<bool> {
    match format {
        Format::Rust => run("rustfmt", &["--edition", "2024", "--emit", "stdout", "--quiet"], text),
        Format::JavaScript | Format::TypeScript | Format::Jsx | Format::Tsx | Format::Jsonc | Format::Json5 => {
            run("node", &["-e", include_str!("verify.cjs"), format.name()], text)
        }
        _ => run("python3", &["-c", include_str!("verify.py"), format.name()], text),
    }
}

/// Whether a module of Python reads a name that nothing in it gives a meaning to.
pub fn lacks(name: &str, text: &str) -> bool {
    run("python3", &["-c", include_str!("verify.py"), "lacks", name], text) == Some(true)
}

fn run(program: &str, arguments: &[&str], text: &str) -> Option<bool> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    // It may have seen enough before the end.
    let _ = child.stdin.take()?.write_all(text.as_bytes());
    match child.wait().ok()?.code()? {
        0 => Some(true),
        1 => Some(false),
        _ => None,
    }
}
