//! `require` and `module.exports`.

use oxc_ast::ast::{AssignmentTarget, BindingPattern, Expression, ObjectPropertyKind};

/// The module of `require("x")` and of `await import("x")`.
pub fn required<'a>(expr: &Expression<'a>) -> Option<&'a str> {
    match expr {
        Expression::CallExpression(call) if call.callee.is_specific_id("require") => {
            text(call.arguments.first()?.as_expression()?)
        }
        Expression::AwaitExpression(wait) => required(&wait.argument),
        Expression::ImportExpression(import) => text(&import.source),
        _ => None,
    }
}

fn text<'a>(expr: &Expression<'a>) -> Option<&'a str> {
    match expr {
        Expression::StringLiteral(text) => Some(text.value.as_str()),
        _ => None,
    }
}

/// Names that a pattern takes out of a module, each with what it is called here; None stands for the module itself.
pub fn taken(pattern: &BindingPattern) -> Vec<(Option<String>, String)> {
    match pattern {
        BindingPattern::BindingIdentifier(name) => vec![(None, name.name.to_string())],
        BindingPattern::ObjectPattern(object) => {
            let one = |property: &oxc_ast::ast::BindingProperty| {
                let key = property.key.static_name()?.to_string();
                // A default makes up for a name that is not there.
                let local = match &property.value {
                    BindingPattern::BindingIdentifier(name) => name.name.to_string(),
                    _ => return None,
                };
                Some((Some(key), local))
            };
            object.properties.iter().filter_map(one).collect()
        }
        _ => Vec::new(),
    }
}

/// What an assignment exports.
pub enum Export {
    Names(Vec<String>),
    /// Something that is computed.
    Anything,
}

pub fn export(target: &AssignmentTarget, value: &Expression) -> Option<Export> {
    let AssignmentTarget::StaticMemberExpression(member) = target else { return None };
    let name = member.property.name.as_str();
    match &member.object {
        Expression::Identifier(object) if object.name == "exports" => Some(Export::Names(vec![name.to_owned()])),
        Expression::Identifier(object) if object.name == "module" && name == "exports" => Some(whole(value)),
        Expression::StaticMemberExpression(outer)
            if outer.property.name == "exports" && outer.object.is_specific_id("module") =>
        {
            Some(Export::Names(vec![name.to_owned()]))
        }
        // `exports = module.exports = create`, then `exports.json = …`.
        _ => None,
    }
}

fn whole(value: &Expression) -> Export {
    let Expression::ObjectExpression(object) = value else { return Export::Anything };
    let mut names = Vec::new();
    for property in &object.properties {
        match property {
            ObjectPropertyKind::ObjectProperty(property) => match property.key.static_name() {
                Some(name) => names.push(name.to_string()),
                None => return Export::Anything,
            },
            ObjectPropertyKind::SpreadProperty(_) => return Export::Anything,
        }
    }
    Export::Names(names)
}
