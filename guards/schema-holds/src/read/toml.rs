//! TOML. A date is read as a string, as schemas for TOML write it.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{DEPTH, Lines, Unread};
use crate::kind;
use crate::value::{self, Kind, Member, Value};

pub fn read(text: &str, of: kind::Kind) -> Result<Value<'_>, Unread> {
    let table = DeTable::parse(text).map_err(|_| Unread::Broken)?;
    let reader = Reader { lines: Lines::new(text), of };
    Ok(Value { line: 1, span: 0..0, kind: reader.table(table.into_inner(), 0)? })
}

struct Reader {
    lines: Lines,
    of: kind::Kind,
}

impl Reader {
    fn table<'t>(&self, table: DeTable<'t>, depth: usize) -> Result<Kind<'t>, Unread> {
        let members = table.into_iter().map(|(key, value)| {
            let line = self.line(key.span());
            Ok(Member { key: key.into_inner(), line, value: self.value(value, depth + 1)? })
        });
        Ok(value::map(members.collect::<Result<_, _>>()?))
    }

    fn value<'t>(&self, value: Spanned<DeValue<'t>>, depth: usize) -> Result<Value<'t>, Unread> {
        if depth > DEPTH {
            return Err(Unread::TooMuch("it nests too deep"));
        }
        let span = value.span();
        let line = self.line(span.clone());
        let kind = match value.into_inner() {
            DeValue::String(text) if self.of.is_open(&text) => Kind::Open,
            DeValue::String(text) => Kind::Text(text),
            DeValue::Integer(number) => {
                let digits = number.as_str();
                Kind::Number(i64::from_str_radix(digits, number.radix()).map_or(f64::MAX, |number| number as f64))
            }
            DeValue::Float(number) => Kind::Number(number.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(value) => Kind::Bool(value),
            DeValue::Datetime(date) => Kind::Text(date.to_string().into()),
            DeValue::Array(items) => {
                let items = items.into_iter().map(|item| self.value(item, depth + 1));
                Kind::List(items.collect::<Result<_, _>>()?)
            }
            DeValue::Table(table) => self.table(table, depth)?,
        };
        Ok(Value { line, span, kind })
    }

    fn line(&self, span: Range<usize>) -> u32 {
        self.lines.at(span.start)
    }
}
