//! The programming and markup languages of a tree, by file names. Data and prose (JSON, YAML, Markdown) do not count.

use serde::Serialize;

use guardhost_core::change::{Objects, Oid, RepoPath};
use guardhost_core::error::Result;

use super::survey;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LanguageFiles {
    pub name: &'static str,
    pub files: u32,
    /// Sum of the files' sizes.
    pub bytes: u64,
}

/// By number of files, most first. A separate walk, because it reads the size of every source file: that takes longer than all other
/// facts together, and few guards need it.
pub fn languages(objects: &dyn Objects, tree: Oid) -> Result<Vec<LanguageFiles>> {
    let mut sources: Vec<(&'static str, Oid)> = Vec::new();
    survey::walk(objects, tree, |_, name, oid| sources.extend(language(name).map(|language| (language, oid))))?;
    let mut languages: Vec<LanguageFiles> = Vec::new();
    for (name, oid) in sources {
        let bytes = objects.blob_size(oid)?;
        match languages.iter_mut().find(|language| language.name == name) {
            Some(language) => {
                language.files += 1;
                language.bytes += bytes;
            }
            None => languages.push(LanguageFiles { name, files: 1, bytes }),
        }
    }
    languages.sort_by(|a, b| (b.files, b.bytes, a.name).cmp(&(a.files, a.bytes, b.name)));
    Ok(languages)
}

/// Whether a path is that of a source file: code or markup, as opposed to data, prose and media.
pub fn is_source(path: &RepoPath) -> bool {
    let known = |name: &str| language(name).is_some();
    // Some systems take `A.PY` for Python too, and `.R` and `.S` are written in upper case.
    std::str::from_utf8(path.file_name()).is_ok_and(|name| known(name) || known(&name.to_ascii_lowercase()))
}

fn language(name: &str) -> Option<&'static str> {
    match name {
        "Dockerfile" | "Containerfile" => return Some("Dockerfile"),
        "Makefile" | "GNUmakefile" | "makefile" => return Some("Makefile"),
        "CMakeLists.txt" => return Some("CMake"),
        "Rakefile" | "Gemfile" => return Some("Ruby"),
        "Jenkinsfile" => return Some("Groovy"),
        "BUILD" | "BUILD.bazel" | "WORKSPACE" => return Some("Starlark"),
        _ => {}
    }
    // A dot at the start marks a hidden file, not an extension.
    let (_, extension) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
    Some(match extension {
        "rs" => "Rust",
        "py" | "pyi" | "pyw" | "pyx" | "pxd" | "pxi" => "Python",
        "js" | "mjs" | "cjs" | "jsx" => "JavaScript",
        "ts" | "mts" | "cts" | "tsx" => "TypeScript",
        "go" => "Go",
        "rb" | "gemspec" | "rake" | "ru" => "Ruby",
        "php" | "phtml" | "php5" | "phps" => "PHP",
        "java" => "Java",
        "kt" | "kts" => "Kotlin",
        "scala" | "sc" | "mill" => "Scala",
        "groovy" | "gradle" => "Groovy",
        "clj" | "cljs" | "cljc" => "Clojure",
        "c" | "h" => "C",
        "cc" | "cpp" | "cxx" | "c++" | "hh" | "hpp" | "hxx" | "h++" | "ipp" | "tpp" | "cppm" | "ixx" => "C++",
        "cu" | "cuh" => "CUDA",
        "glsl" | "vert" | "frag" => "GLSL",
        "hlsl" => "HLSL",
        "wgsl" => "WGSL",
        "metal" => "Metal",
        "cs" => "C#",
        "fs" | "fsi" | "fsx" => "F#",
        "vb" | "vbs" => "Visual Basic",
        "cshtml" | "razor" => "Razor",
        "swift" => "Swift",
        "m" | "mm" => "Objective-C",
        "zig" => "Zig",
        "nim" => "Nim",
        "d" => "D",
        "hs" | "lhs" => "Haskell",
        "purs" => "PureScript",
        "idr" => "Idris",
        "lean" => "Lean",
        "agda" => "Agda",
        "ml" | "mli" => "OCaml",
        "ex" | "exs" | "eex" | "heex" => "Elixir",
        "gleam" => "Gleam",
        "cr" => "Crystal",
        "erl" | "hrl" => "Erlang",
        "elm" => "Elm",
        "lua" | "luau" => "Lua",
        "tcl" => "Tcl",
        "awk" => "Awk",
        "pl" | "pm" => "Perl",
        "raku" | "rakumod" => "Raku",
        "r" | "R" => "R",
        "jl" => "Julia",
        "dart" => "Dart",
        "sh" | "bash" | "zsh" | "fish" | "ksh" | "csh" | "nu" => "Shell",
        "ps1" | "psd1" | "psm1" => "PowerShell",
        "bat" | "cmd" => "Batch",
        "sql" => "SQL",
        "html" | "htm" | "xhtml" => "HTML",
        "graphql" | "gql" => "GraphQL",
        "coffee" => "CoffeeScript",
        "mojo" => "Mojo",
        "css" => "CSS",
        "scss" | "sass" => "Sass",
        "less" => "Less",
        "vue" => "Vue",
        "svelte" => "Svelte",
        "astro" => "Astro",
        "tf" | "hcl" => "HCL",
        "bicep" => "Bicep",
        "rego" => "Rego",
        "cue" => "CUE",
        "jsonnet" | "libsonnet" => "Jsonnet",
        "dockerfile" | "containerfile" => "Dockerfile",
        "mk" | "mak" => "Makefile",
        "nix" => "Nix",
        "cmake" => "CMake",
        "proto" => "Protocol Buffers",
        "thrift" => "Thrift",
        "f90" | "f95" | "f03" | "f08" => "Fortran",
        "cob" | "cbl" => "COBOL",
        "pas" | "dpr" => "Pascal",
        "adb" | "ads" => "Ada",
        "vhd" | "vhdl" => "VHDL",
        "sv" | "svh" => "SystemVerilog",
        "cairo" => "Cairo",
        "vy" => "Vyper",
        "bzl" | "bazel" | "star" => "Starlark",
        "wat" | "wast" => "WebAssembly",
        "asm" | "s" | "S" => "Assembly",
        "vim" => "Vim script",
        "el" | "lisp" | "scm" | "rkt" | "fnl" => "Lisp",
        "sol" => "Solidity",
        _ => return None,
    })
}
