//! Ruby, by lib-ruby-parser.

use guard_parsing::{Language, Parsed, Problem, Recursion};
use lib_ruby_parser::Parser;

pub static RUBY: Language = Language {
    rule: "ruby-syntax",
    parse,
    longest_line: 16 << 10,
    recursion: Recursion::Brackets,
    largest: 256 << 10,
    help: "Fix this line so that `ruby -c` accepts the file: every `do`, `def`, `class` and `if` has its `end`; brackets, quotes and here-documents are closed. The cause may stand a few lines above.",
};

fn parse(text: &str) -> Parsed {
    let problem = match read(text) {
        Ok(()) => return Parsed::Whole,
        Err(problem) => problem,
    };
    match read(&with_names(text)) {
        Ok(()) => Parsed::Whole,
        Err(_) => Parsed::Broken(problem),
    }
}

fn read(text: &str) -> Result<(), Problem> {
    let result = Parser::new(text.as_bytes().to_vec(), Default::default()).do_parse();
    match result.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        None => Ok(()),
        Some(error) => Err(Problem::at(text, error.loc.begin, error.message.render())),
    }
}

/// The parser knows the grammar of Ruby 3.1. Since then only calls that forward unnamed arguments were added (`g(*)`, `g(**)`), which
/// read the same when the arguments have a name.
fn with_names(text: &str) -> String {
    let mut named = text.to_owned();
    for before in ["(", ", "] {
        for (stars, name) in [("*", "rest"), ("**", "options")] {
            for after in [")", ","] {
                named = named.replace(&format!("{before}{stars}{after}"), &format!("{before}{stars}{name}{after}"));
            }
        }
    }
    named
}
