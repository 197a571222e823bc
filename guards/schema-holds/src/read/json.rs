//! JSON with comments and trailing commas, and JSON5.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, ParseOptions};

use super::{DEPTH, Lines, Unread};
use crate::kind;
use crate::value::{self, Kind, Member, Value};

pub fn read(text: &str, json5: bool, of: kind::Kind) -> Result<Value<'_>, Unread> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_missing_commas: false,
        allow_loose_object_property_names: json5,
        allow_single_quoted_strings: json5,
        allow_hexadecimal_numbers: json5,
        allow_unary_plus_numbers: json5,
        allow_bare_decimal_point_numbers: json5,
        allow_non_finite_numbers: json5,
        allow_extended_string_escapes: json5,
    };
    let tree =
        jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| match error.kind() {
            ParseErrorKind::NestingDepthExceeded => Unread::TooMuch("it nests too deep"),
            _ => Unread::Broken,
        })?;
    let reader = Reader { lines: Lines::new(text), of };
    match tree.value {
        Some(value) => reader.value(value, 0),
        None => Ok(Value { line: 1, span: 0..0, kind: Kind::Null }),
    }
}

struct Reader {
    lines: Lines,
    of: kind::Kind,
}

impl Reader {
    fn value<'t>(&self, node: ast::Value<'t>, depth: usize) -> Result<Value<'t>, Unread> {
        if depth > DEPTH {
            return Err(Unread::TooMuch("it nests too deep"));
        }
        let (line, span) = (self.lines.at(node.start()), node.start()..node.end());
        let kind = match node {
            ast::Value::NullKeyword(_) => Kind::Null,
            ast::Value::BooleanLit(literal) => Kind::Bool(literal.value),
            ast::Value::NumberLit(literal) => number(literal.value),
            ast::Value::StringLit(literal) if self.of.is_open(&literal.value) => Kind::Open,
            ast::Value::StringLit(literal) => Kind::Text(literal.value),
            ast::Value::Array(array) => {
                let items = array.elements.into_iter().map(|item| self.value(item, depth + 1));
                Kind::List(items.collect::<Result<_, _>>()?)
            }
            ast::Value::Object(object) => {
                let members = object.properties.into_iter().map(|property| {
                    let line = self.lines.at(property.range.start);
                    let key = match property.name {
                        ast::ObjectPropName::String(name) => name.value,
                        ast::ObjectPropName::Word(name) => name.value.into(),
                    };
                    Ok(Member { key, line, value: self.value(property.value, depth + 1)? })
                });
                value::map(members.collect::<Result<_, _>>()?)
            }
        };
        Ok(Value { line, span, kind })
    }
}

fn number<'t>(text: &str) -> Kind<'t> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let number = match hexadecimal {
        Some(digits) => u64::from_str_radix(digits, 16).ok().map(|number| number as f64),
        None => digits.parse().ok(),
    };
    // What is no number to Rust is one to JSON5 all the same.
    Kind::Number(sign * number.unwrap_or(f64::NAN))
}
