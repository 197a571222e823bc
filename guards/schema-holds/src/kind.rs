//! Which file configures what, and what it is written in.

use crate::table::{Node, root};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    PackageJson,
    TsConfig,
    Eslint,
    Prettier,
    Workflow,
    Action,
    Dependabot,
    Cargo,
    Pyproject,
    PreCommit,
    Compose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// With comments and trailing commas: what does not allow them is another guard's business.
    Jsonc,
    Json5,
    Toml,
    Yaml,
    /// By its first byte.
    JsonOrYaml,
}

impl Kind {
    pub const ALL: [Kind; 11] = [
        Kind::PackageJson,
        Kind::TsConfig,
        Kind::Eslint,
        Kind::Prettier,
        Kind::Workflow,
        Kind::Action,
        Kind::Dependabot,
        Kind::Cargo,
        Kind::Pyproject,
        Kind::PreCommit,
        Kind::Compose,
    ];

    /// The value of the setting `kinds`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::PackageJson => "package-json",
            Kind::TsConfig => "tsconfig",
            Kind::Eslint => "eslint",
            Kind::Prettier => "prettier",
            Kind::Workflow => "github-workflow",
            Kind::Action => "github-action",
            Kind::Dependabot => "dependabot",
            Kind::Cargo => "cargo",
            Kind::Pyproject => "pyproject",
            Kind::PreCommit => "pre-commit",
            Kind::Compose => "compose",
        }
    }

    pub fn schema(self) -> Node {
        match self {
            Kind::PackageJson => root::PACKAGE,
            Kind::TsConfig => root::TSCONFIG,
            Kind::Eslint => root::ESLINTRC,
            Kind::Prettier => root::PRETTIERRC,
            Kind::Workflow => root::GITHUB_WORKFLOWS,
            Kind::Action => root::GITHUB_ACTIONS,
            Kind::Dependabot => root::DEPENDABOT,
            Kind::Cargo => root::CARGO,
            Kind::Pyproject => root::PYPROJECT,
            Kind::PreCommit => root::PRE_COMMIT,
            Kind::Compose => root::COMPOSE_SPEC,
        }
    }

    /// What reads this place of the file: the subject of a message.
    pub fn tool(self, path: &str) -> &str {
        match self {
            Kind::Pyproject => match path.strip_prefix("tool.") {
                Some(below) => below.split(['.', '[']).next().unwrap_or(below),
                None => "Python's packaging",
            },
            Kind::PackageJson => "npm",
            Kind::TsConfig => "TypeScript",
            Kind::Eslint => "ESLint",
            Kind::Prettier => "Prettier",
            Kind::Workflow | Kind::Action => "GitHub Actions",
            Kind::Dependabot => "Dependabot",
            Kind::Cargo => "Cargo",
            Kind::PreCommit => "pre-commit",
            Kind::Compose => "Compose",
        }
    }

    /// Whether its tool reads `yes` and `off` as booleans, as YAML 1.1 does.
    pub fn is_yaml_1_1(self) -> bool {
        matches!(self, Kind::Dependabot | Kind::PreCommit)
    }

    /// Whether this text becomes a value only when the tool runs.
    pub fn is_open(self, text: &str) -> bool {
        text.contains('{') && (text.contains("{{") || text.contains("{%") || text.contains("<%"))
            || (self == Kind::Compose && text.contains('$'))
    }
}

/// None for a file that configures none of the tools whose schemas are bundled.
pub fn from_path(path: &str) -> Option<(Kind, Syntax)> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if folder.split('/').any(|part| part == "node_modules") {
        return None;
    }
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let yaml = extension == "yml" || extension == "yaml";
    let below =
        |wanted: &str| folder == wanted || folder.strip_suffix(wanted).is_some_and(|above| above.ends_with('/'));
    Some(match name {
        "package.json" => (Kind::PackageJson, Syntax::Jsonc),
        "Cargo.toml" => (Kind::Cargo, Syntax::Toml),
        "pyproject.toml" => (Kind::Pyproject, Syntax::Toml),
        ".pre-commit-config.yaml" => (Kind::PreCommit, Syntax::Yaml),
        ".eslintrc" | ".eslintrc.json" | ".eslintrc.yaml" | ".eslintrc.yml" => (Kind::Eslint, run_control(extension)),
        ".prettierrc" | ".prettierrc.json" | ".prettierrc.yaml" | ".prettierrc.yml" | ".prettierrc.toml"
        | ".prettierrc.json5" => (Kind::Prettier, run_control(extension)),
        "action.yml" | "action.yaml" => (Kind::Action, Syntax::Yaml),
        "dependabot.yml" | "dependabot.yaml" if below(".github") => (Kind::Dependabot, Syntax::Yaml),
        _ if yaml && below(".github/workflows") => (Kind::Workflow, Syntax::Yaml),
        _ if yaml && is_compose(stem) => (Kind::Compose, Syntax::Yaml),
        _ if extension == "json" && (stem.starts_with("tsconfig") || stem == "jsconfig") => {
            (Kind::TsConfig, Syntax::Jsonc)
        }
        _ => return None,
    })
}

fn run_control(extension: &str) -> Syntax {
    match extension {
        "json" => Syntax::Jsonc,
        "json5" => Syntax::Json5,
        "toml" => Syntax::Toml,
        "yaml" | "yml" => Syntax::Yaml,
        _ => Syntax::JsonOrYaml,
    }
}

/// `compose`, `docker-compose`, and either with a part of its own: `compose.prod`, `docker-compose-test`.
fn is_compose(stem: &str) -> bool {
    let name = stem.strip_prefix("docker-").unwrap_or(stem);
    name.strip_prefix("compose").is_some_and(|rest| match stem.starts_with("docker-") {
        true => rest.is_empty() || rest.starts_with(['.', '-', '_']),
        false => rest.is_empty() || rest.starts_with('.'),
    })
}
