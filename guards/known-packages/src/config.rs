//! Which files are configuration, and which tool reads them.

use crate::name::Tool;

#[rustfmt::skip]
pub const GLOBS: &[&str] = &[
    "*.config.js", "*.config.cjs", "*.config.mjs", "*.config.ts", "*.config.cts", "*.config.mts", ".*rc.js", ".*rc.cjs", ".*rc.mjs", ".*rc.ts", ".*rc.json", ".*rc", "babel.config.json",
    "jest.config.json", "**/.vitepress/config.*", "**/.storybook/main.*", "**/.storybook/preview.*", "gulpfile.*", "Gruntfile.js", "karma.conf.js", "gatsby-*.js", "gatsby-*.ts", "conftest.py", "setup.py", "noxfile.py",
];

/// A configuration file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Config {
    Script(Tool),
    Json(Tool),
    Python,
}

pub fn from_path(path: &str) -> Option<Config> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if matches!(name, "conftest.py" | "setup.py" | "noxfile.py") {
        return Some(Config::Python);
    }
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let tool = match stem.trim_start_matches('.').split('.').next().unwrap_or_default().trim_end_matches("rc") {
        // Its strings name what the file itself imports and hands over as plugins.
        "eslint" if stem == "eslint.config" => Tool::Other,
        "eslint" => Tool::Eslint,
        "babel" => Tool::Babel,
        "jest" => Tool::Jest,
        "prettier" => Tool::Prettier,
        "stylelint" => Tool::Stylelint,
        "commitlint" => Tool::Commitlint,
        "postcss" => Tool::Postcss,
        _ => Tool::Other,
    };
    let rc = stem.starts_with('.') && stem.ends_with("rc");
    let folder = [".vitepress/", ".storybook/"].iter().any(|folder| path.contains(folder))
        && ["config", "main", "preview"].contains(&stem);
    match extension {
        "js" | "cjs" | "mjs" | "ts" | "cts" | "mts" => {
            let named = stem.ends_with(".config")
                || rc
                || folder
                || stem == "gulpfile"
                || name == "Gruntfile.js"
                || name == "karma.conf.js"
                || stem.starts_with("gatsby-");
            named.then_some(Config::Script(tool))
        }
        "json" if rc || stem.ends_with(".config") => (tool != Tool::Other).then_some(Config::Json(tool)),
        // `.eslintrc`: the dot is its first character, and what follows no extension.
        "eslintrc" | "babelrc" | "prettierrc" | "stylelintrc" | "commitlintrc" if stem.is_empty() => {
            let tool = match extension {
                "eslintrc" => Tool::Eslint,
                "babelrc" => Tool::Babel,
                "prettierrc" => Tool::Prettier,
                "stylelintrc" => Tool::Stylelint,
                _ => Tool::Commitlint,
            };
            Some(Config::Json(tool))
        }
        _ => None,
    }
}
