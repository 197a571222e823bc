//! A file that holds its text twice, as a second paste leaves it.

use guard_sdk::{File, Finding};

/// Lines that say something, at least, in each half.
const LEAST: usize = 10;

pub fn judge(file: &File, after: &str) -> Option<Finding> {
    // A paste brings a whole copy.
    let came: u32 = file.hunks().iter().map(|hunk| hunk.new_lines).sum();
    let again = again(after).filter(|_| came as usize >= LEAST)?;
    // A file that was so before, or data that repeats itself.
    let was = file.before().is_regular() && file.before().text().is_ok_and(|before| self::again(&before).is_some());
    let is_data = matches!(file.extension().as_str(), "txt" | "csv" | "tsv" | "json" | "svg" | "snap" | "golden");
    (!was && !is_data).then(|| {
        let path = file.path();
        Finding::error("pasted-twice", format!("{path} holds its whole text a second time from line {again} on"))
            .at(path, again)
            .help("Remove the second copy.")
    })
}

/// The line at which the text begins anew, from 1. Blank lines between the copies do not count.
fn again(text: &str) -> Option<u32> {
    let said: Vec<(u32, &str)> =
        (1..).zip(text.lines().map(str::trim_end)).filter(|(_, line)| !line.is_empty()).collect();
    let half = said.len() / 2;
    if said.len() % 2 == 1 || half < LEAST {
        return None;
    }
    let (first, second) = said.split_at(half);
    // Ten times the same line are a table, and no text.
    let differ = first.windows(2).filter(|pair| pair[0].1 != pair[1].1).count();
    let is_same = first.iter().map(|(_, line)| line).eq(second.iter().map(|(_, line)| line));
    (is_same && differ + 1 >= LEAST).then(|| second[0].0)
}

#[cfg(test)]
mod tests {
    use super::again;

    #[test]
    fn whole_texts_alone() {
        let text: String = (0..12).map(|at| format!("line {at}\n")).collect();
        assert_eq!(again(&format!("{text}\n{text}")), Some(14));
        assert_eq!(again(&text), None);
        assert_eq!(again(&format!("{text}more\n{text}")), None);
        assert_eq!(again(&"same\n".repeat(40)), None);
        assert_eq!(again("a\nb\na\nb\n"), None);
    }
}
