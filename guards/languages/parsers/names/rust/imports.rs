//! What a `use` brings in.

/// The names that a `use` binds, and whether it has a glob.
pub fn leaves(tokens: &[String]) -> (Vec<String>, bool) {
    let (mut names, mut has_glob) = (Vec::new(), false);
    // The last name before each open brace, for `name::{self}`.
    let mut around: Vec<String> = Vec::new();
    let mut last = String::new();
    for token in tokens {
        match token.as_str() {
            "::" | "as" => {}
            "{" => around.push(std::mem::take(&mut last)),
            "*" => {
                has_glob = true;
                last.clear();
            }
            "," | "}" => {
                names.extend((!last.is_empty()).then(|| std::mem::take(&mut last)));
                if token == "}" {
                    around.pop();
                }
            }
            "self" => last = around.last().cloned().unwrap_or_default(),
            name => last = name.trim_start_matches("r#").to_owned(),
        }
    }
    names.extend((!last.is_empty()).then_some(last));
    (names, has_glob)
}
