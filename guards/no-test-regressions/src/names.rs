//! Parts of a test's id: `tests/test_a.py::TestC::test_m[1]`, `crate module::test`, `a.test.js > suite > test`, `package TestX/sub`.

const SEPARATORS: [&str; 3] = [" > ", "::", " "];

/// The test's own name, without where it stands.
pub fn bare(id: &str) -> &str {
    // A parameter may hold anything.
    let until = id.find('[').unwrap_or(id.len());
    let cuts = [" > ", "::"].into_iter().filter_map(|separator| Some(id[..until].rfind(separator)? + separator.len()));
    cuts.max().or_else(|| id[..until].rfind(' ').map(|at| at + 1)).map_or(id, |at| &id[at..])
}

/// Where it stands: all before its own name.
pub fn place(id: &str) -> &str {
    id[..id.len() - bare(id).len()].trim_end_matches([':', '>', ' '])
}

/// Whether a test stands in a file or package of that name.
pub fn holds(whole: &str, id: &str) -> bool {
    id.strip_prefix(whole).is_some_and(|rest| SEPARATORS.iter().any(|separator| rest.starts_with(separator)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        for (id, name, at) in [
            ("tests/test_a.py::C::test_m[x::y z]", "test_m[x::y z]", "tests/test_a.py::C"),
            ("demo tests::adds", "adds", "demo tests"),
            ("demo adds", "adds", "demo"),
            ("a.test.js > sum of two > adds 1 and 2", "adds 1 and 2", "a.test.js > sum of two"),
            ("adds", "adds", ""),
        ] {
            assert_eq!((bare(id), place(id)), (name, at), "{id}");
        }
        assert!(holds("tests/test_a.py", "tests/test_a.py::test_x") && holds("a.b/c", "a.b/c TestX"));
        assert!(!holds("tests/test_a", "tests/test_a.py::test_x"));
    }
}
