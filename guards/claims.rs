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
        Val::String(text) | Val::Enum(text) => json!(text),
        Val::List(values) | Val::Tuple(values) => Value::Array(values.iter().map(plain).collect::<Result<_>>()?),
        Val::Record(fields) => {
            let field = |(name, value): &(String, Val)| Ok((name.clone(), plain(value)?));
            Value::Object(fields.iter().map(field).collect::<Result<_>>()?)
        }
        other => bail!("a claim holds no {other:?}"),
    })
}

fn texts(record: &Value, key: &str) -> Result<String> {
    let texts = record[key].as_array().with_context(|| format!("a claim without `{key}`"))?;
    Ok(texts.iter().map(|text| format!("Borrowed({text}), ")).collect())
}

fn syntax(syntax: &Value) -> Result<String> {
    let list = |key: &str| syntax[key].as_array().with_context(|| format!("a syntax without `{key}`"));
    let blocks: String = list("block-comments")?
        .iter()
        .map(|pair| format!("(Borrowed({}), Borrowed({})), ", pair[0], pair[1]))
        .collect();
    let mut literals = String::new();
    for literal in list("literals")? {
        let form = match literal["form"].as_str().context("a literal without a form")? {
            "plain" => "Plain",
            "fenced" => "Fenced",
            "character" => "Character",
            "value" => "Value",
            "delimited" => "Delimited",
            "here-document" => "HereDocument",
            other => bail!("no form of a literal is called {other}"),
        };
        write!(
            literals,
            "Literal {{ open: Borrowed({}), close: Borrowed({}), escape: Borrowed({}), crosses_lines: {}, form: LiteralForm::{form} }}, ",
            literal["open"], literal["close"], literal["escape"], literal["crosses-lines"]
        )?;
    }
    Ok(format!(
        "Syntax {{ line_comments: Borrowed(&[{}]), comments_stand_apart: {}, block_comments: Borrowed(&[{blocks}]), comments_nest: {}, \
         literals: Borrowed(&[{literals}]) }}",
        texts(syntax, "line-comments")?,
        syntax["comments-stand-apart"],
        syntax["comments-nest"],
    ))
}

/// `LanguageClaim`s of the engine.
pub fn written(claims: &Value) -> Result<String> {
    let mut list = String::new();
    for claim in claims.as_array().context("claims are a list")? {
        let texts = |key: &str| texts(claim, key);
        let syntax = syntax(&claim["syntax"])?;
        let answer =
            |key: &str| claim["answers"][key].as_bool().with_context(|| format!("a claim that does not say `{key}`"));
        writeln!(
            list,
            "LanguageClaim {{ language: Borrowed({}), endings: Borrowed(&[{}]), names: Borrowed(&[{}]), interpreters: Borrowed(&[{}]), \
             syntax: {syntax}, sleep_marks: Borrowed(&[{}]), error_marks: Borrowed(&[{}]), answers: TextQuestions {{ problems: {}, outline: {}, surface: {}, signatures: {}, names: {} }} }},",
            claim["language"],
            texts("endings")?,
            texts("names")?,
            texts("interpreters")?,
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
