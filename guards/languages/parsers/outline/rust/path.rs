//! Paths, and what a `use` brings in.

/// One leaf of a `use`: the path as written, and what it is called here; None for a glob.
#[derive(Debug, PartialEq)]
pub struct Leaf {
    pub path: Vec<String>,
    pub local: Option<String>,
}

/// The leaves of `a::{b, c::{self as d, *}}`, given as its tokens.
pub fn leaves(tokens: &[String]) -> Vec<Leaf> {
    let mut found = Vec::new();
    // The path before each open brace.
    let mut around: Vec<Vec<String>> = vec![Vec::new()];
    let mut path: Vec<String> = Vec::new();
    let mut alias: Option<String> = None;
    let mut tokens = tokens.iter();
    while let Some(token) = tokens.next() {
        match token.as_str() {
            "::" => {}
            "{" => around.push(path.clone()),
            "}" | "," => {
                leaf(&mut found, &path, alias.take(), around.last());
                if token == "}" {
                    around.pop();
                }
                path = around.last().cloned().unwrap_or_default();
            }
            "as" => alias = tokens.next().cloned(),
            name => path.push(name.to_owned()),
        }
    }
    leaf(&mut found, &path, alias, around.last());
    found
}

fn leaf(found: &mut Vec<Leaf>, path: &[String], alias: Option<String>, around: Option<&Vec<String>>) {
    if around.is_some_and(|around| around.len() == path.len()) {
        return;
    }
    let mut path = path.to_vec();
    match path.last().map(String::as_str) {
        Some("*") => {
            path.pop();
            found.push(Leaf { path, local: None });
        }
        Some("self") if path.len() > 1 => {
            path.pop();
            let local = alias.or_else(|| path.last().cloned());
            found.push(Leaf { path, local });
        }
        Some(last) => {
            let local = alias.or(Some(last.to_owned()));
            found.push(Leaf { path, local });
        }
        None => {}
    }
}

/// A path as seen from the file's own module, when it stands in modules that are written inside the file.
pub fn outward(path: &[String], inside: &[String]) -> Vec<String> {
    let mut inside = inside.to_vec();
    let mut rest = path;
    let mut seen: Vec<String> = Vec::new();
    match rest.first().map(String::as_str) {
        Some("self") => rest = &rest[1..],
        Some("super") => {
            while let ("super", tail) = (rest.first().map_or("", String::as_str), rest.get(1..).unwrap_or_default()) {
                rest = tail;
                if inside.pop().is_none() {
                    seen.push("super".to_owned());
                }
            }
        }
        _ => return path.to_vec(),
    }
    if seen.is_empty() {
        seen.push("self".to_owned());
    }
    seen.extend(inside);
    seen.extend_from_slice(rest);
    seen
}

#[cfg(test)]
mod tests {
    use super::{leaves, outward};

    fn words(text: &str) -> Vec<String> {
        text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    fn read(text: &str) -> Vec<String> {
        let show = |leaf: &super::Leaf| format!("{} {}", leaf.path.join("::"), leaf.local.as_deref().unwrap_or("*"));
        leaves(&words(text)).iter().map(show).collect()
    }

    #[test]
    fn trees() {
        assert_eq!(read("a :: b"), ["a::b b"]);
        assert_eq!(read("a :: b as c"), ["a::b c"]);
        assert_eq!(
            read("a :: { self , b , c :: { D , E as F } , g :: * }"),
            ["a a", "a::b b", "a::c::D D", "a::c::E F", "a::g *"]
        );
        assert_eq!(read("{ a :: { b :: { c } } , d }"), ["a::b::c c", "d d"]);
        assert_eq!(read("crate :: x :: { y , }"), ["crate::x::y y"]);
    }

    #[test]
    fn from_within() {
        let seen = |path: &str, inside: &str| outward(&words(path), &words(inside)).join("::");
        assert_eq!(seen("super a", "tests"), "self::a");
        assert_eq!(seen("super super a", "tests"), "super::a");
        assert_eq!(seen("super a", ""), "super::a");
        assert_eq!(seen("self a", "tests"), "self::tests::a");
        assert_eq!(seen("crate a", "tests"), "crate::a");
        assert_eq!(seen("super super a", "x tests"), "self::a");
    }
}
