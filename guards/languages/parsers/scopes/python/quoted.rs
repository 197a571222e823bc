//! Annotations in strings: `"Node | None"`, `list["Node"]`, `cast("Node", value)`.

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, ExprCall, ExprStringLiteral};
use ruff_python_parser::parse_expression_range;
use ruff_text_size::{Ranged, TextRange};

use super::bind::Walk;

/// Type constructors whose arguments are types. Those of other subscripts may be anything: `Literal["a"]`, `Float[Array, "batch"]`.
#[rustfmt::skip]
const CONSTRUCTORS: [&str; 43] = [
    "Any", "AsyncGenerator", "AsyncIterable", "AsyncIterator", "Awaitable", "Callable", "ClassVar", "Collection", "Concatenate",
    "Container", "Coroutine", "Counter", "DefaultDict", "Deque", "Dict", "Final", "FrozenSet", "Generator", "Generic", "Iterable",
    "Iterator", "List", "Mapping", "MutableMapping", "MutableSequence", "MutableSet", "Optional", "OrderedDict", "Protocol",
    "Sequence", "Set", "Tuple", "Type", "Union", "defaultdict", "deque", "dict", "frozenset", "list", "set", "tuple", "type",
    "TypeGuard",
];

pub fn visit_annotation<'a>(walk: &mut Walk<'a>, annotation: &'a Expr) {
    // Operators in a row nest; who writes a hundred alternatives in strings is not judged.
    visit_type(walk, annotation, 100);
}

/// `cast("Node", value)`.
pub fn visit_call<'a>(walk: &mut Walk<'a>, call: &'a ExprCall) {
    let is_cast = match &*call.func {
        Expr::Name(name) => name.id.as_str() == "cast",
        Expr::Attribute(attribute) => {
            attribute.attr.as_str() == "cast" && attribute.value.as_name_expr().is_some_and(|of| of.id == "typing")
        }
        _ => false,
    };
    if let (true, [of, _]) = (is_cast, &*call.arguments.args) {
        visit_type(walk, of, 100);
    }
}

fn visit_type<'a>(walk: &mut Walk<'a>, expr: &'a Expr, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match expr {
        Expr::StringLiteral(literal) => visit_literal(walk, literal),
        Expr::BinOp(union) => {
            visit_type(walk, &union.left, depth);
            visit_type(walk, &union.right, depth);
        }
        Expr::Subscript(subscript) if is_constructor(&subscript.value) => visit_type(walk, &subscript.slice, depth),
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(|part| visit_type(walk, part, depth)),
        Expr::List(list) => list.elts.iter().for_each(|part| visit_type(walk, part, depth)),
        _ => {}
    }
}

fn is_constructor(expr: &Expr) -> bool {
    match expr {
        Expr::Name(name) => CONSTRUCTORS.contains(&name.id.as_str()),
        Expr::Attribute(attribute) => CONSTRUCTORS.contains(&attribute.attr.as_str()),
        _ => false,
    }
}

fn visit_literal<'a>(walk: &mut Walk<'a>, literal: &'a ExprStringLiteral) {
    let Some(single) = literal.as_single_part_string() else { return };
    let inner = single.content_range();
    let text = &walk.text[inner];
    // Escapes, several lines and words of a sentence are no type.
    if text.contains(['\\', '\n']) || text.trim() != text {
        return;
    }
    let Ok(parsed) = parse_expression_range(walk.text, inner) else { return };
    let mut types = Types::default();
    types.visit_expr(&parsed.syntax().body);
    for range in types.names {
        walk.use_of(&walk.text[range], range, true);
    }
}

/// Names in a type that is written in a string.
#[derive(Default)]
struct Types {
    names: Vec<TextRange>,
    depth: usize,
}

impl<'a> Visitor<'a> for Types {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.depth += 1;
        match expr {
            _ if self.depth > 50 => {}
            Expr::Name(name) => self.names.push(name.range()),
            Expr::Attribute(_) | Expr::BinOp(_) | Expr::Tuple(_) | Expr::List(_) => walk_expr(self, expr),
            Expr::Subscript(subscript) => {
                self.visit_expr(&subscript.value);
                if is_constructor(&subscript.value) {
                    self.visit_expr(&subscript.slice);
                }
            }
            _ => {}
        }
        self.depth -= 1;
    }
}
