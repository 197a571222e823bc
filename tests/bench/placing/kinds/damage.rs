//! What is done to a diff of git on its way from a model, one thing each, or two. A damage that does not apply to a diff leaves it out.

use super::super::corpus::Source;
use super::super::edit::{Edit, near_places};
use super::super::random::Random;
use super::super::trial::{Files, Trial, Want, file};
use super::Make;

#[derive(Clone)]
struct Damaged {
    diff: Vec<u8>,
    /// The file that the diff meets.
    before: Vec<u8>,
    /// The file that ought to come out.
    expected: Vec<u8>,
    /// What the provider was shown, where the file has moved on.
    shown: Option<Vec<u8>>,
    /// The damage takes away what would tell two equal places apart.
    hides_place: bool,
}

type Damage = fn(&Damaged, &mut Random) -> Option<Damaged>;

const DAMAGES: [(&str, Damage); 25] = [
    ("a clean diff", |whole, _| Some(whole.clone())),
    ("already applied", already),
    ("bare @@", |whole, _| Some(headers(whole, |_| "@@".into()))),
    ("blank context", blank_context),
    ("carriage returns in diff", crlf_diff),
    ("carriage returns in file", crlf_file),
    ("counts wrong", counts),
    ("heading only", |whole, _| Some(headers(whole, |line| format!("@@{}", line.rsplit("@@").next().unwrap())))),
    ("fence and prose", |whole, _| {
        Some(wrapped(whole, "Here is the change:\n\n```diff\n", "```\n\nIt does `this`.\n"))
    }),
    ("html-escaped", html),
    ("hunk twice", twice),
    ("hunks out of order", shuffled),
    ("indented as a whole", indented),
    ("index made up", index_made_up),
    ("json-escaped", |whole, _| Some(Damaged { diff: json(&whole.diff)?, ..whole.clone() })),
    ("markers", |whole, _| Some(wrapped(whole, "<<<AI_DIFF_START>>>\n", "<<<AI_DIFF_END>>>\n"))),
    ("moved on far", |whole, random| moved_on(whole, random, false)),
    ("moved on near", |whole, random| moved_on(whole, random, true)),
    ("newline markers lost", no_markers),
    ("no a/ and b/", no_prefixes),
    ("numbers wrong", numbers),
    ("one misquoted line", misquote),
    ("several sections", sections),
    ("tabs as blanks", tabs),
    ("trailing blanks", trailing),
];

/// One kind a damage.
pub const KINDS: [(&str, Make); DAMAGES.len()] = {
    macro_rules! kinds {
        ($($nth:literal)*) => { [$((DAMAGES[$nth].0, |source, random| once(source, random, DAMAGES[$nth].1))),*] };
    }
    kinds!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24)
};

fn once(source: &Source, random: &mut Random, damage: Damage) -> Option<Trial> {
    let edit = source.edits.first()?;
    damage(&Damaged::none(edit), random)?.trial(edit)
}

/// Trials with every two damages, each with a name.
pub fn pairs(source: &Source, random: &mut Random) -> Vec<(String, Trial)> {
    let mut all = Vec::new();
    let Some(edit) = source.edits.first() else { return all };
    for (name, damage) in DAMAGES {
        let Some(once) = damage(&Damaged::none(edit), random) else { continue };
        for (other, second) in DAMAGES.iter().filter(|(other, _)| *other > name) {
            let twice = second(&once, random).and_then(|twice| twice.trial(edit));
            all.extend(twice.map(|trial| (format!("{name} + {other}"), trial)));
        }
    }
    all
}

impl Damaged {
    fn none(edit: &Edit) -> Self {
        Damaged {
            diff: edit.git().into_bytes(),
            before: edit.before.clone().into_bytes(),
            expected: edit.after.clone().into_bytes(),
            shown: None,
            hides_place: false,
        }
    }

    /// None where the damage takes away what told two like places apart, even one of which reads otherwise in a line.
    fn trial(self, edit: &Edit) -> Option<Trial> {
        let twins = || edit.hunks(3).iter().any(|hunk| near_places(&edit.before, &hunk.side('-'), 1) > 1);
        (!self.hides_place || !twins()).then_some(())?;
        let files = |bytes: Vec<u8>| Files::from([(edit.path.clone(), file(bytes))]);
        Some(Trial {
            reply: self.diff,
            tree: files(self.before),
            want: Want::Result(files(self.expected)),
            shown: self.shown.map(files),
            hints: Vec::new(),
        })
    }

    fn lines(&self) -> Vec<Vec<u8>> {
        self.diff.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
    }

    fn with(&self, lines: Vec<Vec<u8>>) -> Self {
        Damaged { diff: lines.concat(), ..self.clone() }
    }

    /// The file header, and each hunk with its `@@` line.
    fn parts(&self) -> (Vec<Vec<u8>>, Vec<Vec<Vec<u8>>>) {
        let mut header = Vec::new();
        let mut hunks: Vec<Vec<Vec<u8>>> = Vec::new();
        for line in self.lines() {
            if line.starts_with(b"@@") {
                hunks.push(vec![line]);
            } else if let Some(hunk) = hunks.last_mut() {
                hunk.push(line);
            } else {
                header.push(line);
            }
        }
        (header, hunks)
    }
}

fn headers(whole: &Damaged, mut change: impl FnMut(&str) -> String) -> Damaged {
    let lines = whole.lines().into_iter().map(|line| {
        if !line.starts_with(b"@@") {
            return line;
        }
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        (change(&text).trim_end().to_owned() + "\n").into_bytes()
    });
    Damaged { hides_place: true, ..whole.with(lines.collect()) }
}

/// `@@ -a,b +c,d @@…` with the four numbers changed.
fn renumbered(line: &str, change: impl FnOnce([i64; 4]) -> [i64; 4]) -> String {
    let Some((ranges, heading)) = line[2..].split_once("@@") else { return line.to_owned() };
    let mut numbers = [0, 1, 0, 1];
    for (at, range) in ranges.split_whitespace().enumerate().take(2) {
        for (nth, number) in range[1..].split(',').enumerate() {
            numbers[at * 2 + nth] = number.parse().unwrap_or(1);
        }
    }
    let [a, b, c, d] = change(numbers);
    format!("@@ -{a},{b} +{c},{d} @@{heading}")
}

fn numbers(whole: &Damaged, random: &mut Random) -> Option<Damaged> {
    Some(headers(whole, |line| {
        let by = (1 + random.below(60) as i64) * if random.below(2) == 0 { 1 } else { -1 };
        renumbered(line, |[a, b, c, d]| [(a + by).max(1), b, (c + by).max(1), d])
    }))
}

fn counts(whole: &Damaged, random: &mut Random) -> Option<Damaged> {
    let hides_place = whole.hides_place;
    let change = |line: &str| renumbered(line, |[a, b, c, d]| [a, b + 1 + random.below(3) as i64, c, (d - 1).max(1)]);
    Some(Damaged { hides_place, ..headers(whole, change) })
}

fn already(whole: &Damaged, _: &mut Random) -> Option<Damaged> {
    whole.shown.is_none().then(|| Damaged { before: whole.expected.clone(), ..whole.clone() })
}

fn blank_context(whole: &Damaged, _: &mut Random) -> Option<Damaged> {
    let lines = whole.lines();
    lines
        .iter()
        .any(|line| line == b" \n")
        .then(|| whole.with(lines.into_iter().map(|line| if line == b" \n" { b"\n".to_vec() } else { line }).collect()))
}

fn with_crlf(bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines.flat_map(|line| line.strip_suffix(b"\n").map_or(line.to_vec(), |line| [line, b"\r\n"].concat())).collect()
}

fn crlf_diff(whole: &Damaged, _: &mut Random) -> Option<Damaged> {
    let (header, hunks) = whole.parts();
    let body = hunks.into_iter().flatten().map(|line| if line.starts_with(b"@@") { line } else { with_crlf(&line) });
    (!whole.diff.contains(&b'\r')).then(|| whole.with(header.into_iter().chain(body).collect()))
}

fn crlf_file(whole: &Damaged, _: &mut Random) -> Option<Damaged> {
    (!whole.before.contains(&b'\r') && !whole.expected.contains(&b'\r')).then(|| Damaged {
        before: with_crlf(&whole.before),
        expected: with_crlf(&whole.expected),
        shown: whole.shown.as_deref().map(with_crlf),
        ..whole.clone()
    })
}

fn twice(whole: &Damaged, random: &mut Random) -> Option<Damaged> {
    let (header, mut hunks) = whole.parts();
    let again = hunks[random.below(hunks.len())].clone();
    hunks.insert(random.below(hunks.len() + 1), again);
    Some(whole.with(header.into_iter().chain(hunks.into_iter().flatten()).collect()))
}

fn shuffled(whole: &Damaged, random: &mut Random) -> Option<Damaged> {
    let (header, mut hunks) = whole.parts();
    for at in (1..hunks.len()).rev() {
        hunks.swap(at, random.below(at));
    }
    (hunks.len() > 1).then(|| whole.with(header.into_iter().chain(hunks.into_iter().flatten()).collect()))
}

fn sections(whole: &Damaged, _: &mut Random) -> Option<Damaged> {
    let (header, hunks) = whole.parts();
    let sections = hunks.iter().flat_map(|hunk| header.iter().chain(hunk).cloned());
    (hunks.len() > 1).then(|| whole.with(sections.collect()))
}

fn index_made_up(whole: &Damaged, random: &mut Random) -> Option<Damaged> {
    let lines = whole.lines().into_iter().map(|line| {
        let made_up = format!("index {:07x}..{:07x} 100644\n", random.next() & 0xfff_ffff, random.next() & 0xfff_ffff);
        if line.starts_with(b"index ") { made_up.into_bytes() } else { line }
    });
    Some(whole.with(lines.collect()))
}

fn wrapped(whole: &Damaged, above: &str, below: &str) -> Damaged {
    Damaged { diff: [above.as_bytes(), &whole.diff, below.as_bytes()].concat(), ..whole.clone() }
}

fn indented(whole: &Damaged, _: &mut Random) -> Option<Damaged> {
    Some(whole.with(whole.lines().into_iter().map(|line| [b"    ", line.as_slice()].concat()).collect()))
}

fn html(whole: &Damaged, _: &mut Random) -> Option<Damaged> {
    let text = std::str::from_utf8(&whole.diff).ok()?;
    // Only a line that the file must hold can tell that the patch was escaped; an added one may be meant so.
    let telling = |line: &Vec<u8>| line[0] != b'+' && line.iter().any(|byte| matches!(byte, b'<' | b'>'));
    let plain = !text.contains('&') && whole.parts().1.iter().flat_map(|hunk| &hunk[1..]).any(telling);
    let escaped = text.replace('<', "&lt;").replace('>', "&gt;");
    plain.then(|| Damaged { diff: escaped.into_bytes(), ..whole.clone() })
}

fn json(diff: &[u8]) -> Option<Vec<u8>> {
    serde_json::to_vec(std::str::from_utf8(diff).ok()?).ok()
}

fn no_prefixes(whole: &Damaged, _: &mut Random) -> Option<Damaged> {
    let bare = |line: Vec<u8>| {
        let text = String::from_utf8_lossy(&line).replace("diff --git a/", "diff --git ").replace(" b/", " ");
        text.replace("--- a/", "--- ").into_bytes()
    };
    let (header, hunks) = whole.parts();
    Some(whole.with(header.into_iter().map(bare).chain(hunks.into_iter().flatten()).collect()))
}

fn no_markers(whole: &Damaged, _: &mut Random) -> Option<Damaged> {
    let lines = whole.lines();
    let kept: Vec<_> = lines.iter().filter(|line| !line.starts_with(b"\\")).cloned().collect();
    // What the last line's newline becomes cannot be told when it changes beside other things.
    let has = |bytes: &[u8]| bytes.ends_with(b"\n");
    (kept.len() < lines.len() && has(&whole.before) == has(&whole.expected)).then(|| whole.with(kept))
}

/// The positions of context lines that hold a word.
fn context(lines: &[Vec<u8>], wanted: impl Fn(&[u8]) -> bool) -> Vec<usize> {
    let body = lines.iter().position(|line| line.starts_with(b"@@")).unwrap_or(lines.len());
    (body..lines.len()).filter(|at| lines[*at].starts_with(b" ") && wanted(&lines[*at][1..])).collect()
}

fn misquote(whole: &Damaged, random: &mut Random) -> Option<Damaged> {
    let mut lines = whole.lines();
    let worded = context(&lines, |line| line.iter().filter(|byte| byte.is_ascii_alphabetic()).count() >= 4);
    let at = *worded.get(random.below(worded.len()))?;
    let letters: Vec<usize> = (1..lines[at].len()).filter(|nth| lines[at][*nth].is_ascii_alphabetic()).collect();
    let (from, to) = (letters[random.below(letters.len() - 2)], *letters.last()?);
    match random.below(3) {
        0 => lines[at][from] = b'#',
        1 => lines[at].insert(from, b'x'),
        _ => drop(lines[at].drain(from..=from + (to - from) / 2)),
    }
    Some(Damaged { hides_place: true, ..whole.with(lines) })
}

fn tabs(whole: &Damaged, random: &mut Random) -> Option<Damaged> {
    let mut lines = whole.lines();
    let tabbed = context(&lines, |line| line.starts_with(b"\t"));
    let width = [2, 4, 8][random.below(3)];
    for at in &tabbed {
        let depth = lines[*at][1..].iter().take_while(|byte| **byte == b'\t').count();
        lines[*at].splice(1..1 + depth, vec![b' '; depth * width]);
    }
    (!tabbed.is_empty()).then(|| whole.with(lines))
}

fn trailing(whole: &Damaged, random: &mut Random) -> Option<Damaged> {
    // Carriage returns are another damage.
    if whole.diff.contains(&b'\r') {
        return None;
    }
    let mut lines = whole.lines();
    for at in context(&lines, |_| true) {
        let kept = lines[at].trim_ascii_end().len().max(1);
        let blanks = if lines[at].len() > kept + 1 { 0 } else { random.below(3) };
        lines[at].truncate(kept);
        lines[at].extend(std::iter::repeat_n(b' ', blanks).chain([b'\n']));
    }
    Some(whole.with(lines))
}

/// Other people's lines come between: far from every hunk, or right above the context of the first one, or in it.
fn moved_on(whole: &Damaged, random: &mut Random, near: bool) -> Option<Damaged> {
    if whole.shown.is_some() || whole.before == whole.expected {
        return None;
    }
    let lines =
        |bytes: &[u8]| -> Vec<Vec<u8>> { bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect() };
    let (mut before, mut expected) = (lines(&whole.before), lines(&whole.expected));
    let same = before.iter().zip(&expected).take_while(|(a, b)| a == b).count();
    // Two lines of context stay between, so that the changes do not touch.
    let at = if near { same.checked_sub(2)? } else { random.below(same.checked_sub(5)?) };
    let news: Vec<Vec<u8>> =
        (0..1 + random.below(9)).map(|nth| format!("another person's line {nth}\n").into_bytes()).collect();
    before.splice(at..at, news.clone());
    expected.splice(at..at, news);
    Some(Damaged {
        before: before.concat(),
        expected: expected.concat(),
        shown: Some(whole.before.clone()),
        ..whole.clone()
    })
}
