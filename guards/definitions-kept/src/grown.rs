//! Files that no call can read whole: a change of a thousand files, and a file that was stuffed until it is not read any more.

use guard_sdk::Finding;

use crate::effort::Effort;
use crate::touched::Touched;

/// Bytes. A smaller file is read, if it is read before larger ones.
const LARGE: usize = 256 << 10;

/// How many times its size in the base a file has that was stuffed.
const TIMES: usize = 8;

/// Whether each file may be parsed. The smallest come first, so that one large file does not hide the others.
pub fn worth(files: &[&Touched], effort: &Effort) -> Vec<bool> {
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|index| files[*index].lines.before.len() + files[*index].lines.after.len());
    let mut worth = vec![false; files.len()];
    for index in order {
        worth[index] = files[index].is_worth(effort);
    }
    worth
}

/// For a file that is not parsed. An error, if the change itself made it too large.
pub fn finding(file: &Touched) -> Finding {
    let (path, before, after) = (file.path(), file.lines.before.len(), file.lines.after.len());
    if after >= LARGE && after / TIMES >= before {
        let message = format!("{path} grows from {before} to {after} bytes, and can no longer be judged");
        return Finding::error("grown-too-large", message)
            .file(path)
            .help(format!("Keep {path} smaller: put data and generated code into a file of its own."));
    }
    Finding::info("not-judged", format!("{path} was not judged: the change is larger than one call can read"))
        .file(path)
}
