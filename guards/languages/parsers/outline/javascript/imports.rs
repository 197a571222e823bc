//! What a module takes from others and gives to them, and what it does with it.

use oxc_ast::ast::*;

use super::commonjs::{self, Export};
use super::scope::{Scope, dotted};
use guard_sdk::language::{Body, DefinitionKind};

impl Scope<'_> {
    pub(super) fn import(&mut self, it: &ImportDeclaration) {
        let module = it.source.value.as_str();
        let Some(specifiers) = &it.specifiers else { return self.take(module, None, "", it.span) };
        for specifier in specifiers {
            let local = specifier.name();
            self.bind(&local);
            match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => {
                    self.take(module, Some(&one.imported.name()), &local, one.span);
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => {
                    self.take(module, Some("default"), &local, one.span);
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => self.take(module, None, &local, one.span),
            }
        }
    }

    pub(super) fn export_from(&mut self, it: &ExportFromDeclaration) {
        for one in &it.specifiers {
            self.outline.offered.insert(one.exported.name().to_string());
            self.take(&it.source.value, Some(&one.local.name()), "", one.span);
        }
    }

    pub(super) fn export_all(&mut self, it: &ExportAllDeclaration) {
        match &it.exported {
            Some(name) => self.outline.offered.insert(name.name().to_string()),
            None => self.outline.globs.insert(it.source.value.to_string()),
        };
        self.take(&it.source.value, None, "", it.span);
    }

    pub(super) fn assignment(&mut self, it: &AssignmentExpression) {
        match commonjs::export(&it.left, &it.right) {
            Some(Export::Names(names)) => self.outline.offered.extend(names),
            Some(Export::Anything) => self.outline.is_open = true,
            None => {}
        }
        if let (AssignmentTarget::StaticMemberExpression(member), Some(owner)) = (&it.left, self.class())
            && matches!(member.object, Expression::ThisExpression(_))
        {
            self.item(&member.property.name, Some(owner), DefinitionKind::Value, it.span, Body::Real, Vec::new());
        }
    }

    pub(super) fn member(&mut self, it: &StaticMemberExpression) {
        let (name, line) = (it.property.name.as_str(), self.line(it.property.span));
        if matches!(it.object, Expression::ThisExpression(_)) {
            if let Some(class) = self.class() {
                self.outline.member_at(&class, name, line);
            }
        } else if let Some(module) = commonjs::required(&it.object) {
            self.take(module, Some(name), "", it.span);
        } else if let Some(object) = dotted(&it.object) {
            self.outline.member_at(&object, name, line);
        }
    }
}
