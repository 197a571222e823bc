//! Whether this validator and another say the same of a value: of every file of the cases, and of each many times over with
//! something in it changed.

use guard_cases::{Case, find};
use jsonschema::{Draft, Validator};
use serde_json::{Map, Value as Json, json};

use crate::check::Checker;
use crate::explain::explain;
use crate::kind::{self, Kind};
use crate::read::read;
use crate::value::{self, Kind as Shape, Member, Value};

/// Changes to each file.
const ROUNDS: usize = 60;

#[test]
fn both_say_the_same() {
    let validators: Vec<(Kind, Validator)> = Kind::ALL.map(|kind| (kind, validator(kind))).into();
    let (mut asked, mut refused) = (0, 0);
    for (path, text) in files() {
        let Some((kind, syntax)) = kind::from_path(&path) else { continue };
        let other = &validators.iter().find(|(known, _)| *known == kind).expect("every kind has a validator").1;
        for value in read(kind, syntax, &text).unwrap_or_default().iter().filter(|value| !value.is_open()) {
            let sound = to_json(value);
            let mut dice = Dice(text.len() as u64 + 1);
            for round in 0..ROUNDS {
                let mut changed = sound.clone();
                (0..round % 4).for_each(|_| change(&mut changed, &mut dice));
                asked += 1;
                refused += u32::from(!agree(kind, other, &changed));
            }
        }
    }
    assert!(
        asked > 5_000 && refused > asked / 5 && refused < asked,
        "{refused} of {asked} are refused: no test of anything"
    );
}

/// What both say; and of what is refused, that it can be told why.
fn agree(kind: Kind, other: &Validator, document: &Json) -> bool {
    let (checker, value) = (Checker::new(), from_json(document));
    let holds = checker.holds(kind.schema(), &value);
    assert!(!checker.is_exhausted());
    assert_eq!(holds, other.is_valid(document), "{}: {document:#}", kind.name());
    assert_eq!(holds, explain(&checker, kind.schema(), &value).is_empty(), "{}: {document:#}", kind.name());
    holds
}

fn validator(kind: Kind) -> Validator {
    const BUNDLE: &str = include_str!(concat!(env!("OUT_DIR"), "/bundle.json"));
    let name = match kind {
        Kind::PackageJson => "package",
        Kind::TsConfig => "tsconfig",
        Kind::Eslint => "eslintrc",
        Kind::Prettier => "prettierrc",
        Kind::Workflow => "github-workflows",
        Kind::Action => "github-actions",
        Kind::Dependabot => "dependabot",
        Kind::Cargo => "cargo",
        Kind::Pyproject => "pyproject",
        Kind::PreCommit => "pre-commit",
        Kind::Compose => "compose-spec",
    };
    let mut schema: Json = serde_json::from_str(BUNDLE).expect("the bundle is JSON");
    schema["$ref"] = json!(format!("#/$defs/{name}"));
    jsonschema::options().with_draft(Draft::Draft202012).build(&schema).expect("the bundle is a schema")
}

/// Paths, from the folder of all cases, and texts.
fn files() -> Vec<(String, String)> {
    let found = find(concat!(env!("CARGO_MANIFEST_DIR"), "/cases").as_ref(), &["before", "after"]);
    let of_case = |location: guard_cases::Location| {
        let case = Case::read(&location.path).expect("a case");
        let file = |file: &guard_cases::File| {
            let text = String::from_utf8(file.bytes.clone()).expect("a case is text");
            (format!("{}/{}", location.name, file.path.display()), text)
        };
        case.files().iter().map(file).collect::<Vec<_>>()
    };
    found.expect("a folder of cases").into_iter().flat_map(of_case).collect()
}

fn to_json(value: &Value) -> Json {
    match &value.kind {
        Shape::Null | Shape::Open => Json::Null,
        Shape::Bool(value) => json!(value),
        Shape::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => json!(*number as i64),
        Shape::Number(number) => json!(number),
        Shape::Text(text) => json!(text),
        Shape::List(items) => items.iter().map(to_json).collect(),
        Shape::Map(members) => {
            Json::Object(members.iter().map(|member| (member.key.to_string(), to_json(&member.value))).collect())
        }
    }
}

fn from_json(document: &Json) -> Value<'static> {
    let kind = match document {
        Json::Null => Shape::Null,
        Json::Bool(value) => Shape::Bool(*value),
        Json::Number(number) => Shape::Number(number.as_f64().expect("numbers here are small")),
        Json::String(text) => Shape::Text(text.clone().into()),
        Json::Array(items) => Shape::List(items.iter().map(from_json).collect()),
        Json::Object(members) => {
            let member =
                |(key, value): (&String, &Json)| Member { key: key.clone().into(), line: 1, value: from_json(value) };
            value::map(members.iter().map(member).collect())
        }
    };
    Value { line: 1, span: 0..0, kind }
}

/// Replaces, removes, renames or adds something somewhere.
fn change(document: &mut Json, dice: &mut Dice) {
    let deeper = dice.throw(4) > 0;
    match document {
        Json::Array(items) if deeper && !items.is_empty() => {
            let index = dice.throw(items.len());
            match dice.throw(8) {
                0 => drop(items.remove(index)),
                1 => items.push(items[index].clone()),
                _ => change(&mut items[index], dice),
            }
        }
        Json::Object(members) if deeper && !members.is_empty() => change_member(members, dice),
        value => *value = any(dice),
    }
}

fn change_member(members: &mut Map<String, Json>, dice: &mut Dice) {
    let key = members.keys().nth(dice.throw(members.len())).cloned().unwrap_or_default();
    match dice.throw(8) {
        0 => drop(members.remove(&key)),
        1 => {
            let value = members.remove(&key).unwrap_or_default();
            members.insert(format!("{key}s"), value);
        }
        2 => drop(members.insert("x-more".to_owned(), any(dice))),
        _ => change(members.get_mut(&key).unwrap_or(&mut Json::Null), dice),
    }
}

fn any(dice: &mut Dice) -> Json {
    let values = [
        json!(null),
        json!(true),
        json!(0),
        json!(-3),
        json!(2.5),
        json!(""),
        json!("a text"),
        json!("${{ github.ref }}"),
        json!([]),
        json!(["a", "a"]),
        json!([1, {}]),
        json!({}),
        json!({ "name": "a", "x-y": 1 }),
    ];
    values[dice.throw(values.len())].clone()
}

/// Xorshift: the same throws at every run.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}
