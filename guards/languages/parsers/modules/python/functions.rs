//! Functions whose parameters are certain.

use crate::scopes::Lines;
use crate::scopes::python::Names;
use guard_sdk::modules::{Function, Parameter};
use ruff_python_ast::{Decorator, Expr, Parameters, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_text_size::Ranged;

pub fn collect(body: &[Stmt], names: &Names, lines: &Lines) -> Vec<Function> {
    let is_only = |name: &str| names.module_bindings(name).len() == 1;
    let mut functions = Vec::new();
    for stmt in body {
        match stmt {
            Stmt::FunctionDef(function) if is_only(&function.name) && keeps(&function.decorator_list) => {
                let line = lines.at(function.name.start().to_usize());
                functions.push(self::function(&function.name, line, &function.parameters, false));
            }
            Stmt::ClassDef(class) if is_only(&class.name) => collect_methods(class, lines, &mut functions),
            _ => {}
        }
    }
    functions
}

fn collect_methods(class: &StmtClassDef, lines: &Lines, functions: &mut Vec<Function>) {
    let methods: Vec<&StmtFunctionDef> = class.body.iter().filter_map(Stmt::as_function_def_stmt).collect();
    let assigned = |name: &str| {
        class.body.iter().any(|stmt| match stmt {
            Stmt::Assign(assign) => assign.targets.iter().any(|target| is_name(target, name)),
            Stmt::FunctionDef(_) | Stmt::AnnAssign(_) | Stmt::Expr(_) | Stmt::Pass(_) => false,
            // An `if` or a loop may bind anything.
            _ => true,
        })
    };
    for method in &methods {
        let name = method.name.as_str();
        if methods.iter().filter(|other| other.name.as_str() == name).count() != 1 || assigned(name) {
            continue;
        }
        let (is_static, is_class) =
            (has(&method.decorator_list, "staticmethod"), has(&method.decorator_list, "classmethod"));
        if method.decorator_list.len() != usize::from(is_static || is_class) {
            continue;
        }
        let line = lines.at(method.name.start().to_usize());
        if name == "__init__" && constructs(class, &methods) {
            functions.push(function(&class.name, line, &method.parameters, true));
        }
        let method = function(&format!("{}.{name}", class.name), line, &method.parameters, !is_static);
        functions.push(Function { is_open: true, ..method });
    }
}

/// Whether a call of the class gives its arguments to `__init__` as they are.
fn constructs(class: &StmtClassDef, methods: &[&StmtFunctionDef]) -> bool {
    let plain = |base: &Expr| match base {
        Expr::Name(name) => {
            !["Enum", "NamedTuple", "TypedDict", "Protocol", "Model", "Meta"].iter().any(|part| name.id.contains(part))
        }
        Expr::Attribute(_) | Expr::Subscript(_) => true,
        _ => false,
    };
    class.decorator_list.is_empty()
        && class.keywords().is_empty()
        && class.bases().iter().all(plain)
        && !methods.iter().any(|method| matches!(method.name.as_str(), "__new__" | "__class_getitem__"))
}

fn function(key: &str, line: u32, parameters: &Parameters, is_bound: bool) -> Function {
    let parameter = |with_default: &ruff_python_ast::ParameterWithDefault, is_nameless| Parameter {
        name: with_default.parameter.name.to_string(),
        is_required: with_default.default.is_none(),
        is_nameless,
    };
    let first = parameters.posonlyargs.iter().map(|each| parameter(each, true));
    let positional = first.chain(parameters.args.iter().map(|each| parameter(each, false)));
    Function {
        key: key.to_owned(),
        line,
        positional: positional.skip(usize::from(is_bound)).collect(),
        keyword_only: parameters.kwonlyargs.iter().map(|each| parameter(each, false)).collect(),
        takes_more: parameters.vararg.is_some(),
        takes_keywords: parameters.kwarg.is_some(),
        is_open: false,
        // Methods are called on what is imported.
        exported_as: if key.contains('.') { Vec::new() } else { vec![key.to_owned()] },
    }
}

/// Decorators that leave the parameters as they are.
fn keeps(decorators: &[Decorator]) -> bool {
    #[rustfmt::skip]
    const KEEPERS: [&str; 7] =
        ["cache", "lru_cache", "contextmanager", "asynccontextmanager", "no_type_check", "final", "override"];
    decorators.iter().all(|decorator| {
        let called = match &decorator.expression {
            Expr::Call(call) => &*call.func,
            other => other,
        };
        last_name(called).is_some_and(|name| KEEPERS.contains(&name))
    })
}

fn has(decorators: &[Decorator], name: &str) -> bool {
    decorators.iter().any(|decorator| is_name(&decorator.expression, name))
}

fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Name(found) if found.id.as_str() == name)
}

fn last_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(&name.id),
        Expr::Attribute(attribute) => Some(&attribute.attr),
        _ => None,
    }
}
