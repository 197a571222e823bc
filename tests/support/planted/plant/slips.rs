//! What agents leave in code: errors that are hidden, doors that are opened, their own machine, copies.

use super::block::{Block, any, depth, family, functions, joined, language, lines};
use super::verify::Format;
use super::{Files, Planted, Random, is_own, one};

pub fn is_code(path: &str) -> bool {
    let lower = path.to_lowercase();
    let other = [
        "test",
        "spec",
        "example",
        "demo",
        "docs/",
        "doc/",
        "bench",
        "script",
        "conftest",
        "encod",
        "unicode",
        "locale",
        "i18n",
        "playground",
        "setup.py",
        "config",
        "e2e",
        "mock",
        "stories",
    ];
    is_own(path) && language(path).is_some() && !other.iter().any(|word| lower.contains(word))
}

/// Lines put at the beginning of a function's body, by language.
pub fn in_a_body(files: &Files, random: &mut Random, python: &[&[&str]], script: &[&[&str]]) -> Option<Planted> {
    files.some(random, is_code).into_iter().find_map(|(path, text)| {
        let format = language(&path)?;
        let table = match format {
            Format::Python => python,
            Format::JavaScript | Format::TypeScript => script,
            _ => return None,
        };
        if table.is_empty() {
            return None;
        }
        let added = *one(table, random)?;
        let all = lines(&text);
        let functions = functions(format, &all);
        let block = any(&functions, random, |block| place(&all, block).is_some())?;
        let at = place(&all, block)?;
        let indent = " ".repeat(all[at].len() - all[at].trim_start().len());
        if all[at].starts_with('\t') || indent.is_empty() {
            return None;
        }
        let added: Vec<String> = added.iter().map(|line| format!("{indent}{line}")).collect();
        let before: Vec<String> = all[..at].iter().map(|line| (*line).to_owned()).collect();
        let behind: Vec<String> = all[at..].iter().map(|line| (*line).to_owned()).collect();
        let what = added[0].trim().to_owned();
        Some(Planted::new(&path, joined(&[before, added, behind].concat()), family(format), what))
    })
}

/// A plain statement of a body, before which another may stand.
fn place(all: &[&str], block: &Block) -> Option<usize> {
    let begin = depth(all.get(block.body.start)?);
    let quoted =
        |at: usize| all[block.body.start..at].iter().map(|line| line.matches("\"\"\"").count()).sum::<usize>() % 2 == 1;
    block.body.clone().find(|at| {
        let line = all[*at].trim_start();
        let is_plain = line.starts_with("return ")
            || line.starts_with("const ")
            || line.starts_with("let ")
            || line.split(' ').nth(1) == Some("=");
        let above = all[at - 1].trim_end();
        let ends = above.is_empty() || above.ends_with([':', '{', ';', '}']) || above.ends_with("\"\"\"");
        depth(all[*at]) == begin && begin > 0 && is_plain && ends && !quoted(*at)
    })
}

pub fn swallowed(files: &Files, random: &mut Random) -> Option<Planted> {
    in_a_body(
        files,
        random,
        &[&["try:", "    print()", "except Exception:", "    pass"], &["try:", "    print()", "except: pass"]],
        &[&["try {", "  void 0;", "} catch (e) {}"], &["try {", "  void 0;", "} catch (error) {", "}"]],
    )
}

pub fn unverified(files: &Files, random: &mut Random) -> Option<Planted> {
    in_a_body(
        files,
        random,
        &[&["dict(verify=False)"], &["dict(verify_ssl=False)"], &["dict(check_hostname=False)"]],
        &[&["void { rejectUnauthorized: false };"], &["process.env.NODE_TLS_REJECT_UNAUTHORIZED = \"0\";"]],
    )
}

pub fn composed(files: &Files, random: &mut Random) -> Option<Planted> {
    in_a_body(
        files,
        random,
        &[
            &["dict().execute(f\"SELECT * FROM users WHERE id = {id}\")"],
            &["__import__(\"os\").chmod(\".\", 0o777)"],
            &["print(\"key\", dict().api_key)"],
        ],
        &[
            &["globalThis.db.query(`SELECT * FROM users WHERE id = ${Date.now()}`);"],
            &["console.log(\"token\", globalThis.accessToken);"],
        ],
    )
}

pub fn own_path(files: &Files, random: &mut Random) -> Option<Planted> {
    in_a_body(
        files,
        random,
        &[&["str(\"/home/kim/projects/cache/data.json\")"], &["str(\"/Users/kim/work/data.json\")"]],
        &[&["void \"/home/kim/projects/cache/data.json\";"], &["void \"/Users/kim/work/data.json\";"]],
    )
}

/// A whole file that a checker leaves out.
pub fn unchecked(files: &Files, random: &mut Random) -> Option<Planted> {
    files.some(random, is_code).into_iter().find_map(|(path, text)| {
        let format = language(&path)?;
        let sign = match format {
            Format::Python => *one(&["# mypy: ignore-errors", "# flake8: noqa", "# pylint: skip-file"], random)?,
            Format::JavaScript | Format::TypeScript => *one(&["/* eslint-disable */", "// @ts-nocheck"], random)?,
            Format::Rust => "#![allow(warnings)]",
            _ => return None,
        };
        let is_first = !text.starts_with("#!")
            && !text.contains(sign)
            && !text.contains("//!")
            && !text.contains("eslint-disable");
        is_first.then(|| Planted::new(&path, format!("{sign}\n{text}"), family(format), sign))
    })
}

pub fn pasted_twice(files: &Files, random: &mut Random) -> Option<Planted> {
    files.some(random, is_code).into_iter().find_map(|(path, text)| {
        let format = language(&path)?;
        let is_long = text.lines().filter(|line| !line.trim().is_empty()).count() >= 15;
        is_long.then(|| Planted::new(&path, format!("{text}{text}"), family(format), "the text twice"))
    })
}

pub fn garbled(files: &Files, random: &mut Random) -> Option<Planted> {
    let is_own_text = |path: &str| is_code(path) || (path.ends_with(".md") && is_own(path) && path.is_ascii());
    files.some(random, is_own_text).into_iter().find_map(|(path, text)| {
        let sign = *one(&["donâ€™t", "cafÃ© culture", "â€œquotedâ€\u{9d}", "20 Â°C"], random)?;
        let line = match path.rsplit('.').next()? {
            "py" => format!("# {sign}"),
            "md" => format!("It is {sign}."),
            _ => format!("// {sign}"),
        };
        let kind = path.rsplit('.').next().unwrap_or_default().to_owned();
        text.is_ascii().then(|| Planted::new(&path, format!("{}\n\n{line}\n", text.trim_end()), kind, sign))
    })
}

pub fn scratch(files: &Files, random: &mut Random) -> Option<Planted> {
    let report = *one(
        &["IMPLEMENTATION_SUMMARY.md", "FIX_SUMMARY.md", "reproduce_issue.py", "coverage.xml", "TASK_COMPLETE.md"],
        random,
    )?;
    if random.below(2) == 0 {
        return (!files.has(report))
            .then(|| Planted::new(report, "# Summary\n\nAll is done.\n".into(), "report", report));
    }
    files.some(random, is_code).into_iter().find_map(|(path, text)| {
        let (stem, ending) = path.rsplit_once('.')?;
        let copy = format!("{stem}{}.{ending}", *one(&["_old", "_backup", "_orig"], random)?);
        (!files.has(&copy) && !text.is_empty()).then(|| Planted::new(&copy, text, "copy", copy.clone()))
    })
}

pub fn header(files: &Files, random: &mut Random) -> Option<Planted> {
    let token: String = (0..64).map(|_| b"0123456789abcdef"[random.below(16)] as char).collect();
    let (path, text) = match random.below(3) {
        0 => (".mcp.json", format!("{{\n  \"headers\": {{\n    \"Authorization\": \"Bearer {token}\"\n  }}\n}}\n")),
        1 => ("src/client.py", format!("HEADERS = {{\"Authorization\": \"Bearer {token}\"}}\n")),
        _ => (
            "src/client.ts",
            format!(
                "export const headers = {{ Authorization: `Bearer ${{\"\"}}` }};\nexport const key = \"Bearer {token}\";\n"
            ),
        ),
    };
    (!files.has(path)).then(|| Planted::new(path, text, path, "a token behind Bearer"))
}
