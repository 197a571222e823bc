//! Every code block of `sdk/README.md` is run, in order, in one empty folder: what the guide shows is what happens.
//!
//! - a block with `<!-- file: PATH -->` before it is written to that file;
//! - of `console`, lines that begin with `$ ` are run by a shell and must succeed; the others must stand in what they print, in order,
//!   where `…` stands for anything;
//! - of `wit`, every line stands in `wit/guard`.
//!
//! A block of another kind fails: nobody would know whether it is true.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::author::{TemplateProject, root};

#[derive(Debug)]
struct Block {
    language: String,
    /// What the comment before it says.
    file: Option<String>,
    text: String,
    /// From 1.
    line: usize,
}

#[test]
fn every_code_block_is_true() {
    let guide = fs::read_to_string(root().join("sdk/README.md")).unwrap();
    let blocks = blocks(&guide);
    for language in ["console", "rust", "text", "toml", "wit"] {
        assert!(blocks.iter().any(|block| block.language == language), "no block of {language} was found");
    }
    // Dependencies of the Rust template are compiled once for all tests.
    let Some(project) = TemplateProject::build_template("rust") else { return };
    let kept = project.kept("target");
    let scratch = tempfile::tempdir().unwrap();
    let mut shell = Shell { folder: scratch.path().to_path_buf(), kept };
    for block in &blocks {
        match (&block.file, block.language.as_str()) {
            (Some(file), _) => {
                let file = scratch.path().join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, &block.text).unwrap();
            }
            (None, "console") => shell.play(block),
            (None, "wit") => stands_in_the_contract(block),
            _ => panic!("sdk/README.md:{}: a block of `{}` is neither run nor written", block.line, block.language),
        }
    }
}

fn blocks(guide: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut open, mut file) = (false, None);
    for (index, line) in guide.lines().enumerate() {
        if let Some(language) = line.strip_prefix("```") {
            if open {
                assert_eq!(language, "", "sdk/README.md:{}: a block within a block", index + 1);
            } else {
                let language = language.to_string();
                blocks.push(Block { language, file: file.take(), text: String::new(), line: index + 1 });
            }
            open = !open;
        } else if open {
            let block = blocks.last_mut().unwrap();
            block.text.push_str(line);
            block.text.push('\n');
        } else if let Some(comment) = line.strip_prefix("<!-- file: ") {
            file = Some(comment.strip_suffix(" -->").expect("a comment ends").to_string());
        }
    }
    assert!(!open, "the last block does not end");
    blocks
}

struct Shell {
    folder: PathBuf,
    kept: PathBuf,
}

impl Shell {
    fn play(&mut self, block: &Block) {
        let mut lines = block.text.lines().peekable();
        while let Some(line) = lines.next() {
            let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("sdk/README.md:{}: {line:?}", block.line));
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                expected.push(line);
            }
            if let Some(folder) = command.strip_prefix("cd ") {
                self.folder = self.folder.join(folder).canonicalize().unwrap();
                continue;
            }
            let printed = self.run(command);
            let mut rest = printed.lines();
            for line in expected {
                assert!(rest.any(|printed| fits(line, printed)), "{command}: no {line:?} in\n{printed}");
            }
        }
    }

    fn run(&self, command: &str) -> String {
        if self.folder.join("Cargo.toml").is_file() && !self.folder.join("target").exists() {
            symlink(&self.kept, self.folder.join("target")).unwrap();
        }
        let host = Path::new(env!("CARGO_BIN_EXE_host")).parent().unwrap().to_path_buf();
        let outer = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(host).chain(std::env::split_paths(&outer))).unwrap();
        let output = Command::new("sh")
            .args(["-euc", command])
            .current_dir(&self.folder)
            .env("PATH", path)
            .env("LANG", "C.UTF-8")
            .env("XDG_CACHE_HOME", root().join("target/languages/cache"))
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env("GUARDHOST_COLOR", "never")
            .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|key| (key, "Ada")))
            .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|key| (key, "ada@example.org")))
            .output()
            .unwrap();
        let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(output.status.success(), "{command}: {}\n{printed}", output.status);
        printed
    }
}

/// `pattern` with `…` for anything.
fn fits(pattern: &str, line: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('…') else { return pattern.trim() == line.trim() };
    let Some(line) = line.trim().strip_prefix(first.trim_start()) else { return false };
    if rest.is_empty() {
        return true;
    }
    line.char_indices().any(|(at, _)| fits(rest, &line[at..])) || fits(rest, "")
}

fn stands_in_the_contract(block: &Block) {
    let packages = fs::read_dir(root().join("wit")).unwrap().map(|package| package.unwrap().path());
    let files = packages.flat_map(|package| fs::read_dir(package).unwrap().map(|file| file.unwrap().path()));
    let contract: String = files.map(|file| fs::read_to_string(file).unwrap()).collect();
    let lines: Vec<&str> = contract.lines().map(str::trim).collect();
    for line in block.text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
        assert!(lines.contains(&line), "sdk/README.md:{}: not in wit/: {line}", block.line);
    }
}
