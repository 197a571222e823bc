//! `host guard certify`: embedded guards keep the contract, and guards that lie are found out.

use std::fs;

use serde_json::Value;

use guardhost_engine::Stage;

use crate::support::cli::host;
use crate::support::guest::{FILES, FIRST_FILE, Found, Guest, REJECT, verdict};

fn certified(component: &[u8], code: i32) -> Value {
    certified_with(&[], component, code)
}

fn certified_with(flags: &[&str], component: &[u8], code: i32) -> Value {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("guard.wasm"), component).unwrap();
    let arguments = ["guard", "certify", "guard.wasm", "--changes", "12", "--format", "json"];
    let told = host(folder.path(), &[&arguments, flags].concat()).expect(code).json();
    assert_eq!((&told["schema_version"], &told["certified"]), (&1.into(), &Value::Bool(code == 0)));
    told
}

#[track_caller]
fn outcome<'a>(told: &'a Value, look: &str) -> (&'a str, String) {
    let looks = told["looks"].as_array().unwrap();
    let look = looks.iter().find(|one| one["name"] == look).unwrap_or_else(|| panic!("no look {look}: {told}"));
    (look["outcome"].as_str().unwrap(), format!("{} {}", look["detail"], look["examples"]))
}

#[test]
fn embedded_guards_keep_the_contract() {
    for guard in guards::builtin() {
        // What runs builds and tests is measured where a sandbox for them is.
        if guard.description.get().needs.iter().any(|need| need.name == "toolchain") {
            continue;
        }
        let told = certified(guards::component(guard.id).unwrap(), 0);
        assert_eq!(told["id"], guard.id);
        assert_eq!(told["digest"], guard.digest);
        // Twelve generated plans and four odd ones, or well over a hundred changes.
        let least = if guard.description.get().stages.contains(&Stage::Plan) { 15 } else { 50 };
        assert!(told["called"].as_u64().unwrap() >= least, "{told}");
    }
}

#[test]
fn the_same_certificate_every_time() {
    let timeless = |mut told: Value| {
        told["most"]["micros"] = Value::Null;
        told
    };
    let guest = Guest::default().component();
    assert_eq!(timeless(certified(&guest, 0)), timeless(certified(&guest, 0)));
}

#[test]
fn limits_as_a_pin_would_set_them() {
    let spinning = Guest::checking(
        "(local.set $i (i32.const 1000)) (loop $l (br_if $l (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))",
    );
    let told = certified_with(&["--memory", "8MiB"], &spinning.component(), 0);
    assert_eq!(told["limits"]["memory"], 8 << 20);
    let told = certified_with(&["--fuel", "1000"], &spinning.component(), 1);
    let (outcome, what) = outcome(&told, "limits");
    assert_eq!((outcome, what.contains("out-of-fuel")), ("fail", true), "{what}");
}

#[test]
fn an_import_that_is_not_declared() {
    let told = certified(&Guest::curious().component(), 1);
    let (outcome, what) = outcome(&told, "rights");
    assert_eq!(outcome, "fail");
    assert!(what.contains("it imports `repo`, and its description does not say so"), "{what}");
}

/// Of the first file's new side: its bytes at the pointer in 4008, their number in 4012, if 4000 holds 0.
const READ: &str = r#"(import "guardhost:guard/change@0.1.0" "files" (func $files (param i32)))
    (import "guardhost:guard/change@0.1.0" "[method]file.read" (func $read (param i32 i32 i32)))"#;

fn reading(then: &str) -> Guest {
    let check = format!(
        "(call $read (call $first-file) (i32.const 1) (i32.const 4000))
         (if (i32.eqz (i32.load8_u (i32.const 4000))) (then {then}))"
    );
    Guest { imports: READ, items: FIRST_FILE.to_owned(), ..Guest::checking(&check) }
}

#[test]
fn a_trap_on_odd_bytes() {
    let guest = reading(
        "(if (i32.load (i32.const 4012)) (then
           (if (i32.eq (i32.load8_u (i32.load (i32.const 4008))) (i32.const 255)) (then unreachable))))",
    );
    let told = certified(&guest.component(), 1);
    let (outcome, what) = outcome(&told, "answers");
    assert_eq!(outcome, "fail");
    assert!(what.contains("UTF-16 with an odd byte, new: trap"), "{what}");
}

#[test]
fn fuel_that_grows_as_the_square_of_the_input() {
    // For every 32 bytes, all that many rounds.
    let guest = reading(
        "(local.set $size (i32.mul (i32.shr_u (i32.load (i32.const 4012)) (i32.const 5))
                                   (i32.shr_u (i32.load (i32.const 4012)) (i32.const 5))))
         (block $done (loop $l
           (br_if $done (i32.ge_u (local.get $i) (local.get $size)))
           (local.set $i (i32.add (local.get $i) (i32.const 1)))
           (br $l)))",
    );
    let told = certified(&guest.component(), 1);
    let (outcome, what) = outcome(&told, "growth");
    assert_eq!(outcome, "fail");
    assert!(what.contains("superlinear") && what.contains("size to the power of 2.0"), "{what}");
    assert_eq!(self::outcome(&told, "limits").0, "fail", "at 1 MiB");
}

#[test]
fn findings_that_point_outside() {
    let found = Found::at("README.md", 4_000_000);
    let told = certified(&Guest::answering(verdict(REJECT, &[found])).component(), 1);
    let (outcome, what) = outcome(&told, "findings");
    assert_eq!(outcome, "fail");
    assert!(what.contains("`a-rule` at README.md:4000000"), "{what}");
}

/// A trap is a trap in whatever run it comes, also where nothing is found that could differ.
#[test]
fn a_trap_on_one_length_in_fifty() {
    let guest = reading(
        "(if (i32.eq (i32.rem_u (i32.load (i32.const 4012)) (i32.const 50)) (i32.const 7)) (then unreachable))",
    );
    for seed in ["1", "2", "3"] {
        let told = certified_with(&["--seed", seed], &guest.component(), 1);
        let (outcome, what) = outcome(&told, "answers");
        assert_eq!(outcome, "fail");
        assert!(what.contains("a text of 7 bytes"), "{what}");
        assert_eq!(self::outcome(&told, "order-of-files").0, "pass");
    }
}

#[test]
fn fuel_that_grows_as_the_square_of_the_files() {
    let guest = Guest {
        imports: FILES,
        ..Guest::checking(
            "(call $files (i32.const 4000))
             (local.set $size (i32.mul (i32.load (i32.const 4004)) (i32.load (i32.const 4004))))
             (block $done (loop $l
               (br_if $done (i32.ge_u (local.get $i) (local.get $size)))
               (local.set $i (i32.add (local.get $i) (i32.const 1)))
               (br $l)))",
        )
    };
    let told = certified(&guest.component(), 1);
    let (outcome, what) = outcome(&told, "growth");
    assert_eq!(outcome, "fail");
    assert!(what.contains("many files, new") && what.contains("size to the power of 2.0"), "{what}");
}

/// One that always takes all of its fuel is not shown hundreds of changes.
#[test]
fn a_guard_that_meets_its_limits_is_not_shown_everything() {
    let told = certified(&Guest::checking("(loop $l (br $l))").component(), 1);
    assert_eq!(outcome(&told, "limits").0, "fail");
    assert_eq!(told["called"], 8, "{told}");
}

/// A gate that could not look has not looked.
#[test]
fn a_guard_that_is_never_called_has_shown_nothing() {
    let told = certified(&Guest { stage: "plan", ..Guest::default() }.component(), 1);
    assert_eq!(outcome(&told, "called").0, "fail");
}
