//! What came into a language or its standard library, and with which version.
//!
//! From <https://docs.python.org/3/whatsnew/>, <https://node.green/>, <https://nodejs.org/api/> and <https://doc.rust-lang.org/releases.html>.

use guard_sdk::files::Language;

/// How the text shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// The module, or with a name that name of it, is imported, or the name is read from the module.
    Imported(&'static str, &'static str),
    /// Stands in the code.
    Written(&'static str),
    /// A line of code, without strings and comments, that has this form.
    Form(Form),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `except* E:`
    ExceptGroup,
    /// `type X = …`
    TypeStatement,
    /// `def f[T](…)`, `class A[T]`
    TypeParameters,
    /// `a?.b`, which is no `a ? .5 : b`
    OptionalChaining,
    /// `let P = x else {`
    LetElse,
}

#[derive(Debug, Clone, Copy)]
pub struct Feature {
    pub since: (u32, u32),
    pub sign: Sign,
}

const fn names(since: (u32, u32), module: &'static str, name: &'static str) -> Feature {
    Feature { since, sign: Sign::Imported(module, name) }
}

const fn written(since: (u32, u32), text: &'static str) -> Feature {
    Feature { since, sign: Sign::Written(text) }
}

const fn form(since: (u32, u32), form: Form) -> Feature {
    Feature { since, sign: Sign::Form(form) }
}

#[rustfmt::skip]
const PYTHON: &[Feature] = &[
    written((3, 8), ":="), form((3, 11), Form::ExceptGroup), form((3, 12), Form::TypeStatement), form((3, 12), Form::TypeParameters),
    names((3, 9), "zoneinfo", ""), names((3, 9), "graphlib", ""), names((3, 11), "tomllib", ""), names((3, 14), "annotationlib", ""), names((3, 14), "compression", ""), names((3, 8), "importlib", "metadata"),
    names((3, 11), "datetime", "UTC"), names((3, 10), "itertools", "pairwise"), names((3, 12), "itertools", "batched"), names((3, 9), "functools", "cache"), names((3, 8), "functools", "cached_property"),
    names((3, 8), "functools", "singledispatchmethod"), names((3, 11), "enum", "StrEnum"), names((3, 11), "enum", "member"), names((3, 11), "enum", "verify"), names((3, 11), "enum", "ReprEnum"),
    names((3, 11), "contextlib", "chdir"), names((3, 10), "contextlib", "aclosing"), names((3, 11), "asyncio", "TaskGroup"), names((3, 11), "asyncio", "timeout"), names((3, 11), "asyncio", "timeout_at"),
    names((3, 11), "asyncio", "Runner"), names((3, 11), "asyncio", "Barrier"), names((3, 9), "asyncio", "to_thread"), names((3, 13), "asyncio", "QueueShutDown"), names((3, 13), "queue", "ShutDown"), names((3, 13), "copy", "replace"),
    names((3, 13), "warnings", "deprecated"), names((3, 12), "collections.abc", "Buffer"), names((3, 11), "hashlib", "file_digest"), names((3, 11), "operator", "call"), names((3, 10), "dataclasses", "KW_ONLY"),
    names((3, 10), "inspect", "get_annotations"), names((3, 9), "math", "lcm"), names((3, 8), "math", "prod"), names((3, 8), "math", "dist"), names((3, 11), "math", "cbrt"), names((3, 11), "math", "exp2"), names((3, 12), "math", "sumprod"),
    names((3, 10), "types", "NoneType"), names((3, 10), "types", "UnionType"), names((3, 10), "types", "EllipsisType"), names((3, 9), "types", "GenericAlias"), names((3, 8), "shlex", "join"), names((3, 10), "bisect", "insort_left"),
    names((3, 9), "typing", "Annotated"), names((3, 8), "typing", "Literal"), names((3, 8), "typing", "Final"), names((3, 8), "typing", "Protocol"), names((3, 8), "typing", "TypedDict"), names((3, 8), "typing", "runtime_checkable"),
    names((3, 10), "typing", "TypeAlias"), names((3, 10), "typing", "ParamSpec"), names((3, 10), "typing", "Concatenate"), names((3, 10), "typing", "TypeGuard"), names((3, 11), "typing", "Self"), names((3, 11), "typing", "Never"),
    names((3, 11), "typing", "LiteralString"), names((3, 11), "typing", "assert_never"), names((3, 11), "typing", "assert_type"), names((3, 11), "typing", "Required"), names((3, 11), "typing", "NotRequired"), names((3, 11), "typing", "Unpack"),
    names((3, 11), "typing", "TypeVarTuple"), names((3, 11), "typing", "dataclass_transform"), names((3, 12), "typing", "override"), names((3, 12), "typing", "TypeAliasType"), names((3, 13), "typing", "TypeIs"), names((3, 13), "typing", "ReadOnly"),
];

/// Of Node: the version that takes it without a flag.
#[rustfmt::skip]
const JAVASCRIPT: &[Feature] = &[
    form((14, 0), Form::OptionalChaining), written((15, 0), "??="), written((15, 0), "||="), written((15, 0), "&&="), written((14, 0), "??"), written((4, 0), "=>"), written((7, 6), "await "), written((16, 9), "Object.hasOwn("),
    written((17, 0), "structuredClone("),
];

#[rustfmt::skip]
const RUST: &[Feature] = &[
    form((1, 65), Form::LetElse), written((1, 80), "std::sync::LazyLock"), written((1, 80), "std::cell::LazyCell"), written((1, 70), "std::sync::OnceLock"), written((1, 70), "std::cell::OnceCell"), written((1, 82), ".is_none_or("),
    written((1, 70), ".is_some_and("), written((1, 70), ".is_ok_and("), written((1, 82), "std::iter::repeat_n"), written((1, 81), "core::error::Error"), written((1, 63), "std::thread::scope"), written((1, 85), "async ||"),
];

pub fn of(language: Language) -> &'static [Feature] {
    match language {
        Language::Python => PYTHON,
        Language::JavaScript => JAVASCRIPT,
        Language::Rust => RUST,
        // What the directive of `go.mod` forbids, every build says.
        _ => &[],
    }
}

impl Sign {
    /// As a person would write it.
    pub fn name(self) -> String {
        match self {
            Sign::Imported(module, "") => module.to_owned(),
            Sign::Imported(module, name) => format!("{module}.{name}"),
            Sign::Written(text) => text.trim_matches(['(', '.', ' ']).to_owned(),
            Sign::Form(Form::ExceptGroup) => "except*".to_owned(),
            Sign::Form(Form::TypeStatement) => "the statement `type`".to_owned(),
            Sign::Form(Form::TypeParameters) => "type parameters".to_owned(),
            Sign::Form(Form::OptionalChaining) => "?.".to_owned(),
            Sign::Form(Form::LetElse) => "let … else".to_owned(),
        }
    }

    /// Whether a line of code shows it, without its strings and comments.
    pub fn stands_in(self, code: &str) -> bool {
        match self {
            // Annotations are not always evaluated, and typing is read in them.
            Sign::Imported("typing", _) | Sign::Imported(_, "") => false,
            Sign::Imported(module, name) => has_word(code, &format!("{module}.{name}")),
            Sign::Written("=>") => code.contains("=>"),
            Sign::Written("??") => code.match_indices("??").any(|(at, _)| !code[at + 2..].starts_with('=')),
            Sign::Written(text) if text.starts_with(|c: char| c.is_alphanumeric()) => has_word(code, text),
            Sign::Written(text) => code.contains(text),
            Sign::Form(form) => form.is(code.trim()),
        }
    }
}

/// The text, not as part of a longer name or path.
fn has_word(code: &str, text: &str) -> bool {
    let of_names = |c: char| c.is_alphanumeric() || "_.$:".contains(c);
    code.match_indices(text).any(|(at, _)| {
        let after = &code[at + text.len()..];
        let ends = !text.ends_with(|c: char| c.is_alphanumeric())
            || !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        !code[..at].ends_with(of_names) && ends
    })
}

impl Form {
    fn is(self, code: &str) -> bool {
        let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').count();
        match self {
            Form::ExceptGroup => code.strip_prefix("except").is_some_and(|rest| rest.trim_start().starts_with('*')),
            Form::TypeStatement => code.strip_prefix("type ").is_some_and(|rest| {
                let length = name(rest);
                let after = rest[length..].trim_start();
                length > 0
                    && !rest.starts_with(|c: char| c.is_ascii_digit())
                    && (after.starts_with("= ") || after.starts_with('[') && after.contains("] = "))
            }),
            Form::TypeParameters => ["def ", "async def ", "class "].iter().any(|start| {
                code.strip_prefix(start).is_some_and(|rest| name(rest) > 0 && rest[name(rest)..].starts_with('['))
            }),
            Form::OptionalChaining => {
                code.match_indices("?.").any(|(at, _)| !code[at + 2..].starts_with(|c: char| c.is_ascii_digit()))
            }
            Form::LetElse => {
                code.starts_with("let ") && code.ends_with(" else {") && !code.contains(" if ") && !code.contains('}')
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (form, yes, no) in [
            (Form::ExceptGroup, "except* E:", "except (*E, F):"),
            (Form::TypeStatement, "type A[T] = list", "type = 1"),
            (Form::TypeParameters, "class A[T](B):", "def f(a: B[T]):"),
            (Form::OptionalChaining, "a?.[0]", "a?.5:b"),
            (Form::LetElse, "let Some(x) = y else {", "let x = if a { b } else {"),
        ] {
            assert!(form.is(yes) && !form.is(no), "{form:?}");
        }
        assert!(has_word("x = itertools.batched(y)", "itertools.batched"));
        assert!(
            !has_word("my.itertools.batched(y)", "itertools.batched")
                && !has_word("itertools.batched_by", "itertools.batched")
        );
    }
}
