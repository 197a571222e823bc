//! And TypeScript, which shares most of it.

use guard_sdk::{Ecosystem, files};

use super::{Documented, Practice, Runner, Tool};

pub const JAVASCRIPT: Practice = Practice {
    name: "JavaScript",
    globs: files::Language::JavaScript.globs(),
    ecosystem: Ecosystem::Npm,
    manifest: "package.json",
    declares_as_data: true,
    locks: &[
        "package-lock.json",
        "npm-shrinkwrap.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "bun.lock",
        "bun.lockb",
        "deno.lock",
    ],
    lists: &[],
    version: &["\"engines\"", "\"packageManager\""],
    linter: Some(Tool {
        files: &[
            "/.eslintrc*",
            "/eslint.config.*",
            "/biome.json*",
            "/.oxlintrc.json",
            "/tslint.json",
            "/.jshintrc",
            "/deno.json*",
        ],
        words: &[(
            "package.json",
            &["\"eslint", "\"standard\"", "\"xo\"", "\"oxlint\"", "\"@biomejs/biome\"", "\"jshint\""],
        )],
    }),
    formatter: Some(Tool {
        files: &[
            "/.prettierrc*",
            "/prettier.config.*",
            "/biome.json*",
            "/dprint.json*",
            "/.dprint.json*",
            "/deno.json*",
        ],
        words: &[(
            "package.json",
            &["\"prettier", "\"@biomejs/biome\"", "\"dprint\"", "\"standard\"", "\"xo\"", "\"oxfmt\""],
        )],
    }),
    types: Some(Tool {
        files: &["/tsconfig.json", "/jsconfig.json"],
        words: &[("package.json", &["\"typescript\"", "\"flow-bin\""])],
    }),
    tests: &[
        &[
            "*.test.js",
            "*.spec.js",
            "*.test.jsx",
            "*.test.mjs",
            "*.test.cjs",
            "*_test.js",
            "*_spec.js",
            "/test.js",
            "/test.mjs",
            "/test.cjs",
        ],
        &["**/test/**/*.js", "**/tests/**/*.js", "**/__tests__/**/*.js", "**/test/**/*.mjs"],
    ],
    test_marks: &[],
    runner: Some(Runner {
        globs: &[
            "/jest.config.*",
            "/vitest.config.*",
            "/vitest.workspace.*",
            "/.mocharc*",
            "/karma.conf.*",
            "/playwright.config.*",
        ],
        scripts: true,
        ..Runner::NONE
    }),
    publishes_documents: false,
    is_public: |line| {
        let rest =
            line.strip_prefix("export ").map(|rest| rest.trim_start_matches("default ").trim_start_matches("async "));
        rest.is_some_and(|rest| {
            ["function", "class ", "interface ", "type ", "const "].iter().any(|word| rest.starts_with(word))
        })
    },
    documented: Documented::Above(&["*/", "///"]),
};

pub const TYPESCRIPT: Practice = Practice {
    name: "TypeScript",
    globs: files::Language::TypeScript.globs(),
    types: Some(Tool { files: &["tsconfig*.json", "/deno.json*"], words: &[("package.json", &["\"typescript\""])] }),
    tests: &[
        &["*.test.ts", "*.spec.ts", "*.test.tsx", "*.spec.tsx", "/test.ts"],
        &["**/test/**/*.ts", "**/tests/**/*.ts", "**/__tests__/**/*.ts"],
    ],
    ..JAVASCRIPT
};
