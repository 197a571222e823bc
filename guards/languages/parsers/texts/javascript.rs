//! JavaScript and TypeScript, with or without JSX, by oxc's parser.

use guard_nesting::javascript::depth;
use guard_sdk::language::{Problem, Questions, Reading, Unread};
use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_span::SourceType;

use super::unread;
use crate::problems::javascript as problems;
use crate::scopes::javascript::with_scopes;
use crate::{modules, names, outline};

/// The parser recurses, and a guest's stack ends in a trap.
const MAX_DEPTH: usize = 128;

pub fn read(dialect: &str, is_test: bool, text: &str, wanted: Questions) -> Reading {
    if depth(text) > MAX_DEPTH {
        return unread(wanted, &Unread::TooDeep);
    }
    let dialect = Dialect::from_endings(dialect);
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    // What the first kind says of a text that none of them reads.
    let mut first: Option<Result<Problem, Unread>> = None;
    for kind in dialect.kinds() {
        let parsed = Parser::new(&allocator, text, kind).with_options(options).parse();
        if parsed.panicked || !parsed.diagnostics.is_empty() {
            first.get_or_insert_with(|| problems::first(text, &parsed));
            continue;
        }
        let found = first.filter(|_| dialect == Dialect::TypeScript);
        return whole(dialect, is_test, text, wanted, kind, &parsed, found);
    }
    let broken = unread(wanted, &Unread::Broken);
    match first {
        Some(Ok(problem)) => Reading { problems: wanted.problems.then(|| Ok(vec![problem])), ..broken },
        Some(Err(why)) => unread(wanted, &why),
        None => broken,
    }
}

/// `found`: why it is no program, though it is right as a file that only declares.
fn whole(
    dialect: Dialect,
    is_test: bool,
    text: &str,
    wanted: Questions,
    kind: SourceType,
    parsed: &ParserReturn,
    found: Option<Result<Problem, Unread>>,
) -> Reading {
    let program = &parsed.program;
    let declares = kind.is_typescript_definition() || !kind.is_typescript();
    let problems = || match found {
        Some(found) => found.map(|problem| vec![Problem { whole_as: Some("d.ts".to_owned()), ..problem }]),
        None if declares => Ok(Vec::new()),
        None => Ok(problems::without_body(text, program).into_iter().collect()),
    };
    // The scopes are analysed once for both.
    let (calls, uses) = (dialect.has_signatures() && wanted.signatures, dialect.has_names() && wanted.names);
    let of_scopes = (calls || uses).then(|| {
        with_scopes(text, parsed, |source| {
            let signatures = calls.then(|| modules::javascript::signatures(&source));
            (signatures, uses.then(|| names::javascript::names(&source)))
        })
    });
    let (signatures, names) = match of_scopes.flatten() {
        Some((signatures, names)) => (signatures.ok_or(Unread::Unsupported), names.ok_or(Unread::Unsupported)),
        None => (Err(Unread::TooDeep), Err(Unread::TooDeep)),
    };
    Reading {
        problems: wanted.problems.then(problems),
        outline: wanted.outline.then(|| Ok(outline::javascript::outline(is_test, text, program))),
        surface: wanted
            .surface
            .then(|| Ok(modules::javascript::surface::read(text, program, dialect == Dialect::Declarations))),
        signatures: wanted.signatures.then(|| match dialect.has_signatures() {
            true => signatures,
            false => Err(Unread::Other("every call fits its functions, or it makes none".to_owned())),
        }),
        names: wanted.names.then(|| match dialect.has_names() {
            true => names,
            false => Err(Unread::Other("it declares what other code binds".to_owned())),
        }),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    JavaScript,
    TypeScript,
    Tsx,
    /// TypeScript that only declares.
    Declarations,
}

impl Dialect {
    /// By what follows the first dot of the name: also `d.css.ts`.
    fn from_endings(endings: &str) -> Dialect {
        match endings.rsplit('.').next().unwrap_or(endings) {
            "tsx" => Dialect::Tsx,
            "ts" | "mts" | "cts" if format!(".{endings}").contains(".d.") => Dialect::Declarations,
            "ts" | "mts" | "cts" => Dialect::TypeScript,
            _ => Dialect::JavaScript,
        }
    }

    fn has_signatures(self) -> bool {
        matches!(self, Dialect::TypeScript | Dialect::Tsx)
    }

    fn has_names(self) -> bool {
        self != Dialect::Declarations
    }

    /// A `.js` says neither whether it is a module nor whether it runs in a browser: it is held to what suits it best. Declarations alone
    /// may leave out bodies and values. `<T>x` is a cast without JSX, and an element with it.
    fn kinds(self) -> Vec<SourceType> {
        match self {
            Dialect::TypeScript => vec![SourceType::ts(), SourceType::d_ts()],
            Dialect::Tsx => vec![SourceType::tsx()],
            Dialect::Declarations => vec![SourceType::d_ts(), SourceType::ts()],
            Dialect::JavaScript => [SourceType::unambiguous(), SourceType::script(), SourceType::cjs()]
                .map(|kind| kind.with_jsx(true))
                .into(),
        }
    }
}
