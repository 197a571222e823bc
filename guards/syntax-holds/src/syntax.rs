//! Which syntax a file is in: a format of data by its name and, where one name serves two, by its first byte; else the language by which the
//! host reads it.

use guard_sdk::{Change, Side};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Syntax {
    Json,
    Jsonc,
    Json5,
    JsonLines,
    Toml,
    Yaml,
    /// As Python's `configparser` reads it.
    Ini,
    /// Of an unknown reader: held to `configparser`'s rules only when its base kept them.
    AnyIni,
    EditorConfig,
    /// A language that a component of the host parses.
    Code(Code),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// As its component claims it.
    language: String,
    /// What follows the first dot of the file's name: a `.tsx` is read otherwise than a `.ts`.
    dialect: String,
}

impl Syntax {
    /// None for a file whose syntax this guard does not know.
    pub fn from_path(change: &Change, path: &str, text: &str) -> Option<Syntax> {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        by_name(&name, text).or_else(|| by_extension(path, &name)).or_else(|| {
            let language = change.languages(Side::After).language(path).filter(|language| language.has_syntax)?;
            let dialect = name.split_once('.').map_or("", |(_, dialect)| dialect).to_owned();
            Some(Syntax::Code(Code { language: language.name, dialect }))
        })
    }

    /// What people call it; also the value of the setting `languages`.
    pub fn name(&self) -> &str {
        match self {
            Syntax::Json => "json",
            Syntax::Jsonc => "jsonc",
            Syntax::Json5 => "json5",
            Syntax::JsonLines => "ndjson",
            Syntax::Toml => "toml",
            Syntax::Yaml => "yaml",
            Syntax::Ini | Syntax::AnyIni | Syntax::EditorConfig => "ini",
            Syntax::Code(code) => &code.language,
        }
    }

    /// From strict to lax: a file is held to the first that its base kept.
    pub fn ladder(&self) -> &[Syntax] {
        match self {
            Syntax::Json => &[Syntax::Json, Syntax::JsonLines, Syntax::Jsonc, Syntax::Json5],
            Syntax::Jsonc => &[Syntax::Jsonc, Syntax::Json5],
            Syntax::JsonLines => &[Syntax::JsonLines, Syntax::Json],
            only => std::slice::from_ref(only),
        }
    }

    /// A template of it is not in it: `{{` means nothing to a parser of YAML. Code has its own use of braces.
    pub fn is_data(&self) -> bool {
        !matches!(self, Syntax::Code(_))
    }
}

fn by_name(name: &str, text: &str) -> Option<Syntax> {
    Some(match name {
        "composer.lock" | "deno.lock" | "flake.lock" | "pipfile.lock" | ".bowerrc" | ".nycrc" | ".watchmanconfig" => {
            Syntax::Json
        }
        ".jshintrc" | ".jscsrc" | ".swcrc" | ".hintrc" | ".ember-cli" | "bun.lock" => Syntax::Jsonc,
        ".babelrc" | ".parcelrc" | ".renovaterc" => Syntax::Json5,
        "pipfile" | "cargo.lock" | "poetry.lock" | "uv.lock" | "pdm.lock" | "gopkg.lock" => Syntax::Toml,
        ".clang-format" | ".clang-tidy" | ".clangd" | ".yamllint" | ".gemrc" | "citation.cff" | "pubspec.lock" => {
            Syntax::Yaml
        }
        "podfile.lock" => Syntax::Yaml,
        "setup.cfg" | "tox.ini" | "pytest.ini" | ".pytest.ini" | "mypy.ini" | ".mypy.ini" | ".flake8" => Syntax::Ini,
        ".coveragerc" | ".pylintrc" | "pylintrc" | ".isort.cfg" | ".bumpversion.cfg" | "alembic.ini" => Syntax::Ini,
        ".pydocstyle" | ".pycodestyle" | ".gitlint" | ".style.yapf" | ".importlinter" => Syntax::Ini,
        ".editorconfig" => Syntax::EditorConfig,
        // These may be JSON with comments or YAML.
        ".eslintrc" | ".prettierrc" | ".stylelintrc" | ".lintstagedrc" | ".commitlintrc" | ".mocharc"
        | ".releaserc" => {
            if text.trim_start().starts_with(['{', '[', '/']) {
                Syntax::Jsonc
            } else {
                Syntax::Yaml
            }
        }
        _ => return None,
    })
}

fn by_extension(path: &str, name: &str) -> Option<Syntax> {
    let (_, extension) = name.rsplit_once('.')?;
    Some(match extension {
        "json" => json_dialect(path, name),
        "ipynb" | "geojson" | "topojson" | "webmanifest" | "har" | "jsonld" | "avsc" | "gltf" | "sarif" | "arb" => {
            Syntax::Json
        }
        "jsonc" | "code-workspace" | "code-snippets" | "hujson" => Syntax::Jsonc,
        "json5" => Syntax::Json5,
        "ndjson" | "jsonl" | "jsonlines" => Syntax::JsonLines,
        "toml" => Syntax::Toml,
        "yaml" | "yml" | "cff" => Syntax::Yaml,
        "ini" | "cfg" => Syntax::AnyIni,
        _ => return None,
    })
}

/// Names whose readers take comments, beside `.jsonc`. Anything else called `.json` is JSON.
fn json_dialect(path: &str, name: &str) -> Syntax {
    const STARTS: [&str; 6] = ["tsconfig", "jsconfig", "api-extractor", "appsettings", "devcontainer", ".devcontainer"];
    const ENDS: [&str; 2] = [".tsconfig.json", "-tsconfig.json"];
    const NAMES: [&str; 20] = [
        "angular.json",
        "biome.json",
        "cspell.json",
        ".cspell.json",
        "deno.json",
        "dprint.json",
        ".dprint.json",
        "global.json",
        "knip.json",
        "language-configuration.json",
        "launchsettings.json",
        ".markdownlint.json",
        "nx.json",
        "project.json",
        "pyrightconfig.json",
        "rush.json",
        "tslint.json",
        "turbo.json",
        "typedoc.json",
        "wrangler.json",
    ];
    // Also where a project offers settings to copy: `contrib/ide/vscode/settings.json`.
    const FOLDERS: [&str; 8] = [".vscode", "vscode", ".devcontainer", ".zed", "zed", ".cursor", ".theia", "rush"];
    let folder_has = |wanted: &str| path.split('/').rev().skip(1).any(|part| part == wanted);
    match name {
        "babel.config.json" | "renovate.json" => Syntax::Json5,
        _ if NAMES.contains(&name)
            || (name.starts_with('.') && name.ends_with("rc.json"))
            || STARTS.iter().any(|start| name.starts_with(start))
            || ENDS.iter().any(|end| name.ends_with(end))
            || FOLDERS.iter().any(|folder| folder_has(folder)) =>
        {
            Syntax::Jsonc
        }
        _ => Syntax::Json,
    }
}
