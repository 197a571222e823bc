//! What a module takes from others, and what it does with it.

use ruff_python_ast::{Alias, ExprAttribute, ExprCall, ExprContext, StmtImportFrom};

use super::scope::{Scope, dotted};
use super::{body, fixture};
use guard_sdk::language::{Body, Definition, DefinitionKind, ImportStatement};

impl Scope<'_, '_> {
    pub(super) fn import(&mut self, alias: &Alias) {
        let module = alias.name.to_string();
        let line = self.line(alias);
        let local = alias.asname.as_ref().map_or(module.as_str(), |name| name.as_str()).to_owned();
        self.bind(local.split('.').next().unwrap_or(&local));
        self.outline.imports.push(ImportStatement { module, name: None, local, line, is_optional: self.guarded > 0 });
    }

    pub(super) fn import_from(&mut self, from: &StmtImportFrom) {
        let module = format!("{}{}", ".".repeat(from.level as usize), from.module.as_deref().unwrap_or_default());
        for alias in &from.names {
            if alias.name.as_str() == "*" {
                self.outline.globs.insert(module.clone());
                continue;
            }
            let local = alias.asname.as_ref().unwrap_or(&alias.name).to_string();
            self.bind(&local);
            let (name, line) = (Some(alias.name.to_string()), self.line(alias));
            self.outline.imports.push(ImportStatement {
                module: module.clone(),
                name,
                local,
                line,
                is_optional: self.guarded > 0,
            });
        }
    }

    pub(super) fn attribute(&mut self, attribute: &ExprAttribute) {
        let Some(object) = dotted(&attribute.value) else { return };
        let line = self.line(attribute.attr.range);
        let of_class = matches!(object.as_str(), "self" | "cls" | "mcs");
        match self.owner().filter(|_| of_class) {
            Some(class) if attribute.ctx == ExprContext::Load => self.outline.member_at(&class, &attribute.attr, line),
            Some(class) => {
                let value = Definition::new(&*attribute.attr, DefinitionKind::Value, (line, line), Body::Real);
                self.outline.definitions.push(Definition { owner: Some(class), ..value });
            }
            None => self.outline.member_at(&object, &attribute.attr, line),
        }
    }

    pub(super) fn call(&mut self, call: &ExprCall) {
        let strings = call.arguments.args.iter().flat_map(fixture::strings);
        match body::last(&call.func) {
            "parametrize" => self.outline.parametrized.extend(strings),
            "usefixtures" | "getfixturevalue" => {
                let line = self.line(call);
                let names: Vec<String> = strings.collect();
                names.into_iter().for_each(|name| {
                    self.outline.fixtures_wanted.entry(name).or_insert(line);
                });
            }
            _ => {}
        }
    }
}
