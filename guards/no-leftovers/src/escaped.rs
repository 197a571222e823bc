//! Lists for tools whose lines were written as one, with `\n` as two characters between them: the tool reads one entry that means nothing.

use guard_sdk::Finding;

use crate::added::Added;
use crate::place;

pub fn judge(added: &Added) -> Option<Finding> {
    let name = added.file.name().to_ascii_lowercase();
    let is_one = |line: &str| !line.trim_start().starts_with(['#', ';']) && line.contains("\\n");
    if !place::is_list(&name) || added.before().lines().any(is_one) {
        return None;
    }
    let (at, _) = added.new_lines().find(|(_, line)| is_one(line))?;
    let message = format!("the line has `\\n` as two characters, and {} reads it as one entry", added.path());
    let help = "End the line there, and write what follows into the next one.";
    Some(Finding::error("newline-escaped", message).at(added.path(), at as u32 + 1).help(help))
}
