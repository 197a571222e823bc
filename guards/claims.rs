//! Calls `claims` of a language component at build time, and writes what it says as Rust.

use std::fmt::Write as _;

use serde_json::{Value, json};
use wasmtime::component::{Component, Linker, Val};
use wasmtime::error::Context;
use wasmtime::{Result, Store, bail};

/// As components name it.
const READER: &str = "guardhost:language/reader@0.1.0";

/// An array of claims with the contract's field names.
pub fn claims(component: &Component) -> Result<Value> {
    let engine = component.engine();
    // It imports nothing but types.
    let linker = Linker::<()>::new(engine);
    let mut store = Store::new(engine, ());
    store.set_fuel(1_000_000_000)?;
    let instance = linker.instantiate(&mut store, component)?;
    let interface = instance.get_export_index(&mut store, None, READER);
    let function = interface.and_then(|it| instance.get_export_index(&mut store, Some(&it), "claims"));
    let function = function.with_context(|| format!("exports no `claims` of {READER}"))?;
    let function = instance.get_func(&mut store, function).context("`claims` is no function")?;
    let mut results = [Val::Bool(false)];
    function.call(&mut store, &[], &mut results)?;
    let claims = plain(&results[0])?;
    if claims.as_array().is_none_or(Vec::is_empty) {
        bail!("`claims` names no language");
    }
    Ok(claims)
}

/// Of the kinds of values that a claim has.
fn plain(value: &Val) -> Result<Value> {
    Ok(match value {
        Val::Bool(value) => json!(value),
        Val::String(text) => json!(text),
        Val::List(values) | Val::Tuple(values) => Value::Array(values.iter().map(plain).collect::<Result<_>>()?),
        Val::Record(fields) => {
            let field = |(name, value): &(String, Val)| Ok((name.clone(), plain(value)?));
            Value::Object(fields.iter().map(field).collect::<Result<_>>()?)
        }
        other => bail!("a claim holds no {other:?}"),
    })
}

/// `LanguageClaim`s of the engine.
pub fn written(claims: &Value) -> Result<String> {
    let mut list = String::new();
    for claim in claims.as_array().context("claims are a list")? {
        let texts = |key: &str| -> Result<String> {
            let texts = claim[key].as_array().with_context(|| format!("a claim without `{key}`"))?;
            Ok(texts.iter().map(|text| format!("Borrowed({text}), ")).collect())
        };
        let blocks = claim["block-comments"].as_array().context("a claim without `block-comments`")?;
        let blocks: String =
            blocks.iter().map(|pair| format!("(Borrowed({}), Borrowed({})), ", pair[0], pair[1])).collect();
        let answer =
            |key: &str| claim["answers"][key].as_bool().with_context(|| format!("a claim that does not say `{key}`"));
        writeln!(
            list,
            "LanguageClaim {{ language: Borrowed({}), endings: Borrowed(&[{}]), names: Borrowed(&[{}]), interpreters: Borrowed(&[{}]), \
             line_comments: Borrowed(&[{}]), block_comments: Borrowed(&[{blocks}]), strings: Borrowed(&[{}]), sleep_marks: Borrowed(&[{}]), error_marks: Borrowed(&[{}]), answers: TextQuestions {{ problems: {}, outline: {}, surface: {}, signatures: {}, names: {} }} }},",
            claim["language"],
            texts("endings")?,
            texts("names")?,
            texts("interpreters")?,
            texts("line-comments")?,
            texts("strings")?,
            texts("sleep-marks")?,
            texts("error-marks")?,
            answer("problems")?,
            answer("outline")?,
            answer("surface")?,
            answer("signatures")?,
            answer("names")?,
        )?;
    }
    Ok(list)
}
