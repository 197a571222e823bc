//! Where a file stands: what is a secret in a program is none in the fixture of a test.

use guard_sdk::files::{self, Kind};

/// How a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Tests, fixtures, examples, lock files, what others wrote.
    Ignored,
    /// Prose: only what has the form of a token counts.
    Document,
    /// `.env`, `.ini`, YAML: values stand without quotes.
    Plain,
    /// An `.env` file that is meant to be kept out of a repository.
    Env,
    Code,
}

impl Place {
    pub fn from_path(path: &str) -> Place {
        let lower = path.to_ascii_lowercase();
        let name = lower.rsplit('/').next().unwrap_or(&lower);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        if is_ignored(path, &lower, name, extension) {
            return Place::Ignored;
        }
        if name == ".env"
            || name == ".envrc"
            || (name.starts_with(".env.") && !is_sample(name))
            || name.ends_with(".env")
        {
            return if is_sample(name) { Place::Ignored } else { Place::Env };
        }
        match extension {
            "md" | "markdown" | "mdx" | "rst" | "adoc" | "txt" | "html" | "htm" | "ipynb" | "po" | "xml" => {
                Place::Document
            }
            "yml" | "yaml" | "ini" | "cfg" | "conf" | "properties" | "env" | "tfvars" => Place::Plain,
            _ => Place::Code,
        }
    }
}

/// Words of names, beside those of folders that [`files`] knows, whose files hold made-up data.
#[rustfmt::skip]
const MADE_UP: [&str; 19] = [
    "test", "tests", "testing", "spec", "specs", "fixture", "fixtures", "mock", "mocks", "example", "examples", "sample", "samples", "stub",
    "fake", "fakes", "dummy", "bench", "benchmarks",
];

fn is_ignored(path: &str, lower: &str, name: &str, extension: &str) -> bool {
    let is_elsewhere = match files::kind_of(path) {
        Kind::Test | Kind::TestData | Kind::Example | Kind::Vendored | Kind::Lock => true,
        Kind::Code | Kind::Template | Kind::Generated | Kind::Document | Kind::Configuration | Kind::Other => false,
    };
    let is_made_up = lower.split(['/', '.', '-', '_']).any(|word| MADE_UP.contains(&word)) || is_for_tests(lower);
    let is_lock = name == "go.mod";
    let is_drawn = matches!(
        extension,
        "svg" | "map" | "snap" | "patch" | "diff" | "ttf" | "woff" | "pdf" | "wasm" | "csv" | "tsv"
    );
    is_elsewhere || is_made_up || is_lock || is_drawn || name.contains(".min.") || name.contains("gitleaks")
}

/// Whether a folder is that of a server or a service which only tests know: `dummyserver`, `mockauth`.
fn is_for_tests(lower: &str) -> bool {
    let folders = lower.rsplit_once('/').map_or("", |(folders, _)| folders);
    let words = ["server", "service", "services", "client", "auth", "api", "data", "certs"];
    folders.split('/').any(|part| {
        let rest = ["dummy", "mock", "fake", "test"].iter().find_map(|start| part.strip_prefix(start));
        rest.is_some_and(|rest| words.contains(&rest))
    })
}

fn is_sample(name: &str) -> bool {
    const WORDS: [&str; 12] = [
        "example", "sample", "template", "tmpl", "dist", "default", "defaults", "test", "testing", "ci", "vault",
        "schema",
    ];
    name.split(['.', '-', '_']).any(|word| WORDS.contains(&word))
}
