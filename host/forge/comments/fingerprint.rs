//! What a finding is known by from push to push: its rule, its file, and the text of its line, not the number of it.

/// Two digests, of 16 hexadecimal digits each.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommentFingerprint {
    /// A hash of the rule, the path, the line and its neighbouring lines.
    pub exact: String,
    /// A hash of the rule, the path and the line alone, which finds the comment again after an edit nearby.
    pub near: String,
}

impl CommentFingerprint {
    /// `rule` is `guard/rule`, `text` the file after the change, and `line` counted from 1. Without a text the finding is known by rule and path.
    pub fn new(rule: &str, path: &str, text: Option<&str>, line: u32) -> Self {
        let lines: Vec<&str> = text.unwrap_or_default().lines().collect();
        let at = (line as usize).saturating_sub(1);
        let normal =
            |at: Option<usize>| at.and_then(|at| lines.get(at)).map_or_else(String::new, |line| normalised(line));
        let own = normal(Some(at));
        let beside = [normal(at.checked_sub(1)), normal(at.checked_add(1))];
        CommentFingerprint {
            exact: digest(&[rule, path, &own, &beside[0], &beside[1]]),
            near: digest(&[rule, path, &own]),
        }
    }

    /// `EXACT.NEAR`.
    pub fn text(&self) -> String {
        format!("{}.{}", self.exact, self.near)
    }

    pub fn parse(text: &str) -> Option<Self> {
        let (exact, near) = text.split_once('.')?;
        let is_digest = |text: &str| text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_digest(exact) && is_digest(near))
            .then(|| CommentFingerprint { exact: exact.to_owned(), near: near.to_owned() })
    }
}

const DIGITS: usize = 16;

/// White space is no difference: a change of the indentation moves a line.
fn normalised(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn digest(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..DIGITS].to_owned()
}

#[cfg(test)]
mod tests {
    use super::CommentFingerprint;

    #[test]
    fn a_line_is_known_where_it_moved() {
        let before = CommentFingerprint::new("g/r", "a.py", Some("x\ny = 1\nz\n"), 2);
        assert_eq!(before, CommentFingerprint::new("g/r", "a.py", Some("0\n\nx\n    y =  1\nz\n"), 4));
        let beside = CommentFingerprint::new("g/r", "a.py", Some("x\ny = 1\nother\n"), 2);
        assert!(before.near == beside.near && before.exact != beside.exact);
        for other in [
            CommentFingerprint::new("g/s", "a.py", Some("x\ny = 1\nz\n"), 2),
            CommentFingerprint::new("g/r", "b.py", Some("x\ny = 1\nz\n"), 2),
        ] {
            assert!(before.near != other.near && before.exact != other.exact);
        }
        assert_eq!(CommentFingerprint::parse(&before.text()), Some(before));
        assert_eq!(CommentFingerprint::parse("0123.4567"), None);
    }
}
