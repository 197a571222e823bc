//! Frameworks and packages that are made up.

use super::block::{joined, lines};
use super::verify::{Format, parses};
use super::{Files, Planted, Random, is_doc, is_own, one};

#[rustfmt::skip]
const MANIFESTS: [&str; 16] = [
    "package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "pyproject.toml", "setup.py", "setup.cfg", "Cargo.toml", "Cargo.lock", "go.mod", "Gemfile", "composer.json",
    "pom.xml", "build.gradle", "uv.lock", "poetry.lock",
];

/// Everything that says what the tree depends on, in lower case. None without a manifest.
fn declared(files: &Files) -> Option<String> {
    let is_manifest = |path: &&str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        MANIFESTS.contains(&name)
            || name.ends_with(".gemspec")
            || (name.contains("requirements") && name.ends_with(".txt"))
    };
    let text: String = files.paths().filter(is_manifest).filter_map(|path| bytes(files, path)).collect();
    (!text.is_empty()).then(|| text.to_lowercase())
}

/// Lock files are large.
fn bytes(files: &Files, path: &str) -> Option<String> {
    Some(String::from_utf8_lossy(&files.objects.blob(files.entry(path)?.oid).ok()?).into_owned())
}

/// What people call it, and the word that its packages hold.
#[rustfmt::skip]
const FRAMEWORKS: [(&str, &str); 18] = [
    ("React", "react"), ("Redux", "redux"), ("Vue.js", "vue"), ("Angular", "angular"), ("SvelteKit", "svelte"), ("Next.js", "next"), ("Nuxt", "nuxt"), ("Django", "django"),
    ("FastAPI", "fastapi"), ("Flask", "flask"), ("NestJS", "nest"), ("Tailwind CSS", "tailwind"), ("Material UI", "mui"), ("Actix Web", "actix"), ("Axum", "axum"), ("Ruby on Rails", "rails"),
    ("Spring Boot", "spring"), ("Laravel", "laravel"),
];

const CLAIMS: [&str; 13] = [
    "The frontend is built with {}.",
    "This project uses {} for its user interface.",
    "It is a {} application.",
    "The web interface is written in {} and talks to the core over HTTP.",
    "The project is built on top of {}.",
    "## Tech Stack\n\n- {}\n- Docker",
    "| Layer | Technology |\n|---|---|\n| Frontend | {} |",
    "- **Backend**: {}",
    "Our server is powered by {}.",
    "The API is served by {}.",
    "{} handles the HTTP layer.",
    "A {} backend exposes the data over HTTP.",
    "Application state is managed by {}.",
];

pub fn framework(files: &Files, random: &mut Random) -> Option<Planted> {
    let declared = declared(files)?;
    let (name, word) = one(&FRAMEWORKS, random)?;
    if declared.contains(word) {
        return None;
    }
    // A collection of examples or a list of others' projects claims nothing for itself.
    let wanted = |path: &str| {
        is_doc(path)
            && (path.to_lowercase().ends_with("readme.md") || path.contains("doc") || path.contains("CONTRIBUTING"))
            && !path.contains("example")
    };
    files.some(random, wanted).into_iter().find_map(|(path, text)| {
        if text.to_lowercase().contains(word) {
            return None;
        }
        let all = lines(&text);
        let heading = all.iter().position(|line| line.starts_with("# "))?;
        let blank = (heading + 1..all.len()).filter(|at| all[*at].is_empty()).nth(1)?;
        if all[..blank].iter().filter(|line| line.trim_start().starts_with("```")).count() % 2 == 1 {
            return None;
        }
        // In the introduction, where no heading or code tells what is spoken of.
        if all[heading + 1..blank].iter().any(|line| line.starts_with("```") || line.starts_with('#')) {
            return None;
        }
        let claim = one(&CLAIMS, random)?.replace("{}", name);
        let after = [&all[..=blank], &[claim.as_str(), ""], &all[blank + 1..]].concat();
        let kind = if claim.starts_with(['#', '|', '-']) { "list or table" } else { "sentence" };
        Some(Planted::new(&path, joined(&after), kind, claim.replace('\n', " ")))
    })
}

/// Real packages, so that only the manifests tell.
#[rustfmt::skip]
const PACKAGES: [&str; 14] = [
    "eslint-plugin-unicorn", "eslint-plugin-sonarjs", "prettier-plugin-tailwindcss", "@typescript-eslint/parser", "babel-plugin-styled-components", "vite-plugin-pwa", "rollup-plugin-visualizer",
    "webpack-bundle-analyzer", "@tailwindcss/typography", "postcss-nesting", "jest-environment-puppeteer", "left-pad", "@acme/config", "stylelint-config-recess-order",
];
#[rustfmt::skip]
const MODULES: [&str; 8] = ["pytest_mock_resources", "moto", "factory", "freezegun", "responses", "faker", "pandas", "boto3"];

pub fn package(files: &Files, random: &mut Random) -> Option<Planted> {
    let declared = declared(files)?;
    let is_script = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let tools = [
            "eslint",
            "babel",
            "jest",
            "vite",
            "vitest",
            "rollup",
            "webpack",
            "prettier",
            "tailwind",
            "postcss",
            "stylelint",
            "next",
            "astro",
            "playwright",
            "svelte",
        ];
        let config = name.contains(".config.") || name.contains("rc.");
        is_own(path)
            && !["test", "sandbox"].iter().any(|word| path.contains(word))
            && config
            && tools.iter().any(|tool| name.trim_start_matches('.').starts_with(tool))
            && Format::from_path(path).is_some_and(Format::is_script)
    };
    // A `setup.py` may declare anything.
    let is_python = |path: &str| {
        is_own(path) && !files.has("setup.py") && matches!(path.rsplit('/').next(), Some("conftest.py" | "noxfile.py"))
    };
    let choice = random.below(4);
    if choice == 0 || (!files.paths().any(is_script) && choice < 3) {
        if !files.has("package.json") {
            return python(files, random, &declared, is_python);
        }
        return created(files, random, &declared);
    }
    let module = (choice == 1).then(|| python(files, random, &declared, is_python)).flatten();
    if module.is_some() {
        return module;
    }
    let name = one(&PACKAGES, random).filter(|name| !declared.contains(**name))?;
    files.some(random, is_script).into_iter().find_map(|(path, text)| {
        let format = Format::from_path(&path)?;
        let modern = text.contains("import ") || text.contains("export ");
        let line = match (modern, text.contains("plugins: [") && random.below(2) == 0) {
            (_, true) if path.contains("prettier") || path.contains("babel") => None,
            (true, _) => Some(format!("import added from '{name}'\n")),
            (false, _) => Some(format!("const added = require('{name}')\n")),
        };
        let (after, kind) = match line {
            Some(line) => (format!("{line}{text}"), "import"),
            None => (text.replacen("plugins: [", &format!("plugins: ['{name}', "), 1), "plugins"),
        };
        (parses(format, &after) != Some(false)).then(|| Planted::new(&path, after, kind, format!("names {name}")))
    })
}

/// A configuration that nobody had.
fn created(files: &Files, random: &mut Random, declared: &str) -> Option<Planted> {
    let forms: [(&str, &str, &str); 5] = [
        (
            "prettier.config.js",
            "prettier-plugin-tailwindcss",
            "module.exports = {\n  semi: false,\n  plugins: ['{}'],\n};\n",
        ),
        ("postcss.config.cjs", "postcss-nesting", "module.exports = {\n  plugins: [require('{}')],\n};\n"),
        (".eslintrc.json", "eslint-plugin-sonarjs", "{\n  \"root\": true,\n  \"plugins\": [\"{}\"]\n}\n"),
        (
            "vitest.config.mjs",
            "vite-plugin-pwa",
            "import { VitePWA } from '{}'\n\nexport default { plugins: [VitePWA()] }\n",
        ),
        (
            "tailwind.config.js",
            "@tailwindcss/typography",
            "module.exports = {\n  content: ['./src/**/*.html'],\n  plugins: [require('{}')],\n};\n",
        ),
    ];
    let (path, name, text) = one(&forms, random)?;
    (!files.has(path) && !declared.contains(name))
        .then(|| Planted::new(path, text.replace("{}", name), "new file", format!("names {name}")))
}

fn python(files: &Files, random: &mut Random, declared: &str, wanted: impl Fn(&str) -> bool) -> Option<Planted> {
    let name = one(&MODULES, random)?;
    // A distribution may bear another name than its module.
    let dashed = name.replace('_', "-");
    if declared.contains(&dashed)
        || declared.contains(name)
        || !(declared.contains("[project]") || declared.contains("install_requires") || declared.contains("pytest"))
    {
        return None;
    }
    if files.paths().any(|path| path.contains(name)) {
        return None;
    }
    files.some(random, wanted).into_iter().find_map(|(path, text)| {
        let at = lines(&text).iter().position(|line| {
            line.starts_with("import ") || (line.starts_with("from ") && !line.contains("__future__"))
        })?;
        let mut all = lines(&text);
        let plugin = path.ends_with("conftest.py") && !text.contains("pytest_plugins") && random.below(3) == 0;
        let line = if plugin { format!("pytest_plugins = [\"{name}.plugin\"]") } else { format!("import {name}") };
        all.insert(at, &line);
        let after = joined(&all);
        (parses(Format::Python, &after) == Some(true)).then(|| Planted::new(&path, after, "python", line.clone()))
    })
}
