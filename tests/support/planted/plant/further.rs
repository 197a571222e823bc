//! Mistakes of kinds that strangers named first: what a chat or a terminal shows in a document, ways out of a `finally`, checks that are never made.

use super::slips::in_a_body;
use super::{Files, Planted, Random, is_doc, is_own, one};

/// A text at the end of a document of the project.
fn at_the_end(files: &Files, random: &mut Random, kind: &str, texts: &[&str]) -> Option<Planted> {
    files.some(random, is_doc).into_iter().find_map(|(path, text)| {
        let added = *one(texts, random)?;
        let is_plain = text.ends_with('\n') && text.matches("```").count() % 2 == 0;
        is_plain
            .then(|| Planted::new(&path, format!("{text}\n{added}\n"), kind, added.lines().next().unwrap_or_default()))
    })
}

pub fn escape(files: &Files, random: &mut Random) -> Option<Planted> {
    at_the_end(
        files,
        random,
        "escape",
        &["```\n\u{1b}[32mok\u{1b}[0m\n```", "The last line is \u{1b}[1mdone\u{1b}[0m."],
    )
}

pub fn citation(files: &Files, random: &mut Random) -> Option<Planted> {
    let texts = [
        "The order is kept【4†source】.",
        "Settings stay apart :contentReference[oaicite:2]{index=2}.",
        "See [the page](https://example.org/?utm_source=chatgpt.com).",
    ];
    at_the_end(files, random, "citation", &texts)
}

pub fn open_fence(files: &Files, random: &mut Random) -> Option<Planted> {
    at_the_end(files, random, "fence", &["```sh\nmake all\n\nThe rest follows.", "~~~\nmake all\n\nThe rest follows."])
}

pub fn leaves_finally(files: &Files, random: &mut Random) -> Option<Planted> {
    in_a_body(
        files,
        random,
        &[&["try:", "    print()", "finally:", "    return None"]],
        &[&["try {", "  void 0;", "} finally {", "  return;", "}"]],
    )
}

pub fn changes_in_loop(files: &Files, random: &mut Random) -> Option<Planted> {
    let python: [&[&str]; 2] = [
        &["rows = {}", "for row in rows:", "    if row:", "        del rows[row]"],
        &["rows = []", "for row in rows:", "    if not row:", "        rows.remove(row)"],
    ];
    in_a_body(files, random, &python, &[])
}

pub fn undecided_order(files: &Files, random: &mut Random) -> Option<Planted> {
    in_a_body(
        files,
        random,
        &[],
        &[&["[2, 1].sort((a, b) => a > b);"], &["[[2], [1]].sort((a, b) => a.length < b.length);"]],
    )
}

pub fn format(files: &Files, random: &mut Random) -> Option<Planted> {
    in_a_body(files, random, &[&["print(\"%s of %s\" % (1, 2, 3))"], &["logging.warning(\"%s of %s\", 1)"]], &[])
}

pub fn unmade(files: &Files, random: &mut Random) -> Option<Planted> {
    let is_test = |path: &str| {
        is_own(path) && path.rsplit('/').next().is_some_and(|name| name.starts_with("test_") && name.ends_with(".py"))
    };
    files.some(random, is_test).into_iter().find_map(|(path, text)| {
        let added = *one(
            &[
                "def test_the_answer_is_told():\n    assert (1 + 1 == 3, \"the sum\")\n",
                "def test_the_answer_is_asked(caller):\n    assert caller.called_once_with(1)\n",
            ],
            random,
        )?;
        text.ends_with('\n').then(|| {
            Planted::new(&path, format!("{text}\n\n{added}"), "python", added.lines().nth(1).unwrap_or_default())
        })
    })
}

pub fn constant_condition(files: &Files, random: &mut Random) -> Option<Planted> {
    let is_workflow = |path: &str| path.starts_with(".github/workflows/") && path.ends_with(".yml");
    files.some(random, is_workflow).into_iter().find_map(|(path, text)| {
        let is_condition = |line: &&str| line.trim_start().starts_with("if: github.event_name == '");
        let line = text.lines().find(is_condition)?;
        let new = line.replace("github.event_name", "${{ github.event_name }}");
        Some(Planted::new(&path, text.replacen(line, &new, 1), "workflow", new.trim()))
    })
}

pub fn unbound(files: &Files, random: &mut Random) -> Option<Planted> {
    files.some(random, |path| path == "package.json").into_iter().find_map(|(path, text)| {
        let at = text.find("\"devDependencies\": {").or_else(|| text.find("\"dependencies\": {"))?;
        let line = text[at..].lines().nth(1).filter(|line| line.contains("\": \"^"))?;
        let (name, _) = line.split_once("\": \"")?;
        let end = if line.ends_with(',') { "," } else { "" };
        Some(Planted::new(&path, text.replacen(line, &format!("{name}\": \"*\"{end}"), 1), "npm", line.trim()))
    })
}
