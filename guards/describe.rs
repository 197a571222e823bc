//! Calls `describe` of a component at build time. The host's engine is not compiled yet, so the one interface that `describe` needs is
//! served here; every other import traps, because a description depends on nothing.

use serde_json::{Value, json};
use wasmtime::component::{Component, Instance, Linker, Resource, ResourceAny, ResourceType, Val};
use wasmtime::error::Context;
use wasmtime::{Error, Result, Store, StoreContextMut, bail};

/// As components name it.
const REPORT: &str = "guardhost:guard/report@0.1.0";

/// The description that the guard builds. A handle stands for an index.
#[derive(Default)]
struct Drafts(Vec<Value>);

struct Description;

pub fn describe(component: &Component) -> Result<Value> {
    let engine = component.engine();
    let mut linker = Linker::<Drafts>::new(engine);
    linker.allow_shadowing(true);
    linker.define_unknown_imports_as_traps(component)?;
    serve_report(&mut linker)?;
    let mut store = Store::new(engine, Drafts::default());
    store.set_fuel(1_000_000_000)?;
    let instance = linker.instantiate(&mut store, component)?;
    let mut results = [Val::Bool(false)];
    exported(&instance, &mut store)?.call(&mut store, &[], &mut results)?;
    let Val::Resource(handle) = &results[0] else { bail!("`describe` returns no description") };
    let index = handle_index(&mut store, *handle)?;
    let mut description = std::mem::take(&mut store.data_mut().0[index]);
    if description["stages"].as_array().is_some_and(Vec::is_empty) {
        description["stages"] = json!(["content"]);
    }
    Ok(description)
}

fn exported(instance: &Instance, store: &mut Store<Drafts>) -> Result<wasmtime::component::Func> {
    let interface = instance.get_export_index(&mut *store, None, "guardhost:guard/metadata@0.1.0");
    let function = interface.and_then(|it| instance.get_export_index(&mut *store, Some(&it), "describe"));
    let function = function.context("exports no `describe` of guardhost:guard/metadata")?;
    instance.get_func(&mut *store, function).context("`describe` is no function")
}

/// The keys are those of the engine's `Description`.
fn serve_report(linker: &mut Linker<Drafts>) -> Result<()> {
    let mut report = linker.instance(REPORT)?;
    report.resource("description", ResourceType::host::<Description>(), |_, _| Ok(()))?;
    report.func_new("[constructor]description", |mut store, _, params, results| {
        let [id, version, promise] = texts(params)?;
        let drafts = &mut store.data_mut().0;
        drafts.push(json!({
            "id": id, "version": version, "mark": "", "promise": promise, "stages": [], "globs": [], "needs": [],
            "settings_schema": r#"{"type":"object","additionalProperties":false}"#, "event": "", "rules": [],
        }));
        let handle = Resource::<Description>::new_own(u32::try_from(drafts.len() - 1)?);
        results[0] = Val::Resource(ResourceAny::try_from_resource(handle, &mut store)?);
        Ok(())
    })?;
    for (method, key) in [("set-mark", "mark"), ("set-settings-schema", "settings_schema"), ("set-event", "event")] {
        report.func_new(&format!("[method]description.{method}"), move |mut store, _, params, _| {
            let [text] = texts(&params[1..])?;
            draft(&mut store, params)?[key] = text.into();
            Ok(())
        })?;
    }
    for (method, key) in [("add-stage", "stages"), ("add-glob", "globs")] {
        report.func_new(&format!("[method]description.{method}"), move |mut store, _, params, _| {
            let [text] = texts(&params[1..])?;
            push(draft(&mut store, params)?, key, text.into())
        })?;
    }
    report.func_new("[method]description.add-need", |mut store, _, params, _| {
        let [name, why] = texts(&params[1..])?;
        push(draft(&mut store, params)?, "needs", json!({ "name": name, "why": why }))
    })?;
    report.func_new("[method]description.add-need-of-paths", |mut store, _, params, _| {
        let ([name], [why]) = (texts(&params[1..2])?, texts(&params[3..])?);
        let Val::List(globs) = &params[2] else { bail!("globs are a list") };
        let globs = globs.iter().map(|glob| texts(std::slice::from_ref(glob)).map(|[glob]| glob));
        let globs = globs.collect::<Result<Vec<_>>>()?;
        push(draft(&mut store, params)?, "needs", json!({ "name": name, "why": why, "paths": globs }))
    })?;
    report.func_new("[method]description.add-rule", |mut store, _, params, _| {
        let [rule, summary] = texts(&params[1..3])?;
        let mut documented = json!({ "rule": rule, "summary": summary });
        if let Val::Option(Some(url)) = &params[3] {
            let [url] = texts(std::slice::from_ref(&**url))?;
            documented["url"] = url.into();
        }
        push(draft(&mut store, params)?, "rules", documented)
    })?;
    report.func_new("[method]description.set-attribute", |_, _, _, _| Ok(()))
}

fn texts<const N: usize>(values: &[Val]) -> Result<[String; N]> {
    let texts = values.iter().map(|value| match value {
        Val::String(text) => Ok(text.clone()),
        other => bail!("a description holds no {other:?}"),
    });
    let texts = texts.collect::<Result<Vec<_>>>()?;
    texts.try_into().map_err(|_| Error::msg("another number of texts is expected"))
}

fn draft<'s>(store: &'s mut StoreContextMut<'_, Drafts>, params: &[Val]) -> Result<&'s mut Value> {
    let Val::Resource(handle) = params[0] else { bail!("a method without its description") };
    let index = handle_index(&mut *store, handle)?;
    Ok(&mut store.data_mut().0[index])
}

fn handle_index(mut store: impl wasmtime::AsContextMut, handle: ResourceAny) -> Result<usize> {
    Ok(handle.try_into_resource::<Description>(&mut store)?.rep() as usize)
}

fn push(draft: &mut Value, key: &str, value: Value) -> Result<()> {
    draft[key].as_array_mut().context("a list")?.push(value);
    Ok(())
}
