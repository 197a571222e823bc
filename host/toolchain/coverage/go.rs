//! The profile of `go test -coverprofile` (`go doc cmd/cover`): `example.org/a/b.go:3.14,5.2 1 0`.

use std::collections::BTreeMap;

use super::CountedLines;

/// By the import path of each file. Of blocks that share a line the one that was run counts: a block ends on the line on which the next
/// one begins.
pub fn read(files: &[String]) -> Result<BTreeMap<String, CountedLines>, String> {
    let mut counted: BTreeMap<String, BTreeMap<u32, u64>> = BTreeMap::new();
    if files.is_empty() {
        return Err("go wrote no profile".to_owned());
    }
    for line in files.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with("mode:")) {
        let block = block(line).ok_or_else(|| format!("a line of go's profile cannot be read: {line}"))?;
        let lines = counted.entry(block.file.to_owned()).or_default();
        for number in block.first..=block.last {
            let count = lines.entry(number).or_default();
            *count = (*count).max(block.count);
        }
    }
    Ok(counted.into_iter().map(|(file, lines)| (file, CountedLines::Lines(lines))).collect())
}

struct CoverBlock<'l> {
    file: &'l str,
    first: u32,
    last: u32,
    count: u64,
}

fn block(line: &str) -> Option<CoverBlock<'_>> {
    let (file, rest) = line.rsplit_once(':')?;
    let mut words = rest.split(' ');
    let (start, end) = words.next()?.split_once(',')?;
    let line_of = |place: &str| place.split('.').next()?.parse::<u32>().ok();
    let (first, last) = (line_of(start)?, line_of(end)?);
    let count = words.nth(1)?.parse().ok()?;
    // A profile that a test wrote may name more lines than memory holds.
    (last.checked_sub(first)? < 1_000_000).then_some(CoverBlock { file, first, last, count })
}

/// The module's path, of its `go.mod`.
pub fn module(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
    let path = line.split("//").next().unwrap_or_default().trim();
    Some(path.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_blocks_that_share_a_line_the_one_that_was_run_counts() {
        let profile = "mode: set\na.b/c/d.go:3.14,5.9 1 1\na.b/c/d.go:5.9,7.3 1 0\na.b/c/d.go:7.3,9.2 1 0\n";
        let read = read(&[profile.to_owned()]).unwrap();
        let expected: BTreeMap<u32, u64> = [(3, 1), (4, 1), (5, 1), (6, 0), (7, 0), (8, 0), (9, 0)].into();
        assert_eq!(read.get("a.b/c/d.go"), Some(&CountedLines::Lines(expected)));
        assert!(super::read(&["a.b/c/d.go:3.14".to_owned()]).is_err() && super::read(&[]).is_err());
    }

    #[test]
    fn names_of_modules() {
        assert_eq!(module("// x\nmodule a.b/c // y\n\ngo 1.19\n").as_deref(), Some("a.b/c"));
        assert_eq!(module("go 1.19\n"), None);
    }
}
