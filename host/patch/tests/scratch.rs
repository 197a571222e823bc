use crate::support::text::reply;
use guardhost_core::change::RepoPath;
use guardhost_patch::{extract::extract, repair::repair};
use std::time::Instant;

fn time(name: &str, make: &dyn Fn(usize) -> Vec<u8>, sizes: &[usize]) {
    for &n in sizes {
        let bytes = make(n);
        let len = bytes.len();
        let r = reply(bytes);
        let start = Instant::now();
        let mended = repair(&r);
        let a = start.elapsed();
        let out = extract(mended, &[RepoPath::from("a.py")]);
        let b = start.elapsed() - a;
        let what = match &out {
            Ok(p) => format!("{} files", p.files.len()),
            Err(e) => e.message.chars().take(90).collect(),
        };
        println!(
            "{name:28} n={n:8} {len:9} B  repair {:7.2} s  extract {:7.2} s  {what}",
            a.as_secs_f64(),
            b.as_secs_f64()
        );
    }
}

#[test]
#[ignore]
fn growth() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let t = |name: &str, make: &dyn Fn(usize) -> Vec<u8>, sizes: &[usize]| {
        if name.contains(&only) {
            time(name, make, sizes)
        }
    };
    let k = &[1, 2, 4];
    t("blank lines, x", &|n| [vec![b'\n'; n], b"x".to_vec()].concat(), &[200_000, 400_000, 1_900_000, 16_000_000]);
    t("spaces, x", &|n| [vec![b' '; n], b"x".to_vec()].concat(), &[4_000_000, 8_000_000, 16_000_000]);
    t("{\"a\":1} lines", &|n| "{\"a\":1}\n".repeat(n).into_bytes(), &[50_000, 100_000, 200_000, 1_600_000]);
    t("{\"a\":1} one line", &|n| "{\"a\":1}".repeat(n).into_bytes(), &[50_000, 100_000, 200_000]);
    t(
        "path \"}{",
        &|n| format!("{{\"path\": \"{}\n}}}}}}", "\"}{".repeat(n)).into_bytes(),
        &[20_000, 40_000, 80_000, 160_000],
    );
    t("path \"/*", &|n| format!("{{\"path\": \"{}\n}}}}}}", "\"/*".repeat(n)).into_bytes(), &[20_000, 40_000, 80_000]);
    t(
        "path \", \"x\":",
        &|n| format!("{{\"path\": \"{}\n", "\", \"x\": \"".repeat(n)).into_bytes(),
        &[5_000, 10_000, 20_000],
    );
    t("osc", &|n| "\x1b]".repeat(n).into_bytes(), &[500_000, 1_000_000, 2_000_000]);
    t(
        "hunks with numbers",
        &|n| {
            let mut s = "--- a/a.py\n+++ b/a.py\n".to_owned();
            for i in 0..n {
                s += &format!("@@ -{0} +{0} @@\n-x{0}\n+y{0}\n", i + 1);
            }
            s.into_bytes()
        },
        &[10_000, 20_000, 40_000, 90_000, 200_000],
    );
    t(
        "hunks without",
        &|n| {
            let mut s = "--- a/a.py\n+++ b/a.py\n".to_owned();
            for i in 0..n {
                s += &format!("@@\n-x{0}\n+y{0}\n", i + 1);
            }
            s.into_bytes()
        },
        &[10_000, 20_000, 40_000],
    );
    t(
        "wrong counts",
        &|n| {
            let mut s = "--- a/a.py\n+++ b/a.py\n".to_owned();
            for i in 0..n {
                s += &format!("@@ -{0},9 +{0},9 @@\n-x{0}\n+y{0}\n", i + 1);
            }
            s.into_bytes()
        },
        &[10_000, 20_000, 40_000],
    );
    t(
        "sections",
        &|n| {
            let mut s = String::new();
            for i in 0..n {
                s += &format!("--- a/a{0}.py\n+++ b/a{0}.py\n@@ -1 +1 @@\n-x\n+y\n", i);
            }
            s.into_bytes()
        },
        &[4_000, 8_000, 16_000, 32_000],
    );
    t(
        "sections indented",
        &|n| {
            let mut s = String::new();
            for i in 0..n {
                s += &format!("  --- a/a{0}.py\n  +++ b/a{0}.py\n  @@ -1 +1 @@\n  -x\n  +y\n", i);
            }
            s.into_bytes()
        },
        &[4_000, 8_000, 16_000],
    );
    t(
        "v4a indented",
        &|n| {
            let mut s = String::new();
            for i in 0..n {
                s += &format!("  *** Begin Patch\n  *** Update File: a{0}.py\n  @@\n  -x\n  +y\n  *** End Patch\n", i);
            }
            s.into_bytes()
        },
        &[4_000, 8_000, 16_000],
    );
    t(
        "fences with path",
        &|n| {
            let mut s = String::new();
            for i in 0..n {
                s += &format!("```json\n{{\"path\": \"a{i}\"}}\n```\n");
            }
            s.into_bytes()
        },
        &[4_000, 8_000, 16_000, 64_000],
    );
    t(
        "fences json lists",
        &|n| {
            let mut s = String::new();
            for i in 0..n {
                s += &format!("```json\n{{\"path\": \"a{i}\", \"content\": \"x\"}}\n```\n");
            }
            s.into_bytes()
        },
        &[4_000, 8_000, 16_000],
    );
    t("fences nested", &|n| "```a\n```b\n```\n".repeat(n).into_bytes(), &[20_000, 40_000, 80_000]);
    t(
        "fences whole files",
        &|n| {
            let mut s = String::new();
            for i in 0..n {
                s += &format!("a{i}.py\n```py\nx\n```\n");
            }
            s.into_bytes()
        },
        &[4_000, 8_000, 16_000],
    );
    t("fences open", &|n| "a.py\n```py\nx\n".repeat(n).into_bytes(), &[20_000, 40_000]);
    t(
        "search blocks",
        &|n| {
            let mut s = String::new();
            for i in 0..n {
                s += &format!("a.py\n<<<<<<< SEARCH\nx{i}\n=======\ny\n>>>>>>> REPLACE\n");
            }
            s.into_bytes()
        },
        &[4_000, 8_000, 16_000],
    );
    t(
        "search block long",
        &|n| {
            let mut s = "a.py\n<<<<<<< SEARCH\n".to_owned();
            for i in 0..n {
                s += &format!("x{i}\n");
            }
            s += "=======\n";
            for i in 0..n {
                s += &format!("y{i}\n");
            }
            s += ">>>>>>> REPLACE\n";
            s.into_bytes()
        },
        &[500, 1_000, 2_000, 20_000, 200_000],
    );
    t("xml open", &|n| "<search>\n".repeat(n).into_bytes(), &[20_000, 40_000, 80_000]);
    t(
        "xml edits",
        &|n| {
            format!("<file path=\"a.py\">\n{}", "<search>\nx\n</search>\n<replace>\ny\n</replace>\n".repeat(n))
                .into_bytes()
        },
        &[2_000, 4_000, 8_000],
    );
    t(
        "quoted",
        &|n| {
            let mut s = "> --- a/a.py\n> +++ b/a.py\n> @@ -1,2 +1,2 @@\n".to_owned();
            s += &"> +x\n".repeat(n);
            s.into_bytes()
        },
        &[100_000, 200_000, 400_000],
    );
    t("quotes in quotes", &|n| format!("{}\n", "> ".repeat(n)).into_bytes(), &[100_000, 200_000]);
    t(
        "blank in hunk",
        &|n| format!("--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n x\n{}+y\n", "\n".repeat(n)).into_bytes(),
        &[100_000, 200_000, 400_000],
    );
    t(
        "blank in v4a",
        &|n| {
            format!("*** Begin Patch\n*** Update File: a.py\n@@\n x\n{}+y\n*** End Patch\n", "\n".repeat(n))
                .into_bytes()
        },
        &[100_000, 200_000, 400_000],
    );
    t("zero width", &|n| format!("\u{200b}{}", "x\n".repeat(n)).into_bytes(), &[200_000, 400_000, 800_000]);
    t("think closes", &|n| "</think>\n".repeat(n).into_bytes(), &[100_000, 200_000]);
    t("json depth", &|n| "[".repeat(n).into_bytes(), &[100_000, 200_000]);
    t("patch tags", &|n| "<patch>\n--- a/x\n".repeat(n).into_bytes(), &[20_000, 40_000, 80_000]);
    t("ed commands", &|n| "3c\n".repeat(n).into_bytes(), &[20_000, 40_000, 80_000]);
    t("prose", &|n| "some words of prose that say nothing\n".repeat(n).into_bytes(), &[100_000, 200_000, 400_000]);
    let _ = k;
}
