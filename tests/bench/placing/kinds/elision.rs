//! Text that a reply left out and says so in some words.

use super::super::corpus::Source;
use super::super::edit::{Edit, Hunk, Line, letters};
use super::super::random::Random;
use super::super::trial::{Trial, Want};
use super::search::{marked, named};
use super::v4a;
use super::{Make, fenced, pick};

pub const KINDS: [(&str, Make); 16] = [
    ("dots in the middle", |source, random| middle(source, random, &DOTS)),
    ("rest of the code", |source, random| middle(source, random, &REST)),
    ("other parts stay", |source, random| middle(source, random, &OTHERS)),
    ("snip", |source, random| middle(source, random, &SNIPS)),
    ("goes here", |source, random| middle(source, random, &HERE)),
    ("sentence without comment signs", |source, random| middle(source, random, &SENTENCES)),
    ("elided at the end", |source, random| {
        let (edit, lines) = long(source)?;
        let kept = lines[..lines.len() / 3].concat();
        let reply = whole(edit, &(kept + &phrase(&edit.path, random)? + "\n"));
        Some(left_out(edit, &lines[lines.len() / 3..], reply))
    }),
    ("elided at the beginning", |source, random| {
        let (edit, lines) = long(source)?;
        let kept = lines[lines.len() * 2 / 3..].concat();
        let reply = whole(edit, &(phrase(&edit.path, random)? + "\n" + &kept));
        Some(left_out(edit, &lines[..lines.len() * 2 / 3], reply))
    }),
    ("elided JSON content", |source, random| {
        let (edit, lines) = long(source)?;
        let text = lines[..lines.len() / 4].concat()
            + &phrase(&edit.path, random)?
            + "\n"
            + &lines[lines.len() * 3 / 4..].concat();
        let json = serde_json::json!({"patches": [{"action": "modify", "path": edit.path, "content": text}]});
        Some(left_out(edit, &lines[lines.len() / 4..lines.len() * 3 / 4], json.to_string()))
    }),
    ("added line of a diff", |source, random| {
        let (edit, hunks) = placeholder(source, random)?;
        Some(Trial::refused(&edit, edit.names() + &hunks.iter().map(Hunk::text).collect::<String>()))
    }),
    ("REPLACE half", |source, random| {
        let (edit, hunks) = placeholder(source, random)?;
        edit.blocks(3)?;
        let one = |hunk: &Hunk| named(&edit.path, &marked(&(hunk.side_text('-'), hunk.side_text('+'))));
        Some(Trial::refused(&edit, hunks.iter().map(one).collect::<String>()))
    }),
    ("added line of V4A", |source, random| {
        let (edit, hunks) = placeholder(source, random)?;
        edit.blocks(3)?;
        let text: String = hunks.iter().map(|hunk| format!("@@\n{}", hunk.body())).collect();
        Some(Trial::refused(&edit, v4a::patch(&(v4a::head(&edit) + &text))))
    }),
    ("whole file that holds such a line", |source, random| {
        let edit = holding(source, random)?;
        Some(Trial::right(&edit, whole(&edit, &edit.after)))
    }),
    ("diff of a file that holds such a line", |source, random| {
        let edit = holding(source, random)?;
        Some(Trial::right(&edit, edit.unified(3)))
    }),
    ("diff that moves such a line", |source, random| {
        // What it adds, it also removes.
        let edit = source.plain().filter(|edit| !edit.has_dots())?;
        let mut lines: Vec<String> = edit.before.lines().map(str::to_owned).collect();
        (lines.len() > 12).then_some(())?;
        let at = random.below(lines.len() - 6);
        lines.insert(at, phrase(&edit.path, random)?);
        let before: String = lines.iter().map(|line| format!("{line}\n")).collect();
        lines.swap(at, at + 2);
        let edit = Edit::new(&edit.path, before, lines.iter().map(|line| format!("{line}\n")).collect::<String>());
        Some(Trial::right(&edit, edit.git()))
    }),
    ("dots that are code", |source, random| {
        // An added line that only looks so: a body of Python, an argument that takes the rest.
        let edit = source.plain().filter(|edit| !edit.has_dots())?;
        let mut hunks = edit.hunks(3);
        let hunk = &mut hunks[0];
        let at = *pick(random, &hunk.positions('+', |text| letters(text) > 3))?;
        let code =
            *pick(random, &["    call(first, ...rest)", "    values = [...old, 1]", "def stub(self) -> int: ..."])?;
        let old = hunk.lines[at].text.clone();
        hunk.lines[at].text = code.to_owned();
        let lines = edit.after.lines().map(|line| if line == old { code } else { line });
        let after: String = lines.map(|line| format!("{line}\n")).collect();
        let once = edit.after.lines().filter(|line| *line == old).count() == 1;
        let text: String = hunks.iter().map(Hunk::text).collect();
        once.then(|| Trial::right(&Edit::new(&edit.path, &*edit.before, after), edit.names() + &text))
    }),
];

const DOTS: [&str; 7] = ["...", "# ...", "// ...", "[...]", "/* ... */", "<!-- ... -->", "# …"];
const REST: [&str; 9] = [
    "# ... rest of the code ...",
    "// ... existing code ...",
    "# [rest of file]",
    "// rest of the file unchanged",
    "# (rest of the function stays as it was)",
    "// ... rest of the function ...",
    "<!-- rest of the page as before -->",
    "# ... code ...",
    "/* remaining code omitted */",
];
const OTHERS: [&str; 8] = [
    "# ... (other functions) ...",
    "// (other methods stay)",
    "// ... other imports ...",
    "# other tests unchanged",
    "// ... more tests",
    "# ... keep everything else ...",
    "# other settings as above",
    "// The other handlers remain the same.",
];
const SNIPS: [&str; 5] = ["# --- snip ---", "(... snip ...)", "// 8< ------", "# [snipped for brevity]", "// <snip>"];
const HERE: [&str; 5] = [
    "# Other functions go here",
    "// (previous implementation here)",
    "# existing methods here",
    "// Your existing code here",
    "# ... same as before ...",
];
const SENTENCES: [&str; 4] = [
    "(the rest is unchanged)",
    "... unchanged lines ...",
    "[remaining lines identical to the original]",
    "... (lines 40 to 200 as before) ...",
];

fn phrase(path: &str, random: &mut Random) -> Option<String> {
    let all: Vec<&str> = [&DOTS[..], &REST, &OTHERS, &SNIPS, &HERE, &SENTENCES].concat();
    fitting(path, random, &all)
}

/// One of the phrases that are a comment in such a file, or no comment in any.
fn fitting(path: &str, random: &mut Random, phrases: &[&str]) -> Option<String> {
    let signs: &[&str] = match path.rsplit('.').next()? {
        "js" | "mjs" | "cjs" | "ts" | "tsx" | "jsx" | "rs" | "go" | "c" | "h" | "css" | "json" => &["//", "/*"],
        "md" | "rst" | "html" => &["<!--"],
        _ => &["#"],
    };
    let fits = |phrase: &&str| phrase.starts_with(['.', '[', '(']) || signs.iter().any(|sign| phrase.starts_with(sign));
    pick(random, &phrases.iter().copied().filter(fits).collect::<Vec<_>>()).map(|phrase| (*phrase).to_owned())
}

fn whole(edit: &Edit, text: &str) -> String {
    format!("{}\n{}", edit.path, fenced("", text))
}

/// The edit of a long file without such words, and the lines of its new side.
fn long(source: &Source) -> Option<(&Edit, Vec<&str>)> {
    let edit = source.plain().filter(|edit| !edit.has_dots())?;
    let lines: Vec<&str> = edit.after.split_inclusive('\n').collect();
    (lines.len() > 24).then_some((edit, lines))
}

/// A third of the file replaced by one of the phrases.
fn middle(source: &Source, random: &mut Random, phrases: &[&str]) -> Option<Trial> {
    let (edit, lines) = long(source)?;
    let third = lines.len() / 3;
    let text = format!(
        "{}{}\n{}",
        lines[..third].concat(),
        fitting(&edit.path, random, phrases)?,
        lines[2 * third..].concat()
    );
    Some(left_out(edit, &lines[third..2 * third], whole(edit, &text)))
}

/// A phrase may say that the lines which it stands for stay, and where they do, the reply gives a result. Where they change it is wrong.
fn left_out(edit: &Edit, lines: &[&str], reply: String) -> Trial {
    let trial = Trial::right(edit, reply);
    let want = match trial.want {
        Want::Result(files) if edit.before.contains(&lines.concat()) => Want::AllOrNothing(files),
        Want::Result(_) | Want::AllOrNothing(_) | Want::Refusal => Want::Refusal,
    };
    Trial { want, ..trial }
}

/// A hunk that takes lines away and adds a phrase where they stood.
fn placeholder(source: &Source, random: &mut Random) -> Option<(Edit, Vec<Hunk>)> {
    let edit = source.plain().filter(|edit| !edit.has_dots())?;
    let mut hunks = edit.hunks(3);
    let hunk = hunks.iter_mut().find(|hunk| hunk.lines.iter().filter(|line| line.sign == '-').count() > 1)?;
    let last = hunk.lines.iter().rposition(|line| line.sign == '-')?;
    let indent: String = hunk.lines[last].text.chars().take_while(|character| character.is_whitespace()).collect();
    hunk.lines.insert(last + 1, Line::new('+', indent + phrase(&edit.path, random)?.trim_start()));
    Some((edit.clone(), hunks))
}

/// The edit of a file that holds a phrase already, far from the change or near it.
fn holding(source: &Source, random: &mut Random) -> Option<Edit> {
    let edit = source.plain().filter(|edit| !edit.has_dots())?;
    let same = edit.before.lines().zip(edit.after.lines()).take_while(|(a, b)| a == b).count();
    let at = random.below(same + 1);
    let phrase = phrase(&edit.path, random)?;
    let with = |text: &str| -> String {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.insert(at, &phrase);
        lines.iter().map(|line| format!("{line}\n")).collect()
    };
    Some(Edit::new(&edit.path, with(&edit.before), with(&edit.after)))
}
