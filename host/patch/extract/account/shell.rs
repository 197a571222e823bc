//! Commands for a shell that a reply shows: those that change files of the repository are edits that nobody makes.

use super::super::names;
use super::mentions::Surroundings;
use guardhost_core::error::Result;

/// Programs that read, build or test. What is not known here and names a file of the repository may change it.
const HARMLESS: [&str; 85] = [
    "cat", "less", "more", "head", "tail", "grep", "egrep", "rg", "ag", "ls", "ll", "tree", "cd", "pushd", "popd",
    "pwd", "find", "fd", "echo", "printf", "wc", "diff", "cmp", "file", "stat", "which", "export", "set", "env",
    "time", "sort", "uniq", "cut", "awk", "sed", "jq", "yq", "python", "python3", "python2", "py", "pytest", "tox",
    "nox", "unittest", "node", "deno", "bun", "npm", "npx", "yarn", "pnpm", "jest", "vitest", "mocha", "tsc", "eslint",
    "cargo", "rustc", "rustfmt", "go", "gofmt", "make", "cmake", "ninja", "mvn", "gradle", "java", "javac", "ruby",
    "bundle", "rake", "rspec", "php", "composer", "docker", "pip", "pip3", "uv", "poetry", "ruff", "black", "mypy",
    "bash", "curl",
];

/// Commands of git that leave the files as they are, or do what the reply's own patch does.
const HARMLESS_GIT: [&str; 13] =
    ["add", "commit", "status", "diff", "log", "show", "push", "fetch", "apply", "am", "blame", "grep", "branch"];

/// The lines of a shell's input that change files of the repository, by their index.
pub(super) fn changes(text: &[&[u8]], files: &Surroundings) -> Result<Vec<usize>> {
    let mut changes = Vec::new();
    // Behind the first prompt only prompts have commands, and what is above it may be one itself, with an input that shows prompts.
    let first_prompt = text.iter().position(|line| prompted(line).is_some()).unwrap_or(text.len());
    for (at, line) in text.iter().enumerate() {
        let command = match prompted(line) {
            Some(command) => command,
            // What is between the prompts is output.
            None if at > first_prompt => continue,
            None => line.trim_ascii(),
        };
        if !command.starts_with(b"#") && is_change(command, files)? {
            changes.push(at);
        }
    }
    Ok(changes)
}

/// What stands behind a shell's prompt.
pub(super) fn prompted(line: &[u8]) -> Option<&[u8]> {
    line.trim_ascii_start().strip_prefix(b"$ ").map(<[u8]>::trim_ascii)
}

/// The first line of a text of no known language that is surely a command which changes files of the repository.
pub(super) fn surely_changes(text: &[&[u8]], files: &Surroundings) -> Result<Option<usize>> {
    for (at, line) in text.iter().enumerate() {
        let begins_so = |part: &str| {
            let mut words = part.split_whitespace().skip_while(|word| *word == "sudo");
            let Some(program) = words.next() else { return false };
            WRITERS.contains(&program.trim_start_matches('(').to_ascii_lowercase().as_str())
                || program == "git" && words.next().is_some_and(|sub| !HARMLESS_GIT.contains(&sub))
                || REDIRECTED.contains(&program) && part.contains('>')
                || EDITORS.contains(&program)
        };
        if parts(&String::from_utf8_lossy(line)).into_iter().any(begins_so) && is_change(line.trim_ascii(), files)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Programs that do nothing but change files.
const WRITERS: [&str; 24] = [
    "rm",
    "mv",
    "cp",
    "tee",
    "truncate",
    "dd",
    "install",
    "patch",
    "ed",
    "ex",
    "ln",
    "rsync",
    "touch",
    "unlink",
    "rmdir",
    "del",
    "move",
    "copy",
    "set-content",
    "add-content",
    "out-file",
    "remove-item",
    "move-item",
    "copy-item",
];

/// Programs whose output is usual to redirect. `a > b` may be code.
const REDIRECTED: [&str; 6] = ["echo", "printf", "cat", "awk", "jq", "envsubst"];

/// Programs that change files if an option says so, which is looked at.
const EDITORS: [&str; 6] = ["sed", "perl", "ruby", "gawk", "find", "fd"];

fn is_change(command: &[u8], files: &Surroundings) -> Result<bool> {
    let text = String::from_utf8_lossy(command);
    let parts = parts(&text);
    if applies_unreadable(&parts) {
        return Ok(true);
    }
    for part in parts {
        if is_written(part, files)? {
            return Ok(true);
        }
        let mut words = part.split_whitespace().skip_while(|word| word.contains('=') || *word == "sudo");
        let Some(program) = words.next() else { continue };
        let rest: Vec<&str> = words.collect();
        let writes = match program {
            "git" => rest.first().is_some_and(|sub| !HARMLESS_GIT.contains(sub)),
            "sed" | "perl" | "ruby" | "awk" | "gawk" => rest.iter().any(|word| {
                word.starts_with("-i")
                    || word.starts_with("--in-place")
                    || word.starts_with("-pi")
                    || *word == "inplace"
            }),
            "find" | "fd" => rest.contains(&"-delete") || rest.contains(&"-exec"),
            // Code that is handed to an interpreter may do anything.
            "python" | "python3" | "node" => rest.first().is_some_and(|word| matches!(*word, "-c" | "-e" | "-")),
            program => !HARMLESS.contains(&program) && !is_path(program),
        };
        // The file need not be there, nor be of a kind that the repository has.
        let is_own =
            |word: &&str| !word.starts_with(['-', '/', '~', '$']) && names::plausible(word.as_bytes(), &[]).is_some();
        if program == "touch" && rest.iter().any(is_own) {
            return Ok(true);
        }
        if writes && !files.mentioned(rest.join(" ").as_bytes())?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The commands of a line: what separates them inside of quotation marks is a part of one.
fn parts(line: &str) -> Vec<&str> {
    let (mut parts, mut from, mut quote) = (Vec::new(), 0, None);
    let mut is_escaped = false;
    for (at, c) in line.char_indices() {
        match (c, quote) {
            _ if is_escaped => is_escaped = false,
            ('\\', None | Some('"')) => is_escaped = true,
            ('\'' | '"', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            ('|' | ';' | '&', None) => {
                parts.push(&line[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    match quote {
        // An apostrophe, or a text that goes on below.
        Some(_) => line.split(['|', ';', '&']).collect(),
        None => {
            parts.push(&line[from..]);
            parts
        }
    }
}

/// Whether a patch or a program is run whose text the reply does not show: decoded, unpacked or fetched.
fn applies_unreadable(parts: &[&str]) -> bool {
    const HIDING: [&str; 9] = ["base64", "base32", "xxd", "uudecode", "openssl", "gunzip", "zcat", "curl", "wget"];
    let first = |part: &&str| part.split_whitespace().next().map(str::to_owned);
    let is_hiding = |part: &&str| first(part).is_some_and(|program| HIDING.contains(&program.as_str()));
    let applies = |part: &&str| {
        let mut words = part.split_whitespace();
        match words.next() {
            Some("git") => words.next().is_some_and(|sub| matches!(sub, "apply" | "am")),
            Some(program) => program == "patch",
            None => false,
        }
    };
    parts.iter().position(is_hiding).is_some_and(|hiding| parts[hiding..].iter().any(applies))
}

/// A program that is called by its path is run, whatever else it does.
fn is_path(program: &str) -> bool {
    program.contains('/')
}

/// Whether the output goes into a file of the repository.
fn is_written(part: &str, files: &Surroundings) -> Result<bool> {
    let Some((_, target)) = part.split_once('>') else { return Ok(false) };
    let target = target.trim_start_matches(['>', ' ']);
    let target = target.split_whitespace().next().unwrap_or_default();
    if target.starts_with("/tmp/") || target.starts_with("/dev/") {
        return Ok(false);
    }
    Ok(!files.mentioned(target.as_bytes())?.is_empty())
}
