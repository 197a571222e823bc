//! Two bundles into one. The order of merging, and merging twice, make no difference.

use std::collections::BTreeMap;

use super::{Bundle, GuardNote, RunData};

impl Bundle {
    /// Adds all of `other`.
    pub fn merge(&mut self, other: Bundle) {
        self.made_by.extend(other.made_by);
        self.redacted |= other.redacted;
        for (id, run) in other.runs {
            self.runs.entry(id).or_default().merge(run);
        }
        for (id, object) in other.objects {
            self.objects.entry(id).or_insert(object);
        }
        for (key, text) in other.texts {
            match self.texts.get(&key) {
                // The same file, cut later.
                Some(own) if (own.text.len(), own) >= (text.text.len(), &text) => {}
                Some(_) | None => {
                    self.texts.insert(key, text);
                }
            }
        }
        keep_greater(&mut self.guards, other.guards);
        self.rulings.extend(other.rulings);
    }
}

impl RunData {
    /// What was seen last says whether the run is alive.
    fn merge(&mut self, other: RunData) {
        if (&other.seen, other.alive, other.unread) > (&self.seen, self.alive, self.unread) {
            (self.seen, self.alive, self.unread) = (other.seen, other.alive, other.unread);
        }
        keep_greater(&mut self.files, other.files);
        for (seq, moment) in other.moments {
            self.moments.entry(seq).or_insert(moment);
        }
    }
}

/// Of two values for one key the greater, so that the order of merging makes no difference.
fn keep_greater<V: Ord>(own: &mut BTreeMap<String, V>, other: BTreeMap<String, V>) {
    for (key, value) in other {
        match own.get(&key) {
            Some(kept) if *kept >= value => {}
            Some(_) | None => {
                own.insert(key, value);
            }
        }
    }
}

impl GuardNote {
    /// A guard that is known by its id alone.
    pub fn from_mark(mark: &str) -> Self {
        GuardNote { mark: mark.to_owned(), ..GuardNote::default() }
    }
}
