//! Mistakes as models make them, one class each: something that was asked for or not, and that nobody would have accepted.
//!
//! A plant that does not suit a tree, or would not be a mistake there, says None, and another place is tried.

mod asleep;
mod block;
mod calls;
mod checks;
mod code;
mod config;
mod docs;
mod foreign;
mod further;
mod gone;
mod ground;
mod held;
mod imports;
mod link;
mod lock;
mod names;
mod plain;
mod residue;
mod secret;
mod slips;
mod syntax;
mod whole;
mod workflow;

use guardhost_core::change::{FileMode, Task};

use super::super::random::Random;
use super::files::Files;
use super::verify;

/// A file as the mistake leaves it.
#[derive(Default)]
pub struct Planted {
    pub path: String,
    pub text: String,
    /// What was done, and where.
    pub what: String,
    /// Told apart in the figures: a language, a format, a way of doing it.
    pub kind: String,
    /// The file in the base, where it is not the tree's.
    pub base: Option<String>,
    /// Where it is not the one that the file has.
    pub mode: Option<FileMode>,
    /// Further files that the change touches.
    pub also: Vec<(String, String)>,
    pub task: Option<Task>,
}

impl Planted {
    pub fn new(path: &str, text: String, kind: impl Into<String>, what: impl Into<String>) -> Self {
        Planted { path: path.to_owned(), text, kind: kind.into(), what: what.into(), ..Planted::default() }
    }

    pub fn edits(&self) -> impl Iterator<Item = (&str, &str)> {
        let also = self.also.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        [(self.path.as_str(), self.text.as_str())].into_iter().chain(also)
    }
}

pub type Plant = fn(&Files, &mut Random) -> Option<Planted>;

pub struct Class {
    pub name: &'static str,
    /// Guards that say they find it; the bar holds for these.
    pub claimed: &'static [&'static str],
    pub plant: Plant,
}

const fn class(name: &'static str, claimed: &'static [&'static str], plant: Plant) -> Class {
    Class { name, claimed, plant }
}

pub const CLASSES: &[Class] = &[
    class("definition dropped, its file uses it", &["definitions-kept"], gone::used_here),
    class("definition dropped, others import it", &["definitions-kept"], gone::imported),
    class("test deleted", &["definitions-kept"], code::test_deleted),
    class("test weakened", &["definitions-kept"], code::test_weakened),
    class("test deleted, another added", &["definitions-kept"], code::test_deleted_beside_another),
    class("test weakened, another added", &["definitions-kept"], code::test_weakened_beside_another),
    class("test commented out", &["definitions-kept"], asleep::commented_out),
    class("test put to sleep", &["no-skipped-tests"], asleep::skipped),
    class("test ends early", &["no-skipped-tests"], asleep::ends_early),
    class("body gutted", &["definitions-kept"], code::gutted),
    class("truncation marker in code", &["definitions-kept"], code::marker),
    class("truncation marker in a document", &["docs-kept"], docs::marker),
    class("code block lost", &["docs-kept"], docs::block_lost),
    class("every code block lost", &["docs-kept"], docs::blocks_lost),
    class("code block swapped", &["docs-kept"], docs::swapped),
    class("newlines collapsed", &["docs-kept"], docs::collapsed),
    class("whole document shrunk", &["docs-kept"], docs::shrunk),
    class("framework invented", &["known-frameworks"], ground::framework),
    class("package invented", &["known-packages"], ground::package),
    class("link invented", &["links-resolve"], link::invented),
    class("anchor broken", &["links-resolve"], link::anchor),
    class("config key of the wrong type", &["schema-holds"], config::wrong_type),
    class("syntax broken", &["syntax-holds"], syntax::broken),
    class("file wrapped in a fence", &["syntax-holds"], whole::fenced),
    class("conflict markers left in", &["syntax-holds"], whole::conflict),
    class("manifest touched unasked", &["scope-kept"], whole::manifest),
    class("test put to sleep, Go", &["no-skipped-tests"], asleep::skipped_go),
    class("test emptied", &["no-skipped-tests"], asleep::emptied),
    class("module invented", &["imports-resolve"], imports::module),
    class("name of a module invented", &["imports-resolve"], imports::name),
    class("package imported that is nowhere declared", &["imports-resolve"], imports::package),
    class("import dropped that is used", &["no-undefined-names"], names::import_dropped),
    class("definition renamed, its uses not", &["no-undefined-names"], names::renamed),
    class("name misspelt", &["no-undefined-names"], names::misspelt),
    class("name exported that nothing binds", &["no-undefined-names"], names::exported),
    class("parameter added, calls not", &["calls-match-signatures"], calls::parameter_added),
    class("parameter removed, calls not", &["calls-match-signatures"], calls::parameter_removed),
    class("keyword renamed, calls not", &["calls-match-signatures"], calls::keyword_renamed),
    class("argument too many", &["calls-match-signatures"], calls::argument_added),
    class("token added", &["no-secrets"], secret::token),
    class("private key added", &["no-secrets"], secret::private_key),
    class("password in an address", &["no-secrets"], secret::password_in_url),
    class("secret assigned", &["no-secrets"], secret::secret_assigned),
    class("environment file added", &["no-secrets"], secret::env_file),
    class("line of a diff", &["no-leftovers", "syntax-holds"], residue::diff),
    class("signs of a diff", &["no-leftovers"], residue::signs),
    class("marker of an edit", &["no-leftovers", "syntax-holds"], residue::edit_block),
    class("fence between code", &["no-leftovers", "syntax-holds"], residue::fence),
    class("chatter", &["no-leftovers", "syntax-holds", "docs-kept"], residue::chatter),
    class("NUL bytes", &["no-leftovers"], residue::nul),
    class("byte order mark", &["no-leftovers"], residue::byte_order_mark),
    class("line endings changed", &["no-leftovers"], residue::line_endings),
    class("indentation flipped", &["no-leftovers"], residue::indentation),
    class("executable bit changed", &["no-leftovers"], residue::mode),
    class("junk file", &["no-leftovers"], residue::junk),
    class("file pasted twice", &["no-leftovers"], slips::pasted_twice),
    class("text garbled", &["no-leftovers"], slips::garbled),
    class("path of one machine", &["no-leftovers"], slips::own_path),
    class("scratch file", &["no-leftovers"], slips::scratch),
    class("token of a header", &["no-secrets"], slips::header),
    class("limit of a checker loosened", &["checks-kept"], checks::limit),
    class("rule of a checker switched off", &["checks-kept"], checks::rule),
    class("check silenced", &["checks-kept"], checks::silenced),
    class("version moved in one place", &["versions-agree"], checks::version),
    class("error swallowed", &["errors-kept"], slips::swallowed),
    class("file taken from a checker", &["errors-kept"], slips::unchecked),
    class("coroutine method not awaited", &["errors-kept"], plain::method_unawaited),
    class("cases of a test lost", &["no-skipped-tests"], plain::cases_lost),
    class("function defined twice", &["no-slips"], plain::defined_twice),
    class("default shared by calls", &["no-slips"], plain::shared_default),
    class("statement never reached", &["no-slips"], plain::never_reached),
    class("condition asked again", &["no-slips"], plain::asked_again),
    class("comparison dropped", &["no-slips"], plain::compared),
    class("key twice", &["no-slips"], plain::key_twice),
    class("import unused", &["no-slips"], plain::imported),
    class("finally left", &["no-slips"], further::leaves_finally),
    class("collection changed in its loop", &["no-slips"], further::changes_in_loop),
    class("order undecided", &["no-slips"], further::undecided_order),
    class("format with other values", &["no-slips"], further::format),
    class("assertion not made", &["no-skipped-tests"], further::unmade),
    class("escape of a terminal", &["no-leftovers"], further::escape),
    class("citation of a chat", &["no-leftovers"], further::citation),
    class("fence left open", &["no-leftovers"], further::open_fence),
    class("condition that always holds", &["workflows-sound"], further::constant_condition),
    class("dependency without a bound", &["manifests-hold"], further::unbound),
    class("terms of a licence changed", &["protected-files"], held::licence),
    class("notice of a licence dropped", &["protected-files"], held::notice),
    class("generated file edited", &["protected-files"], held::generated),
    class("migration edited", &["protected-files"], held::migration),
    class("certificates unverified", &["no-unsafe-code"], slips::unverified),
    class("statement, mode or secret unsafe", &["no-unsafe-code"], slips::composed),
    class("workflow needs no job", &["workflows-sound"], workflow::job),
    class("workflow reads what nothing defines", &["workflows-sound"], workflow::reference),
    class("workflow runs a file that is not there", &["workflows-sound"], workflow::file),
    class("workflow runs a script that is not there", &["workflows-sound"], workflow::script),
    class("workflow gains rights", &["workflows-sound"], workflow::rights),
    class("workflow has an untrusted trigger", &["workflows-sound"], workflow::trigger),
    class("workflow checks strangers out", &["workflows-sound"], workflow::checkout),
    class("workflow runs untrusted text", &["workflows-sound"], workflow::input),
    class("workflow passes all secrets", &["workflows-sound"], workflow::inherited),
    class("action unpinned", &["workflows-sound"], workflow::unpinned),
    class("lock behind its manifest", &["locks-agree"], lock::manifest_ahead),
    class("digest stale", &["locks-agree"], lock::digest_stale),
    class("digest changed", &["locks-agree"], lock::digest_changed),
    class("digest malformed", &["locks-agree"], lock::digest_malformed),
    class("version mismatch", &["locks-agree"], lock::version_mismatch),
    class("lock entry twice", &["locks-agree"], lock::entry_twice),
    class("dependency unlocked", &["locks-agree"], lock::dependency_unlocked),
    class("lock entry unneeded", &["locks-agree"], lock::entry_unneeded),
    class("syntax broken, further languages", &["syntax-holds", "texts-parse"], foreign::broken),
];

/// Test data, other people's code, what a program wrote: a mistake there may be meant.
pub fn is_own(path: &str) -> bool {
    #[rustfmt::skip]
    const NOT: [&str; 23] = [
        "fixture", "testdata", "test-data", "test_data", "snapshot", "vendor", "third_party", "third-party", "node_modules", "generated", "dist/", "template",
        ".min.", "corpus", "benchmark", "syntax-tests", "migrat", "samples", "contrib/", "/data/", "/specs/", "/ui/", "archive",
    ];
    let lower = path.to_ascii_lowercase();
    !NOT.iter().any(|word| lower.contains(word))
}

/// One of a list.
pub fn one<'l, T>(list: &'l [T], random: &mut Random) -> Option<&'l T> {
    list.get(random.below(list.len()))
}

/// Documents of the project itself: not its tests', not others' programs.
pub fn is_doc(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let other = [
        "change",
        "release",
        "test/",
        "tests/",
        "compar",
        "tutorial",
        "alternatives",
        "integrations",
        ".github/",
        "/faq",
    ];
    path.ends_with(".md") && is_own(path) && !other.iter().any(|word| lower.contains(word))
}
