//! Slips that any reader would point at, and tests and coroutines that do less than they seem to.

use guardhost_core::change::Task;

use super::block::{any, functions, joined, lines};
use super::slips::{in_a_body, is_code};
use super::verify::Format;
use super::{Files, Planted, Random, is_own, one};

pub fn never_reached(files: &Files, random: &mut Random) -> Option<Planted> {
    in_a_body(
        files,
        random,
        &[&["return None"], &["raise ValueError(\"no\")"]],
        &[&["return;"], &["throw new Error(\"no\");"]],
    )
}

pub fn compared(files: &Files, random: &mut Random) -> Option<Planted> {
    in_a_body(files, random, &[&["__name__ == \"main\""], &["__name__ == None"]], &[&["globalThis.name === \"main\";"]])
}

pub fn asked_again(files: &Files, random: &mut Random) -> Option<Planted> {
    in_a_body(
        files,
        random,
        &[&[
            "if __name__ == \"a\":",
            "    print()",
            "elif __name__ == \"b\":",
            "    print(1)",
            "elif __name__ == \"a\":",
            "    print(2)",
        ]],
        &[&[
            "if (globalThis.name === \"a\") {",
            "  void 0;",
            "} else if (globalThis.name === \"b\") {",
            "  void 1;",
            "} else if (globalThis.name === \"a\") {",
            "  void 2;",
            "}",
        ]],
    )
}

pub fn key_twice(files: &Files, random: &mut Random) -> Option<Planted> {
    in_a_body(
        files,
        random,
        &[&["dict({", "    \"first\": 1,", "    \"second\": 2,", "    \"first\": 3,", "})"]],
        &[&["void {", "  first: 1,", "  second: 2,", "  first: 3,", "};"]],
    )
}

fn is_python(path: &str) -> bool {
    is_own(path) && path.ends_with(".py") && !path.ends_with("__init__.py") && !path.ends_with("conftest.py")
}

pub fn shared_default(files: &Files, random: &mut Random) -> Option<Planted> {
    files.some(random, |path| is_python(path) && is_code(path)).into_iter().find_map(|(path, text)| {
        let added = *one(
            &[
                "def gather_item(item, items=[]):\n    items.append(item)\n    return items\n",
                "class ItemBox:\n    def __init__(self, items={}):\n        self.items = items\n",
                "def count_items(items, seen: dict = {}):\n    for item in items:\n        seen[item] = 1\n    return len(seen)\n",
            ],
            random,
        )?;
        let is_whole = !text.is_empty() && text.ends_with('\n');
        is_whole.then(|| Planted::new(&path, format!("{text}\n\n{added}"), "python", added.lines().next().unwrap_or_default()))
    })
}

/// A top-level function or test, pasted again at the end.
pub fn defined_twice(files: &Files, random: &mut Random) -> Option<Planted> {
    files.some(random, is_python).into_iter().find_map(|(path, text)| {
        let all = lines(&text);
        let functions = functions(Format::Python, &all);
        let is_plain = |head: usize| {
            let above = head.checked_sub(1).map_or("", |at| all[at].trim());
            all[head].starts_with("def ") && above.is_empty()
        };
        let block = any(&functions, random, |block| is_plain(block.lines.start) && block.body.len() > 1)?;
        let copy: Vec<String> = all[block.lines.start..block.body.end].iter().map(|line| (*line).to_owned()).collect();
        let what = copy[0].clone();
        let name = what.strip_prefix("def ")?.split('(').next()?.to_owned();
        // What mentions it at the top of the file may take the first.
        let behind = all[block.body.end..].iter().any(|line| line.contains(&name));
        (!behind).then(|| Planted::new(&path, format!("{}\n\n\n{}", text.trim_end(), joined(&copy)), "python", what))
    })
}

/// In Go, whose compiler refuses it: elsewhere an unused import is a warning.
pub fn imported(files: &Files, random: &mut Random) -> Option<Planted> {
    files.some(random, |path| is_own(path) && path.ends_with(".go")).into_iter().find_map(|(path, text)| {
        let (import, name) = *one(&[("\t\"container/ring\"\n", "ring"), ("\t\"expvar\"\n", "expvar")], random)?;
        let block = "import (\n";
        let at = text.find(block)? + block.len();
        (!text.contains(&format!("{name}."))).then(|| Planted {
            task: Some(Task { text: "Mend the total.".into(), ..Task::default() }),
            ..Planted::new(&path, format!("{}{import}{}", &text[..at], &text[at..]), "go", import.trim())
        })
    })
}

/// A list of cases, one a line, of which only the first stays.
pub fn cases_lost(files: &Files, random: &mut Random) -> Option<Planted> {
    files.some(random, |path| is_own(path) && path.ends_with(".py") && path.contains("test")).into_iter().find_map(
        |(path, text)| {
            let all = lines(&text);
            let heads: Vec<usize> = (0..all.len()).filter(|at| all[*at].contains("mark.parametrize(")).collect();
            let lists = heads.into_iter().filter_map(|head| {
                let open = (head..all.len().min(head + 4)).find(|at| all[*at].trim_end().ends_with('['))?;
                let items = all[open + 1..]
                    .iter()
                    .take_while(|line| line.trim_start().starts_with('(') && line.trim_end().ends_with("),"))
                    .count();
                let closes = all.get(open + 1 + items)?.trim_start().starts_with(']');
                (closes && items >= 4).then_some((open + 1, items))
            });
            let lists: Vec<_> = lists.collect();
            let (first, items) = *one(&lists, random)?;
            let kept: Vec<String> = all
                .iter()
                .enumerate()
                .filter(|(at, _)| *at <= first || *at >= first + items)
                .map(|(_, line)| (*line).to_owned())
                .collect();
            Some(Planted::new(&path, joined(&kept), "python", format!("{} cases gone", items - 1)))
        },
    )
}

/// A method that is a coroutine, called without `await`.
pub fn method_unawaited(files: &Files, random: &mut Random) -> Option<Planted> {
    files.some(random, |path| is_python(path) && is_code(path)).into_iter().find_map(|(path, text)| {
        let all = lines(&text);
        let is_statement = |at: &usize| {
            let line = all[*at].trim();
            let Some(name) =
                line.strip_prefix("await self.").and_then(|rest| rest.split_once('(')).map(|(name, _)| name)
            else {
                return false;
            };
            let coroutine = format!("async def {name}(");
            line.ends_with(')')
                && line.matches('(').count() == line.matches(')').count()
                && text.matches(&coroutine).count() == text.matches(&format!("def {name}(")).count()
                && text.contains(&format!("    {coroutine}"))
        };
        let places: Vec<usize> = (0..all.len()).filter(is_statement).collect();
        let at = *one(&places, random)?;
        let mut new: Vec<String> = all.iter().map(|line| (*line).to_owned()).collect();
        new[at] = new[at].replacen("await ", "", 1);
        Some(Planted::new(&path, joined(&new), "python", new[at].trim().to_owned()))
    })
}
