//! Every touched Ruby file still parses.

mod rules;

use guard_parsing::{Language, Parsed, Problem, Recursion, Settings, check};
use guard_sdk::{About, Change, Guard, Stage, Verdict, guard};
use lib_ruby_parser::Parser;

pub struct RubyParses;

static RUBY: Language = Language {
    rule: "ruby-syntax",
    parse,
    longest_line: 16 << 10,
    recursion: Recursion::Brackets,
    largest: 256 << 10,
    help: "Mend this line so that `ruby -c` accepts the file: every `do`, `def`, `class` and `if` has its `end`; brackets, quotes and here-documents are closed. The cause may stand a few lines above.",
};

impl Guard for RubyParses {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "Every touched Ruby file that parsed before still parses, and so does every added one.",
        stages: &[Stage::Content],
        globs: &[
            "*.rb",
            "*.rake",
            "*.gemspec",
            "*.ru",
            "Gemfile",
            "Rakefile",
            "Podfile",
            "Vagrantfile",
            "Brewfile",
            "Guardfile",
        ],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_syntax_check.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        Ok(check(change, &settings, |path, _| is_ruby(path).then_some(&RUBY)))
    }
}

fn is_ruby(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["rb", "rake", "gemspec", "ru"].contains(&ending)
        || ["Gemfile", "Rakefile", "Podfile", "Vagrantfile", "Brewfile", "Guardfile"].contains(&name)
}

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

guard!(RubyParses);
