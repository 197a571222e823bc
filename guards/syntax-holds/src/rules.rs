//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

use crate::syntax::Syntax;

/// Of languages without a rule of their own.
const CODE: &str = "code-syntax";

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("python-syntax", "a `.py`, `.pyi` or `.pyw` file does not parse; by the newest grammar, whatever version the project requires"),
    Rule::new("rust-syntax", "a `.rs` file does not parse in any edition, or a macro gets what is no token, such as a typographic quote"),
    Rule::new("javascript-syntax", "a `.js`, `.mjs`, `.cjs` or `.jsx` file does not parse: as a module, a script or CommonJS, whichever fits; Flow is accepted"),
    Rule::new("typescript-syntax", "a `.ts`, `.mts`, `.cts`, `.tsx` or `.d.ts` file does not parse"),
    Rule::new(CODE, "a file of another language that the host reads does not parse, such as Java, Kotlin, C#, Swift, Go, PHP or Ruby; where a grammar is not certain, as in C and C++ with macros, the guard is silent"),
    Rule::new("json-syntax", "a `.json`, `.ipynb`, `.geojson`, `.webmanifest`, `.sarif`, `composer.lock`, `flake.lock`, … is not strict JSON"),
    Rule::new("jsonc-syntax", "a file with comments and trailing commas does not parse: `.jsonc`, `tsconfig*.json`, `jsconfig.json`, `.vscode/`, `.devcontainer/`, `.eslintrc.json`, `.swcrc`, `turbo.json`, `*.code-workspace`, …; any `.json` that had comments before the change"),
    Rule::new("json5-syntax", "a `.json5`, `.babelrc`, `babel.config.json` or `renovate.json` does not parse"),
    Rule::new("ndjson-syntax", "a line of a `.ndjson` or `.jsonl` file does not parse, or of a `.json` that had one value a line before the change"),
    Rule::new("toml-syntax", "a `.toml`, `Pipfile`, `Cargo.lock`, `poetry.lock`, `uv.lock` or `pdm.lock` does not parse"),
    Rule::new("yaml-syntax", "a `.yaml`, `.yml`, `.cff`, `.clang-format`, … does not parse; several documents and any tag are accepted"),
    Rule::new("duplicate-key", "an object of JSON or a mapping of YAML gains a key that it has already; keys that stand for comments (`//`, `_comment`) and `<<` may repeat. In TOML and INI it is a matter of syntax"),
    Rule::new("ini-syntax", "a `setup.cfg`, `tox.ini`, `pytest.ini`, `mypy.ini`, `.flake8`, `.coveragerc`, `.pylintrc`, … does not parse as Python's configparser reads it, or an `.editorconfig`; any other `.ini` or `.cfg` only if it followed those rules before the change"),
    Rule::new("became-unreadable", "a file that parsed before the change cannot be parsed any more, because it is taken for a template, nests too deep, says that it is in Flow or begins like another kind of file"),
    Rule::new("conflict-markers", "any text file gains a conflict marker"),
    Rule::new("wrapped-in-fence", "any text file except documents, prompts and recorded output is wrapped in a code fence, or gains a single fence line at the beginning or the end; has a fix"),
];

/// The rule of a file that does not parse.
pub fn rule(syntax: &Syntax) -> String {
    let own = format!("{}-syntax", syntax.name());
    if RULES.iter().any(|rule| rule.id == own) { own } else { CODE.to_owned() }
}
