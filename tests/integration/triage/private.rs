//! Private functions that are removed or renamed, and edits beside them, of which none is proved.

use guardhost_pipeline::triage::code::Sides;
use guardhost_pipeline::triage::renamed::renamed;
use guardhost_pipeline::triage::unproved::Unproved;
use guardhost_pipeline::triage::unreferenced::unreferenced;
use proptest::prelude::*;

use super::edits::changing;
use super::{EDITS, cases, outlines, samples};
use crate::support::random::Random;

/// A sample with a private function that nothing calls, and one that is called.
fn with_private(name: &str) -> String {
    let (_, text) = samples().iter().find(|(sample, _)| sample == name).expect("a sample");
    let more = match name {
        "sample.go" => {
            "\n// unused adds one.\nfunc unused(a int) int {\n\treturn a + 1\n}\n\nfunc total(a int) int {\n\treturn a\n}\n\nvar all = total(1) + total(2)\n"
        }
        "sample.rs" => {
            "\n// It adds one.\nfn unused(a: i32) -> i32 {\n    a + 1\n}\n\nfn total(a: i32) -> i32 {\n    a\n}\n\npub fn all() -> i32 {\n    total(1) + total(2)\n}\n"
        }
        "sample.js" => {
            "\n// It adds one.\nfunction unused(a) {\n  return a + 1;\n}\n\nexport const all = sum([1]) + sum([2]);\n"
        }
        "sample.ts" => {
            "\n// It adds one.\nasync function unused(a: number): Promise<number> {\n  return a + 1;\n}\n\nexport const all = sum([1]) + sum([2]);\n"
        }
        "sample.swift" => {
            "\n// It adds one.\nprivate func unused(_ a: Int) -> Int {\n    return a + 1\n}\n\nlet all = 1 + 2\n"
        }
        name => panic!("{name} has no private functions"),
    };
    format!("{text}{more}")
}

fn without_unused(text: &str) -> String {
    let begins = text.find("\n// unused").or_else(|| text.find("\n// It adds one")).expect("a function");
    let ends = begins + text[begins..].find("\n}\n").expect("its end") + 3;
    format!("{}{}", &text[..begins], &text[ends..])
}

const NOWHERE: fn(&str) -> Result<bool, Unproved> = |_| Ok(false);

fn removed(name: &str, old: &str, new: &str) -> Result<Vec<String>, Unproved> {
    unreferenced(&Sides { name, is_test: false, old, new }, &NOWHERE, outlines())
}

fn named_anew(name: &str, old: &str, new: &str) -> Result<(String, String), Unproved> {
    renamed(&Sides { name, is_test: false, old, new }, &NOWHERE, outlines())
}

#[test]
fn private_functions_are_removed_and_renamed() {
    for name in ["sample.go", "sample.rs"] {
        let old = with_private(name);
        assert_eq!(removed(name, &old, &without_unused(&old)), Ok(vec!["unused".to_owned()]), "{name}");
        let new = old.replace("total(", "sum(");
        assert_eq!(named_anew(name, &old, &new), Ok(("total".to_owned(), "sum".to_owned())), "{name}");
        // Another file has the word.
        let sides = Sides { name, is_test: false, old: &old, new: &without_unused(&old) };
        assert!(unreferenced(&sides, &|word| Ok(word == "unused"), outlines()).is_err(), "{name}");
        let sides = Sides { new: &new, ..sides };
        assert!(renamed(&sides, &|word| Ok(word == "sum"), outlines()).is_err(), "{name}");
        for (what, new) in [
            ("one call was left", new.replacen("sum(2)", "total(2)", 1)),
            ("a name that is known", old.replace("total(", "unused(")),
            ("a name in a string", old.replace("total(", "sum(").replacen("one  two", "sum(", 1)),
        ] {
            assert!(named_anew(name, &old, &new).is_err(), "{name}: {what}");
        }
        for (what, old) in [
            ("it is called", old.replace("total(2)", "unused(2)")),
            ("a string has its name", old.replacen("one  two", "unused", 1)),
            (
                "a mark",
                old.replace("// unused adds one.", "//export unused").replace("// It adds one.", "#[no_mangle]"),
            ),
        ] {
            let new = match what {
                "a mark" => {
                    let begins = old.find("//export").or_else(|| old.find("#[no")).expect("a mark");
                    let ends = begins + old[begins..].find("\n}\n").expect("its end") + 3;
                    format!("{}{}", &old[..begins], &old[ends..])
                }
                _ => without_unused(&old),
            };
            assert!(removed(name, &old, &new).is_err(), "{name}: {what}");
        }
    }
    // Others may name it.
    let text = samples().iter().find(|(name, _)| name == "sample.go").expect("a sample").1.as_str();
    let begins = text.find("// Count returns").expect("a function");
    assert!(removed("sample.go", text, &text[..begins]).is_err());
}

/// Languages in which only the removal is proved.
const REMOVED_ALONE: [&str; 3] = ["sample.js", "sample.ts", "sample.swift"];

#[test]
fn private_functions_of_other_languages_are_removed() {
    for name in REMOVED_ALONE {
        let old = with_private(name);
        let new = without_unused(&old);
        assert_eq!(removed(name, &old, &new), Ok(vec!["unused".to_owned()]), "{name}");
        let sides = Sides { name, is_test: false, old: &old, new: &new };
        assert!(unreferenced(&sides, &|word| Ok(word == "unused"), outlines()).is_err(), "{name}");
        assert!(named_anew(name, &old, &old.replace("unused", "plus")).is_err(), "{name}: a new name");
        for (what, from, to) in [
            ("a string has its name", "one  two", "unused"),
            ("all may name it", "private func unused", "func unused"),
            ("all may name it", "function unused", "export function unused"),
            ("a macro may name it", "let all = 1 + 2", "let all = #sum(1, 2)"),
            ("a text that is run may name it", "export const all = sum", "export const all = eval"),
            ("a script shares it", "import { sum } from \"./sum\";\n", ""),
            ("what follows would call what is before", "\nexport const all", "\n(sum)(1);\nexport const all"),
        ] {
            if let Some(begin) = old.find(from) {
                let edited = format!("{}{to}{}", &old[..begin], &old[begin + from.len()..]);
                assert!(removed(name, &edited, &without_unused(&edited)).is_err(), "{name}: {what}:\n{edited}");
            }
        }
    }
    let import = "import { sum } from \"./sum\";\n";
    let function = "\nfunction unused(a) {\n  return a;\n}\n";
    let end = "\nexport const all = sum(1);\n";
    for (before, is_removed) in [("sum(2);\n", true), ("const one = sum\n", false), ("const one =\n", false)] {
        let (old, new) = (format!("{import}{before}{function}{end}"), format!("{import}{before}{end}"));
        assert_eq!(removed("a.js", &old, &new).is_ok(), is_removed, "{before}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases() * 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_edit_beside_a_private_function_is_proved_harmless(seed: u64) {
        let mut random = Random::new(seed);
        for name in ["sample.go", "sample.rs"] {
            let old = with_private(name);
            let (without, anew) = (without_unused(&old), old.replace("total(", "sum("));
            for _ in 0..EDITS / 2 {
                let (what, edited) = changing(&without, name, outlines(), &mut random);
                prop_assert!(removed(name, &old, &edited).is_err(), "{what} in {name}:\n{edited}");
                let (what, edited) = changing(&anew, name, outlines(), &mut random);
                prop_assert!(named_anew(name, &old, &edited).is_err(), "{what} in {name}:\n{edited}");
            }
        }
        for name in REMOVED_ALONE {
            let old = with_private(name);
            let without = without_unused(&old);
            for _ in 0..EDITS / 2 {
                let (what, edited) = changing(&without, name, outlines(), &mut random);
                prop_assert!(removed(name, &old, &edited).is_err(), "{what} in {name}:\n{edited}");
            }
        }
    }
}
