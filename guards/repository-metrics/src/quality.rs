//! Tools that read the code before people do.

use guard_sdk::analysis::{Measurement, Point, Tree};

use crate::languages;
use crate::practice::{Practice, Tool};
use crate::structure::hooks;
use crate::workflows::{LINT, Workflows};

type ToolOf = fn(&'static Practice) -> Option<&'static Tool>;

pub fn measure(tree: &Tree) -> Measurement {
    let languages = languages::main(tree);
    if languages.is_empty() {
        return Measurement::NotMeasured(languages::NONE.to_owned());
    }
    let workflows = Workflows::new(tree);
    let mut points = Vec::new();
    for (rule, whole, of, what) in [
        ("linter", 400, (|language| language.linter.as_ref()) as ToolOf, "a linter"),
        ("formatter", 200, |language| language.formatter.as_ref(), "a formatter"),
        ("types-checked", 200, |language| language.types.as_ref(), "a check of types"),
    ] {
        for (language, possible) in languages.iter().zip(languages::shares(whole, languages.len())) {
            points.push(point(tree, &workflows, rule, possible, language, of(language), what));
        }
    }
    points.push(match (workflows.naming(&LINT), hooks(tree)) {
        (Some(place), _) => place.earns("checks-enforced", 200, "CI runs a check"),
        (None, Some(path)) => Point::earned("checks-enforced", 200, "a hook of git runs checks").at(path),
        (None, None) => {
            let help = "Run linter and formatter in CI, or by a hook (pre-commit, lefthook, husky).";
            Point::missed("checks-enforced", 200, "neither CI nor a hook runs a linter", help)
        }
    });
    Measurement::Measured(points)
}

fn point(
    tree: &Tree,
    workflows: &Workflows,
    rule: &'static str,
    possible: u32,
    language: &Practice,
    tool: Option<&Tool>,
    what: &str,
) -> Point {
    let name = language.name;
    let Some(tool) = tool else {
        return Point::earned(rule, possible, format!("the compiler of {name} does it"));
    };
    let own = tree.find(tool.files, 1).into_iter().next().filter(|_| !tool.files.is_empty());
    let by_words = || {
        let has = |(file, words): &&(&str, &[&str])| {
            tree.text(file).is_ok_and(|text| words.iter().any(|word| text.contains(word)))
        };
        tool.words.iter().find(has).map(|(file, _)| file.to_string())
    };
    if let Some(path) = own.or_else(by_words) {
        return Point::earned(rule, possible, format!("{name}: {what} is configured")).at(path);
    }
    let words: Vec<&str> = tool.words.iter().flat_map(|(_, words)| words.iter().copied()).collect();
    if let Some(place) = workflows.naming(&words) {
        return place.earns(rule, possible, format!("{name}: CI runs {what}"));
    }
    Point::missed(rule, possible, format!("{name}: {what} is not configured"), format!("Configure {what} for {name}."))
}
