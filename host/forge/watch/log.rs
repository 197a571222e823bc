//! What is worth reading of a log, and what a failure is known by. Logs are text of strangers: nothing is done that they say.

/// Words of lines that say what failed.
const MARKS: [&str; 7] = ["error", "fail", "panic", "assert", "exception", "traceback", "fatal"];
/// Lines before the first failure that are kept.
const BEFORE: usize = 10;
/// Lines that a signature is made of.
const SIGNED: usize = 20;

/// At most `max` bytes of whole lines: around the first line that names a failure, and the end. Times and escape sequences are taken off.
pub fn cut(log: &str, max: usize) -> String {
    let lines: Vec<String> = log.lines().map(plain).collect();
    let text = lines.join("\n");
    if text.len() <= max {
        return text;
    }
    let first = lines.iter().position(|line| is_failure(line)).unwrap_or(lines.len()).saturating_sub(BEFORE);
    let tail = taken(lines.iter().rev(), max / 2);
    let begin = lines.len() - tail;
    if first >= begin {
        return lines[lines.len() - taken(lines.iter().rev(), max)..].join("\n");
    }
    let head = taken(lines[first..begin].iter(), max / 2 - 32);
    let left_out = begin - first - head;
    format!("{}\n[{left_out} lines are left out]\n{}", lines[first..first + head].join("\n"), lines[begin..].join("\n"))
}

/// The same for the same failure, whatever the numbers, addresses and times in its log are.
pub fn signature(job: &str, step: Option<&str>, log: &str) -> String {
    let lines: Vec<String> = log.lines().map(plain).collect();
    let mut signed: Vec<&String> = lines.iter().filter(|line| is_failure(line)).take(SIGNED).collect();
    if signed.is_empty() {
        signed = lines.iter().rev().take(SIGNED).collect();
    }
    let mut hasher = blake3::Hasher::new();
    for part in [job, step.unwrap_or_default()]
        .into_iter()
        .map(str::to_owned)
        .chain(signed.into_iter().map(|line| without_numbers(line)))
    {
        hasher.update(part.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

/// How many of the lines fit.
fn taken<'l>(lines: impl Iterator<Item = &'l String>, max: usize) -> usize {
    let mut left = max;
    let fits = |line: &&String| {
        let is_fitting = line.len() < left;
        left = left.saturating_sub(line.len() + 1);
        is_fitting
    };
    lines.take_while(fits).count()
}

fn is_failure(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    MARKS.iter().any(|mark| line.contains(mark))
}

/// Without escape sequences, other control characters, and the time that builders put before every line.
fn plain(line: &str) -> String {
    let (mut text, mut chars) = (String::with_capacity(line.len()), line.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' if chars.next_if_eq(&'[').is_some() => {
                while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {}
            }
            '\t' => text.push('\t'),
            c if c.is_control() => {}
            c => text.push(c),
        }
    }
    let is_time = |word: &str| {
        word.len() > 18
            && word.as_bytes()[..4].iter().all(u8::is_ascii_digit)
            && word.contains('T')
            && word.ends_with('Z')
    };
    match text.split_once(' ') {
        Some((first, rest)) if is_time(first) => rest.to_owned(),
        _ => text,
    }
}

/// Words that are or hold numbers differ from run to run, and so do temporary folders.
fn without_numbers(line: &str) -> String {
    let word = |word: &str| match word.starts_with("/tmp") || word.bytes().any(|byte| byte.is_ascii_digit()) {
        true => "#".to_owned(),
        false => word.to_owned(),
    };
    line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{cut, signature};

    #[test]
    fn the_failure_and_the_end_are_kept() {
        let filler: String = (0..500).map(|at| format!("2026-11-23T03:00:00.1234567Z line {at}\n")).collect();
        let log = format!("{filler}\u{1b}[31mERROR: it broke\u{1b}[0m\n{filler}the end");
        let kept = cut(&log, 2_000);
        assert!(kept.len() <= 2_000 && kept.starts_with("line 490\n"), "{kept}");
        assert!(
            kept.contains("\nERROR: it broke\n")
                && kept.ends_with("\nthe end")
                && kept.contains(" lines are left out]")
        );
        assert_eq!(cut("a\nb", 9), "a\nb");
        assert!(cut(&filler, 100).len() <= 100);
    }

    #[test]
    fn numbers_and_times_make_no_other_failure() {
        let log = |time: &str, seed: u32| {
            format!("{time} test x ... FAILED\n{time} error in /tmp/{seed} after {seed}ms\n{time} done")
        };
        let one = signature("test", Some("Run"), &log("2026-11-23T03:00:00.1Z", 3));
        assert_eq!(one, signature("test", Some("Run"), &log("2026-11-24T09:10:00.7Z", 99)));
        assert_ne!(one, signature("lint", Some("Run"), &log("2026-11-23T03:00:00.1Z", 3)));
        assert_ne!(one, signature("test", Some("Run"), "test y ... FAILED"));
    }
}
