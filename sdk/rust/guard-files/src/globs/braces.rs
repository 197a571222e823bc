//! `{a,b}`: one of several texts. Braces without a comma between them are ordinary characters, as in the folders of templates.

/// Globs that one may stand for: a list of endings, or two lists of folders.
const MOST: usize = 64;

/// Each of the globs that a glob stands for.
///
/// # Errors
/// A message, for a glob that stands for too many.
pub fn spelled_out(glob: &str) -> Result<Vec<String>, String> {
    let mut whole = vec![String::new()];
    let mut rest = glob;
    while let Some((before, choices, after)) = choice(rest) {
        let mut longer = Vec::with_capacity(whole.len() * choices.len());
        for start in &whole {
            longer.extend(choices.iter().map(|choice| format!("{start}{before}{choice}")));
        }
        if longer.len() > MOST {
            return Err(format!("the glob {glob:?} stands for more than {MOST} others"));
        }
        (whole, rest) = (longer, after);
    }
    whole.iter_mut().for_each(|start| start.push_str(rest));
    Ok(whole)
}

/// What stands before the first choice, the choice, and what stands after it. A brace inside of braces begins anew.
fn choice(glob: &str) -> Option<(&str, Vec<&str>, &str)> {
    let mut open = None;
    for (at, byte) in glob.bytes().enumerate() {
        match (byte, open) {
            (b'{', _) => open = Some(at),
            (b'}', Some(start)) if glob[start..at].contains(',') => {
                return Some((&glob[..start], glob[start + 1..at].split(',').collect(), &glob[at + 1..]));
            }
            (b'}', _) => open = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::spelled_out;

    #[test]
    fn choices_are_spelled_out() {
        for (glob, expected) in [
            ("*.md", "*.md"),
            ("*.{md,rst}", "*.md *.rst"),
            ("{a,b}/{c,d}.x", "a/c.x a/d.x b/c.x b/d.x"),
            ("a{,b}", "a ab"),
            ("{a}", "{a}"),
            ("{{cookiecutter.slug}}/{a,b}", "{{cookiecutter.slug}}/a {{cookiecutter.slug}}/b"),
            ("{a,b", "{a,b"),
        ] {
            assert_eq!(spelled_out(glob).unwrap().join(" "), expected, "{glob}");
        }
        assert!(spelled_out(&"{a,b}".repeat(7)).is_err());
    }
}
