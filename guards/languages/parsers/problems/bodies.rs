//! Functions and methods of TypeScript that say their types and have no body, as if they were overloads, with no body to follow. To a
//! parser they are declarations; the compiler refuses them.

use oxc_ast::ast::{
    Class, ClassElement, Declaration, ExportDefaultDeclarationKind, Function, MethodDefinitionKind,
    MethodDefinitionType, Program, Statement,
};

/// The byte of the first at the top of a file, or in a class there.
pub fn missing(program: &Program) -> Option<usize> {
    let statements = &program.body;
    statements.iter().enumerate().find_map(|(at, statement)| match item(statement)? {
        Item::Class(class) => method(class),
        Item::Function(function) if function.body.is_some() || function.declare => None,
        Item::Function(function) => {
            let goes_on = match statements.get(at + 1).and_then(item) {
                Some(Item::Function(next)) => {
                    next.id.as_ref().map(|id| id.name) == function.id.as_ref().map(|id| id.name)
                }
                _ => false,
            };
            (!goes_on).then_some(function.span.start as usize)
        }
    })
}

enum Item<'p, 'a> {
    Function(&'p Function<'a>),
    Class(&'p Class<'a>),
}

fn item<'p, 'a>(statement: &'p Statement<'a>) -> Option<Item<'p, 'a>> {
    match statement {
        Statement::FunctionDeclaration(function) => Some(Item::Function(function)),
        Statement::ClassDeclaration(class) => Some(Item::Class(class)),
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::FunctionDeclaration(function) => Some(Item::Function(function)),
            Declaration::ClassDeclaration(class) => Some(Item::Class(class)),
            _ => None,
        },
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => Some(Item::Function(function)),
            ExportDefaultDeclarationKind::ClassDeclaration(class) => Some(Item::Class(class)),
            _ => None,
        },
        _ => None,
    }
}

fn method(class: &Class) -> Option<usize> {
    let elements = &class.body.body;
    if class.declare {
        return None;
    }
    elements.iter().enumerate().find_map(|(at, element)| {
        let ClassElement::MethodDefinition(method) = element else { return None };
        let is_declared = method.r#type == MethodDefinitionType::TSAbstractMethodDefinition || method.optional;
        if method.value.body.is_some() || is_declared {
            return None;
        }
        // What is computed may be any name.
        let name = method.key.name();
        let goes_on = match elements.get(at + 1) {
            Some(ClassElement::MethodDefinition(next)) => name.is_none() || next.key.name() == name,
            _ => name.is_none(),
        };
        let is_accessor = matches!(method.kind, MethodDefinitionKind::Get | MethodDefinitionKind::Set);
        (is_accessor || !goes_on).then_some(method.span.start as usize)
    })
}
