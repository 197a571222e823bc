//! Commands for a shell that a reply shows: those that change files of the repository are edits that nobody makes.

use std::borrow::Cow;

use super::super::names;
use super::Known;
use super::tools::{self, Effect};
use bstr::ByteSlice;
use guardhost_core::change::{FileOp, FilePatch, Line, RepoPath};
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

/// Whether the text is a command of a program that reads, builds or tests, or its name.
pub(super) fn is_program(text: &str) -> bool {
    let program = text.split_whitespace().find(|word| !word.contains('=')).unwrap_or_default();
    program == "git" || HARMLESS.contains(&program)
}

/// The lines of a shell's input that change files of the repository, by their index.
pub(super) fn changes(text: &[&[u8]], known: &Known) -> Result<Vec<usize>> {
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
        let goes_on = at.checked_sub(1).is_some_and(|above| text[above].trim_ascii_end().ends_with(b"\\"));
        let command = with_continuation(command, &text[at + 1..]);
        if !command.starts_with(b"#")
            && (!goes_on && is_change(&command, known)? || runs_text_below(&command, &text[at + 1..], known)?)
        {
            changes.push(at);
        }
    }
    Ok(changes)
}

/// A command with the lines on which it goes on, each behind a `\`.
fn with_continuation<'t>(command: &'t [u8], below: &[&'t [u8]]) -> Cow<'t, [u8]> {
    let mut whole = Cow::Borrowed(command);
    for line in below {
        let Some(open) = whole.strip_suffix(b"\\") else { break };
        whole = Cow::Owned([open, b" ", line.trim_ascii()].concat());
    }
    whole
}

/// What stands behind a shell's prompt.
pub(super) fn prompted(line: &[u8]) -> Option<&[u8]> {
    line.trim_ascii_start().strip_prefix(b"$ ").map(<[u8]>::trim_ascii)
}

/// The first line of a text of no known language that is surely a command which changes files of the repository.
pub(super) fn surely_changes(text: &[&[u8]], known: &Known) -> Result<Option<usize>> {
    for (at, line) in text.iter().enumerate() {
        let begins_so = |part: &str| {
            let mut words = part.split_whitespace().skip_while(|word| matches!(*word, "sudo" | "RUN"));
            let Some(program) = words.next() else { return false };
            WRITERS.contains(&program.trim_start_matches('(').to_ascii_lowercase().as_str())
                || program == "git" && words.next().is_some_and(|sub| !HARMLESS_GIT.contains(&sub))
                || REDIRECTED.contains(&program) && part.contains('>')
                || EDITORS.contains(&program)
        };
        if parts(&String::from_utf8_lossy(line)).into_iter().any(begins_so) && is_change(line.trim_ascii(), known)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Whether a patch is applied the other way round, which says that the one of the reply is not to be applied as it is.
fn reverses(program: &str, rest: &[&str]) -> bool {
    let applies = program == "patch" || program == "git" && rest.first() == Some(&"apply");
    applies && rest.iter().any(|word| matches!(*word, "-R" | "--reverse"))
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

/// Programs that print what stands behind them.
const SPELLED_OUT: [&str; 2] = ["echo", "printf"];

/// Programs whose output is usual to redirect. `a > b` may be code.
const REDIRECTED: [&str; 6] = ["echo", "printf", "cat", "awk", "jq", "envsubst"];

/// Programs that change files if an option says so, which is looked at.
const EDITORS: [&str; 6] = ["sed", "perl", "ruby", "gawk", "find", "fd"];

fn is_change(command: &[u8], known: &Known) -> Result<bool> {
    let text = String::from_utf8_lossy(command);
    let parts = parts(&text);
    if applies_unreadable(&parts) {
        return Ok(true);
    }
    for part in parts {
        let hands_change_on = match handed_on(part) {
            Some(inner) => is_change(inner.as_bytes(), known)?,
            None => false,
        };
        if hands_change_on || is_written(part, known)? {
            return Ok(true);
        }
        let words: Vec<&str> = part.split_whitespace().skip_while(|word| is_before_program(word)).collect();
        let Some((program, rest)) = tools::run_by(&words).split_first() else { continue };
        let effect = tools::effect(program, rest);
        let named = known.files.mentioned(rest.join(" ").as_bytes())?;
        let is_edited = |path: &RepoPath| known.edits.iter().any(|edit| edit.path == *path);
        let has_effect = match effect {
            Effect::Any => true,
            // An edit of the reply says itself what is to stand there.
            Effect::Manifest(name) => !known.edits.iter().any(|edit| is_manifest_with(edit, name, rest)),
            Effect::Look => named.iter().any(|path| !is_edited(path)),
            Effect::Named => false,
        };
        if reverses(program, rest) || writes_in_place(program, rest) {
            return Ok(true);
        }
        let writes = match *program {
            "git" => rest.first().is_some_and(|sub| !HARMLESS_GIT.contains(sub)),
            "find" | "fd" => rest.contains(&"-delete"),
            "perl" => runs_code(program, rest),
            program => {
                runs_code(program, rest) || effect != Effect::Look && !HARMLESS.contains(&program) && !is_path(program)
            }
        };
        // The file need not be there, nor be of a kind that the repository has.
        let is_own =
            |word: &&str| !word.starts_with(['-', '/', '~', '$']) && names::plausible(word.as_bytes(), &[]).is_some();
        let may_make = matches!(*program, "touch" | "mv" | "cp" | "tee" | "install" | "truncate" | "ln");
        let makes =
            may_make && rest.iter().any(is_own) || fetches_into(program, rest).is_some_and(|word| is_own(&word));
        let takes_folder = matches!(*program, "rm" | "mv" | "cp" | "rmdir" | "del" | "move");
        let mut has_folder = false;
        for word in rest.iter().filter(|word| takes_folder && !word.starts_with('-')) {
            has_folder |= known.files.has_folder(word.trim_start_matches("./").trim_end_matches('/').as_bytes())?;
        }
        let makes = makes || has_folder;
        if has_effect || makes || writes && !named.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the program writes into what it reads, as an option says: `-i.bak`, `-ni`, `--in-place`, perl's `-0pi`. A file outside of the
/// repository may be meant.
fn writes_in_place(program: &str, rest: &[&str]) -> bool {
    // Behind the letter of an option that takes a text, the rest of the word is that text.
    let is_cluster = |word: &str, with_text: &str| {
        let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
        letters.chars().take_while(|letter| !with_text.contains(*letter)).any(|letter| letter == 'i')
    };
    let is_such = |word: &str| {
        word.starts_with("--in-place")
            || word.starts_with("--inplace")
            || match program {
                "sed" => is_cluster(word, "efl"),
                "perl" => is_cluster(word, "eEmMIFxCdDV"),
                "ruby" => is_cluster(word, "eIrCEFKTW"),
                "awk" | "gawk" => word == "inplace",
                _ => word == "-i",
            }
    };
    let is_outside = rest.last().is_some_and(|word| word.starts_with(['/', '~', '$']));
    ["sed", "perl", "ruby", "awk", "gawk", "yq"].contains(&program)
        && rest.iter().any(|word| is_such(word))
        && !is_outside
}

/// The file into which a program puts what it fetches, as an option says.
fn fetches_into<'w>(program: &str, rest: &[&'w str]) -> Option<&'w str> {
    let options: &[&str] = match program {
        "curl" => &["-o", "--output"],
        "wget" => &["-O", "--output-document"],
        _ => return None,
    };
    rest.windows(2).find(|two| options.contains(&two[0])).map(|two| two[1])
}

/// Whether the program is handed code, which may do anything. What prints each line that it reads, changed, says so.
fn runs_code(program: &str, rest: &[&str]) -> bool {
    let Some(first) = rest.first() else { return false };
    match program {
        "python" | "python2" | "python3" | "py" => matches!(*first, "-c" | "-"),
        "node" | "deno" | "bun" => matches!(*first, "-c" | "-e" | "--eval" | "eval" | "-"),
        "php" => *first == "-r",
        "perl" | "ruby" => {
            *first == "-" || first.starts_with('-') && first.ends_with(['e', 'E']) && !first.contains(['n', 'p'])
        }
        _ => false,
    }
}

/// The command that another one runs, as `find -exec` and `bash -c` do.
fn handed_on(command: &str) -> Option<&str> {
    const HANDING: [(&[&str], &[&str]); 2] =
        [(&["find", "fd"], &[" -exec ", " -execdir ", " -x ", " -X "]), (&["bash", "sh", "zsh"], &[" -c ", " -lc "])];
    let program = command.split_whitespace().next()?;
    let (_, options) = HANDING.iter().find(|(programs, _)| programs.contains(&program))?;
    let inner = options.iter().find_map(|option| Some(command.split_once(option)?.1))?;
    Some(inner.trim().trim_matches(['"', '\'']))
}

/// Words before a program that it is run by, with their options.
fn is_before_program(word: &str) -> bool {
    word.contains('=')
        || word.starts_with('-')
        || matches!(word, "sudo" | "RUN" | "env" | "time" | "nohup" | "xargs" | "{}")
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

/// Whether the edit writes the manifest of this name, with what the command would put there: one of its words.
fn is_manifest_with(edit: &FilePatch, name: &str, words: &[&str]) -> bool {
    let package =
        |word: &str| word.split(['@', '=', '<', '>', '~', '[']).find(|part| !part.is_empty()).map(str::to_owned);
    let packages: Vec<String> =
        words.iter().skip(1).filter(|word| !word.starts_with('-')).filter_map(|word| package(word)).collect();
    let has_one = |line: &[u8]| packages.iter().any(|package| line.contains_str(package));
    edit.path.file_name() == name.as_bytes()
        && match &edit.op {
            FileOp::Create(text) | FileOp::Write(text) => has_one(text),
            FileOp::Modify(hunks)
            | FileOp::Delete(hunks)
            | FileOp::Rename { hunks, .. }
            | FileOp::Copy { hunks, .. } => hunks
                .iter()
                .flat_map(|hunk| &hunk.lines)
                .any(|line| !matches!(line, Line::Context(_)) && has_one(line.bytes())),
        }
}

/// Whether the line is a command with which files are moved or deleted, and nothing else: prose does not begin so.
pub(super) fn moves_files(line: &[u8], known: &Known) -> Result<bool> {
    const BEGINNINGS: [&[u8]; 8] = [b"rm ", b"mv ", b"cp ", b"rmdir ", b"unlink ", b"git rm ", b"git mv ", b"sed -i"];
    Ok(BEGINNINGS.iter().any(|begin| line.starts_with(begin)) && is_change(line.trim_ascii(), known)?)
}

/// Whether the command hands the text below it to an interpreter, and that text speaks of a file of the repository.
fn runs_text_below(command: &[u8], below: &[&[u8]], known: &Known) -> Result<bool> {
    const INTERPRETERS: [&str; 9] = ["python", "python3", "node", "ruby", "perl", "php", "bash", "sh", "deno"];
    let text = String::from_utf8_lossy(command);
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_run = words.first().is_some_and(|program| INTERPRETERS.contains(program));
    let opens = command.contains_str("<<") || words.last() == Some(&"-c");
    if !is_run || !opens {
        return Ok(false);
    }
    for line in below {
        for path in known.files.mentioned(line)? {
            if known.files.exists(&path)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// A program that is called by its path is run, whatever else it does.
fn is_path(program: &str) -> bool {
    program.contains('/')
}

/// Whether the output goes into a file of the repository.
fn is_written(part: &str, known: &Known) -> Result<bool> {
    let Some((_, target)) = part.split_once('>') else { return Ok(false) };
    let target = target.trim_start_matches(['>', ' ']);
    let target = target.split_whitespace().next().unwrap_or_default();
    if target.starts_with("/tmp/") || target.starts_with("/dev/") {
        return Ok(false);
    }
    // A text that the command itself spells out makes the file, too.
    let spells_out = part.split_whitespace().next().is_some_and(|program| SPELLED_OUT.contains(&program));
    let is_own = !target.starts_with(['/', '~', '$', '&']) && names::plausible(target.as_bytes(), &[]).is_some();
    Ok(spells_out && is_own || !known.files.mentioned(target.as_bytes())?.is_empty())
}
