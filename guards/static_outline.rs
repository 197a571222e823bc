//! What a set of guards reads of each description, as Rust: the engine's `DescribedOutline`, and the grants that suffice.

use serde_json::Value;
use wasmtime::Result;
use wasmtime::error::Context;

/// Fields of `Builtin`.
pub fn from_description(description: &Value) -> Result<String> {
    let text = |key: &str| description[key].as_str().with_context(|| format!("a description without `{key}`"));
    let globs = texts(&description["globs"])?.iter().map(|glob| format!("Borrowed({glob:?}), ")).collect::<String>();
    let stages = texts(&description["stages"])?;
    let stages = stages.iter().map(|stage| Ok(format!("{}, ", variant(stage)?)));
    Ok(format!(
        "outline: DescribedOutline {{ version: Borrowed({:?}), mark: Borrowed({:?}), event: Borrowed({:?}), \
         stages: Borrowed(&[{}]), globs: Borrowed(&[{globs}]) }}, grants: &{:?},",
        text("version")?,
        text("mark")?,
        text("event")?,
        stages.collect::<Result<String>>()?,
        grants(description)?,
    ))
}

fn variant(stage: &str) -> Result<&'static str> {
    Ok(match stage {
        "patch" => "Stage::Patch",
        "content" => "Stage::Content",
        "command" => "Stage::Command",
        "plan" => "Stage::Plan",
        "score" => "Stage::Score",
        "analysis" => "Stage::Analysis",
        other => wasmtime::bail!("no stage is called `{other}`"),
    })
}

/// As `Need::grants` of the engine has them.
fn grants(description: &Value) -> Result<Vec<String>> {
    let mut grants = Vec::new();
    for need in description["needs"].as_array().context("a description without `needs`")? {
        let name = need["name"].as_str().context("a need without a name")?;
        match texts(&need["paths"])?.as_slice() {
            [] => grants.push(name.to_owned()),
            paths => grants.extend(paths.iter().map(|glob| format!("{name}:{glob}"))),
        }
    }
    Ok(grants)
}

/// An array of texts; none where there is no array.
fn texts(array: &Value) -> Result<Vec<&str>> {
    let array = array.as_array().map(Vec::as_slice).unwrap_or_default();
    array.iter().map(|text| text.as_str().context("a list of texts")).collect()
}
