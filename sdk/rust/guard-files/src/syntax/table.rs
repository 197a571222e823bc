//! The syntax of the languages that the name of a file tells.

use std::borrow::Cow::Borrowed;

use super::{Literal, LiteralForm, Sign, Syntax};
use crate::Language;

const fn literal(open: &'static str, close: &'static str, escape: &'static str, crosses_lines: bool) -> Literal {
    formed(LiteralForm::Plain, open, close, escape, crosses_lines)
}

const fn formed(
    form: LiteralForm,
    open: &'static str,
    close: &'static str,
    escape: &'static str,
    crosses_lines: bool,
) -> Literal {
    Literal { open: Borrowed(open), close: Borrowed(close), escape: Borrowed(escape), crosses_lines, form }
}

/// Ends with its line.
const fn short(sign: &'static str) -> Literal {
    literal(sign, sign, "\\", false)
}

const fn long(sign: &'static str) -> Literal {
    literal(sign, sign, "\\", true)
}

/// Crosses lines; nothing hides what closes it.
const fn raw(open: &'static str, close: &'static str) -> Literal {
    literal(open, close, "", true)
}

const fn fenced(open: &'static str) -> Literal {
    formed(LiteralForm::Fenced, open, "\"", "", true)
}

const fn delimited(open: &'static str) -> Literal {
    formed(LiteralForm::Delimited, open, "", "\\", true)
}

const fn document(open: &'static str) -> Literal {
    formed(LiteralForm::HereDocument, open, "", "", true)
}

/// Documentation of Perl, which ends with `=cut`.
const fn pod(open: &'static str) -> (Sign, Sign) {
    (Borrowed(open), Borrowed("=cut"))
}

const HASH: &[Sign] = &[Borrowed("#")];
const SLASHES: &[Sign] = &[Borrowed("//")];
const BLOCK: &[(Sign, Sign)] = &[(Borrowed("/*"), Borrowed("*/"))];

const fn hashes(comments_stand_apart: bool, literals: &'static [Literal]) -> Syntax {
    Syntax {
        line_comments: Borrowed(HASH),
        comments_stand_apart,
        block_comments: Borrowed(&[]),
        comments_nest: false,
        literals: Borrowed(literals),
    }
}

const fn slashes(comments_nest: bool, literals: &'static [Literal]) -> Syntax {
    Syntax {
        line_comments: Borrowed(SLASHES),
        comments_stand_apart: false,
        block_comments: Borrowed(BLOCK),
        comments_nest,
        literals: Borrowed(literals),
    }
}

const SHORT: &[Literal] = &[short("\""), short("'")];
/// Elsewhere they are letters of a plain scalar: `it's`.
const SCALARS: &[Literal] =
    &[formed(LiteralForm::Value, "\"", "\"", "\\", false), formed(LiteralForm::Value, "'", "'", "\\", false)];
const QUOTES: &[Literal] = &[long("\"\"\""), long("'''"), short("\""), short("'")];
const TOML_QUOTES: &[Literal] = &[long("\"\"\""), raw("'''", "'''"), short("\""), literal("'", "'", "", false)];
const CPP_QUOTES: &[Literal] = &[raw("R\"(", ")\""), short("\""), short("'")];
const JAVA_QUOTES: &[Literal] = &[long("\"\"\""), short("\""), short("'")];
const KOTLIN_QUOTES: &[Literal] = &[raw("\"\"\"", "\"\"\""), short("\""), short("'")];
const C_SHARP_QUOTES: &[Literal] =
    &[raw("\"\"\"", "\"\"\""), literal("@\"", "\"", "\"", true), short("\""), short("'")];
const SWIFT_QUOTES: &[Literal] =
    &[raw("#\"\"\"", "\"\"\"#"), long("\"\"\""), literal("#\"", "\"#", "", false), short("\"")];
const JAVA_SCRIPT_QUOTES: &[Literal] = &[long("`"), short("\""), short("'")];
const GO_QUOTES: &[Literal] = &[raw("`", "`"), short("\""), short("'")];
const CHARACTER: Literal = formed(LiteralForm::Character, "'", "'", "\\", false);
const RUST_QUOTES: &[Literal] = &[fenced("r"), fenced("br"), fenced("cr"), long("\""), CHARACTER];
/// Behind a blank, `<<` of Ruby and Perl appends or shifts.
const SHELL_QUOTES: &[Literal] = &[long("\""), raw("'", "'"), document("<<"), document("<< "), document("<<- ")];
const PERL_QUOTES: &[Literal] = &[long("\""), long("'"), document("<<"), raw("__END__", ""), raw("__DATA__", "")];
/// And what stands outside of code.
const PHP_QUOTES: &[Literal] = &[raw("?>", "<?"), long("\""), long("'"), document("<<<"), document("<<< ")];
#[rustfmt::skip]
const RUBY_QUOTES: &[Literal] = &[
    long("\""), long("'"), long("`"), document("<<"),
    formed(LiteralForm::Value, "/", "/", "\\", true), formed(LiteralForm::Character, "?", "", "\\", false),
    delimited("%"), delimited("%q"), delimited("%Q"), delimited("%w"), delimited("%W"), delimited("%i"), delimited("%I"), delimited("%r"),
    delimited("%s"), delimited("%x"), raw("__END__", ""),
];
/// Any paragraph of documentation begins it (perldoc perlpod).
#[rustfmt::skip]
const PERL_BLOCKS: &[(Sign, Sign)] = &[
    pod("=pod"), pod("=head1"), pod("=head2"), pod("=head3"), pod("=head4"), pod("=head5"), pod("=head6"),
    pod("=over"), pod("=item"), pod("=back"), pod("=begin"), pod("=end"), pod("=for"), pod("=encoding"),
];
const RUBY_BLOCKS: &[(Sign, Sign)] = &[(Borrowed("=begin"), Borrowed("=end"))];

static PYTHON: Syntax = hashes(false, QUOTES);
static TOML: Syntax = hashes(false, TOML_QUOTES);
/// Configuration, and scripts without long strings.
static LINES: Syntax = hashes(true, SCALARS);
static SHELL: Syntax = hashes(true, SHELL_QUOTES);
static PERL: Syntax = Syntax {
    line_comments: Borrowed(HASH),
    comments_stand_apart: true,
    block_comments: Borrowed(PERL_BLOCKS),
    comments_nest: false,
    literals: Borrowed(PERL_QUOTES),
};
static RUBY: Syntax = Syntax {
    line_comments: Borrowed(HASH),
    comments_stand_apart: true,
    block_comments: Borrowed(RUBY_BLOCKS),
    comments_nest: false,
    literals: Borrowed(RUBY_QUOTES),
};
static C: Syntax = slashes(false, SHORT);
static CPP: Syntax = slashes(false, CPP_QUOTES);
static JAVA: Syntax = slashes(false, JAVA_QUOTES);
static KOTLIN: Syntax = slashes(true, KOTLIN_QUOTES);
static C_SHARP: Syntax = slashes(false, C_SHARP_QUOTES);
static SWIFT: Syntax = slashes(true, SWIFT_QUOTES);
static DART: Syntax = slashes(false, QUOTES);
static JAVA_SCRIPT: Syntax = slashes(false, JAVA_SCRIPT_QUOTES);
static GO: Syntax = slashes(false, GO_QUOTES);
static RUST: Syntax = slashes(true, RUST_QUOTES);
static PHP: Syntax = Syntax {
    line_comments: Borrowed(&[Borrowed("//"), Borrowed("#")]),
    comments_stand_apart: false,
    block_comments: Borrowed(BLOCK),
    comments_nest: false,
    literals: Borrowed(PHP_QUOTES),
};

impl Syntax {
    /// None where the comments and strings of a language are not known here.
    pub fn of(language: Language) -> Option<&'static Syntax> {
        Some(match language {
            Language::Python => &PYTHON,
            Language::Toml => &TOML,
            Language::Rust => &RUST,
            Language::JavaScript | Language::TypeScript => &JAVA_SCRIPT,
            Language::Go => &GO,
            Language::C
            | Language::Css
            | Language::Json
            | Language::Protobuf
            | Language::Zig
            | Language::ObjectiveC => &C,
            Language::Cpp => &CPP,
            Language::Java | Language::Scala => &JAVA,
            Language::Kotlin => &KOTLIN,
            Language::CSharp => &C_SHARP,
            Language::Swift => &SWIFT,
            Language::Dart | Language::Gradle => &DART,
            Language::Php => &PHP,
            Language::Ruby => &RUBY,
            Language::Perl => &PERL,
            Language::Shell => &SHELL,
            Language::Yaml | Language::Ini | Language::Dockerfile | Language::Make => &LINES,
            Language::AsciiDoc
            | Language::Clojure
            | Language::Elixir
            | Language::Erlang
            | Language::FSharp
            | Language::Haskell
            | Language::Html
            | Language::Julia
            | Language::Lua
            | Language::Markdown
            | Language::OCaml
            | Language::PowerShell
            | Language::R
            | Language::ReStructuredText
            | Language::Sql
            | Language::Svelte
            | Language::Text
            | Language::Vue => return None,
        })
    }
}
