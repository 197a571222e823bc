//! Which runs a list shows, and in what order: what the address of the list says.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::location::{decoded, encoded};

/// Bytes of a value of the address; a longer one counts as none.
const LONGEST: usize = 512;

/// What runs are told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ListKey {
    State,
    Repository,
    Person,
    Machine,
    Agent,
    Provider,
    /// A guard that rejected.
    Guard,
}

impl ListKey {
    pub const ALL: [ListKey; 7] = [
        ListKey::State,
        ListKey::Repository,
        ListKey::Person,
        ListKey::Machine,
        ListKey::Agent,
        ListKey::Provider,
        ListKey::Guard,
    ];

    /// The name in the address.
    pub fn as_str(self) -> &'static str {
        match self {
            ListKey::State => "state",
            ListKey::Repository => "repository",
            ListKey::Person => "person",
            ListKey::Machine => "machine",
            ListKey::Agent => "agent",
            ListKey::Provider => "provider",
            ListKey::Guard => "guard",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            ListKey::State => "State",
            ListKey::Repository => "Repository",
            ListKey::Person => "Person",
            ListKey::Machine => "Machine",
            ListKey::Agent => "Agent",
            ListKey::Provider => "Provider",
            ListKey::Guard => "Rejected by",
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ListSort {
    #[default]
    Newest,
    Oldest,
    /// By the time that they took.
    Longest,
}

impl ListSort {
    pub const ALL: [ListSort; 3] = [ListSort::Newest, ListSort::Oldest, ListSort::Longest];

    pub fn as_str(self) -> &'static str {
        match self {
            ListSort::Newest => "newest",
            ListSort::Oldest => "oldest",
            ListSort::Longest => "longest",
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ListGroup {
    #[default]
    Day,
    /// Steps stand below their plan.
    Plan,
    Nothing,
}

impl ListGroup {
    pub const ALL: [ListGroup; 3] = [ListGroup::Day, ListGroup::Plan, ListGroup::Nothing];

    pub fn as_str(self) -> &'static str {
        match self {
            ListGroup::Day => "day",
            ListGroup::Plan => "plan",
            ListGroup::Nothing => "nothing",
        }
    }
}

/// A place between two rows of a list: the number that it is sorted by, and the id of the run beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListCursor {
    pub at: i64,
    pub run: String,
    /// The rows before it are asked for, not those behind.
    pub is_backwards: bool,
}

/// A list of runs, as its address asks for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunList {
    /// Words that all stand in the row.
    pub words: String,
    pub chosen: BTreeMap<ListKey, String>,
    /// Days in UTC, both inclusive.
    pub since: Option<Date>,
    pub until: Option<Date>,
    pub sort: ListSort,
    pub group: ListGroup,
    pub cursor: Option<ListCursor>,
}

impl RunList {
    /// Of the part of an address behind `?`. What is not known, or no value of its kind, counts as not said.
    pub fn from_query(query: &str) -> Self {
        let mut list = RunList::default();
        for pair in query.split('&') {
            let Some((name, value)) = pair.split_once('=') else { continue };
            let Some(value) = decoded(&value.replace('+', " ")).filter(|value| value.len() <= LONGEST) else {
                continue;
            };
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            match name {
                "q" => list.words = value.to_owned(),
                "since" => list.since = value.parse().ok(),
                "until" => list.until = value.parse().ok(),
                "sort" => list.sort = ListSort::ALL.into_iter().find(|sort| sort.as_str() == value).unwrap_or_default(),
                "group" => {
                    list.group = ListGroup::ALL.into_iter().find(|group| group.as_str() == value).unwrap_or_default()
                }
                "after" | "before" => list.cursor = cursor(value, name == "before"),
                name => {
                    let key = ListKey::ALL.into_iter().find(|key| key.as_str() == name);
                    key.and_then(|key| list.chosen.insert(key, value.to_owned()));
                }
            }
        }
        list
    }

    /// The part of an address behind `?`; empty for the list without conditions.
    pub fn query(&self) -> String {
        let mut pairs: Vec<(&str, String)> = Vec::new();
        pairs.extend((!self.words.is_empty()).then(|| ("q", self.words.clone())));
        pairs.extend(self.chosen.iter().map(|(key, value)| (key.as_str(), value.clone())));
        pairs.extend(self.since.map(|day| ("since", day.to_string())));
        pairs.extend(self.until.map(|day| ("until", day.to_string())));
        pairs.extend((self.sort != ListSort::default()).then(|| ("sort", self.sort.as_str().to_owned())));
        pairs.extend((self.group != ListGroup::default()).then(|| ("group", self.group.as_str().to_owned())));
        pairs.extend(self.cursor.as_ref().map(|cursor| {
            (if cursor.is_backwards { "before" } else { "after" }, format!("{}.{}", cursor.at, cursor.run))
        }));
        pairs.iter().map(|(name, value)| format!("{name}={}", encoded(value, ""))).collect::<Vec<_>>().join("&")
    }

    /// The conditions in words, each with the list without it.
    pub fn conditions(&self) -> Vec<(String, RunList)> {
        let first = RunList { cursor: None, ..self.clone() };
        let mut conditions = Vec::new();
        if !self.words.is_empty() {
            conditions.push((format!("“{}”", self.words), RunList { words: String::new(), ..first.clone() }));
        }
        for (key, value) in &self.chosen {
            let mut without = first.clone();
            without.chosen.remove(key);
            conditions.push((format!("{}: {value}", key.label()), without));
        }
        if let Some(day) = self.since {
            conditions.push((format!("from {day}"), RunList { since: None, ..first.clone() }));
        }
        if let Some(day) = self.until {
            conditions.push((format!("to {day}"), RunList { until: None, ..first.clone() }));
        }
        conditions
    }

    /// The first instant that is meant, and the first behind the last; microseconds since 1970.
    pub fn span(&self) -> (Option<i64>, Option<i64>) {
        let begin = |day: Date| day.to_zoned(TimeZone::UTC).ok().map(|at| Timestamp::from(at).as_microsecond());
        (self.since.and_then(begin), self.until.and_then(|day| day.tomorrow().ok()).and_then(begin))
    }
}

fn cursor(text: &str, is_backwards: bool) -> Option<ListCursor> {
    let (at, run) = text.split_once('.')?;
    Some(ListCursor { at: at.parse().ok()?, run: run.to_owned(), is_backwards })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_what_its_list_shows_and_the_other_way_round() {
        let query = "q=two%20words&state=rejected&person=Rose%20%26%20Co%3D&since=2026-11-01&until=2026-11-02&sort=longest&group=plan&after=5.01a2";
        let list = RunList::from_query(query);
        assert_eq!(list.query(), query);
        assert_eq!(list.chosen[&ListKey::Person], "Rose & Co=");
        assert_eq!(list.span(), (Some(1_793_491_200_000_000), Some(1_793_664_000_000_000)));
        assert_eq!(RunList::from_query("q=two+words").words, "two words", "as forms send it");
        // A condition that is taken away begins the list anew.
        let conditions = list.conditions();
        assert_eq!(conditions.len(), 5);
        assert!(conditions.iter().all(|(_, without)| without.cursor.is_none() && without.conditions().len() == 4));
    }

    #[test]
    fn what_is_no_condition_is_none() {
        for query in ["", "q=", "state=&x=y", "since=today", "sort=best", "after=x", "q=%zz", "%", "&&=&"] {
            assert_eq!(RunList::from_query(query), RunList::default(), "{query}");
        }
    }
}
