//! The hooks of git, as scripts for a shell. A hook that was there before runs after ours, and gets the same input.

use std::fs;

use super::command_line;
use super::marked;
use crate::hook::GitHook;
use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_git::{Repo, hooks_dir};

/// Added to the name of a hook that is no script for a shell.
pub(super) const MOVED: &str = ".before-guardhost";

/// A script of ours alone.
const FRESH: &str = "#!/bin/sh\n# Written by `host install git`.\n";
const NEXT: &str = "exec \"$0.before-guardhost\" \"$@\"\n";

/// Whether lines can be put into a hook: it is a script for a shell of POSIX.
pub(super) fn is_shell_script(text: &str) -> bool {
    const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "ash"];
    let Some(first) = text.strip_prefix("#!").and_then(|rest| rest.lines().next()) else { return false };
    let mut words = first.split_whitespace().filter(|word| !word.starts_with('-'));
    let name = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
    let program = words.next().map(name).unwrap_or_default();
    let program = if program == "env" { words.next().map(name).unwrap_or_default() } else { program };
    SHELLS.contains(&program.as_str()) && text.contains('\n')
}

/// What a hook does first. A missing program ends it with an error of the shell's, and git stops.
fn lines(hook: GitHook, program: &str) -> String {
    let judge = command_line::shell_line(program, &["hook", "git", hook.as_str(), "\"$@\""]);
    let feed = format!("printf '%s\\n' \"$guardhost_input\" | {judge} || exit 1\n");
    // Whoever reads the input next, finds it whole.
    let again = "if [ -n \"$guardhost_input\" ]; then\n  exec <<guardhost_end\n$guardhost_input\nguardhost_end\nelse\n  exec </dev/null\nfi\n";
    let read = "guardhost_input=$(cat)\n";
    match hook {
        GitHook::PreCommit => format!("{judge} </dev/null || exit 1\n"),
        GitHook::PrePush => format!("{read}{feed}{again}"),
        // It is called up to four times for every ref that moves, and can stop it once; what was fetched is noted when it is there. All other
        // calls end here, before anything is started.
        // Where file names have no case, refs/Heads is refs/heads. What the host looks for is in `hook/git/input.rs`. While a branch is a
        // symbolic ref, any ref may be the one that it leads to; before 2.46 git asks no hook when a branch becomes one.
        GitHook::ReferenceTransaction => {
            let changes = "prepared*/[Hh][Ee][Aa][Dd][Ss]/*|prepared*/[Rr][Ee][Pp][Ll][Aa][Cc][Ee]/*|committed*/[Rr][Ee][Mm][Oo][Tt][Ee][Ss]/*";
            let folder = "guardhost_dir=${GIT_DIR:-.git}\n  [ ! -f \"$guardhost_dir/commondir\" ] || guardhost_dir=$(git rev-parse --git-common-dir)\n";
            let symbolic = "find \"$guardhost_dir/refs/heads\" \"$guardhost_dir/refs/namespaces\" -type l -print -o -type f -exec grep -l '^ref:' {} + 2>/dev/null";
            let zero = Oid::ZERO_SHA1;
            // Packing removes the file of each ref that is packed, by a transaction of its own, which looks as if the ref were deleted. But who
            // deletes a ref holds the lock of the packed ones all the while, so that nobody packs it: where there is none and they have
            // the value, nothing goes. 300 branches took 22 s with a start of the host (debug build) for each.
            let packed = format!(
                "guardhost_state=$1\ncase \"$1$guardhost_input\" in\n*'\n'*) ;;\nprepared*' {zero} refs/'*)\n  {folder}  [ -n \"$GIT_COMMON_DIR\" ] || [ -e \"$guardhost_dir/packed-refs.lock\" ] || ! grep -qxF \"${{guardhost_input%% *}} ${{guardhost_input##* }}\" \"$guardhost_dir/packed-refs\" 2>/dev/null || guardhost_state=packed ;;\ncommitted*' {zero} refs/'*)\n  guardhost_state=gone ;;\nesac\n"
            );
            // A ref that goes brings nothing to a branch: every commit removes AUTO_MERGE. To look through 10,000 branches takes 0.1 s.
            let other = format!(
                "prepared*'\n'*)\n  guardhost_why=look ;;\nprepared*' {zero} '*) ;;\nprepared*)\n  guardhost_why=look ;;\n"
            );
            format!(
                "case \"$1\" in prepared|committed)\n{read}{packed}guardhost_why=\ncase \"$guardhost_state$guardhost_input\" in {changes})\n  guardhost_why=ref ;;\n{other}esac\nif [ \"$guardhost_why\" = look ]; then\n  {folder}  guardhost_why=$({symbolic})\nfi\nif [ -n \"$guardhost_why\" ]; then\n  {feed}fi\n{again};;\nesac\n"
            )
        }
    }
}

/// Whether the host is asked before a branch of this repository moves.
///
/// # Errors
/// The settings of git cannot be read.
pub fn judges_moves(repo: &Repo) -> Result<bool> {
    let path = hooks_dir(repo)?.join(GitHook::ReferenceTransaction.as_str());
    Ok(fs::read_to_string(path).is_ok_and(|text| marked::remove(&text).is_some()))
}

/// The script with ours in it; `before` is None where there is none.
pub(super) fn install(hook: GitHook, before: Option<&str>, program: &str) -> String {
    let block = marked::block(&lines(hook, program));
    let before = before.map(|text| marked::remove(text).unwrap_or_else(|| text.to_owned()));
    match before.as_deref() {
        None | Some(FRESH) => format!("{FRESH}{block}"),
        Some(script) => marked::insert(script, script.find('\n').map_or(script.len(), |end| end + 1), &block),
    }
}

/// A script that starts the moved hook when ours has nothing against it.
pub(super) fn install_before_moved(hook: GitHook, program: &str) -> String {
    format!("{}{NEXT}", install(hook, None, program))
}

pub(super) fn starts_moved(text: &str) -> bool {
    marked::remove(text).is_some_and(|rest| rest == format!("{FRESH}{NEXT}"))
}

/// The script as it was before; None when there was none.
pub(super) fn remove(text: &str) -> Option<String> {
    match marked::remove(text) {
        None => Some(text.to_owned()),
        Some(rest) => Some(rest).filter(|rest| rest != FRESH),
    }
}
