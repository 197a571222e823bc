//! What the guard says of the folders in `cases/`, and that its remedies mend.

use std::path::Path;

use guard_sdk::testing::{self, Case};
use guard_sdk::{Fix, Verdict};
use syntax_holds::SyntaxHolds;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/cases");

#[test]
fn cases() {
    testing::cases::<SyntaxHolds>(CASES);
}

#[test]
fn settings() {
    testing::settings::<SyntaxHolds>();
}

/// A change with every fix applied is not found fault with again.
#[test]
fn fixes_mend() {
    let mended = ["fence/python", "fence/go", "fence/json-after-a-mark", "fence/only-the-first-line"]
        .into_iter()
        .chain(["json/trailing-comma", "json/two-trailing-commas-after-a-mark"]);
    for name in mended {
        let mut case = Case::read(&Path::new(CASES).join(name)).unwrap();
        let Ok(Verdict::Reject(findings)) = testing::check::<SyntaxHolds>(&case) else {
            panic!("{name} is not rejected")
        };
        for fix in findings.into_iter().filter_map(|finding| finding.fix) {
            apply(&mut case, fix);
        }
        let said = testing::check::<SyntaxHolds>(&case);
        assert!(!matches!(said, Err(_) | Ok(Verdict::Reject(_))), "{name}: {said:?}");
    }
}

fn apply(case: &mut Case, mut fix: Fix) {
    fix.edits.sort_by_key(|edit| std::cmp::Reverse(edit.start));
    for edit in fix.edits {
        let (_, content) = case.after.get_mut(&edit.path).unwrap();
        content.splice(edit.start as usize..edit.end as usize, edit.replacement);
    }
}
