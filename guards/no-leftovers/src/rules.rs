//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("diff-left", "a file that is no diff gains a line of one: `diff --git`, `@@ -1,3 +1,4 @@`, `--- a/…` above `+++ b/…`, `*** Begin Patch`, `\\ No newline at end of file`"),
    Rule::new("signs-left", "lines gain the `+` or `-` of a diff in their first column"),
    Rule::new("edit-block-left", "a file gains one marker of an edit block or of a merge, such as `>>>>>>> REPLACE`, without the other markers; or all of them inside of a string"),
    Rule::new("fence-left", "a code fence stands between lines of code"),
    Rule::new("chatter-left", "a file gains a sentence of an assistant, such as \"Here's the updated file:\"; or what a tool shows around a file, such as `EOF` at its end, or the numbers of its lines"),
    Rule::new("nul-bytes", "a text file gains NUL bytes"),
    Rule::new("byte-order-mark-added", "a file that had no byte order mark gains one; has a fix"),
    Rule::new("line-endings-changed", "a file whose lines all ended alike gains lines with the other line ending; has a fix. A warning when all of its lines come to LF"),
    Rule::new("indentation-flipped", "a whole file that was indented with tabs is indented with spaces, or the other way round"),
    Rule::new("mode-changed", "a script loses its executable bit, or a file that is no program gains one"),
    Rule::new("junk-file", "the change adds a file that a tool leaves behind: `*.orig`, `*.rej`, `*.bak`, `*~`, `*.swp`, `__pycache__/`, `.DS_Store`, `node_modules/`"),
    Rule::new("ignored-file", "the change adds a file that a `.gitignore` of the base covers, where the base keeps none such. A warning outside of folders that builds make"),
    Rule::new("name-not-portable", "the change adds a file whose name another system cannot hold: `:`, `?` and the like, `aux.c`, a dot or blank at the end, or one that differs from another only in its case"),
    Rule::new("scratch-file", "the change adds a file that was of use only while it was made: a copy such as `parser_old.py` beside `parser.py`, a report such as `IMPLEMENTATION_SUMMARY.md`, a script such as `reproduce_issue.py` at the root, the output of a test run, a file built from sources"),
    Rule::new("pasted-twice", "a file holds its whole text twice"),
    Rule::new("file-emptied", "a file that had five lines at least has nothing left in it"),
    Rule::new("text-garbled", "a file gains text that was read in the wrong encoding, such as `â€™` for an apostrophe"),
    Rule::new("debugger-left", "code gains a call that only somebody who looks for a mistake wants: `dbg!`, `debugger`, `breakpoint()`, `pdb.set_trace()`, `binding.pry`, `var_dump()`"),
    Rule::new("hidden-character", "code gains a character that is not shown or turns the order of the line, such as U+200B and U+202E, or a word with Cyrillic letters that look like its Latin ones"),
    Rule::new("own-path", "code gains a path of one machine: the home of a person, or the folder of a sandbox. A warning in a configuration"),
    Rule::new("terminal-escape", "a file gains an escape sequence of a terminal, such as the byte ESC with `[32m` behind it"),
    Rule::new("citation-left", "a file gains a mark by which a chat shows a source: `【4†source】`, `:contentReference[oaicite:2]`, `utm_source=chatgpt.com`"),
    Rule::new("newline-escaped", "a list for a tool, such as `.gitignore` or `CODEOWNERS`, gains `\\n` as two characters where a line was meant to end"),
    Rule::new("fence-open", "a Markdown document gains a fence that nothing closes, or loses the one that closes it"),
    Rule::new("leads-outside", "the change adds a symbolic link that leads out of the repository, or the commit of another repository for which `.gitmodules` has no address"),
];
