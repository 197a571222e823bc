//! Whether a service checks every change.

use guard_sdk::analysis::{Point, Tree};

use crate::workflows::{COVERAGE, LINT, TESTS, Workflows};

pub const UPDATERS: [&str; 8] = [
    ".github/dependabot.yml",
    ".github/dependabot.yaml",
    "renovate.json",
    "renovate.json5",
    ".github/renovate.json",
    ".github/renovate.json5",
    ".renovaterc",
    ".renovaterc.json",
];

pub fn points(tree: &Tree) -> Vec<Point> {
    let workflows = Workflows::new(tree);
    let mut points = Vec::new();
    match workflows.first() {
        None => {
            let help = "Add a workflow (such as .github/workflows/ci.yml) that builds, lints and tests every change.";
            points.push(Point::missed("ci-present", 900, "no CI service is configured", help));
        }
        Some(path) => {
            points.push(Point::earned("ci-present", 500, "a CI service is configured").at(path));
            for (rule, words, possible, what) in [
                ("ci-tests", &TESTS[..], 200, "runs tests"),
                ("ci-coverage", &COVERAGE[..], 100, "measures coverage"),
                ("ci-lint", &LINT[..], 100, "runs a linter"),
            ] {
                points.push(match workflows.naming(words) {
                    Some(place) => place.earns(rule, possible, format!("it {what}")),
                    None => {
                        let said = format!("no step of CI {what}, as far as its words tell");
                        match workflows.of_tests() {
                            Some(path) => {
                                let help = format!("Add a step to {path} that {what}.");
                                Point::missed(rule, possible, said, help).at(path)
                            }
                            None => {
                                let help =
                                    format!("Add a workflow, or a step to the one that it belongs to, that {what}.");
                                Point::missed(rule, possible, said, help)
                            }
                        }
                    }
                });
            }
        }
    }
    points.push(match tree.first(&UPDATERS) {
        Some(path) => Point::earned("dependencies-updated", 100, "updates of dependencies are proposed").at(path),
        None => {
            let help = "Add .github/dependabot.yml or a configuration of Renovate.";
            Point::missed("dependencies-updated", 100, "nothing proposes updates of dependencies", help)
        }
    });
    points
}
