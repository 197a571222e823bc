//! Where a file stands: what is a secret in a program is none in the fixture of a test.

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
    pub fn of(path: &str) -> Place {
        let lower = path.to_ascii_lowercase();
        let name = lower.rsplit('/').next().unwrap_or(&lower);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        if is_ignored(&lower, name, extension) {
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

/// Words of names and folders whose files hold made-up data.
const MADE_UP: [&str; 31] = [
    "test",
    "tests",
    "testing",
    "testdata",
    "__tests__",
    "spec",
    "specs",
    "fixture",
    "fixtures",
    "__fixtures__",
    "mock",
    "mocks",
    "__mocks__",
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "e2e",
    "snapshots",
    "__snapshots__",
    "cassettes",
    "stub",
    "stubs",
    "playground",
    "fake",
    "fakes",
    "dummy",
    "bench",
    "benchmarks",
];

fn is_ignored(lower: &str, name: &str, extension: &str) -> bool {
    let is_made_up = lower.split(['/', '.', '-', '_']).any(|word| MADE_UP.contains(&word) || word == "tests")
        || lower.split('/').any(|part| MADE_UP.contains(&part))
        || is_for_tests(lower);
    let is_vendored =
        lower.split('/').any(|part| matches!(part, "vendor" | "node_modules" | "third_party" | "bower_components"));
    let is_lock = matches!(
        name,
        "package-lock.json"
            | "npm-shrinkwrap.json"
            | "pnpm-lock.yaml"
            | "yarn.lock"
            | "go.sum"
            | "go.mod"
            | "deno.lock"
            | "bun.lock"
    ) || extension == "lock";
    let is_drawn = matches!(
        extension,
        "svg" | "map" | "snap" | "patch" | "diff" | "ttf" | "woff" | "pdf" | "wasm" | "csv" | "tsv"
    );
    is_made_up || is_vendored || is_lock || is_drawn || name.contains(".min.") || name.contains("gitleaks")
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
