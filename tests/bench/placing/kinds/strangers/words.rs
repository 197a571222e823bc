//! Edits in words or in notations of editors, beside a diff: all of it or nothing.

use super::super::super::corpus::Source;
use super::super::super::random::Random;
use super::super::super::trial::Trial;
use super::{Make, diff_fence, or_nothing, with_file};

const OTHER: &str = "assets/wordlist.txt";
const TEXT: &str = "apple\nbanana\ncherry\ndate\nelder\nfig\n";
const CHANGED: &str = "apple\nblueberry\ncherry\ndate\nelder\nfig\n";

/// The diff with `words` above or below it, which make of [`OTHER`] what `after` says.
fn with_words(source: &Source, random: &mut Random, after: Option<&str>, words: &str) -> Option<Trial> {
    let edit = source.plain()?;
    let text = match random.below(2) {
        0 => format!("{}\n{words}\n", diff_fence(edit)),
        _ => format!("{words}\n\nThe code:\n\n{}", diff_fence(edit)),
    };
    Some(with_file(or_nothing(Trial::right(edit, text)), OTHER, Some(TEXT), after))
}

pub const KINDS: [(&str, Make); 36] = [
    ("also delete", |source, random| {
        with_words(source, random, None, &format!("Also delete `{OTHER}`, nobody reads it any more."))
    }),
    ("rename in words", |source, random| {
        let trial = with_words(source, random, None, &format!("Rename `{OTHER}` to `assets/words.txt`."))?;
        Some(with_file(trial, "assets/words.txt", None, Some(TEXT)))
    }),
    ("move in words, bold", |source, random| {
        let trial = with_words(source, random, None, &format!("**Move** {OTHER} → assets/words.txt"))?;
        Some(with_file(trial, "assets/words.txt", None, Some(TEXT)))
    }),
    ("line to be added in words", |source, random| {
        with_words(
            source,
            random,
            Some("apple\nbanana\ncherry\ndate\nelder\nfig\ngrape\n"),
            &format!("At the end of {OTHER}, add the line `grape`."),
        )
    }),
    ("line to be changed in words", |source, random| {
        with_words(source, random, Some(CHANGED), &format!("In {OTHER}, line 2, change `banana` to `blueberry`."))
    }),
    ("find and replace on two lines", |source, random| {
        with_words(source, random, Some(CHANGED), &format!("{OTHER}\nFind: banana\nReplace: blueberry"))
    }),
    ("command of vim", |source, random| {
        with_words(source, random, Some(CHANGED), &format!("Open {OTHER} and run `:%s/banana/blueberry/`."))
    }),
    ("table of old and new", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!("| file | old | new |\n|---|---|---|\n| {OTHER} | banana | blueberry |"),
        )
    }),
    ("definition list", |source, random| {
        with_words(source, random, Some(CHANGED), &format!("{OTHER}:\n  line 2:\n    banana => blueberry"))
    }),
    ("old and new under headings", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!("### {OTHER}\n\n**Old**\n\n```\nbanana\n```\n\n**New**\n\n```\nblueberry\n```"),
        )
    }),
    ("strike and bold", |source, random| {
        with_words(source, random, Some(CHANGED), &format!("In `{OTHER}`: ~~banana~~ **blueberry**"))
    }),
    ("German: lösche", |source, random| {
        with_words(source, random, None, &format!("Lösche außerdem die Datei `{OTHER}`."))
    }),
    ("Chinese: 删除", |source, random| with_words(source, random, None, &format!("另外请删除 `{OTHER}` 文件。"))),
    ("Spanish: cambia", |source, random| {
        with_words(source, random, Some(CHANGED), &format!("En {OTHER} cambia `banana` por `blueberry`."))
    }),
    ("file in an HTML comment", |source, random| {
        with_words(source, random, Some(CHANGED), &format!("<!-- file: {OTHER} -->\n<pre>\n{CHANGED}</pre>"))
    }),
    ("file in an indented block", |source, random| {
        let code: String = CHANGED.lines().map(|line| format!("    {line}\n")).collect();
        with_words(source, random, Some(CHANGED), &format!("New content of {OTHER}:\n\n{code}"))
    }),
    ("file in a block quotation", |source, random| {
        let code: String = CHANGED.lines().map(|line| format!("> {line}\n")).collect();
        with_words(source, random, Some(CHANGED), &format!("{OTHER} should read:\n\n{code}"))
    }),
    ("file in base64", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!("{{\"path\": \"{OTHER}\", \"encoding\": \"base64\", \"content\": \"YXBwbGUK\"}}"),
        )
    }),
    ("TOML of an edit", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!("```toml\n[[edit]]\nfile = \"{OTHER}\"\nold = \"banana\"\nnew = \"blueberry\"\n```"),
        )
    }),
    ("YAML of an edit", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!("```yaml\nfile: {OTHER}\nreplace: banana\nwith: blueberry\n```"),
        )
    }),
    ("XML of an edit", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!(
                "<modification>\n  <target>{OTHER}</target>\n  <from>banana</from>\n  <to>blueberry</to>\n</modification>"
            ),
        )
    }),
    ("call in the notation of JavaScript", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!("edit_file({{path: \"{OTHER}\", old: \"banana\", new: \"blueberry\"}})"),
        )
    }),
    ("call in the notation of Python", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!("str_replace(path='{OTHER}', old_str='banana', new_str='blueberry')"),
        )
    }),
    ("Mentat: a block between marks", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!(
                "@@start\n{{\n \"file\": \"{OTHER}\",\n \"action\": \"replace\",\n \"start-line\": 2,\n \"end-line\": 2\n}}\n@@code\nblueberry\n@@end"
            ),
        )
    }),
    ("Agentless: a heading and marks of three", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!("### {OTHER}\n<<< SEARCH\nbanana\n===\nblueberry\n>>> REPLACE"),
        )
    }),
    ("Sweep: original_code and new_code", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!(
                "<modify file=\"{OTHER}\">\n<original_code>\nbanana\n</original_code>\n<new_code>\nblueberry\n</new_code>\n</modify>"
            ),
        )
    }),
    ("Replit: proposed_file_replace_substring", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!(
                "<proposed_file_replace_substring file_path=\"{OTHER}\">\n<old_str>\nbanana\n</old_str>\n<new_str>\nblueberry\n</new_str>\n</proposed_file_replace_substring>"
            ),
        )
    }),
    ("v0: QuickEdit", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!("<QuickEdit file=\"{OTHER}\">\n- banana becomes blueberry\n</QuickEdit>"),
        )
    }),
    ("Trae: update_file with replace_blocks", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!(
                "{{\"toolcall\": {{\"name\": \"update_file\", \"params\": {{\"file_path\": \"{OTHER}\", \"replace_blocks\": [{{\"old_str\": \"banana\", \"new_str\": \"blueberry\"}}]}}}}}}"
            ),
        )
    }),
    ("Goose: a heading of the call in Markdown", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!(
                "## text_editor\n\npath: {OTHER}\n\ncommand: str_replace\n\nold_str: banana\n\nnew_str: blueberry"
            ),
        )
    }),
    ("transcript of a shell with an editor", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!("$ sed --in-place 's/banana/blueberry/' {OTHER}\n$ git status\n M {OTHER}"),
        )
    }),
    ("Dockerfile-like RUN", |source, random| {
        with_words(source, random, None, &format!("```dockerfile\nRUN rm {OTHER}\n```"))
    }),
    ("make target", |source, random| {
        with_words(source, random, None, &format!("```makefile\nclean:\n\trm -f {OTHER}\n```"))
    }),
    ("node script", |source, random| {
        with_words(
            source,
            random,
            Some(CHANGED),
            &format!(
                "```js\nconst fs = require('fs')\nfs.writeFileSync('{OTHER}', fs.readFileSync('{OTHER}', 'utf8').replace('banana', 'blueberry'))\n```"
            ),
        )
    }),
    ("truncate to nothing", |source, random| {
        with_words(source, random, Some(""), &format!("```bash\n: > {OTHER}\n```"))
    }),
    ("do the same there", |source, random| {
        let edit = source.plain()?;
        let words = format!("Make the same change in `{OTHER}`.");
        let _ = random;
        Some(with_file(Trial::refused(edit, format!("{}\n{words}\n", diff_fence(edit))), OTHER, Some(TEXT), None))
    }),
];
