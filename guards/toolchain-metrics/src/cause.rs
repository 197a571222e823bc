//! What kind of mistake an error of a compiler speaks of.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    SignatureMismatch,
    TypeMismatch,
    MissingImport,
    UndefinedSymbol,
    SyntaxError,
    Other,
}

impl Cause {
    pub fn tag(self) -> &'static str {
        match self {
            Cause::SignatureMismatch => "signature_mismatch",
            Cause::TypeMismatch => "type_mismatch",
            Cause::MissingImport => "missing_import",
            Cause::UndefinedSymbol => "undefined_symbol",
            Cause::SyntaxError => "syntax_error",
            Cause::Other => "other",
        }
    }

    /// Of the words of rustc, go, tsc and Python; the first that fits.
    pub fn from_message(message: &str) -> Cause {
        const WORDS: [(Cause, &[&str]); 5] = [
            (
                Cause::SignatureMismatch,
                &[
                    "assignment mismatch",
                    "not enough arguments",
                    "too many arguments",
                    "too many return values",
                    "arguments but",
                    "arguments, but",
                    "argument, but",
                    "argument but",
                    "arguments were supplied",
                    "argument was supplied",
                    "is missing in type",
                ],
            ),
            (
                Cause::MissingImport,
                &[
                    "modulenotfounderror",
                    "no module named",
                    "cannot find module",
                    "unresolved import",
                    "could not import",
                    "no required module provides package",
                    "is not in std",
                    "can't find crate",
                    "file not found for module",
                    "has no exported member",
                ],
            ),
            (
                Cause::TypeMismatch,
                &[
                    "mismatched types",
                    "is not assignable to",
                    "cannot use",
                    "incompatible type",
                    "the trait bound",
                    "expected type",
                    "doesn't implement",
                ],
            ),
            (
                Cause::UndefinedSymbol,
                &[
                    "undefined:",
                    "cannot find name",
                    "cannot find value",
                    "cannot find function",
                    "cannot find type",
                    "cannot find macro",
                    "no method named",
                    "no field",
                    "does not exist on type",
                    "nameerror",
                    "undeclared name",
                ],
            ),
            (
                Cause::SyntaxError,
                &[
                    "syntaxerror",
                    "syntax error",
                    "indentationerror",
                    "expected one of",
                    "expected `",
                    "unclosed",
                    "unexpected token",
                    "' expected",
                    "unterminated",
                ],
            ),
        ];
        let message = message.to_lowercase();
        let fits = |words: &[&str]| words.iter().any(|word| message.contains(word));
        WORDS.iter().find(|(_, words)| fits(words)).map_or(Cause::Other, |(cause, _)| *cause)
    }
}

#[cfg(test)]
mod tests {
    use super::Cause;

    #[test]
    fn causes() {
        for (message, cause) in [
            ("undefined: foo", Cause::UndefinedSymbol),
            ("mismatched types", Cause::TypeMismatch),
            ("assignment mismatch: 1 variable but f returns 2 values", Cause::SignatureMismatch),
            ("Expected 2 arguments, but got 1.", Cause::SignatureMismatch),
            ("this function takes 2 arguments but 1 argument was supplied", Cause::SignatureMismatch),
            ("ModuleNotFoundError: No module named 'x'", Cause::MissingImport),
            ("SyntaxError: invalid syntax", Cause::SyntaxError),
            ("Cannot find name 'a'.", Cause::UndefinedSymbol),
            ("Type 'string' is not assignable to type 'number'.", Cause::TypeMismatch),
            ("the disk is full", Cause::Other),
        ] {
            assert_eq!(Cause::from_message(message), cause, "{message}");
        }
    }
}
