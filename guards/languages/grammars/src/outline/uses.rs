//! Names that are read, and names that are given a meaning.

use std::collections::{BTreeMap, BTreeSet};

use guard_sdk::language::{MemberUse, NameUse};
use tree_sitter::Node;

use super::nodes::last_name;
use crate::Parsed;
use crate::parsed::line;
use crate::table::{At, Member};

#[derive(Default)]
pub struct Uses {
    read: BTreeMap<String, u32>,
    members: BTreeMap<(String, String), u32>,
    pub bound: BTreeSet<String>,
}

impl Uses {
    /// A leaf that is a name; `is_first`: it is the first child of its parent.
    pub fn leaf(&mut self, parsed: &Parsed, node: Node, parent: &str, field: Option<&str>, is_first: bool) {
        let table = parsed.language.table();
        let field = field.unwrap_or_default();
        let is_at = |place: &At| {
            place.0 == parent
                && match place.1 {
                    "*" => true,
                    "+" => field.is_empty() && !is_first,
                    wanted => wanted == field,
                }
        };
        let name = parsed.text_of(node).trim_matches('`');
        if table.binds.iter().any(is_at) {
            self.bound.insert(name.to_owned());
        } else if !table.labels.iter().any(is_at) {
            self.read.entry(name.to_owned()).or_insert(line(node));
        }
    }

    /// `object.member`; `class`: what `this` is.
    pub fn member(&mut self, parsed: &Parsed, node: Node, member: &Member, class: Option<&str>) {
        let object = match member.object {
            Some(field) => node.child_by_field_name(field),
            None => node.named_child(0),
        };
        let name = match member.member {
            Some(field) => node.child_by_field_name(field),
            None => {
                u32::try_from(node.named_child_count()).ok().and_then(|count| node.named_child(count.checked_sub(1)?))
            }
        };
        let (Some(object), Some(name)) = (object, name) else { return };
        let text = parsed.text_of(object);
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | ':' | '\\' | '@');
        if text.is_empty() || text.len() > 120 || !text.chars().all(plain) {
            return;
        }
        let object = match (text, class) {
            ("this" | "self" | "$this" | "static", Some(class)) => class.to_owned(),
            _ => text.replace("::", "."),
        };
        let key = (object, last_name(parsed.text_of(name)).to_owned());
        self.members.entry(key).or_insert(line(node));
    }

    pub fn read(self) -> (Vec<NameUse>, Vec<MemberUse>, Vec<String>) {
        let read = self.read.into_iter().map(|(name, line)| NameUse { name, line }).collect();
        let members =
            self.members.into_iter().map(|((object, member), line)| MemberUse { object, member, line }).collect();
        (read, members, self.bound.into_iter().collect())
    }
}
